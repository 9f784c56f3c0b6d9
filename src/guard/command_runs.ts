// The programs that a command line runs, as a shell reads it: behind `cd x &&`, in pipes, subshells and
// substitutions, after `env` and `sudo`, inside `bash -c '…'`. A parser of shells does the reading.

import { forEachChild, parse, type SyntaxNode } from "unbash";

/** A program and its arguments. */
export type CommandRun = readonly string[];

/** The programs, in the order in which they are written. None of a line that is too long. */
export function commandRuns(line: string): CommandRun[] {
  const runs: CommandRun[] = [];
  collect(line, runs, 0);
  return runs;
}

const maxChars = 20_000;
const maxDepth = 4;
const maxRuns = 200;

function collect(line: string, runs: CommandRun[], depth: number): void {
  if (line.length > maxChars || depth > maxDepth) return;
  visit(parse(line), (words) => add(words, runs, depth));
}

/** Every command in a tree, whatever it is part of, in the order in which they are written. */
function visit(node: SyntaxNode, take: (words: string[]) => void): void {
  if (node.type === "Command") {
    const words = [node.name, ...node.args].map((word) =>
      word && "value" in word ? word.value : ""
    );
    take(words.filter((word): word is string => typeof word === "string"));
  }
  forEachChild(node, (child) => visit(child, take));
}

function add(words: readonly string[], runs: CommandRun[], depth: number): void {
  const own = withoutWrappers(words);
  if (own.length === 0 || runs.length >= maxRuns) return;
  const program = own[0].split("/").at(-1) ?? own[0];
  runs.push([program, ...own.slice(1)]);
  if (shells.has(program)) {
    const at = own.findIndex((word) => /^-[a-z]*c$/.test(word));
    if (at > 0 && own[at + 1] !== undefined) collect(own[at + 1], runs, depth + 1);
  } else if (program === "eval") collect(own.slice(1).join(" "), runs, depth + 1);
  else if (program === "xargs" || program === "find") {
    const from = program === "find"
      ? own.findIndex((word) => /^-(?:exec|execdir|ok)$/.test(word)) + 1
      : own.findIndex((word, i) => i > 0 && !word.startsWith("-"));
    if (from > 0) add(own.slice(from), runs, depth);
  }
}

const shells: ReadonlySet<string> = new Set(["bash", "sh", "zsh", "dash", "ksh", "fish"]);

/** The words from the program on that is run in the end. */
function withoutWrappers(words: readonly string[]): readonly string[] {
  let at = 0;
  while (at < words.length) {
    const takes = wrappers.get(words[at].split("/").at(-1) ?? "");
    if (takes === undefined) break;
    at++;
    while (at < words.length && (/^-|^\w+=/.test(words[at]))) {
      at += takes.includes(words[at]) ? 2 : 1;
    }
    if (takes.includes("N") && at < words.length) at++;
  }
  return words.slice(at);
}

/** Programs that run another, and which of their flags take a word; "N": a word of their own comes first. */
const wrappers = new Map<string, string[]>([
  ["env", ["-u", "-C", "-S"]],
  ["sudo", ["-u", "-g", "-C", "-h", "-p"]],
  ["doas", ["-u"]],
  ["time", []],
  ["nice", ["-n"]],
  ["nohup", []],
  ["command", []],
  ["exec", ["-a"]],
  ["builtin", []],
  ["timeout", ["-s", "-k", "N"]],
  ["stdbuf", ["-i", "-o", "-e"]],
  ["setsid", []],
]);
