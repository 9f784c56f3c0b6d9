// Precision and recall of suggestions on labelled cases, and how often silence is kept where silence
// is right: on this repository's own history, and apart from it on sets that were generated or
// labelled by a compiler; or with --repository PATH on the history of any other, labelled by a rule.
// The targets are precision 0.7 at recall 0.5, silence 0.9.

import { openSources } from "../src/recall/edit/open_sources.ts";
import { type RankedItem, rankSuggestions } from "../src/recall/edit/rank_suggestions.ts";
import { findCandidates, toSubject } from "../src/recall/edit/run_suggest.ts";
import { suggestionTypes } from "../src/recall/edit/signals/suggestion.ts";
import { emptyMemory } from "../src/recall/edit/suggestion_memory.ts";
import { type CaseSet, type LabelledCase, makeCaseSets } from "./suggest_cases.ts";
import { ablationTable } from "./suggest_ablation.ts";
import { historyCases } from "./suggest_history_cases.ts";
import { HistoryReplay, historySets } from "./suggest_history.ts";
import { findAll, findLabelled, type FoundCase } from "./suggest_leads.ts";
import {
  chooseItems,
  crossValidate,
  judgeCase,
  mean,
  productModel,
  type Said,
  sum,
  tally,
  type Way,
} from "./suggest_model.ts";
import { repositoryCases } from "./suggest_repository.ts";
import { type BenchTable, round } from "./table.ts";

interface Tally {
  cases: number;
  said: number;
  right: number;
  relevant: number;
  silent: number;
  kept: number;
}

interface Judged {
  set: string;
  labelled: LabelledCase;
  items: RankedItem[];
}

const limit = 5;
const minScore = 0.5;
const scoreBands = [0.5, 0.6, 0.7, 0.8, 0.9];

/** Measures the labelled cases. */
export async function run(): Promise<BenchTable[]> {
  const root = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  const repository = Deno.env.get("CTX_BENCH_REPOSITORY");
  try {
    if (repository === undefined) {
      return [...historyTables(await findLabelled(`${root}/own`)), ...await syntheticTables(root)];
    }
    const replay = await HistoryReplay.open(`${root}/other`, repository);
    return repositoryTables(await findAll(replay, await repositoryCases(replay), "rule"));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const ways: readonly Way[] = ["file", "edit"];
const historyHead = [
  "set",
  "asked with",
  "cases",
  "items",
  "right",
  "not judged",
  "precision",
  "of judged",
  "recall",
  "silent cases",
  "silence kept",
];

/** This repository: what weights that were fitted on other commits say, and the product's. */
export function historyTables(found: FoundCase[]): BenchTable[] {
  const fitted = ways.flatMap((way) => {
    const validated = crossValidate(found, way);
    return historySets.map((set) => [
      `${set}, weights fitted on other commits`,
      askedWith(way),
      historyCases(set).length,
      ...meanRow(tally(validated, { way, sets: [set] })),
    ]);
  });
  const product = historySets.flatMap((set) =>
    ways.map((way) => productRow(found.filter((item) => item.set === set), way, `${set}, `))
  );
  const told = found.filter(({ edit }) => edit).flatMap(({ items, labelled }) =>
    chooseItems(items, productModel("edit"), "edit").map(({ item, score }) => ({
      type: item.type,
      score,
      right: item.keys.some((key) => labelled.relevant.includes(key)),
    }))
  );
  return [
    {
      title: `This repository's history, ${
        found.length / 2
      } cases (at most ${limit} items, score ${minScore} or more)`,
      head: historyHead,
      rows: [...fitted, ...product],
    },
    {
      title: "The same by type, with the edit",
      head: ["type", "items", "right", "precision"],
      rows: suggestionTypes.map((type) =>
        typeRow(type, told.filter((item) => item.type === type).map(({ right }) => right))
      ),
    },
    {
      title: "The same by score, with the edit",
      head: ["score", "items", "right"],
      rows: scoreBands.map((from) =>
        bandRow(
          from,
          told.filter(({ score }) => score >= from && score < from + 0.1).map(({ right }) => right),
        )
      ),
    },
    ablationTable(found, { name: "this repository" }),
  ];
}

/** Less is right by the rule than by labellers. */
const ruleLeast = 0.3;

/** Another repository: what the product's weights say there, and weights that are fitted there. */
export function repositoryTables(found: FoundCase[]): BenchTable[] {
  const cases = found.length / 2;
  const rows = ways.flatMap((way) => [
    productRow(found, way),
    [
      `fitted there on other commits, from ${ruleLeast}`,
      askedWith(way),
      cases,
      ...meanRow(tally(crossValidate(found, way), { way, from: ruleLeast })),
    ],
  ]);
  const title = `A public repository, ${cases} cases labelled by what commits change`;
  return [
    { title, head: historyHead, rows },
    ablationTable(found, { name: "that repository", from: ruleLeast }),
  ];
}

function productRow(found: FoundCase[], way: Way, name = ""): (string | number)[] {
  const asked = found.filter((item) => item.edit === (way === "edit"));
  const said = sum(asked.map((item) => judgeCase(item, productModel(way), { way, from: 0.5 })));
  return [`${name}the weights in the product`, askedWith(way), asked.length, ...meanRow([said])];
}

/** The mean over several ways to leave commits out. What nobody judged counts as wrong. */
function meanRow(totals: Said[]): (string | number)[] {
  return [
    round(mean(totals, (item) => item.said), 1),
    round(mean(totals, (item) => item.right), 1),
    round(mean(totals, (item) => item.unjudged), 1),
    round(mean(totals, (item) => item.right / item.said), 3),
    round(mean(totals, (item) => item.right / (item.said - item.unjudged)), 3),
    round(mean(totals, (item) => item.right / item.relevant), 3),
    round(mean(totals, (item) => item.silent), 1),
    round(mean(totals, (item) => item.kept / item.silent), 3),
  ];
}

function askedWith(way: Way): string {
  return way === "edit" ? "file and edit" : "file";
}

async function syntheticTables(root: string): Promise<BenchTable[]> {
  const judged: Judged[] = [];
  const sets = await makeCaseSets(root);
  for (const set of sets) judged.push(...await ask(set));
  if (Deno.env.get("SUGGEST_SHOW")) show(judged);
  const byType = suggestionTypes.map((type) =>
    typeRow(
      type,
      judged.flatMap(({ items, labelled }) =>
        items.filter((item) => item.type === type).map((item) => isRight(item, labelled))
      ),
    )
  );
  const bands = scoreBands.map((from) =>
    bandRow(
      from,
      judged.flatMap(({ items, labelled }) =>
        items.filter((item) => item.relevance_score >= from && item.relevance_score < from + 0.1)
          .map((item) => isRight(item, labelled))
      ),
    )
  );
  return [
    {
      title: "Sets that were generated or labelled by a compiler",
      head: ["set", "cases", "items", "precision", "recall", "silent cases", "silence kept"],
      rows: sets.map(({ name }) => toRow(name, count(judged.filter((item) => item.set === name)))),
    },
    { title: "These by type", head: ["type", "items", "right", "precision"], rows: byType },
    {
      title: "These by score: is a score a probability?",
      head: ["score", "items", "right"],
      rows: bands,
    },
  ];
}

function bandRow(from: number, said: boolean[]): (string | number)[] {
  const right = said.filter((value) => value).length;
  return [`${from} to ${round(from + 0.1, 1)}`, said.length, share(right, said.length)];
}

function typeRow(type: string, said: boolean[]): (string | number)[] {
  const right = said.filter((value) => value).length;
  return [type, said.length, right, share(right, said.length)];
}

async function ask(set: CaseSet): Promise<Judged[]> {
  using sources = await openSources(set.store, {
    refresh: true,
    reports: [],
    now: set.now,
    days: 7,
  });
  return set.cases.map((labelled) => {
    const request = { ...labelled, recent: [], recentChangeDays: 7 };
    const subject = toSubject(request, sources, set.now);
    const { items } = rankSuggestions(findCandidates(subject, sources), emptyMemory(), {
      limit,
      minScore,
      minPrecision: 0,
      enabled: new Set(set.types),
      repeat: true,
      now: set.now,
    });
    return { set: set.name, labelled, items };
  });
}

function count(judged: Judged[]): Tally {
  const sum: Tally = { cases: 0, said: 0, right: 0, relevant: 0, silent: 0, kept: 0 };
  for (const { labelled, items } of judged) {
    sum.cases++;
    sum.said += items.length;
    sum.right += items.filter((item) => isRight(item, labelled)).length;
    // At most `limit` items can be said, so no more than that can be asked for.
    sum.relevant += Math.min(limit, labelled.truth.size);
    if (labelled.truth.size > 0) continue;
    sum.silent++;
    if (items.length === 0) sum.kept++;
  }
  return sum;
}

function toRow(name: string, sum: Tally): (string | number)[] {
  return [
    name,
    sum.cases,
    sum.said,
    share(sum.right, sum.said),
    share(sum.right, sum.relevant),
    sum.silent,
    share(sum.kept, sum.silent),
  ];
}

function isRight(item: RankedItem, { truth }: LabelledCase): boolean {
  const keys = [
    `entry:${item.entity_id}`,
    `warning:${item.entity_id}`,
    `warning:${item.title.replace(/^Failing test: /, "")}`,
    ...(item.path === undefined ? [] : [`path:${item.path}`]),
  ];
  return keys.some((key) => truth.has(key));
}

function share(part: number, whole: number): number | string {
  return whole === 0 ? "none" : round(part / whole, 3);
}

function show(judged: Judged[]): void {
  for (const { set, labelled, items } of judged) {
    const wrong = items.filter((item) => !isRight(item, labelled));
    const line = `${set} ${labelled.path}#${
      labelled.symbol ?? ""
    }: ${items.length} said, ${wrong.length} wrong, ${labelled.truth.size} relevant\n`;
    const details = wrong.map((item) =>
      `    ${item.relevance_score} ${item.title} [${item.reason}]\n`
    );
    Deno.stderr.writeSync(new TextEncoder().encode(line + details.join("")));
  }
}
