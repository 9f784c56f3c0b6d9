// Fits the weights of src/suggest/calibration.ts on the labelled cases of this repository's history,
// and says how weights that were fitted on other commits do: the honest figure. Prints; the weights
// are copied by hand. Run: deno run -A bench/suggest_fit.ts [KEPT.json]

import { seededRandom } from "./seeded_random.ts";
import { combine, leadWeights } from "../src/suggest/calibration.ts";
import { historyCases } from "./suggest_history_cases.ts";
import { findAll, type FoundCase, type FoundItem } from "./suggest_leads.ts";

/** Kinds that are fitted; the others keep what they have, by judgement. */
const fitted = Deno.env.get("FITTED")?.split(",") ?? [
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
const ridge = Number(Deno.env.get("RIDGE") ?? 0.5);
/** What nobody judged is taken to be right this much as often as what was judged and looks alike. */
const unjudgedShare = Number(Deno.env.get("UNJ") ?? 0.2);
const unjudgedWeight = 0.5;
/** Asked with the file alone there is less to go by, and less that could be found. */
const fileWeight = 0.5;
/** Added to the log odds: an item is said from this probability on. */
const least = Number(Deno.env.get("LEAST") ?? 0.35);

interface Row {
  commit: string;
  x: number[];
  y: number;
  judged: boolean;
  weight: number;
}

interface Model {
  base: number;
  weights: Map<string, number>;
}

async function main(): Promise<void> {
  const found = await load(Deno.args[0]);
  const rows = found.flatMap(toRows);
  print(`${found.length / 2} cases, ${rows.length} tied files\n`);
  printCounts(found);
  const commits = [...new Set(rows.map((row) => row.commit))].sort();
  for (const edit of [true, false]) {
    for (const share of [least]) {
      const totals = seeds.map((seed) =>
        crossValidate(found, { rows, commits, seed, edit, share })
      );
      print(`${edit ? "file and edit" : "file"}, on commits that were not fitted:\n`);
      print(`  ${describe(totals)}\n`);
    }
  }
  const model = fit(rows);
  const shift = Math.log((1 - least) / least);
  print(`leadBase ${(model.base + shift).toFixed(2)} (fitted ${model.base.toFixed(2)})\n`);
  for (const [kind, weight] of model.weights) print(`  ${kind}: ${weight.toFixed(2)},\n`);
  for (const edit of [true, false]) {
    const said = found.filter((item) => item.edit === edit).map((item) => judge(item, model));
    print(`fitted on all, ${edit ? "file and edit" : "file"}: ${describe([sum(said)])}\n`);
  }
}

async function load(kept: string | undefined): Promise<FoundCase[]> {
  if (kept !== undefined) {
    try {
      return JSON.parse(Deno.readTextFileSync(kept));
    } catch {
      // Made below.
    }
  }
  const root = await Deno.makeTempDir({ prefix: "ctx-fit-" });
  const found = await findAll(root, [...historyCases("dev"), ...historyCases("test")]);
  await Deno.remove(root, { recursive: true });
  if (kept !== undefined) Deno.writeTextFileSync(kept, JSON.stringify(found));
  return found;
}

/** One row for each file that something leads to. */
function toRows({ labelled, edit, items }: FoundCase): Row[] {
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
function fit(rows: Row[]): Model {
  const judged = rows.filter((row) => row.judged);
  const first = regress(judged);
  const guessed = rows.filter((row) => !row.judged).map((row) => ({
    ...row,
    y: unjudgedShare * predict(first, row.x),
    weight: row.weight * unjudgedWeight,
  }));
  const all = regress([...judged, ...guessed]);
  return { base: all[fitted.length], weights: new Map(fitted.map((kind, i) => [kind, all[i]])) };
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

interface Said {
  said: number;
  right: number;
  unjudged: number;
  relevant: number;
  silent: number;
  kept: number;
}

function crossValidate(
  found: FoundCase[],
  options: { rows: Row[]; commits: string[]; seed: number; edit: boolean; share: number },
): Said {
  const { rows, commits, seed, edit } = options;
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
}

/** What would be said with some weights, against the labels. */
function judge({ labelled, items }: FoundCase, model: Model): Said {
  const shift = Math.log((1 - least) / least);
  const scored = items.map((item) => {
    const isLead = item.type === "related_code" || item.evidence.some((part) => part.strength);
    if (!isLead) return { item, score: combine(item.type, item.evidence) };
    let odds = model.base + shift;
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

function sum(parts: Said[]): Said {
  const total: Said = { said: 0, right: 0, unjudged: 0, relevant: 0, silent: 0, kept: 0 };
  for (const part of parts) {
    for (const key of Object.keys(total) as (keyof Said)[]) total[key] += part[key];
  }
  return total;
}

function describe(totals: Said[]): string {
  const mean = (value: (said: Said) => number): string =>
    (totals.reduce((sum, item) => sum + value(item), 0) / totals.length).toFixed(3);
  return `said ${mean((item) => item.said)}, right ${mean((item) => item.right)}, not judged ${
    mean((item) => item.unjudged)
  }; precision ${mean((item) => item.right / item.said)}, of judged ${
    mean((item) => item.right / (item.said - item.unjudged))
  }, recall ${mean((item) => item.right / item.relevant)}, silence ${
    mean((item) => item.kept / item.silent)
  }`;
}

/** How often files with each signal were right. */
function printCounts(found: FoundCase[]): void {
  for (const kind of fitted) {
    const counts = [true, false].map((edit) => {
      const rows = found.filter((item) => item.edit === edit).flatMap(toRows)
        .filter((row) => row.x[fitted.indexOf(kind)] > 0);
      const judged = rows.filter((row) => row.judged);
      return `${judged.filter((row) => row.y === 1).length} of ${judged.length} (${rows.length})`;
    });
    print(`  ${kind.padEnd(14)} with the edit ${counts[0]}, file ${counts[1]}\n`);
  }
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}

if (import.meta.main) await main();
