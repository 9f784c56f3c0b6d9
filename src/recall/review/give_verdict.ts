// What is written when the user says something of a line: rows of the log, like everything else that is
// true. Accepting saves the line in the record's place. Rejecting corrects every record that says it.

import { type Draft, verdictType } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import type { VerdictWord } from "../../core/rows/verdict.ts";
import type { Store } from "../../store/store.ts";
import { saysOnly } from "../distil/demands.ts";
import { listRecords, type RecordRow } from "../distil/list_records.ts";
import { SameLines } from "../distil/supersede.ts";
import { findReviewLines, toRecordLine } from "./find_lines.ts";
import type { ReviewLine } from "./review_line.ts";

/** What is said of lines. */
export interface GivenWord {
  said: VerdictWord;
  /** The line in other words. */
  text?: string;
  /** Of `later`: when it is offered again. */
  until?: string;
  nowMs: number;
}

/** The rows to append, for each of some ids; NOT_FOUND where one is no record that stands. */
export function toVerdicts(
  store: Store,
  ids: readonly string[],
  word: GivenWord,
): { line: ReviewLine; drafts: Draft[] }[] {
  const records = listRecords(store, { types: [], withSuperseded: false, ownOnly: true })
    .filter(({ by }) => by !== "saved");
  const offered = new Map(findReviewLines(store, word).map((line) => [line.id, line]));
  return ids.map((id) => {
    const row = records.find((record) => record.id === id);
    if (row === undefined) {
      throw new CtxError("NOT_FOUND", `Cannot ${word.said} "${id}": it is not up for review`, {
        hint: "ctx review lists what is",
      });
    }
    const line = offered.get(id) ?? toRecordLine(row);
    return { line, drafts: toDrafts(line, word, records) };
  });
}

/** The line of an id, as it is offered. */
export function findLine(store: Store, id: string, word: GivenWord): ReviewLine {
  return toVerdicts(store, [id], word)[0].line;
}

function toDrafts(line: ReviewLine, word: GivenWord, records: readonly RecordRow[]): Draft[] {
  const { said, until } = word;
  const { project, files } = line;
  // Of no session: it did not go on because a line of it was looked at.
  const place = project === undefined ? {} : { project };
  if (said === "accept") {
    const text = word.text ?? line.text;
    return [{
      role: "note",
      type: keptAs[line.type] ?? line.type,
      text,
      refs: refsOf(line.id, line.evidence),
      supersedes: line.id,
      ...place,
      ...(files === undefined ? {} : { files }),
      verdict: { said, ...(text === line.text ? {} : { line: line.text }) },
    }];
  }
  const row = { role: "note", type: verdictType, text: line.text, ...place } as const;
  if (said === "later") {
    return [{ ...row, refs: refsOf(line.id, line.evidence), verdict: { said, until } }];
  }
  const lines = new SameLines([line.text]);
  return records.filter((record) => record.id === line.id || saysOnly(record, lines))
    .map(({ id, refs }) => ({ ...row, refs: refsOf(id, refs), supersedes: id, verdict: { said } }));
}

/** Work that was done is kept as what is known of it. */
const keptAs: Record<string, string> = { outcome: "note", goal: "note", digest: "note" };

/** The record first, then what it was made from: forgetting any of them forgets this. */
function refsOf(id: string, evidence: readonly string[]): string[] {
  return [...new Set([id, ...evidence])];
}
