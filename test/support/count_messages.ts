// Counts messages beside a source's own tally: a message is kept when a row comes of it before the next
// one is counted. So a message that is dropped without a reason is found.

import { Databases } from "../../src/intake/sources/database/databases.ts";
import { Tally } from "../../src/intake/sources/problem_tally.ts";
import type { Source } from "../../src/intake/sources/source.ts";
import { emptyPlace } from "./collect.ts";

/** What a source counted, and how many of its messages gave a row. */
export async function countMessages(
  source: Source,
  root: string,
): Promise<{ tally: Tally; kept: number }> {
  const tally = new Tally();
  let messages = 0;
  let kept = 0;
  let hasRow = true;
  Object.defineProperty(tally, "messages", {
    get: () => messages,
    set(next: number) {
      messages = next;
      hasRow = false;
    },
  });
  const entry = () => {
    if (!hasRow) kept++;
    hasRow = true;
  };
  using databases = new Databases();
  const shared = { databases, scratch: "/nonexistent" };
  const now = Date.parse("2100-01-01T00:00:00Z");
  for await (const session of source.list(root, { tally, place: emptyPlace(), ...shared })) {
    await source.read(session, { tally, entry, describe() {} }, { now, ...shared });
    hasRow = true;
  }
  return { tally, kept };
}
