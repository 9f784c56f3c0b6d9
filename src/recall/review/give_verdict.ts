// What is written when the user answers a line: rows of the log, like everything that must last.
// Accepting saves the line in place of the record. Rejecting corrects every record that says it.

import { type Draft, verdictType } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import type { VerdictWord } from "../../core/rows/verdict.ts";
import type { Store } from "../../store/store.ts";
import { saysOnly } from "../distil/demands.ts";
import { listRecords, type RecordRow } from "../distil/list_records.ts";
import { SameLines } from "../distil/supersede.ts";
import { findReviewLines, toRecordLine } from "./find_lines.ts";
import type { ReviewLine } from "./review_line.ts";

/** The answer to some lines. */
export interface GivenWord {
  said: VerdictWord;
  /** The line in other words. */
  text?: string;
  /** For `later`: when the line is offered again. */
  until?: string;
  nowMs: number;
}

/** The rows to append for each id; throws NOT_FOUND if an id is not a current record. */
export function toVerdicts(
  store: Store,
  ids: readonly string[],
  word: GivenWord,
): { line: ReviewLine; drafts: Draft[] }[] {
  const records = listRecords(store, { types: [], withSuperseded: false })
    .filter(({ by }) => by !== "saved");
  const offered = new Map(findReviewLines(store, word).map((line) => [line.id, line]));
  return ids.map((id) => {
    const row = records.find((record) => record.id === id);
    if (row === undefined) {
      const verb = word.said === "later" ? "put off" : word.said;
      throw new CtxError("NOT_FOUND", `Cannot ${verb} "${id}": there is no such record`, {
        hint: "ctx review list shows the lines",
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
  // These rows belong to no session: reviewing a line does not continue its session.
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

/** The types that outcomes and the like are saved as. */
const keptAs: Record<string, string> = { outcome: "note", goal: "note", digest: "note" };

/** The record first, then its sources: forgetting any of them forgets this row. */
function refsOf(id: string, evidence: readonly string[]): string[] {
  return [...new Set([id, ...evidence])];
}
