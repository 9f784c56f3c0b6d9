// The best rows once more, by what a reranker's model says of them. Rows that it has seen change places
// among each other, the others stay where they are; a score belongs to its place, so that it means what
// it meant, also beside rows of another store.

import type { Entry } from "../../core/entry.ts";
import { type Corpus, isSuperseded } from "../../index/segment/corpus.ts";
import { embeddableText } from "../../index/vectors/embedder.ts";
import type { RankedRow, Rerank, RerankPlace } from "./rank.ts";
import { roundScore, weights } from "./ranking.ts";
import { applySteps, step } from "./steps.ts";

/** Reranks by cosines with the query; undefined is a row that the model has not seen yet. */
export function rerankBy(cosineOf: (entry: Entry) => number | undefined): Rerank {
  return (rows, { corpus, readEntry, stepsOf }) => {
    if (rows.length === 0) return { rows };
    const first = rows.slice(0, weights.rerank.rows);
    const rated = first.map(({ global }) => {
      const entry = readEntry(global);
      return rate(entry, { cosine: cosineOf(entry), best: rows[0].final });
    });
    const known = rated.filter((item) => item !== undefined).length;
    const order = orderOf(first, settle(first, rated, corpus));
    const reranked = order.map((from, to): RankedRow => {
      const row = first[from];
      const rating = rated[from];
      if (rating === undefined) return row;
      const steps = [...row.steps ?? stepsOf(row.global)];
      if (from !== to) steps.push(step("rerank", "+", first[to].final - row.final));
      const rerank: RerankPlace = { ...rating, from: from + 1, to: to + 1 };
      return { ...row, rerank, steps, final: applySteps(steps) };
    });
    return {
      rows: [...reranked, ...rows.slice(first.length)],
      reranked: { rows: first.length, with_vectors: known },
    };
  };
}

/** What the model says of a row, and what that counts for. */
interface Rating {
  cosine: number;
  weight: number;
}

function rate(
  entry: Entry,
  { cosine, best }: { cosine: number | undefined; best: number },
): Rating | undefined {
  if (cosine === undefined) return undefined;
  const { weight, shortChars } = weights.rerank;
  const share = Math.min(1, embeddableText(entry).length / shortChars);
  return { cosine: roundScore(cosine), weight: roundScore(weight * best * share) };
}

/** By row, what it is ordered by; undefined for one that stays in its place. */
type Keys = (number | undefined)[];

/** A superseded row stays below what replaced it: both move, the old one never higher, or both stay. */
function settle(rows: RankedRow[], rated: (Rating | undefined)[], corpus: Corpus): Keys {
  const keys: Keys = rows.map(({ final }, i) => {
    const rating = rated[i];
    return rating && final + rating.weight * rating.cosine;
  });
  const places = new Map(rows.map(({ global }, i) => [global, i]));
  const pairs = rows.flatMap(({ global }, old): [number, number][] => {
    if (!isSuperseded(corpus, global)) return [];
    const current = places.get(corpus.findReplacement(global)?.global ?? -1);
    return current === undefined ? [] : [[old, current]];
  });
  // The newest of a chain stands first, and counts first; what stays may hold others in turn.
  pairs.sort(([, a], [, b]) => a - b);
  for (let held = true; held;) {
    held = false;
    for (const pair of pairs) {
      if (pair.every((i) => keys[i] === undefined) || pair.every((i) => keys[i] !== undefined)) {
        continue;
      }
      for (const i of pair) keys[i] = undefined;
      held = true;
    }
  }
  for (const [old, current] of pairs) {
    const [own, above] = [keys[old], keys[current]];
    if (own !== undefined && above !== undefined) keys[old] = Math.min(own, above - 1e-9);
  }
  return keys;
}

/** For each place the number of the row that takes it. */
function orderOf(rows: RankedRow[], keys: Keys): number[] {
  const moving = [...rows.keys()].filter((i) => keys[i] !== undefined);
  const sorted = moving.toSorted((a, b) => (keys[b] ?? 0) - (keys[a] ?? 0) || a - b);
  const order = [...rows.keys()];
  moving.forEach((place, i) => order[place] = sorted[i]);
  return order;
}
