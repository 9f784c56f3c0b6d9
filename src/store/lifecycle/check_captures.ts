// Whether agents' turns arrive: what hooks could not take over since they last could, and words that
// have waited too long.

import { captureStates, readCaptures } from "../logs/capture_log.ts";
import { readHeld } from "../logs/held_words.ts";
import type { Store } from "../store.ts";
import type { Check } from "./inspect.ts";

/** Words that are held for longer are waiting for a hook that does not come. */
const lateMs = 48 * 3_600_000;

/** What is wrong with captures of an agent, and the command that goes on from there. */
export interface CaptureProblem {
  agent: string;
  problem: string;
  /** When it failed. */
  ts?: string;
  next: string;
}

/** What is wrong with captures; empty when nothing is. */
export function findCaptureProblems(store: Store, now: number): CaptureProblem[] {
  const failures = captureStates(readCaptures(store)).flatMap(({ agent, failure }) =>
    failure === undefined ? [] : [{
      agent,
      problem: `${agent}: ${failure.hook ?? "a hook"} at ${failure.ts} failed: ${
        failure.problem ?? ""
      }`,
      ts: failure.ts,
      next: `ctx import ${agent}`,
    }]
  );
  const late = Map.groupBy(
    readHeld(store).flatMap(({ words }) =>
      words !== undefined && now - Date.parse(words.ts) > lateMs ? [words] : []
    ),
    ({ agent }) => agent,
  );
  return [
    ...failures,
    ...[...late].map(([agent, words]) => ({
      agent,
      problem: `${agent}: ${words.length} prompts not saved yet, because no hook has run since`,
      next: `ctx setup ${agent}`,
    })),
  ];
}

/** Doctor's line about captures; none where no agent ever called. */
export function checkCaptures(store: Store, now: number): Check | undefined {
  const states = captureStates(readCaptures(store));
  if (states.length === 0) return undefined;
  const problems = findCaptureProblems(store, now).map(({ problem }) => problem);
  const last = states.flatMap(({ agent, last }) => last ? [`${agent} ${last.ts}`] : []);
  return {
    name: "capture",
    status: problems.length > 0 ? "warning" : "ok",
    detail: problems.length > 0
      ? problems.join("; ")
      : `last captured: ${last.join(", ") || "nothing yet"}`,
    fixable: false,
  };
}
