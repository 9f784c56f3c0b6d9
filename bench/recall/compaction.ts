// `deno task bench compaction --data DIR`: what a session is told after a compaction, on transcripts of
// Claude Code in which there are some (a directory for each project below DIR; only figures are kept). Of
// what a session had before a compaction and used in the 30 actions after it (files that it read or edited,
// commands that it ran, decisions that come again), how much stands in the summary alone, and in the summary
// with what ctx adds? Other orders, and lines that are told without a look at the summary, beside it.

import { repository } from "../../build/repository.ts";
import { countTokens } from "../../src/core/tokens.ts";
import { diskFiles } from "../../src/disk/files.ts";
import { toLines } from "../../src/recall/hook/compact_block.ts";
import { findDropped, summaryReader } from "../../src/recall/compact/find_dropped.ts";
import {
  type StateItem,
  stateKinds,
  workingState,
} from "../../src/recall/compact/working_state.ts";
import { keyWords, shareOf } from "../../src/recall/distil/key_words.ts";
import { openStore } from "../../src/store/store.ts";
import { type BenchTable, round } from "../support/table.ts";
import { type CompactionWindow, has, readWindows } from "./compaction_windows.ts";

interface Way {
  name: string;
  worth?: (item: StateItem) => number;
  isBlind?: true;
  budgetTokens?: number;
  keep?: (item: StateItem) => boolean;
  /** Another way to tell whether a summary has an item. */
  reader?: (summary: string, items: readonly StateItem[]) => (item: StateItem) => boolean;
}

/** What is left of 600 tokens for the session itself, and their frame. */
const usualTokens = 480;

const ways: Way[] = [
  { name: "kept: kind × recent use" },
  { name: "commands by all their words", reader: byPrograms },
  { name: "compared by rare words", reader: byRareWords },
  { name: "compared by token overlap of whole lines", reader: byOverlap },
  { name: "the same, 240 tokens", budgetTokens: 240 },
  { name: "newest first", worth: ({ age }) => 1 / (1 + age) },
  { name: "kind by kind", worth: ({ kind, use }) => use - 1000 * stateKinds.indexOf(kind) },
  { name: "summary not looked at", isBlind: true },
  { name: "the same, commands only", isBlind: true, keep: ({ kind }) => kind === "ran" },
];

/** Runs the bench. */
export async function run(): Promise<BenchTable[]> {
  const data = Deno.env.get("CTX_BENCH_DATA");
  if (data === undefined) throw new Error("say where: --data DIR");
  const projects = [...Deno.readDirSync(data)].filter(({ isDirectory }) => isDirectory);
  const windows: CompactionWindow[] = [];
  for (const { name } of projects) windows.push(...await importWindows(`${data}/${name}`));
  return [tabulate(windows, projects.length)];
}

/** What each way tells after some compactions. */
export function tabulate(windows: readonly CompactionWindow[], projects: number): BenchTable {
  const states = windows.map(({ before }) => workingState(before));
  const used = windows.flatMap((window) => window.used);
  const unseen = windows.reduce((sum, window) => sum + window.unseen, 0);
  return {
    title: `${windows.length} compactions of ${projects} projects: ${used.length} things used ` +
      `again (${unseen} files and commands were new)`,
    head: [
      "way",
      "recall, summary alone",
      "with ours",
      "files",
      "commands",
      "decisions",
      "tokens, mean",
      "most",
      "repeats",
      "by words",
    ],
    rows: ways.map((way) => measure(way, windows, states)),
  };
}

/** The compactions of a project's transcripts, from a store that is thrown away. */
async function importWindows(root: string): Promise<CompactionWindow[]> {
  const workspace = await Deno.makeTempDir({ prefix: "compaction-" });
  try {
    const words = ["import", "claude-code", "--root", await Deno.realPath(root), "--all-projects"];
    for (const some of [["init"], words]) {
      const { success, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", `${repository}mod.ts`, ...some],
        cwd: workspace,
        env: { XDG_CONFIG_HOME: workspace, XDG_DATA_HOME: workspace },
      }).output();
      if (!success) throw new Error(new TextDecoder().decode(stderr));
    }
    using store = openStore({
      workspace,
      files: diskFiles,
      now: () => Date.now(),
      random: () => crypto.randomUUID(),
      warn() {},
    });
    return readWindows(store);
  } finally {
    await Deno.remove(workspace, { recursive: true });
  }
}

function measure(
  { name, worth, isBlind, budgetTokens = usualTokens, keep = () => true, reader }: Way,
  windows: readonly CompactionWindow[],
  states: readonly StateItem[][],
): (string | number)[] {
  const told = windows.map(({ summary }, i) =>
    findDropped(states[i].filter(keep), {
      summary: isBlind ? "" : summary,
      budgetTokens,
      worth,
      has: reader?.(summary, states[i]),
    })
  );
  const texts = told.map((items) => toLines(items).map(({ text }) => text).join("\n"));
  const recall = (
    isKnown: (i: number, used: CompactionWindow["used"][number]) => boolean,
  ): number =>
    meanOf(
      windows.map(({ used }, i) => used.filter((one) => isKnown(i, one)).length / used.length),
    );
  const byKind = (kind: string): string => {
    const all = windows.flatMap((window, i) =>
      window.used.filter((one) => one.kind === kind).map((one) => ({ one, window, i }))
    );
    const before = all.filter(({ one, window }) => has(window.summary, one)).length;
    const after =
      all.filter(({ one, window, i }) => has(window.summary, one) || has(texts[i], one)).length;
    return `${before} → ${after} of ${all.length}`;
  };
  const tokens = texts.map((text) => countTokens(text));
  const repeated = told.flatMap((items, i) =>
    items.map((item) => summaryReader(windows[i].summary)(item) ? 1 : 0)
  );
  return [
    name,
    round(recall((i, one) => has(windows[i].summary, one)), 3),
    round(recall((i, one) => has(windows[i].summary, one) || has(texts[i], one)), 3),
    byKind("file"),
    byKind("command"),
    byKind("decision"),
    Math.round(meanOf(tokens)),
    Math.max(...tokens),
    round(meanOf(repeated), 3),
    // Another judge: six of ten of its words stand on one line of the summary.
    round(meanOf(told.flatMap((items, i) => items.map(byWords(windows[i].summary)))), 3),
  ];
}

/** A file by the end of its path, a command by its program and all words that name what it does. */
function byPrograms(summary: string): (item: StateItem) => boolean {
  const usual = summaryReader(summary);
  return (item) => item.kind === "ran" ? summary.includes(item.sign ?? "") : usual(item);
}

/** By the two words of an item that the fewest other items have. */
function byRareWords(
  summary: string,
  items: readonly StateItem[],
): (item: StateItem) => boolean {
  const counts = new Map<string, number>();
  for (const { text } of items) {
    for (const word of keyWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const all = new Set(summary.split("\n").flatMap((line) => [...keyWords(line)]));
  return ({ text }) => {
    const rarest = [...keyWords(text)]
      .sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0)).slice(0, 2);
    return rarest.length > 0 && rarest.every((word) => all.has(word));
  };
}

/** By half of an item's words on one line, files and commands too. */
function byOverlap(summary: string): (item: StateItem) => boolean {
  const lines = summary.split("\n").map(keyWords);
  return ({ text }) => {
    const words = keyWords(text);
    return lines.some((line) => shareOf(words, line) >= 0.5);
  };
}

function byWords(summary: string): (item: StateItem) => number {
  const lines = summary.split("\n").map(keyWords);
  return ({ text }) => lines.some((line) => shareOf(keyWords(text), line) >= 0.6) ? 1 : 0;
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
}
