// Transcripts of `ctx chat`: one file per conversation under `chat/`, its rows in the form of
// entries. They are kept apart from history and searched only when somebody asks for them.

import type { Draft, Entry } from "../core/entry.ts";
import { CtxError } from "../core/errors.ts";
import { makeId } from "../core/id.ts";
import { compareText, toLine } from "../core/text.ts";
import { concat } from "../core/utf8.ts";
import type { Files } from "./files/files.ts";
import { layoutOf } from "./files/layout.ts";
import { MemoryReader } from "./files/memory_reader.ts";
import { Store } from "./store.ts";

/** The type of a transcript's entries. */
export const chatType = "chat";

/** Appends turns to a conversation; they are redacted and on disk when this returns. */
export async function appendChat(
  store: Store,
  chatId: string,
  turns: (Draft & { ts: string })[],
): Promise<void> {
  await store.write("chat", (writer) => {
    writer.files.makeDirectory(store.layout.chat);
    const rows = turns.map((turn) => ({
      id: makeId("H", Date.parse(turn.ts), `${chatId}\0${turn.role}\0${turn.text}`),
      ...turn,
      session_id: chatId,
    }));
    writer.appendRows(`${store.layout.chat}/${chatId}.ndjson`, rows);
  });
}

/** Whether there are transcripts at all. */
export function hasChats(store: Store): boolean {
  return store.files.list(store.layout.chat).some((name) => name.endsWith(".ndjson"));
}

/** A conversation in a list. */
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
  const rows = [...new ChatStore(store).entries()].map(({ entry }) => entry);
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
    throw new CtxError("NOT_FOUND", `Cannot go on with a conversation: ${what}`, {
      hint: chats.length > 0 ? "ctx chat --list" : "ctx chat -i begins one",
    });
  }
  const exact = found.find(({ id }) => id === beginning);
  if (beginning !== undefined && exact === undefined && found.length > 1) {
    throw new CtxError("USAGE", `Cannot tell which conversation "${beginning}" is`, {
      hint: `ctx chat --resume ${found[0].id}`,
    });
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

/** The transcripts of a store as a store of their own, read-only and without an index. */
export class ChatStore extends Store {
  constructor(store: Store) {
    const workspace = store.layout.chat;
    super({
      workspace,
      files: holdLog(layoutOf(workspace).history.hot, readTranscripts(store)),
      now: () => 0,
      random: () => "",
      warn: () => {},
    });
  }
}

function readTranscripts(store: Store): Uint8Array {
  const names = store.files.list(store.layout.chat).filter((name) => name.endsWith(".ndjson"));
  return concat(
    names.map((name) => store.files.findBytes(`${store.layout.chat}/${name}`) ?? new Uint8Array()),
  );
}

/** A file layer that holds one log, in memory. */
function holdLog(path: string, bytes: Uint8Array): Files {
  const listTree = (directory: string): string[] => path.startsWith(`${directory}/`) ? [path] : [];
  return {
    findSize: (wanted) => wanted === path ? bytes.length : undefined,
    findBytes: (wanted) => wanted === path ? bytes : undefined,
    openReader: (wanted) => wanted === path ? new MemoryReader(bytes) : undefined,
    list: (directory) => listTree(directory).map((inside) => inside.slice(directory.length + 1)),
    listTree,
    append: refuse,
    truncate: refuse,
    replace: refuse,
    openWriter: refuse,
    hold: refuse,
    rename: refuse,
    remove: refuse,
    makeDirectory: refuse,
  };
}

function refuse(): never {
  throw new CtxError("DENIED", "Cannot change transcripts: they are read-only here");
}
