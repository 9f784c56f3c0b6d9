// Outcomes: what came of an exchange, in the words of its last answer, with what tests and commits
// said last. Pure.

import type { Entry } from "../../core/entry.ts";
import { toLine } from "../../core/text.ts";
import { joinBlocks, looseStep, maxTextChars, nextHeading, pickBlocks } from "./quote.ts";
import type { Block } from "../../core/rows/blocks.ts";
import type { Run } from "../../core/rows/exchanges.ts";
import type { Candidate, Scene } from "./scenes.ts";

/** One outcome for each exchange that came to something. */
export function findOutcomes(scenes: readonly Scene[]): Candidate[] {
  return scenes.flatMap((scene) => {
    const { answer } = scene;
    if (answer === undefined) return [];
    const proof = findProof(scene.runs);
    const lines = proof.map(({ line }) => line);
    const room = maxTextChars - lines.reduce((sum, line) => sum + line.length + 1, 0);
    const told = withoutNextSteps(answer.blocks);
    const texts = pickBlocks(told, scene.topicWords);
    const text = [joinBlocks(texts, room), ...lines].filter((part) => part !== "").join("\n");
    if (text.length < (scene.topic === "" ? 80 : 40)) return [];
    const edits = editCalls(scene.runs);
    return [{
      type: "outcome" as const,
      about: answer.blocks.find(({ text }) => texts.includes(text))?.heading ||
        nameFiles(filesOf(edits)),
      text,
      evidence: [answer.entry, ...proof.map(({ run }) => run.output ?? answer.entry), ...edits],
      scene,
      score: (edits.length > 0 ? 3 : 0) + (proof.length > 0 ? 2 : 0) +
        Math.min(answer.entry.text.length, 2000) / 1000 + (scene.isSide ? 0 : 2),
    }];
  });
}

/** What is left to do is no outcome. */
function withoutNextSteps(blocks: readonly Block[]): Block[] {
  let isNext = false;
  return blocks.filter(({ kind, text }) => {
    if (kind === "heading" || kind === "paragraph") {
      isNext = text.length <= 200 && nextHeading.test(text) &&
        (kind === "heading" || /:\W*$/.test(text));
    }
    return !isNext && !looseStep.test(text);
  });
}

/** The last of the calls that changed files: evidence of what a record says of them. */
export function editCalls(runs: readonly Run[]): Entry[] {
  return allEdits(runs).slice(-maxCalls);
}

export const maxCalls = 8;

/** The calls that changed files, the last for each file. */
export function allEdits(runs: readonly Run[]): Entry[] {
  const calls = new Map<string, Entry>();
  for (const { call, effect, failed } of runs) {
    if (effect !== "edit" || failed || call === undefined) continue;
    for (const file of call.files ?? []) calls.set(file, call);
  }
  return [...new Set(calls.values())];
}

export function filesOf(entries: readonly Entry[]): string[] {
  return [...new Set(entries.flatMap(({ files }) => files ?? []))];
}

function nameFiles(files: readonly string[]): string {
  return files.slice(0, 3).map((file) => file.replace(/^.*\//, "")).join(", ");
}

interface Proof {
  run: Run;
  line: string;
}

/** The last line in which tests sum themselves up, and the last commit. */
export function findProof(runs: readonly Run[]): Proof[] {
  const found: Proof[] = [];
  for (const pattern of [testLine, commitLine]) {
    const run = runs.findLast(({ output, effect, command }) =>
      output !== undefined && pattern.test(output.text) &&
      (effect === undefined || effect === "run") &&
      !/^\s*(?:cat|rg|grep|sed|git (?:log|show))\b/.test(command ?? "")
    );
    const line = run?.output && pattern.exec(run.output.text)?.[0];
    if (run && line) found.push({ run, line: toLine(line, 160) });
  }
  return found;
}

const testLine =
  /^.*(?:\b\d+ (?:tests? |examples? )?(?:passed|passing|failed|failing)\b|\bTests?:\s+\d+|test result: |\bok \| \d+|^(?:OK|FAILED) \().*$/m;
const commitLine = /^\[[\w./-]{1,100}(?: \(root-commit\))? [0-9a-f]{7,40}\] .+$/m;
