// The model behind src/suggest/calibration.ts, fitted and judged: logistic regression on the strengths
// of signals, and what would be said with weights that were fitted on other commits. Pure.

import { combine, leadWeights } from "../src/suggest/calibration.ts";
import { seededRandom } from "./seeded_random.ts";
import type { FoundCase, FoundItem } from "./suggest_leads.ts";

/** Kinds that are fitted; the others keep what they have, by judgement. */
export const fitted: readonly string[] = [
  "edit_callers",
  "edit_uses",
  "edit_words",
  "edit_names",
  "edit_twins",
  "names_data",
  "names_code",
  "same_stem",
  "alike",
  "test_of",
  "imported_by",
  "imports",
  "co_changed",
  "hub",
];
const limit = 5;
const folds = 5;
const seeds = [1, 2, 3, 4, 5];
const ridge = 0.5;
/** What nobody judged is taken to be right this much as often as what was judged and looks alike. */
const unjudgedShare = 0.2;
const unjudgedWeight = 0.5;
/** Asked with the file alone there is less to go by, and less that could be found. */
const fileWeight = 0.5;
/** An item is said from this probability on: the log odds are shifted so that it scores a half. */
const least = 1 / 3;

/** A file that something leads to. */
export interface Row {
  commit: string;
  x: number[];
  y: number;
  judged: boolean;
  weight: number;
}

/** Weights by kind. */
export interface Model {
  /** Already shifted. */
  base: number;
  weights: Map<string, number>;
}

/** One row for each file that something leads to. */
export function toRows({ labelled, edit, items }: FoundCase): Row[] {
  return items.filter((item) => item.type === "related_code").map((item) => ({
    commit: labelled.commit,
    x: fitted.map((kind) => strengthOf(item, kind)),
    y: item.keys.some((key) => labelled.relevant.includes(key)) ? 1 : 0,
    judged: item.keys.some((key) => labelled.pool.includes(key)),
    weight: edit ? 1 : fileWeight,
  }));
}

function strengthOf(item: FoundItem, kind: string): number {
  return item.evidence.find((part) => part.kind === kind)?.strength ?? 0;
}

/** Fits on what was judged, then again with what was not, taken as the first fit would have it. */
export function fit(rows: Row[]): Model {
  const judged = rows.filter((row) => row.judged);
  const first = regress(judged);
  const guessed = rows.filter((row) => !row.judged).map((row) => ({
    ...row,
    y: unjudgedShare * predict(first, row.x),
    weight: row.weight * unjudgedWeight,
  }));
  const all = regress([...judged, ...guessed]);
  const shift = Math.log((1 - least) / least);
  return {
    base: all[fitted.length] + shift,
    weights: new Map(fitted.map((kind, i) => [kind, all[i]])),
  };
}

/** Logistic regression with a ridge, by Newton's method; the last weight is the base. */
function regress(rows: Row[]): number[] {
  const size = fitted.length + 1;
  const weights = new Array<number>(size).fill(0);
  for (let round = 0; round < 25; round++) {
    const slope = weights.map((value, i) => i < size - 1 ? ridge * value : 0);
    const curve = weights.map((_, i) =>
      weights.map((_, k) => i !== k ? 0 : i < size - 1 ? ridge : 1e-6)
    );
    for (const { x, y, weight } of rows) {
      const p = predict(weights, x);
      const at = [...x, 1];
      for (let i = 0; i < size; i++) {
        if (at[i] === 0) continue;
        slope[i] += weight * (p - y) * at[i];
        for (let k = 0; k < size; k++) curve[i][k] += weight * p * (1 - p) * at[i] * at[k];
      }
    }
    solve(curve, slope).forEach((step, i) => weights[i] -= step);
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

/** What would be said with weights that were fitted on other commits, once for each seed. */
export function crossValidate(found: FoundCase[], edit: boolean): Said[] {
  const rows = found.flatMap(toRows);
  const commits = [...new Set(found.map(({ labelled }) => labelled.commit))].sort();
  return seeds.map((seed) => {
    const random = seededRandom(seed);
    const order = commits.map((commit) => ({ commit, at: random() })).sort((a, b) => a.at - b.at);
    const said: Said[] = [];
    for (let fold = 0; fold < folds; fold++) {
      const left = new Set(order.filter((_, i) => i % folds === fold).map(({ commit }) => commit));
      const model = fit(rows.filter((row) => !left.has(row.commit)));
      for (const item of found) {
        if (item.edit === edit && left.has(item.labelled.commit)) said.push(judge(item, model));
      }
    }
    return sum(said);
  });
}

/** What would be said with some weights, against the labels. */
export function judge({ labelled, items }: FoundCase, model: Model): Said {
  const scored = items.map((item) => {
    const isLead = item.type === "related_code" || item.evidence.some((part) => part.strength);
    if (!isLead) return { item, score: combine(item.type, item.evidence) };
    let odds = model.base;
    for (const { kind, strength = 0 } of item.evidence) {
      const known = Object.entries(leadWeights).find(([name]) => name === kind)?.[1] ?? 0;
      odds += strength * (model.weights.get(kind) ?? known);
    }
    return { item, score: 1 / (1 + Math.exp(-odds)) };
  }).filter(({ score }) => score >= 0.5).sort((a, b) => b.score - a.score);
  const seen = new Set<string>();
  const told = scored.filter(({ item }) => {
    const key = item.path ?? item.entity_id;
    return !seen.has(key) && seen.add(key);
  }).slice(0, limit);
  const count = (keys: string[]): number =>
    told.filter(({ item }) => item.keys.some((key) => keys.includes(key))).length;
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

export function sum(parts: Said[]): Said {
  const total: Said = { said: 0, right: 0, unjudged: 0, relevant: 0, silent: 0, kept: 0 };
  for (const part of parts) {
    for (const key of Object.keys(total) as (keyof Said)[]) total[key] += part[key];
  }
  return total;
}
