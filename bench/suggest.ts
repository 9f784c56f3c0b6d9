// Precision and recall of suggestions on labelled cases, and how often silence is kept where silence
// is right: on this repository's own history, and apart from it on sets that were generated or
// labelled by a compiler. The targets are precision 0.7 at recall 0.5, silence 0.9.

import { openSources } from "../src/suggest/open_sources.ts";
import { type RankedItem, rankSuggestions } from "../src/suggest/rank_suggestions.ts";
import { findCandidates, toSubject } from "../src/suggest/run_suggest.ts";
import { suggestionTypes } from "../src/suggest/signals/suggestion.ts";
import { emptyMemory } from "../src/suggest/suggestion_memory.ts";
import { type CaseSet, type LabelledCase, makeCaseSets } from "./suggest_cases.ts";
import { askHistory, type HistoryAnswer, historyCases } from "./suggest_history_cases.ts";
import { historySets } from "./suggest_history.ts";
import { findAll, type FoundCase } from "./suggest_leads.ts";
import { crossValidate, type Said, type Way } from "./suggest_model.ts";
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
  try {
    return [...await historyTables(root), ...await syntheticTables(root)];
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

async function historyTables(root: string): Promise<BenchTable[]> {
  const rows: (string | number)[][] = [];
  const told: HistoryAnswer[] = [];
  const found: FoundCase[] = [];
  for (const set of historySets) found.push(...await findAll(`${root}/fit-${set}`, set));
  for (const way of ["file", "edit"] as const) {
    const totals = crossValidate(found, way);
    for (const set of historySets) {
      const name = `${set}, weights fitted on other commits`;
      rows.push([name, askedWith(way), historyCases(set).length, ...meanRow(totals[set])]);
    }
  }
  for (const set of historySets) {
    for (const way of ["file", "edit"] as const) {
      const edit = way === "edit";
      const cases = historyCases(set);
      const answers = await askHistory(`${root}/${set}-${way}`, cases, { limit, minScore, edit });
      rows.push([`${set}, the weights in the product`, askedWith(way), ...historyRow(answers)]);
      if (edit) told.push(...answers);
    }
  }
  const items = told.flatMap(({ labelled, items }) =>
    items.map(({ item, keys }) => ({
      item,
      right: keys.some((k) => labelled.relevant.includes(k)),
    }))
  );
  const bands = scoreBands.map((from) => {
    const said = items.filter(({ item }) =>
      item.relevance_score >= from && item.relevance_score < from + 0.1
    ).map(({ right }) => right);
    return bandRow(from, said);
  });
  return [
    {
      title:
        `This repository's history, ${told.length} cases (at most ${limit} items, score ${minScore} or more)`,
      head: [
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
      ],
      rows,
    },
    {
      title: "The same by type, with the edit",
      head: ["type", "items", "right", "precision"],
      rows: suggestionTypes.map((type) =>
        typeRow(type, items.filter(({ item }) => item.type === type).map(({ right }) => right))
      ),
    },
    { title: "The same by score, with the edit", head: ["score", "items", "right"], rows: bands },
  ];
}

/** An item that the labeller never saw counts as wrong in precision, and is left out in the next. */
function historyRow(answers: HistoryAnswer[]): (string | number)[] {
  let [said, right, unjudged, relevant, silent, kept] = [0, 0, 0, 0, 0, 0];
  for (const { labelled, items } of answers) {
    said += items.length;
    right += items.filter(({ keys }) => keys.some((key) => labelled.relevant.includes(key))).length;
    unjudged += items.filter(({ keys }) => !keys.some((key) => labelled.pool.includes(key))).length;
    relevant += Math.min(limit, labelled.relevant.length);
    if (labelled.relevant.length > 0) continue;
    silent++;
    if (items.length === 0) kept++;
  }
  return [
    answers.length,
    said,
    right,
    unjudged,
    share(right, said),
    share(right, said - unjudged),
    share(right, relevant),
    silent,
    share(kept, silent),
  ];
}

/** The mean over several ways to leave commits out. */
function meanRow(totals: Said[]): (string | number)[] {
  const mean = (value: (said: Said) => number, digits = 3): number =>
    round(totals.reduce((sum, item) => sum + value(item), 0) / totals.length, digits);
  return [
    mean((item) => item.said, 1),
    mean((item) => item.right, 1),
    mean((item) => item.unjudged, 1),
    mean((item) => item.right / item.said),
    mean((item) => item.right / (item.said - item.unjudged)),
    mean((item) => item.right / item.relevant),
    mean((item) => item.silent, 1),
    mean((item) => item.kept / item.silent),
  ];
}

function askedWith(way: Way): string {
  return way === "edit" ? "file and edit" : "file";
}

async function syntheticTables(root: string): Promise<BenchTable[]> {
  const judged: Judged[] = [];
  const sets = await makeCaseSets(root);
  for (const set of sets) judged.push(...await judge(set));
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
      rows: sets.map(({ name }) => toRow(name, tally(judged.filter((item) => item.set === name)))),
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

async function judge(set: CaseSet): Promise<Judged[]> {
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

function tally(judged: Judged[]): Tally {
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
