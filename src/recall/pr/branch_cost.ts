// The requests behind the commits of a branch: those of the exchanges in which its lines were written,
// with what their sub-agents used meanwhile.

import type { Charge } from "../../read/cost/read_charges.ts";
import type { Store } from "../../store/store.ts";
import { findBranchWork, type PullRequestOptions } from "./describe_pull_request.ts";

/** What the commits took. */
export interface BranchCost {
  base?: string;
  charges: Charge[];
  /** Commits without merges; and those that no session is known for. */
  commits: number;
  unattributed: number;
  /** Requests of the same sessions that were for something else, or for nothing that was committed. */
  beside: Charge[];
  because?: string;
}

/** Finds the requests behind a range of commits. */
export async function findBranchCost(
  store: Store,
  charges: readonly Charge[],
  options: Omit<PullRequestOptions, "limit" | "now" | "format">,
): Promise<BranchCost> {
  const work = await findBranchWork(store, options);
  if ("because" in work) {
    return { charges: [], beside: [], commits: 0, unattributed: 0, because: work.because };
  }
  const { found: { commits, unattributed, parts }, exchanges, base } = work;
  const own = new Set<Charge>();
  for (const { session, ids } of exchanges) {
    const asked = charges.filter(({ entry }) => ids.has(entry));
    for (const charge of asked) own.add(charge);
    const times = asked.map(({ ts }) => ts).sort();
    for (const charge of charges) {
      const isMeanwhile = charge.ts >= (times[0] ?? "~") && charge.ts <= (times.at(-1) ?? "");
      if (charge.parent === session && isMeanwhile) own.add(charge);
    }
  }
  const sessions = new Set([
    ...parts.map(({ session }) => session),
    ...exchanges.map(({ session }) => session),
  ]);
  const beside = charges.filter((charge) =>
    !own.has(charge) && (sessions.has(charge.session) || sessions.has(charge.parent ?? ""))
  );
  return { base, charges: [...own], beside, commits, unattributed };
}
