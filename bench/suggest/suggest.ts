// Precision and recall of suggestions on labelled cases, and how often silence is kept where silence
// is right: on this repository's own history, and apart from it on sets that were generated or
// labelled by a compiler.

import { suggestionTypes } from "../../src/core/row_kinds.ts";
import { openSources } from "../../src/recall/edit/open_sources.ts";
import { type RankedItem, rankSuggestions } from "../../src/recall/edit/rank_suggestions.ts";
import { findCandidates, toSubject } from "../../src/recall/edit/run_suggest.ts";
import { emptyMemory } from "../../src/recall/edit/suggestion_memory.ts";
import { type CaseSet, type LabelledCase, makeCaseSets } from "./suggest_cases.ts";
import { historyCases, isJudged, keysOf } from "./suggest_history_cases.ts";
import { HistoryReplay, type HistorySet, historySets } from "./suggest_history.ts";
import { type BenchTable, round } from "../support/table.ts";

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
const rules = { limit, minScore, minPrecision: 0, repeat: true };
const scoreBands = [0.5, 0.6, 0.7, 0.8, 0.9];

/** Measures the labelled cases. */
export async function run(): Promise<BenchTable[]> {
  const root = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    return [...await historyTables(`${root}/own`), ...await syntheticTables(root)];
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** This repository: what is said before commits that were really made. */
async function historyTables(directory: string): Promise<BenchTable[]> {
  const replay = await HistoryReplay.open(directory);
  const rows: (string | number)[][] = [];
  const told: { type: string; right: boolean }[] = [];
  for (const set of historySets) {
    const cases = await askHistory(replay, set);
    rows.push([set, cases.length, ...historyRow(cases)]);
    told.push(...cases.flatMap(({ said }) => said));
  }
  return [
    {
      title: `This repository's history (at most ${limit} items, score ${minScore} or more)`,
      head: [
        "set",
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
      title: "The same by type",
      head: ["type", "items", "right", "precision"],
      rows: suggestionTypes.map((type) =>
        typeRow(type, told.filter((item) => item.type === type).map(({ right }) => right))
      ),
    },
  ];
}

interface AskedCase {
  relevant: number;
  said: { type: string; right: boolean; judged: boolean }[];
}

/** Asks every case before its commit. */
async function askHistory(replay: HistoryReplay, set: HistorySet): Promise<AskedCase[]> {
  const cases = historyCases(set);
  const asked: AskedCase[] = [];
  for (const commit of new Set(cases.map((item) => item.commit))) {
    const moment = await replay.before(commit);
    const { store, now } = moment;
    using sources = await openSources(store, { code: true, reports: [], now, days: 7 });
    for (const labelled of cases.filter((item) => item.commit === commit)) {
      const { path, symbol, relevant } = labelled;
      const request = { path, symbol, recent: [], recentChangeDays: 7 };
      const candidates = findCandidates(toSubject(request, sources, now), sources);
      const { items } = rankSuggestions(candidates, emptyMemory(), {
        ...rules,
        enabled: new Set(suggestionTypes),
        now,
      });
      const said = items.map((item) => {
        const keys = keysOf(item, moment);
        const right = keys.some((key) => relevant.includes(key));
        return { type: item.type, right, judged: isJudged(keys, labelled) };
      });
      asked.push({ relevant: Math.min(limit, relevant.length), said });
    }
  }
  return asked;
}

/** What nobody judged counts as wrong. */
function historyRow(cases: AskedCase[]): (string | number)[] {
  const said = cases.flatMap((one) => one.said);
  const right = said.filter((item) => item.right).length;
  const judged = said.filter((item) => item.judged).length;
  const relevant = cases.reduce((sum, one) => sum + one.relevant, 0);
  const silent = cases.filter((one) => one.relevant === 0);
  const kept = silent.filter((one) => one.said.length === 0).length;
  return [
    said.length,
    right,
    said.length - judged,
    share(right, said.length),
    share(right, judged),
    share(right, relevant),
    silent.length,
    share(kept, silent.length),
  ];
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
    code: true,
    reports: [],
    now: set.now,
    days: 7,
  });
  return set.cases.map((labelled) => {
    const request = { ...labelled, recent: [], recentChangeDays: 7 };
    const subject = toSubject(request, sources, set.now);
    const { items } = rankSuggestions(findCandidates(subject, sources), emptyMemory(), {
      ...rules,
      enabled: new Set(set.types),
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
