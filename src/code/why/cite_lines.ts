// What the very lines that an agent is about to replace were written for: the decision of the session that
// wrote them, if that is beyond doubt. One line, once in a conversation, and mostly nothing: it is asked
// before every edit, so nothing is loaded or read before some lines are known.

import { forEachLineHash } from "../../core/rows/line_hash.ts";
import { countKnown } from "../../index/lines/known_lines.ts";
import type { Store } from "../../store/store.ts";
import type { CitedDecision, CiteQuestion } from "./cited_decision.ts";

/** So many lines tell whose an edit's place is. */
const maxLines = 400;
const leastLines = 2;

/** Finds the decision behind lines. */
export async function citeLines(
  store: Store,
  { lines, ...asked }: Omit<CiteQuestion, "hashes"> & { lines: readonly string[] },
): Promise<CitedDecision | undefined> {
  const found = new Map<string, [number, number]>();
  forEachLineHash(lines.slice(0, maxLines).join("\n"), (high, low) => {
    found.set(`${high} ${low}`, [high, low]);
  });
  const hashes = [...found.values()];
  if (hashes.length < leastLines || countKnown(store, hashes) < leastLines) return undefined;
  const { findCited } = await import("./cited_decision.ts");
  return await findCited(store, { ...asked, hashes });
}
