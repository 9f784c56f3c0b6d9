// What prompts are told unasked, on judged questions over real sessions: how often ctx speaks, and how
// many of its lines are right. Beside the gate in force, gates that are chosen on other questions only
// (folds by session). The sessions and questions are ../shared/bench/recall-dev; CTX_BENCH_RECALL names
// a store that its build.sh has made, otherwise one is made with the built file.
// Run: deno task bench inject

import {
  chooseLines,
  evidenceOf,
  withoutEvidence,
} from "../../src/recall/prompt/choose_prompt_lines.ts";
import { type Fit, gate, passesGate } from "../../src/recall/prompt/prompt_gate.ts";
import { isTelling } from "../../src/recall/prompt/may_be_said.ts";
import { findPromptLines, type PromptLine } from "../../src/recall/prompt/prompt_lines.ts";
import type { Entry } from "../../src/core/entry.ts";
import { diskFiles } from "../../src/disk/files.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { buildFile } from "../support/built_file.ts";
import { type BenchTable, round } from "../support/table.ts";
import { fromFileUrl } from "../../src/core/platform_path.ts";

const questions = fromFileUrl(new URL("../../../shared/bench/recall-dev/", import.meta.url));
/** Chosen so on the other folds; a little above what is promised. */
const wantedPrecision = 0.85;
const folds = 5;

interface Case {
  kind: "answerable" | "unanswerable" | "work";
  /** Cases of one group are in one fold. */
  group: string;
  lines: PromptLine[];
  refs: ReadonlyMap<string, readonly string[]>;
  isRight: (id: string) => boolean;
}

type Asked = Omit<Case, "refs">;

/** Measures the gate. */
export async function run(): Promise<BenchTable[]> {
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    const given = Deno.env.get("CTX_BENCH_RECALL");
    const directory = given ?? await buildStore(work);
    using store = openStore({
      workspace: `${directory}/ws`,
      files: diskFiles,
      now: Date.now,
      random: () => "",
      warn: () => {},
    });
    const cases = await readCases(store);
    return [measure("The gate in force", cases, () => gate), measureFolds(cases)];
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

async function buildStore(work: string): Promise<string> {
  const { path } = await buildFile(`${work}/built`, { gzip: false });
  const { success, stderr } = await new Deno.Command("bash", {
    args: [`${questions}build.sh`, `${work}/store`],
    env: { CTX: path, XDG_CACHE_HOME: `${work}/cache` },
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return `${work}/store`;
}

async function readCases(store: Store): Promise<Case[]> {
  const entries = new Map([...store.entries()].map(({ entry }) => [entry.id, entry]));
  const refs = new Map([...entries].map(([id, entry]) => [id, evidenceOf(entry)]));
  const cases = [...await readQuestions(store, entries), ...await readWork(store, entries)];
  return cases.map((one) => ({ ...one, refs }));
}

/** The judged questions; of those without an answer every line is wrong. */
async function readQuestions(store: Store, entries: Map<string, Entry>): Promise<Asked[]> {
  const lines = (await Deno.readTextFile(`${questions}queries.jsonl`)).trim().split("\n");
  const cases: Asked[] = [];
  for (const line of lines) {
    const { id, query, gold = [] }: { id: string; query: string; gold?: { quote: string }[] } = JSON
      .parse(line);
    const holds = (entry: Entry | undefined): boolean =>
      entry !== undefined && gold.some(({ quote }) => entry.text.includes(quote));
    const first = entries.values().find((entry) => entry.index !== undefined && holds(entry));
    cases.push({
      kind: gold.length > 0 ? "answerable" : "unanswerable",
      group: first?.session_id ?? id,
      lines: await ask(store, query, () => true),
      isRight: (found) => {
        const entry = entries.get(found);
        return holds(entry) || (entry?.refs ?? []).some((ref) => holds(entries.get(ref)));
      },
    });
  }
  return cases;
}

/** What people asked for in these sessions, held against other projects: no line is right. */
async function readWork(store: Store, entries: Map<string, Entry>): Promise<Asked[]> {
  const cases: Asked[] = [];
  const seen = new Set<string>();
  for (const { role, type, text, project, session_id } of entries.values()) {
    if (role !== "user" || type !== "turn" || project === undefined || seen.has(text)) continue;
    seen.add(text);
    const isWanted = (id: string): boolean => !isOneProject(entries.get(id)?.project, project);
    const lines = await ask(store, text, isWanted);
    cases.push({ kind: "work", group: session_id ?? "", lines, isRight: () => false });
  }
  return cases;
}

async function ask(
  store: Store,
  prompt: string,
  isWanted: (id: string) => boolean,
): Promise<PromptLine[]> {
  if (!isTelling(prompt)) return [];
  return (await findPromptLines(store, { prompt, isWanted: ({ id }) => isWanted(id) })).lines;
}

/** Samples have one project under several paths. */
function isOneProject(a: string | undefined, b: string): boolean {
  if (a === undefined || a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)) return true;
  return a.replace(/^.*\//, "") === b.replace(/^.*\//, "");
}

function measureFolds(cases: Case[]): BenchTable {
  const groups = [...new Set(cases.map(({ group }) => group))].sort();
  const foldOf = new Map(groups.map((group, i) => [group, i % folds]));
  const chosen = Array.from(
    { length: folds },
    (_, fold) => chooseGate(cases.filter(({ group }) => foldOf.get(group) !== fold)),
  );
  const whole = chooseGate(cases);
  const said = [...chosen, whole].map(({ worth, share }) => `${worth}/${share}`);
  const title = `Gates chosen on the other folds (worth/share ${
    said.slice(0, -1).join(", ")
  }; on all ${said.at(-1)})`;
  return measure(title, cases, ({ group }) => chosen[foldOf.get(group) ?? 0]);
}

/** Of the gates that reach the wanted precision the one that lets most right lines through. */
function chooseGate(cases: Case[]): Fit {
  let best: { fit: Fit; right: number } = { fit: { worth: 9, share: 1 }, right: -1 };
  for (let worth = 2; worth <= 4; worth += 0.25) {
    for (let share = 0.3; share <= 0.95; share = round(share + 0.05)) {
      const fit = { worth, share };
      const { lines, right } = count(cases, () => fit);
      if (lines === 0 || right / lines < wantedPrecision || right <= best.right) continue;
      best = { fit, right };
    }
  }
  return best.fit;
}

function measure(title: string, cases: Case[], gateOf: (one: Case) => Fit): BenchTable {
  const row = (name: string, some: Case[]): (string | number)[] => {
    const { spoken, lines, right } = count(some, gateOf);
    const precision = lines === 0 ? "–" : round(right / lines);
    return [name, some.length, spoken, round(spoken / some.length), lines, right, precision];
  };
  const kinds = ["answerable", "unanswerable", "work"] as const;
  return {
    title,
    head: ["prompts", "number", "spoken to", "share", "lines", "right", "precision"],
    rows: [
      ...kinds.map((kind) => row(kind, cases.filter((one) => one.kind === kind))),
      row("all", cases),
    ],
  };
}

function count(
  cases: Case[],
  gateOf: (one: Case) => Fit,
): { spoken: number; lines: number; right: number } {
  const sum = { spoken: 0, lines: 0, right: 0 };
  for (const one of cases) {
    const lines = withoutEvidence(
      chooseLines(one.lines, ({ fit }) => passesGate(fit, gateOf(one))),
      one.refs,
    );
    if (lines.length > 0) sum.spoken++;
    sum.lines += lines.length;
    sum.right += lines.filter(({ id }) => one.isRight(id)).length;
  }
  return sum;
}
