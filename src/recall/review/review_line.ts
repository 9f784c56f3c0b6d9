// A line that ctx offers for review: something that may be worth remembering, but that nobody has
// confirmed yet. Also the earlier answers to such lines, so that none is offered twice.

import type { Entry } from "../../core/entry.ts";
import { type Verdict, verdictNeedle, verdictOf } from "../../core/rows/verdict.ts";
import type { Store } from "../../store/store.ts";
import { SameLines } from "../distil/supersede.ts";
import type { ReviewLine } from "./review_shapes.ts";

interface GivenVerdict extends Verdict {
  entry: Entry;
}

/** All verdicts that were not undone, oldest first; those of other people do not count. */
function readVerdicts(store: Store): GivenVerdict[] {
  const found: GivenVerdict[] = [];
  for (const { entry, pool } of store.entries({ needles: [verdictNeedle] })) {
    const verdict = pool === "team" ? undefined : verdictOf(entry);
    if (verdict !== undefined) found.push({ ...verdict, entry });
  }
  return found;
}

/** Tells whether a line was accepted, rejected or put off until later than now. */
export function readSettled(
  store: Store,
  nowMs: number,
): (line: Pick<ReviewLine, "id" | "text">) => boolean {
  const now = new Date(nowMs).toISOString();
  const verdicts = readVerdicts(store)
    .filter(({ said, until = "" }) => said !== "later" || until > now);
  const ids = new Set(verdicts.flatMap(({ entry }) => entry.refs?.slice(0, 1) ?? []));
  const lines = new SameLines(
    verdicts.flatMap(({ entry, line }) => line === undefined ? [entry.text] : [entry.text, line]),
  );
  return ({ id, text }) => ids.has(id) || lines.has(text);
}
