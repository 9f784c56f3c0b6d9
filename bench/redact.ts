// Redaction: how many secrets of the corpus are taken out, how many harmless lines are altered, by
// context and by half; how fast texts pass that are clean and texts made to be slow; what it costs
// a process that starts. `--corpus FILE` measures another corpus, a module with the same exports as
// redact_corpus.ts, and only that: its kinds, what was missed and what was altered, word by word.

import { redactText } from "../src/core/redact/redact.ts";
import * as ownCorpus from "./redact_corpus.ts";
import { type Half, type HarmlessCase, isLeft, type SecretCase } from "./redact_corpus.ts";
import { type BenchTable, medianOf, round } from "./support/table.ts";
import { fromFileUrl } from "../src/core/platform_path.ts";

/** What a module must export to be measured. */
export interface Corpus {
  contexts: readonly string[];
  secretCases: () => SecretCase[];
  harmlessCases: () => HarmlessCase[];
}

/** What redaction does with the corpus. */
export interface Outcome {
  samples: number;
  found: number;
  harmless: number;
  altered: number;
}

/** Counts over one half of the corpus or both, and one context or all. */
export function countOutcome(
  half?: Half,
  context?: string,
  corpus: Corpus = ownCorpus,
): Outcome {
  const cases = corpus.secretCases().filter((item) =>
    (half === undefined || item.half === half) &&
    (context === undefined || item.context === context)
  );
  const probes = corpus.harmlessCases().filter((item) => half === undefined || item.half === half);
  return {
    samples: cases.length,
    found: cases.filter(({ text, secret }) => !isLeft(secret, redactText(text).value)).length,
    harmless: probes.length,
    altered: probes.filter(({ text }) => redactText(text).count > 0).length,
  };
}

/** Measures all of it. */
export async function run(): Promise<BenchTable[]> {
  const other = Deno.env.get("CTX_BENCH_CORPUS");
  if (other !== undefined) {
    const url = new URL(other, `file://${Deno.cwd()}/`);
    const corpus: Corpus = await import(url.href);
    return [measureRecall(corpus), measureAlarms(corpus), listMissed(corpus), listAltered(corpus)];
  }
  return [
    measureRecall(ownCorpus),
    measureAlarms(ownCorpus),
    listMissed(ownCorpus),
    measureSpeed(),
    await measureStart(),
  ];
}

function halvesOf(corpus: Corpus): (Half | undefined)[] {
  const halves = new Set(corpus.secretCases().map(({ half }) => half));
  return halves.size > 1 ? ["tuned", "held out", undefined] : [undefined];
}

function measureRecall(corpus: Corpus): BenchTable {
  const { contexts } = corpus;
  const kinds = new Set(corpus.secretCases().map(({ kind }) => kind)).size;
  const row = (half: Half | undefined, context: string | undefined): string => {
    const { samples, found } = countOutcome(half, context, corpus);
    return `${round(100 * found / samples, 1)} % (${found} of ${samples})`;
  };
  return {
    title: `Secrets taken out, of ${kinds} kinds in ${contexts.length} contexts`,
    head: ["half", "all", ...contexts],
    rows: halvesOf(corpus).map((half) => [
      half ?? "all",
      row(half, undefined),
      ...contexts.map((context) => row(half, context)),
    ]),
  };
}

function measureAlarms(corpus: Corpus): BenchTable {
  return {
    title: "Harmless lines altered",
    head: ["half", "altered", "of", "percent"],
    rows: halvesOf(corpus).map((half) => {
      const { harmless, altered } = countOutcome(half, undefined, corpus);
      return [half ?? "all", altered, harmless, round(100 * altered / harmless, 1)];
    }),
  };
}

/** Names what is not found, so that the limits are known. */
function listMissed(corpus: Corpus): BenchTable {
  const missed = new Map<string, string[]>();
  for (const { kind, context, text, secret } of corpus.secretCases()) {
    if (!isLeft(secret, redactText(text).value)) continue;
    missed.set(kind, [...missed.get(kind) ?? [], context]);
  }
  return {
    title: "Kinds that are left in some context",
    head: ["kind", "where"],
    rows: [...missed].map(([kind, where]) => [kind, where.join(", ")]),
  };
}

/** Shows what harmless lines became. */
function listAltered(corpus: Corpus): BenchTable {
  const altered = corpus.harmlessCases().map(({ text }) => redactText(text)).filter(({ count }) =>
    count > 0
  );
  return {
    title: "Harmless lines that were altered",
    head: ["became"],
    rows: altered.map(({ value }) => [JSON.stringify(value).replaceAll("|", "\\|")]),
  };
}

/** In turns with something well known, so that noise hits both. */
function measureSpeed(): BenchTable {
  const hostile = (unit: string): string[] => [unit.repeat((1 << 20) / unit.length)];
  const texts: [string, string[]][] = [
    [
      "sources, tests and documents of ctx, a text a file",
      ["src", "test", "docs"].flatMap(readTexts),
    ],
    ["1 MB of `token=`", hostile("token=")],
    ["1 MB of `authorization: `", hostile("authorization: ")],
    ["1 MB of `eyJ.`", hostile("eyJ.")],
    ["1 MB of the beginning of a key", hostile(`-----BEGIN ${"PRIVATE"} KEY-----\n`)],
  ];
  return {
    title: "Speed (median of 5, in turns with JSON.stringify of the same texts)",
    head: ["texts", "MB", "MB/s", "speed relative to JSON.stringify"],
    rows: texts.map(([name, list]) => {
      const chars = list.reduce((sum, text) => sum + text.length, 0);
      const [redacting, writing]: number[][] = [[], []];
      for (let i = 0; i < 5; i++) {
        redacting.push(time(() => list.forEach((text) => redactText(text))));
        writing.push(time(() => list.forEach((text) => JSON.stringify(text))));
      }
      const ms = medianOf(redacting);
      return [
        name,
        round(chars / 1e6, 1),
        round(chars / 1e3 / ms, 0),
        round(medianOf(writing) / ms, 3),
      ];
    }),
  };
}

/** Loading the rules and the first text, in processes of their own; the least of ten. */
async function measureStart(): Promise<BenchTable> {
  const module = new URL("../src/core/redact/redact.ts", import.meta.url).href;
  const script = `const a = performance.now(); const m = await import(${JSON.stringify(module)});
const b = performance.now(); m.redactText("the password is not here: token = next()");
const c = performance.now(); m.redactText("the password is not here: token = next()");
console.log(JSON.stringify([b - a, c - b, performance.now() - c]));`;
  const best = [Infinity, Infinity, Infinity];
  for (let i = 0; i < 10; i++) {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", script],
      stdout: "piped",
      stderr: "null",
    }).output();
    const times: number[] = JSON.parse(new TextDecoder().decode(stdout));
    for (const [at, ms] of times.entries()) best[at] = Math.min(best[at], ms);
  }
  return {
    title: "Start (least of 10 processes)",
    head: ["what", "ms"],
    rows: [
      ["load the module from source", round(best[0])],
      ["first text: tables and patterns", round(best[1])],
      ["the same text again", round(best[2], 3)],
    ],
  };
}

function readTexts(directory: string): string[] {
  const root = fromFileUrl(new URL(`../${directory}`, import.meta.url));
  return [...Deno.readDirSync(root)].flatMap(({ name, isDirectory }) =>
    isDirectory
      ? readTexts(`${directory}/${name}`)
      : /\.(?:ts|md|txt)$/.test(name)
      ? [Deno.readTextFileSync(`${root}/${name}`)]
      : []
  );
}

function time(action: () => void): number {
  const start = performance.now();
  action();
  return performance.now() - start;
}
