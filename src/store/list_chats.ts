// The conversations of `ctx chat` that a store keeps: to list them, and to go on with one.

import type { Entry } from "../core/entry.ts";
import { CtxError } from "../core/errors.ts";
import { idPattern } from "../core/id.ts";
import { compareText, toLine } from "../core/text.ts";
import { ChatStore } from "./chat_log.ts";
import type { Store } from "./store.ts";

export interface ChatSummary {
  id: string;
  /** When it was last gone on with, and when it began. */
  ts: string;
  started: string;
  /** Its first question, in one line. */
  title: string;
  questions: number;
  use_case?: string;
}

/** The conversations of a store, the last one first. */
export function listChats(store: Store): ChatSummary[] {
  // A chat is gone on with in the file of its id: what is none may lead anywhere.
  const rows = [...new ChatStore(store).entries()].map(({ entry }) => entry)
    .filter(({ session_id: id }) => id !== undefined && idPattern.test(id));
  const chats = [...Map.groupBy(rows, ({ session_id: id = "" }) => id)].map(([id, turns]) => {
    const questions = turns.filter(({ role }) => role === "user");
    return {
      id,
      ts: turns[turns.length - 1].ts,
      started: turns[0].ts,
      title: toLine(questions[0]?.text ?? "", 200),
      questions: questions.length,
      ...findUseCase(turns),
    };
  });
  return chats.sort((a, b) => compareText(b.ts, a.ts) || compareText(b.id, a.id));
}

/** A conversation to go on with: the one whose id begins so, or the last one. */
export function getChat(store: Store, beginning?: string): { id: string; turns: Entry[] } {
  const chats = listChats(store);
  const found = chats.filter(({ id }) => id.startsWith(beginning ?? ""));
  if (found.length === 0) {
    const what = beginning === undefined ? "there is none" : `none has the id "${beginning}"`;
    throw new CtxError("NOT_FOUND", `Cannot resume a conversation: ${what}`, {
      hint: chats.length > 0 ? "ctx chat --list" : "ctx chat -i starts one",
    });
  }
  const exact = found.find(({ id }) => id === beginning);
  if (beginning !== undefined && exact === undefined && found.length > 1) {
    throw new CtxError(
      "USAGE",
      `Cannot resume "${beginning}": several conversations start with it`,
      {
        hint: `ctx chat --resume ${found[0].id}`,
      },
    );
  }
  const { id } = exact ?? found[0];
  const rows = [...new ChatStore(store).entries()].map(({ entry }) => entry);
  return { id, turns: rows.filter((entry) => entry.session_id === id) };
}

/** What the answers of a conversation were for, last. */
export function findUseCase(turns: readonly Entry[]): { use_case?: string } {
  const said = turns.findLast(({ use_case: text }) => typeof text === "string")?.use_case;
  return typeof said === "string" ? { use_case: said } : {};
}
