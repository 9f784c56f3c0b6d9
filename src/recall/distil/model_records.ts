// Records that a language model writes: it is shown the session as numbered rows, must name the rows
// that each claim rests on, and every claim is held against just those rows. What they do not bear
// out is dropped. Pure.

import type { Draft, Entry } from "../../core/entry.ts";
import { makeId } from "../../core/id.ts";
import { findJson, isObject } from "../../core/json.ts";
import { isRecordType, type RecordType } from "../../core/rows/record.ts";
import { firstLine, toLine } from "../../core/text.ts";
import type { RecordDraft } from "./distil_session.ts";
import { toExchanges } from "./exchanges.ts";
import { filesOf } from "./find_outcomes.ts";
import { findSymbols, keyWords, shareOf } from "./key_words.ts";
import { cutAtSentence, maxTextChars } from "./quote.ts";

/** What the model is told to do. */
export const modelTask =
  "You keep the memory of a software project. From the numbered rows of one session write what a " +
  "later session must know, as a JSON array of at most 12 objects {type, title, text, rows}. type: " +
  "goal, decision (chosen, why, rejected), outcome (done, final values, tests), fix (symptom, cause, " +
  "remedy), preference (what the user demanded), command (that worked, and what for) or open (left " +
  "to do). title: what it is about, in words a later question would use. text: at most 400 " +
  "characters, in the words of the rows. rows: the numbers it rests on. Say nothing that those rows " +
  "do not say. Answer with the array alone.";

const rowChars = 1500;
const sessionChars = 24_000;

/** A session as a model is shown it. */
export interface ModelView {
  text: string;
  /** The entries by their number, from 1. */
  rows: Entry[];
}

/** What was asked and answered, and what failed, numbered; the end of it where it is too long. */
export function toModelView(entries: readonly Entry[], options: { isSide?: boolean }): ModelView {
  const told = toExchanges(entries, options).flatMap(({ prompts, turns, runs }) => [
    ...prompts,
    ...turns.map(({ entry }) => entry),
    ...runs.filter(({ failed }) => failed).flatMap(({ output }) => output ?? []),
  ]);
  const rows: Entry[] = [];
  let chars = 0;
  for (const entry of told.toReversed()) {
    chars += Math.min(entry.text.length, rowChars) + 20;
    if (chars > sessionChars && rows.length > 0) break;
    rows.unshift(entry);
  }
  const text = rows.map((entry, i) => `[${i + 1}] ${entry.role}: ${toLine(entry.text, rowChars)}`);
  return { text: text.join("\n"), rows };
}

/** The claims that their rows bear out, as records; and how many were dropped. */
export function checkClaims(
  said: string,
  { rows, session }: { rows: readonly Entry[]; session: string },
): { drafts: RecordDraft[]; dropped: number } {
  const list = findJson(said.slice(said.indexOf("["), said.lastIndexOf("]") + 1));
  const claims = Array.isArray(list) ? list : [];
  const drafts = new Map<string, RecordDraft>();
  for (const claim of claims) {
    const draft = toDraft(claim, { rows, session });
    if (draft !== undefined) drafts.set(draft.id, draft);
  }
  return { drafts: [...drafts.values()], dropped: claims.length - drafts.size };
}

/** Of a claim's words so many must stand in the rows that it names. */
const minSupport = 0.75;

function toDraft(
  claim: unknown,
  { rows, session }: { rows: readonly Entry[]; session: string },
): RecordDraft | undefined {
  if (!isObject(claim) || typeof claim.text !== "string" || typeof claim.type !== "string") {
    return undefined;
  }
  const { type } = claim;
  if (!isRecordType(type) || type === "digest") return undefined;
  const numbers = Array.isArray(claim.rows) ? claim.rows : [];
  const evidence = numbers.flatMap((number) => rows[Number(number) - 1] ?? []);
  const text = cutAtSentence(claim.text.trim(), maxTextChars);
  if (evidence.length === 0 || !isBorneOut(text, evidence)) return undefined;
  const title = typeof claim.title === "string" ? toLine(claim.title, 160) : firstLine(text, 100);
  return makeDraft({ session, type, title, text, evidence });
}

/** Whether rows say what a text says: its words, and each number and name in it. */
function isBorneOut(text: string, evidence: readonly Entry[]): boolean {
  const all = evidence.map((row) => `${row.text} ${(row.files ?? []).join(" ")}`).join("\n");
  const words = new Set(
    evidence.flatMap((row) => chunksOf(row).flatMap((part) => [...keyWords(part)])),
  );
  const exact = [...text.match(/\b\d[\d.,]*\b/g) ?? [], ...findSymbols(text)];
  return shareOf(keyWords(text), words) >= minSupport && exact.every((name) => all.includes(name));
}

/** Key words are taken of the front of a text; a long row is looked at in parts. */
function chunksOf({ text, files = [] }: Entry): string[] {
  const parts = [files.join(" ")];
  for (let at = 0; at < text.length && parts.length < 20; at += 4000) {
    parts.push(text.slice(at, at + 4000));
  }
  return parts;
}

function makeDraft(
  facts: { session: string; type: RecordType; title: string; text: string; evidence: Entry[] },
): RecordDraft {
  const { session, type, title, text, evidence } = facts;
  const refs = [...new Set(evidence.map(({ id }) => id))];
  const ts = evidence.reduce((latest, row) => row.ts > latest ? row.ts : latest, evidence[0].ts);
  const files = filesOf(evidence);
  const symbols = findSymbols(text);
  const { project, branch } = evidence[0];
  const draft: Draft & Pick<RecordDraft, "id" | "ts" | "type" | "session_id" | "refs"> = {
    id: makeId(
      "H",
      Date.parse(ts) || 0,
      `record\0model\0${session}\0${type}\0${refs.join()}\0${text}`,
    ),
    ts,
    session_id: session,
    role: "note",
    type,
    title,
    text,
    refs,
    ...(files.length > 0 ? { files: files.slice(0, 20) } : {}),
    ...(project === undefined ? {} : { project }),
    ...(branch === undefined ? {} : { branch }),
    record: { by: "model", ...(symbols.length > 0 ? { symbols } : {}) },
  };
  return draft;
}
