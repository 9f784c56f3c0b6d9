// What no longer holds: entries that were corrected, and what was derived of carrying out a decision
// that was: its outcome still reads "uses X now". Pure.

import type { Entry } from "../core/entry.ts";
import { isRecord } from "../core/rows/record.ts";

export function withoutOutdated<T extends Entry>(
  entries: readonly T[],
  corrected: ReadonlySet<string>,
): T[] {
  const gone = new Set(
    entries.filter(({ id, type }) => type === "decision" && corrected.has(id))
      .flatMap(({ refs = [] }) => refs),
  );
  return entries.filter((entry) => !corrected.has(entry.id) && !isCarriedOut(entry, gone));
}

/** Whether it tells what came of one of those words. */
function isCarriedOut(entry: Entry, gone: ReadonlySet<string>): boolean {
  const isOutcome = entry.type === "outcome" || entry.type === "digest";
  return isOutcome && isRecord(entry) && (entry.refs ?? []).some((id) => gone.has(id));
}

/**
 * What was corrected, with the id of what corrects it. An agent's correction ends only what agents
 * saved: the user's own words stay beside it, unless agents are not told apart.
 */
export function findCorrected(
  entries: readonly Pick<Entry, "id" | "supersedes" | "saved_by">[],
  { keepsUsers = true } = {},
): Map<string, string> {
  const ofAgents = new Set(
    entries.flatMap(({ id, saved_by }) => saved_by === undefined ? [] : [id]),
  );
  return new Map(entries.flatMap(({ id, supersedes, saved_by }): [string, string][] => {
    if (supersedes === undefined || supersedes === id) return [];
    const isHeld = keepsUsers && saved_by !== undefined && !ofAgents.has(supersedes);
    return isHeld ? [] : [[supersedes, id]];
  }));
}
