// How often a search is silent where it should be and where it should not, store by store; and whether the
// rule carries over: the settings of `weights.floor` are chosen on all stores but one and measured on that.
// Run: deno task bench silence --data DIR (a checkout of BEAM)

import { openIndex, type SearchIndex } from "../../src/index/search_index.ts";
import { CorpusView } from "../../src/search/corpus_view.ts";
import { whereOf } from "../../src/search/filter.ts";
import { FoundRows, SelectedRows } from "../../src/search/found_rows.ts";
import { planSearch } from "../../src/search/plan_search.ts";
import { toTerm, toTokens } from "../../src/search/query.ts";
import { isRelated } from "../../src/search/rank/evidence.ts";
import type { Evidence } from "../../src/search/rank/rank.ts";
import type { SearchRequest } from "../../src/search/request.ts";
import { SearchAsk } from "../../src/search/search_ask.ts";
import { findSimilarity } from "../../src/search/similarity.ts";
import { type BenchTable, round } from "../support/table.ts";
import { meanOf } from "./measures.ts";
import { openStore } from "./open_store.ts";
import { loadSilenceStores, type SilenceStore } from "./silence_stores.ts";
import { applySetting, type Setting } from "./weight_paths.ts";

/** Of the questions that a store answers, so many may be lost. */
const mostLost = 0.03;

/** The settings to choose from. */
const settings: Setting[] = [0.5, 0.55, 0.6].flatMap((similar) =>
  [0.3, 0.4].flatMap((shareWorth) =>
    [0.4, 0.44, 0.48, 0.5, 0.52].flatMap((hybrid) =>
      [0.34, 0.38, 0.4, 0.42, 0.46].flatMap((evidence) =>
        [0.3, 0.5, 0.7].map((unknown) => ({
          "floor.similar": similar,
          "floor.shareWorth": shareWorth,
          "floor.hybrid": hybrid,
          "floor.evidence": evidence,
          "floor.unknown": unknown,
        }))
      )
    )
  )
);

/** What was found for the questions of one store. */
interface Gathered {
  store: SilenceStore;
  own: Evidence[];
  strange: Evidence[];
}

/** What a setting does on one store. */
interface Refused {
  lost: number;
  silent: number;
}

/** The tables for `deno task bench silence`. */
export async function run(): Promise<BenchTable[]> {
  const stores = await loadSilenceStores(Deno.env.get("CTX_BENCH_DATA"));
  const gathered: Gathered[] = [];
  for (const store of stores) gathered.push(await gather(store));
  const measure = (setting: Setting): Refused[] => {
    applySetting(setting);
    return gathered.map(({ own, strange }) => ({ lost: refused(own), silent: refused(strange) }));
  };
  const measured = settings.map(measure);
  const shipped = measure({});
  applySetting({});
  const signals = {
    "best similarity": ({ bestCosine }: Evidence) => bestCosine,
    "words covered": ({ bestShare }: Evidence) => bestShare,
    "best score × √words": ({ best, words }: Evidence) => best * Math.sqrt(words),
  };
  return [{
    title: "Silence, one store left out at a time",
    head: [
      "store left out",
      "answerable",
      "unanswerable",
      "chosen on the others: lost",
      "silent",
      "as shipped: lost",
      "silent",
    ],
    rows: gathered.map(({ store, own, strange }, i) => {
      const { lost, silent } = choose(measured, i)[i];
      return [
        store.name,
        own.length,
        `${strange.length} (${store.about})`,
        round(lost, 3),
        round(silent, 3),
        round(shipped[i].lost, 3),
        round(shipped[i].silent, 3),
      ];
    }),
  }, {
    title: "How often a signal is greater for an answerable question than for an unanswerable one",
    head: ["store", ...Object.keys(signals)],
    rows: gathered.map(({ store, own, strange }) => [
      store.name,
      ...Object.values(signals).map((signal) =>
        round(shareAbove(own.map(signal), strange.map(signal)), 3)
      ),
    ]),
  }];
}

/** The setting that is silent most often on the other stores and loses too much on none; else on the fewest. */
function choose(measured: readonly Refused[][], left: number): Refused[] {
  const others = measured.map((stores) => stores.filter((_, i) => i !== left));
  const worst = others.map((stores) => Math.max(mostLost, ...stores.map(({ lost }) => lost)));
  const least = Math.min(...worst);
  const fit = others.map((stores, i) =>
    worst[i] === least ? meanOf(stores.map(({ silent }) => silent)) : -1
  );
  return measured[fit.indexOf(Math.max(...fit))];
}

function refused(some: readonly Evidence[]): number {
  return meanOf(some.map((evidence) => isRelated(evidence) ? 0 : 1));
}

/** The area under the ROC curve: .5 says nothing, 1 tells all apart. */
function shareAbove(some: readonly number[], others: readonly number[]): number {
  return meanOf(
    some.flatMap((one) => others.map((other) => one === other ? 0.5 : one > other ? 1 : 0)),
  );
}

async function gather(store: SilenceStore): Promise<Gathered> {
  const found: Gathered = { store, own: [], strange: [] };
  for (const { workspace, own, strange } of store.workspaces) {
    using index = openIndex(openStore(workspace), { warn: () => {} });
    for (const text of own) found.own.push(await findEvidence(index, text));
    for (const text of strange) found.strange.push(await findEvidence(index, text));
  }
  return found;
}

/** What the ranking goes by, whatever it decides. */
async function findEvidence(index: SearchIndex, text: string): Promise<Evidence> {
  const request: SearchRequest = { query: text, k: 10, offset: 0, scope: "all", mode: "auto" };
  const { query, plan } = await planSearch(request);
  await index.load();
  const view = new CorpusView(index, query);
  const { corpus } = view;
  const { branch, vector } = await findSimilarity(index, { corpus, request, query });
  const ask = new SearchAsk(view, { query, vector, limit: 10, explain: true });
  ask.terms = toTokens(query.text).map(toTerm);
  const where = whereOf(plan);
  ask.rank({ branch }, where && new SelectedRows(new FoundRows(() => view), where));
  if (ask.ranking === undefined) throw new Error("it did not rank");
  return ask.ranking.evidence;
}
