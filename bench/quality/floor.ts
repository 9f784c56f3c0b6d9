// Calibrates the rule for "nothing found" on all sets together: for every question of a set, for those of
// the other sets and for those that nothing answers, what the best rows have of it; then how much each
// rule refuses. A rule is a setting of `weights.floor`.
// Run: deno task bench floor

import { openIndex, type SearchIndex } from "../../src/index/search_index.ts";
import { CorpusView } from "../../src/search/corpus_view.ts";
import { planFilters, whereOf } from "../../src/search/filter.ts";
import { FoundRows, SelectedRows } from "../../src/search/found_rows.ts";
import { SearchAsk } from "../../src/search/search_ask.ts";
import { parseQuery, toTerm, toTokens } from "../../src/search/query.ts";
import { isRelated } from "../../src/search/rank/evidence.ts";
import type { Evidence } from "../../src/search/rank/rank.ts";
import type { SearchRequest } from "../../src/search/request.ts";
import { findSimilarity } from "../../src/search/similarity.ts";
import { type BenchTable, round } from "../support/table.ts";
import { type JudgedSet, loadJudgedSets } from "./judged_sets.ts";
import { meanOf } from "./measures.ts";
import { openStore } from "./open_store.ts";
import { strangersOf } from "./quality.ts";
import { applySetting, type Setting } from "./weight_paths.ts";

/** More than any row reaches. */
const never = 9;

/** The rules that are held against each other. */
const rules: [string, Setting][] = [
  ["as shipped", {}],
  ["cosine + .4 share ≥ .5", linear(0.4, 0.5)],
  ["cosine + .3 share ≥ .46", linear(0.3, 0.46)],
  ["cosine + .2 share ≥ .44", linear(0.2, 0.44)],
  ["as shipped, nearer (.5), evidence .4", { "floor.hybrid": 0.5, "floor.evidence": 0.4 }],
  ["words covered (.5) or meaning close (.5)", {
    "floor.covered": 0.5,
    "floor.similar": 0.5,
    "floor.hybrid": never,
  }],
];

function linear(share: number, least: number): Setting {
  return {
    "floor.covered": never,
    "floor.similar": never,
    "floor.shareWorth": share,
    "floor.hybrid": least,
    "floor.evidence": 0,
  };
}

/** What was found for the questions of one kind, by set. */
interface Gathered {
  set: string;
  own: Evidence[];
  strangers: Evidence[];
  unanswerable: Evidence[];
}

/** The table for `deno task bench floor`. */
export async function run(): Promise<BenchTable[]> {
  const sets = await loadJudgedSets();
  const gathered: Gathered[] = [];
  for (const set of sets) gathered.push(await gather(set, strangersOf(set, sets)));
  const rows = rules.map(([name, setting]) => {
    applySetting(setting);
    const shares = gathered.map(({ own, strangers, unanswerable }) => ({
      own: refused(own),
      strangers: refused(strangers),
      unanswerable: refused(unanswerable),
    }));
    const cell = (kind: "own" | "strangers"): string =>
      shares.map((share) => share[kind].toFixed(3)).join(" / ");
    return [
      name,
      cell("own"),
      round(meanOf(shares.map(({ own }) => own)), 4),
      cell("strangers"),
      round(meanOf(shares.map(({ strangers }) => strangers)), 3),
      round(Math.max(...shares.map(({ unanswerable }) => unanswerable)), 2),
    ];
  });
  applySetting({});
  const names = gathered.map(({ set }) => set).join(" / ");
  return [{
    title: `Refused by rule: ${names}`,
    head: ["rule", "own questions", "mean", "other sets' questions", "mean", "unanswerable"],
    rows,
  }];
}

function refused(some: readonly Evidence[]): number {
  return meanOf(some.map((evidence) => isRelated(evidence) ? 0 : 1));
}

async function gather(set: JudgedSet, strangers: readonly string[]): Promise<Gathered> {
  const found: Gathered = { set: set.name, own: [], strangers: [], unanswerable: [] };
  for (const { workspace, questions } of set.groups) {
    using index = openIndex(openStore(workspace), { warn: () => {} });
    for (const { text, isAnswerable } of questions) {
      (isAnswerable ? found.own : found.unanswerable).push(await findEvidence(index, text));
    }
    for (const text of strangers) found.strangers.push(await findEvidence(index, text));
  }
  return found;
}

/** What the ranking goes by, whatever it decides. */
async function findEvidence(index: SearchIndex, text: string): Promise<Evidence> {
  const request: SearchRequest = { query: text, k: 10, offset: 0, scope: "all", mode: "auto" };
  const query = parseQuery(text);
  await index.load();
  const view = new CorpusView(index, query);
  const { corpus } = view;
  const { branch, vector } = await findSimilarity(index, { corpus, request, query });
  const ask = new SearchAsk(view, { query, vector, limit: 10 });
  ask.terms = toTokens(query.text).map(toTerm);
  const where = whereOf(planFilters(request, query));
  ask.rank({ branch }, where && new SelectedRows(new FoundRows(() => view), where));
  if (ask.ranking === undefined) throw new Error("it did not rank");
  return ask.ranking.evidence;
}
