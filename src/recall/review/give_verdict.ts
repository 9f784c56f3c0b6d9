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
import type { ReviewLine } from "./review_shapes.ts";

/** The answer to some lines. */
export interface GivenWord {
  said: VerdictWord;
  /** The line in other words. */
  text?: string;
  /** For `later`: when the line is offered again. */
  until?: string;
  nowMs: number;
}

/**
 * The row to append for each id, and for each record that says the same as a rejected one; throws NOT_FOUND
 * if an id is not a current record.
 */
export function toVerdicts(
  store: Store,
  ids: readonly string[],
  word: GivenWord,
): { line: ReviewLine; draft: Draft }[] {
  const records = listRecords(store, { types: [], withSuperseded: false, ownOnly: true })
    .filter(({ by }) => by !== "saved");
  const offered = new Map(findReviewLines(store, word).map((line) => [line.id, line]));
  const lineOf = (row: RecordRow): ReviewLine => offered.get(row.id) ?? toRecordLine(row);
  const done = new Set(ids);
  return [...done].flatMap((id) => {
    const row = records.find((record) => record.id === id);
    if (row === undefined) {
      const verb = word.said === "later" ? "put off" : word.said;
      throw new CtxError("NOT_FOUND", `Cannot ${verb} "${id}": there is no such record`, {
        hint: "ctx review list shows the lines",
      });
    }
    const line = lineOf(row);
    if (word.said !== "reject") return [{ line, draft: toDraft(line, word) }];
    const lines = new SameLines([line.text]);
    const others = records.filter((record) => !done.has(record.id) && saysOnly(record, lines));
    for (const { id } of others) done.add(id);
    return [row, ...others].map((record) => ({
      line: lineOf(record),
      draft: toRejection(record, line),
    }));
  });
}

export function findLine(store: Store, id: string, word: GivenWord): ReviewLine {
  return toVerdicts(store, [id], word)[0].line;
}

function toDraft(line: ReviewLine, { said, text = line.text, until }: GivenWord): Draft {
  const refs = refsOf(line.id, line.evidence);
  if (said === "later") return { ...toVerdictRow(line), refs, verdict: { said, until } };
  return {
    role: "note",
    type: keptAs[line.type] ?? line.type,
    text,
    refs,
    supersedes: line.id,
    ...placeOf(line),
    ...(line.files === undefined ? {} : { files: line.files }),
    verdict: { said, ...(text === line.text ? {} : { line: line.text }) },
  };
}

function toRejection({ id, refs }: RecordRow, line: ReviewLine): Draft {
  const verdict = { said: "reject" };
  return { ...toVerdictRow(line), refs: refsOf(id, refs), supersedes: id, verdict };
}

function toVerdictRow(line: ReviewLine): Draft {
  return { role: "note", type: verdictType, text: line.text, ...placeOf(line) };
}

/** These rows belong to no session: reviewing a line does not continue its session. */
function placeOf({ project }: ReviewLine): { project?: string } {
  return project === undefined ? {} : { project };
}

/** The types that outcomes and the like are saved as. */
const keptAs: Record<string, string> = { outcome: "note", goal: "note", digest: "note" };

/** The record first, then its sources: forgetting any of them forgets this row. */
function refsOf(id: string, evidence: readonly string[]): string[] {
  return [...new Set([id, ...evidence])];
}
