// The model behind src/recall/edit/signals/calibration.ts, fitted and judged: logistic regression on the strengths
// of evidence, and what would be said with weights that were fitted on other commits. Pure.

import {
  combine,
  editedBase,
  editedWeights,
  leadBase,
  leadWeights,
  sureMargin,
} from "../src/recall/edit/signals/calibration.ts";
import { seededRandom } from "./seeded_random.ts";
import { isJudged } from "./suggest_history_cases.ts";
import type { FoundCase, FoundItem } from "./suggest_leads.ts";

/** What is known beside the file: the weights of each way are fitted apart. */
export type Way = "edit" | "file";

/** Kinds that are fitted. Asked with the file alone, the others keep what they have, by judgement. */
export const fitted: Record<Way, readonly string[]> = {
  edit: Object.keys(editedWeights),
  file: [
    "names_data",
    "same_stem",
    "test_of",
    "imported_by",
    "imports",
    "co_changed",
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
export const least: Record<Way, number> = { edit: 0.39, file: 0.4 };

/** An item that something leads to. */
export interface Row {
  commit: string;
  x: number[];
  y: number;
  judged: boolean;
}

/** Weights by kind. */
export interface Model {
  base: number;
  weights: Map<string, number>;
}

/** One row for each item that is weighed. */
export function toRows({ labelled, items }: FoundCase, way: Way, kinds: readonly string[]): Row[] {
  return onePerFile(items.filter((item) => isWeighed(item, way))).map((item) => ({
    commit: labelled.commit,
    x: kinds.map((kind) => strengthOf(item, kind)),
    y: item.keys.some((key) => labelled.relevant.includes(key)) ? 1 : 0,
    judged: isJudged(item.keys, labelled),
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
  return /^(is_|same_class|section_like)/.test(kind);
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
const kept: Record<string, number> = { edit_callers: 3.4 };

/** Fits the weights of some kinds. */
export function fit(rows: Row[], kinds: readonly string[]): Model {
  const found = regress(rows, kinds.map((kind) => ({ free: isFree(kind), prior: priorOf(kind) })));
  return {
    base: found[kinds.length],
    weights: new Map(
      kinds.map((
        kind,
        i,
      ) => [kind, Math.max(found[i], kept[kind] ?? -Infinity)]),
    ),
  };
}

/** The weights in the product, whose base is shifted already. */
export function productModel(way: Way): Model {
  return way === "edit"
    ? { base: editedBase, weights: new Map(Object.entries(editedWeights)) }
    : { base: leadBase, weights: new Map(Object.entries(leadWeights)) };
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

/** For each seed every case with a model that was fitted on other commits. */
export type Validated = { item: FoundCase; model: Model }[][];

/** Fits models on four fifths of the commits for the cases of the last fifth. */
export function crossValidate(
  all: FoundCase[],
  way: Way,
  kinds: readonly string[] = fitted[way],
): Validated {
  const found = all.filter((item) => item.edit === (way === "edit"));
  const rows = found.flatMap((item) => toRows(item, way, kinds));
  const commits = [...new Set(found.map(({ labelled }) => labelled.commit))].sort();
  return seeds.map((seed) => {
    const random = seededRandom(seed);
    const order = commits.map((commit) => ({ commit, at: random() })).sort((a, b) => a.at - b.at);
    return Array.from({ length: folds }, (_, fold) => {
      const left = new Set(order.filter((_, i) => i % folds === fold).map(({ commit }) => commit));
      const model = fit(rows.filter((row) => !left.has(row.commit)), kinds);
      return found.filter((item) => left.has(item.labelled.commit))
        .map((item) => ({ item, model }));
    }).flat();
  });
}

/** What would be said of the cases of some sets, for each seed; an item from some probability on. */
export function tally(
  validated: Validated,
  { way, sets, from = least[way] }: { way: Way; sets?: readonly string[]; from?: number },
): Said[] {
  return validated.map((cases) =>
    sum(
      cases.filter(({ item }) => sets === undefined || sets.includes(item.set))
        .map(({ item, model }) => judgeCase(item, model, { way, from })),
    )
  );
}

/** The precision where the least probability is such that so much is recalled; NaN if none is. */
export function precisionAt(recall: number, validated: Validated, way: Way): number {
  for (let from = 0.7; from > 0.03; from -= 0.02) {
    const said = tally(validated, { way, from });
    if (mean(said, (item) => item.right / item.relevant) < recall) continue;
    return mean(said, (item) => item.right / item.said);
  }
  return NaN;
}

/** The mean over several ways to leave commits out. */
export function mean(totals: Said[], value: (said: Said) => number): number {
  return totals.reduce((sum, item) => sum + value(item), 0) / totals.length;
}

/** What would be said with some weights, against the labels. */
export function judgeCase(
  { labelled, items }: FoundCase,
  model: Model,
  { way, from = least[way] }: { way: Way; from?: number },
): Said {
  const shifted = { ...model, base: shift(model.base, from) };
  const told = chooseItems(items, shifted, way).map(({ item }) => item);
  const silent = labelled.relevant.length === 0 ? 1 : 0;
  return {
    said: told.length,
    right: told.filter(({ keys }) => keys.some((key) => labelled.relevant.includes(key))).length,
    unjudged: told.filter(({ keys }) => !isJudged(keys, labelled)).length,
    relevant: Math.min(limit, labelled.relevant.length),
    silent,
    kept: silent === 1 && told.length === 0 ? 1 : 0,
  };
}

/** The base with which an item of that probability scores a half. */
export function shift(base: number, from: number): number {
  return base + Math.log((1 - from) / from);
}

/** The items that would be said, with their scores. */
export function chooseItems(
  items: FoundItem[],
  model: Model,
  way: Way,
): { item: FoundItem; score: number }[] {
  const scored = items.map((item) => ({ item, score: scoreOf(item, model, way) }))
    .filter(({ score }) => score >= 0.5).sort((a, b) => b.score - a.score);
  const isSure = scored.some(({ item, score }) =>
    way === "file" || !isWeighed(item, way) || score >= 0.5 + sureMargin
  );
  const said = new Set(onePerFile(scored.map(({ item }) => item)).slice(0, limit));
  return isSure ? scored.filter(({ item }) => said.has(item)) : [];
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
