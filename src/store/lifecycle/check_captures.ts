// Whether agents' turns arrive: what hooks could not take over since they last could, and words that
// have waited too long.

import { captureStates, readCaptures } from "../logs/capture_log.ts";
import { readHeld } from "../logs/held_words.ts";
import type { Store } from "../store.ts";
import type { Check } from "./inspect.ts";

/** Words that are held for longer are waiting for a hook that does not come. */
const lateMs = 48 * 3_600_000;

/** What is wrong with captures, a line each; empty when nothing is. */
export function findCaptureProblems(store: Store, now: number): string[] {
  const failures = captureStates(readCaptures(store)).flatMap(({ agent, failure }) =>
    failure === undefined
      ? []
      : [`${agent}: ${failure.hook ?? "a hook"} at ${failure.ts} failed: ${failure.problem ?? ""}`]
  );
  const late = readHeld(store).filter(({ words }) =>
    words !== undefined && now - Date.parse(words.ts) > lateMs
  );
  const agents = [...new Set(late.map(({ words }) => words?.agent))].join(", ");
  return late.length === 0
    ? failures
    : [...failures, `${late.length} held prompts of ${agents} wait for the next hook to take them`];
}

/** Doctor's line about captures; none where no agent ever called. */
export function checkCaptures(store: Store, now: number): Check | undefined {
  const states = captureStates(readCaptures(store));
  if (states.length === 0) return undefined;
  const problems = findCaptureProblems(store, now);
  const last = states.flatMap(({ agent, last }) => last ? [`${agent} ${last.ts}`] : []);
  return {
    name: "capture",
    status: problems.length > 0 ? "warning" : "ok",
    detail: problems.length > 0
      ? problems.join("; ")
      : `turns were last captured: ${last.join(", ") || "not yet"}`,
    fixable: false,
  };
}
