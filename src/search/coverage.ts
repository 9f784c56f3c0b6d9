// What a search looked at: said in full when it found nothing, so that "nothing" can be trusted.

import { docType, type Pool, pools } from "../core/entry.ts";
import { keyword } from "../index/segment/keyword.ts";
import { rowFlags } from "../index/segment/segment_format.ts";
import type { Corpus } from "../index/segment/corpus.ts";
import type { FilterPlan } from "./filter.ts";
import { liveCount } from "./rank/live_count.ts";
import type { Ranking } from "./rank/rank.ts";
import type { Coverage } from "./request.ts";

/** The coverage of a ranking; `full` adds sessions and times. */
export function coverageOf(
  corpus: Corpus,
  ranking: Ranking,
  options: { plan: FilterPlan; full: boolean },
): Coverage {
  const isThere = (pool: Pool): boolean =>
    pool !== "team" || corpus.segments.some((segment) => segment.pool === "team");
  const searched = pools.filter((pool) => options.plan.pools[pool] && isThere(pool));
  const coverage: Coverage = {
    pools: searched,
    searched: Object.fromEntries(
      searched.map((pool) => [pool, countIn(corpus, pool, options.plan.documents)]),
    ),
    entries: corpus.entries,
    below_floor: ranking.belowFloor,
    removed_by_filter: ranking.removed,
    unknown_terms: unknownOf(ranking),
  };
  return options.full ? { ...coverage, ...spanOf(corpus, searched) } : coverage;
}

/** The live entries of a pool that a scope is about. */
function countIn(
  { segments, liveness, entriesIn }: Corpus,
  pool: Pool,
  documents: FilterPlan["documents"],
): number {
  const all = entriesIn[pool] ?? 0;
  if (documents === "any") return all;
  let sections = 0;
  segments.forEach((segment, i) => {
    if (segment.pool !== pool) return;
    sections += liveCount(segment.findPostings(keyword("type", docType)), liveness.dead[i]);
  });
  return documents === "only" ? sections : all - sections;
}

/** The terms of a query that no entry has. */
export function unknownOf({ terms }: Ranking): string[] {
  return terms.filter(({ df, kind }) => df === 0 && kind !== "whole").map(({ term }) => term);
}

function spanOf(corpus: Corpus, searched: Pool[]): Partial<Coverage> {
  const sessions = new Set<number>();
  let entries = 0;
  let first = Infinity;
  let last = -Infinity;
  corpus.segments.forEach((segment, i) => {
    if (!searched.includes(segment.pool)) return;
    const live = corpus.live[i];
    if (live.entries === 0) return;
    entries += live.entries;
    first = Math.min(first, live.oldestMs);
    last = Math.max(last, live.newestMs);
    const table = segment.readTable("sessions");
    const lost = new Map<number, number>();
    for (const row of corpus.liveness.dead[i] ?? []) {
      if ((segment.flags(row) & rowFlags.tombstone) !== 0) continue;
      const session = segment.session(row);
      lost.set(session, (lost.get(session) ?? 0) + 1);
    }
    for (let at = 0; at < table.length; at += 2) {
      const gone = lost.size === 0 ? 0 : lost.get(table[at]) ?? 0;
      if (table[at + 1] > gone) sessions.add(table[at]);
    }
  });
  if (entries === 0) return { entries, sessions: 0 };
  return {
    entries,
    sessions: sessions.size,
    first_ts: new Date(first).toISOString(),
    last_ts: new Date(last).toISOString(),
  };
}
