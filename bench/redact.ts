// Redaction: how many secrets of the corpus are taken out, how many harmless lines are altered, by
// context and by half; how fast texts pass that are clean and texts made to be slow; what it costs
// a process that starts.

import { redactText } from "../src/core/redact/redact.ts";
import {
  type Context,
  contexts,
  type Half,
  harmlessCases,
  isLeft,
  secretCases,
} from "./redact_corpus.ts";
import { type BenchTable, medianOf, round } from "./table.ts";

/** What redaction does with the corpus. */
export interface Outcome {
  samples: number;
  found: number;
  harmless: number;
  altered: number;
}

/** Counts over one half of the corpus or both, and one context or all. */
export function countOutcome(half?: Half, context?: Context): Outcome {
  const cases = secretCases().filter((item) =>
    (half === undefined || item.half === half) &&
    (context === undefined || item.context === context)
  );
  const probes = harmlessCases().filter((item) => half === undefined || item.half === half);
  return {
    samples: cases.length,
    found: cases.filter(({ text, secret }) => !isLeft(secret, redactText(text).value)).length,
    harmless: probes.length,
    altered: probes.filter(({ text }) => redactText(text).count > 0).length,
  };
}

/** Measures all of it. */
export async function run(): Promise<BenchTable[]> {
  return [measureRecall(), measureAlarms(), listMissed(), measureSpeed(), await measureStart()];
}

const halves: (Half | undefined)[] = ["tuned", "held out", undefined];

function measureRecall(): BenchTable {
  const kinds = new Set(secretCases().map(({ kind }) => kind)).size;
  const row = (half: Half | undefined, context: Context | undefined): string => {
    const { samples, found } = countOutcome(half, context);
    return `${round(100 * found / samples, 1)} % (${found} of ${samples})`;
  };
  return {
    title: `Secrets taken out, of ${kinds} kinds in five contexts`,
    head: ["half", "all", ...contexts],
    rows: halves.map((half) => [
      half ?? "both",
      row(half, undefined),
      ...contexts.map((context) => row(half, context)),
    ]),
  };
}

function measureAlarms(): BenchTable {
  return {
    title: "Harmless lines altered",
    head: ["half", "altered", "of", "percent"],
    rows: halves.map((half) => {
      const { harmless, altered } = countOutcome(half);
      return [half ?? "both", altered, harmless, round(100 * altered / harmless, 1)];
    }),
  };
}

/** Names what is not found, so that the limits are known. */
function listMissed(): BenchTable {
  const missed = new Map<string, string[]>();
  for (const { kind, context, text, secret } of secretCases()) {
    if (!isLeft(secret, redactText(text).value)) continue;
    missed.set(kind, [...missed.get(kind) ?? [], context]);
  }
  return {
    title: "Kinds that are left in some context",
    head: ["kind", "where"],
    rows: [...missed].map(([kind, where]) => [kind, where.join(", ")]),
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
  const root = new URL(`../${directory}`, import.meta.url).pathname;
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
