// The model behind src/suggest/signals/calibration.ts, fitted and judged: logistic regression on the strengths
// of evidence, and what would be said with weights that were fitted on other commits. Pure.

import {
  combine,
  editedWeights,
  leadWeights,
  sureMargin,
} from "../src/suggest/signals/calibration.ts";
import { seededRandom } from "./seeded_random.ts";
import type { HistorySet } from "./suggest_history.ts";
import type { FoundCase, FoundItem } from "./suggest_leads.ts";

/** What is known beside the file: the weights of each way are fitted apart. */
export type Way = "edit" | "file";

/** Kinds that are fitted. Asked with the file alone, the others keep what they have, by judgement. */
export const fitted: Record<Way, readonly string[]> = {
  edit: Object.keys(editedWeights),
  file: [
    "names_data",
    "names_code",
    "same_stem",
    "alike",
    "test_of",
    "imported_by",
    "imports",
    "co_changed",
    "hub",
  ],
};
const limit = 5;
const folds = 5;
const seeds = [1, 2, 3, 4, 5];
const ridge = 0.5;
/** What nobody judged is taken to be wrong, but counts less. */
const unjudgedWeight = 0.3;
/**
 * An item is said from this probability on: the log odds are shifted so that it scores a half. The
 * operating points: with the edit, the largest recall at a precision of 0.7 in cross-validation.
 */
export const least: Record<Way, number> = { edit: 0.43, file: 0.4 };

/** An item that something leads to. */
export interface Row {
  commit: string;
  x: number[];
  y: number;
  judged: boolean;
}

/** Weights by kind. */
export interface Model {
  /** Already shifted. */
  base: number;
  weights: Map<string, number>;
}

/** One row for each item that is weighed. */
export function toRows({ labelled, items }: FoundCase, way: Way): Row[] {
  return onePerFile(items.filter((item) => isWeighed(item, way))).map((item) => ({
    commit: labelled.commit,
    x: fitted[way].map((kind) => strengthOf(item, kind)),
    y: item.keys.some((key) => labelled.relevant.includes(key)) ? 1 : 0,
    judged: item.keys.some((key) => labelled.pool.includes(key)),
  }));
}

/** With the edit all but decisions and warnings; with the file alone what ties files. */
function isWeighed({ base, evidence }: FoundItem, way: Way): boolean {
  return way === "edit" ? base !== undefined : evidence.some((part) => part.strength);
}

function onePerFile<T extends FoundItem>(items: T[]): T[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = item.path ?? item.entity_id;
    return !seen.has(key) && seen.add(key);
  });
}

function strengthOf(item: FoundItem, kind: string): number {
  return item.evidence.find((part) => part.kind === kind)?.strength ?? 0;
}

/**
 * What by its nature speaks for an item must not speak against it, as two signals that mostly come
 * together may seem to: such a weight is at least 0. Others are free.
 */
function isFree(kind: string): boolean {
  return /^(hub|crowd|signals|is_|for_|same_class|commit_like|section_like)/.test(kind);
}

/** The ridge draws a weight towards what was known of its signal before, or to 0. */
function priorOf(kind: string): number {
  return Object.entries(leadWeights).find(([name]) => name === kind)?.[1] ?? 0;
}

/** What is known of a weight before it is fitted. */
interface Term {
  free: boolean;
  prior: number;
}

/** A direct caller of what changes is said also where a project is small and there is little else. */
const kept = ["edit_callers"];

/** Fits the weights of one way. */
export function fit(rows: Row[], way: Way, from = least[way]): Model {
  const kinds = fitted[way];
  const found = regress(rows, kinds.map((kind) => ({ free: isFree(kind), prior: priorOf(kind) })));
  return {
    base: found[kinds.length] + Math.log((1 - from) / from),
    weights: new Map(
      kinds.map((
        kind,
        i,
      ) => [kind, kept.includes(kind) ? Math.max(found[i], priorOf(kind)) : found[i]]),
    ),
  };
}

/** Leaves out weights that must not be negative and would be, until there are none. */
function regress(rows: Row[], terms: Term[]): number[] {
  const out = new Set<number>();
  while (true) {
    const weights = regressWithout(rows, terms, out);
    const wrong = weights.flatMap((weight, i) => weight < 0 && terms[i]?.free === false ? [i] : []);
    if (wrong.length === 0) return weights;
    for (const i of wrong) out.add(i);
  }
}

/** Logistic regression with a ridge, by Newton's method; the last weight is the base. */
function regressWithout(rows: Row[], terms: Term[], out: ReadonlySet<number>): number[] {
  const size = terms.length + 1;
  const priors = terms.map(({ prior }, i) => out.has(i) ? 0 : prior);
  const weights = new Array<number>(size).fill(0);
  for (let round = 0; round < 25; round++) {
    const slope = weights.map((value, i) => i < size - 1 ? ridge * (value - priors[i]) : 0);
    const curve = weights.map((_, i) =>
      weights.map((_, k) => i !== k ? 0 : i < size - 1 ? ridge : 1e-6)
    );
    for (const { x, y, judged } of rows) {
      const weight = judged ? 1 : unjudgedWeight;
      const p = predict(weights, x);
      const at = [...x, 1];
      for (let i = 0; i < size; i++) {
        if (at[i] === 0 || out.has(i)) continue;
        slope[i] += weight * (p - y) * at[i];
        for (let k = 0; k < size; k++) {
          if (!out.has(k)) curve[i][k] += weight * p * (1 - p) * at[i] * at[k];
        }
      }
    }
    const steps = solve(curve, slope);
    steps.forEach((step, i) => weights[i] -= step);
    if (steps.every((step) => Math.abs(step) < 1e-4)) break;
  }
  return weights;
}

function predict(weights: number[], x: number[]): number {
  const odds = x.reduce((sum, value, i) => sum + value * weights[i], weights[x.length]);
  return 1 / (1 + Math.exp(-odds));
}

/** Gauss with pivots. */
function solve(matrix: number[][], right: number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]]);
  const size = right.length;
  for (let i = 0; i < size; i++) {
    let best = i;
    for (let k = i + 1; k < size; k++) if (Math.abs(rows[k][i]) > Math.abs(rows[best][i])) best = k;
    [rows[i], rows[best]] = [rows[best], rows[i]];
    for (let k = i + 1; k < size; k++) {
      const factor = rows[k][i] / rows[i][i];
      for (let j = i; j <= size; j++) rows[k][j] -= factor * rows[i][j];
    }
  }
  const found = new Array<number>(size).fill(0);
  for (let i = size - 1; i >= 0; i--) {
    let left = rows[i][size];
    for (let j = i + 1; j < size; j++) left -= rows[i][j] * found[j];
    found[i] = left / rows[i][i];
  }
  return found;
}

/** What was said, against the labels. */
export interface Said {
  said: number;
  right: number;
  unjudged: number;
  relevant: number;
  silent: number;
  kept: number;
}

/** What would be said with weights that were fitted on other commits, for each seed and set. */
export function crossValidate(
  all: FoundCase[],
  way: Way,
  from = least[way],
): Record<HistorySet, Said[]> {
  const found = all.filter((item) => item.edit === (way === "edit"));
  const rows = found.flatMap((item) => toRows(item, way));
  const commits = [...new Set(found.map(({ labelled }) => labelled.commit))].sort();
  const totals: Record<HistorySet, Said[]> = { first: [], second: [] };
  for (const seed of seeds) {
    const random = seededRandom(seed);
    const order = commits.map((commit) => ({ commit, at: random() })).sort((a, b) => a.at - b.at);
    const said: Record<HistorySet, Said[]> = { first: [], second: [] };
    for (let fold = 0; fold < folds; fold++) {
      const left = new Set(order.filter((_, i) => i % folds === fold).map(({ commit }) => commit));
      const model = fit(rows.filter((row) => !left.has(row.commit)), way, from);
      for (const item of found) {
        if (left.has(item.labelled.commit)) said[item.set].push(judge(item, model, way));
      }
    }
    totals.first.push(sum(said.first));
    totals.second.push(sum(said.second));
  }
  return totals;
}

/** What would be said with some weights, against the labels. */
export function judge({ labelled, items }: FoundCase, model: Model, way: Way): Said {
  const told = chooseItems(items, model, way);
  const count = (keys: string[]): number =>
    told.filter((item) => item.keys.some((key) => keys.includes(key))).length;
  const silent = labelled.relevant.length === 0 ? 1 : 0;
  return {
    said: told.length,
    right: count(labelled.relevant),
    unjudged: told.length - count(labelled.pool),
    relevant: Math.min(limit, labelled.relevant.length),
    silent,
    kept: silent === 1 && told.length === 0 ? 1 : 0,
  };
}

/** The items that would be said. */
export function chooseItems(items: FoundItem[], model: Model, way: Way): FoundItem[] {
  const scored = items.map((item) => ({ item, score: scoreOf(item, model, way) }))
    .filter(({ score }) => score >= 0.5).sort((a, b) => b.score - a.score);
  const isSure = scored.some(({ item, score }) =>
    way === "file" || !isWeighed(item, way) || score >= 0.5 + sureMargin
  );
  return isSure ? onePerFile(scored.map(({ item }) => item)).slice(0, limit) : [];
}

function scoreOf(item: FoundItem, model: Model, way: Way): number {
  if (!isWeighed(item, way)) return combine(item);
  let odds = model.base;
  for (const { kind, strength = 0 } of item.evidence) {
    const known = way === "edit"
      ? 0
      : Object.entries(leadWeights).find(([name]) => name === kind)?.[1] ?? 0;
    odds += strength * (model.weights.get(kind) ?? known);
  }
  return 1 / (1 + Math.exp(-odds));
}

export function sum(parts: Said[]): Said {
  const total: Said = { said: 0, right: 0, unjudged: 0, relevant: 0, silent: 0, kept: 0 };
  for (const part of parts) {
    for (const key of Object.keys(total) as (keyof Said)[]) total[key] += part[key];
  }
  return total;
}
