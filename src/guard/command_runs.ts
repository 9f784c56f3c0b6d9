// What a command line runs and which files it writes, as a shell reads it: behind `cd x &&`, in pipes,
// subshells and substitutions, after `env` and `sudo`, inside `bash -c '…'` and `npx`. A parser of shells
// does the reading.

import { forEachChild, parse, type SyntaxNode } from "unbash";
import { readsOf } from "./shell_reads.ts";
import { below, type ShellWrite, writesOf } from "./shell_writes.ts";

/** A program and its arguments. */
export interface CommandRun extends ReadonlyArray<string> {
  /** The run that starts it: `npx jest` starts `jest`. */
  by?: CommandRun;
  /** Where it runs, after `cd`; undefined where the line starts. */
  directory?: string;
}

/** What a command line does, in the order in which it is written. */
export interface ShellLine {
  runs: CommandRun[];
  writes: ShellWrite[];
  /** Files that it reads and may show. */
  reads: string[];
}

/** The programs of a line. None of a line that is too long. */
export function commandRuns(line: string): CommandRun[] {
  return readShell(line).runs;
}

/** The programs of a line and the files that it writes or removes. */
export function readShell(line: string): ShellLine {
  const reading: Reading = { runs: [], writes: [], reads: [] };
  try {
    collect(line, reading, 0);
  } catch (error) {
    // Nested deeper than the parser's stack: what was read so far counts.
    if (!(error instanceof RangeError)) throw error;
  }
  return reading;
}

interface Reading extends ShellLine {
  directory?: string;
}

const maxChars = 100_000;
const maxDepth = 4;
const maxRuns = 200;

function collect(line: string, reading: Reading, depth: number): void {
  if (line.length > maxChars || depth > maxDepth) return;
  visit(parse(line), reading, depth);
}

/** Every command in a tree, whatever it is part of, in the order in which they are written. */
function visit(node: SyntaxNode, reading: Reading, depth: number): void {
  if (node.type === "Command") {
    const words = wordsOf(node);
    const from = reading.runs.length;
    add(words, reading, { depth });
    const own = reading.runs[from];
    const redirects = findRedirects(node);
    if (shells.has(own?.[0] ?? "") && own.length === 1 && redirects.text !== undefined) {
      collect(redirects.text, reading, depth + 1);
    }
    const directory = own?.directory;
    reading.writes.push(...writesOf(own ?? [], { ...redirects, directory }));
    const reads = readsOf(own ?? [], redirects.sources);
    reading.reads.push(...reads.map((path) => below(directory, path)));
  }
  forEachChild(node, (child) => visit(child, reading, depth));
  if (node.type === "Pipeline") {
    for (const text of pipedTexts(node.commands)) collect(text, reading, depth + 1);
  }
}

/** What a line itself gives to a shell in a pipe: `cat <<EOF | bash`, `echo '…' | sh`. */
function pipedTexts(commands: readonly SyntaxNode[]): string[] {
  return commands.flatMap((node, i) => {
    const from = commands[i - 1];
    const [shell, ...others] = wordsOf(node);
    if (from === undefined || others.some((word) => word !== "-s" && word !== "-")) return [];
    if (!shells.has(shell?.split("/").at(-1) ?? "")) return [];
    const [program, ...words] = wordsOf(from);
    if (program === "cat") return findRedirects(from).text ?? [];
    return program === "echo" || program === "printf"
      ? [words.filter((word) => !word.startsWith("-")).join(" ").replaceAll("\\n", "\n")]
      : [];
  });
}

function wordsOf(node: SyntaxNode): string[] {
  if (node.type !== "Command") return [];
  return [node.name, ...node.args].map((word) => word && "value" in word ? word.value : "")
    .filter((word): word is string => typeof word === "string");
}

/** The files to which a command's output goes, those of its input, and its text in the line. */
function findRedirects(
  node: SyntaxNode,
): { targets: string[]; sources: string[]; text?: string } {
  const targets: string[] = [];
  const sources: string[] = [];
  let text: string | undefined;
  forEachChild(node, (child) => {
    if (child.type === "Redirect" && /^(?:&?>>?|>\||<>)$/.test(child.operator)) {
      if (child.target && "value" in child.target) targets.push(child.target.value);
    } else if (child.type === "Redirect" && child.operator === "<") {
      if (child.target && "value" in child.target) sources.push(child.target.value);
    } else if (child.type === "HereDoc") text = child.body?.text;
  });
  return { targets, sources, text };
}

function add(
  words: readonly string[],
  reading: Reading,
  { depth, by }: { depth: number; by?: CommandRun },
): void {
  const { runs } = reading;
  const own = withoutWrappers(words);
  if (own.length === 0 || runs.length >= maxRuns) return;
  const program = own[0].split("/").at(-1) ?? own[0];
  const run: CommandRun = Object.assign([program, ...own.slice(1)], {
    ...(by === undefined ? {} : { by }),
    ...(reading.directory === undefined ? {} : { directory: reading.directory }),
  });
  runs.push(run);
  // Rules can be about `sudo` itself.
  if (own.length < words.length) runs.push([words[0].split("/").at(-1) ?? "", ...words.slice(1)]);
  if (program === "cd") reading.directory = enter(reading.directory, own[1]);
  else if (shells.has(program)) {
    const at = own.findIndex((word) => /^-[a-z]*c$/.test(word));
    if (at > 0 && own[at + 1] !== undefined) collect(own[at + 1], reading, depth + 1);
  } else if (program === "eval") collect(own.slice(1).join(" "), reading, depth + 1);
  else {
    const from = innerAt(run);
    if (from !== undefined) add(own.slice(from), reading, { depth, by: run });
  }
}

const shells: ReadonlySet<string> = new Set(["bash", "sh", "zsh", "dash", "ksh", "fish"]);

function enter(from: string | undefined, to = "~"): string {
  return /^[/~]/.test(to) || from === undefined ? to : `${from}/${to}`;
}

/** Where in a run the program begins that it starts; undefined where it starts none. */
function innerAt(run: CommandRun): number | undefined {
  const [program] = run;
  if (program === "find") {
    const at = run.findIndex((word) => /^-(?:exec|execdir|ok)$/.test(word));
    return at < 0 ? undefined : at + 1;
  }
  if (/^python[\d.]*$/.test(program)) {
    const at = run.indexOf("-m");
    return at === 1 && run.length > 2 ? 2 : undefined;
  }
  const runner = runners.get(program);
  if (runner === undefined) return undefined;
  let at = skipFlags(run, 1, runner.takes);
  if (runner.after !== undefined) {
    if (!runner.after.includes(run[at] ?? "")) return undefined;
    at = skipFlags(run, at + 1, runner.takes);
  }
  return at < run.length ? at : undefined;
}

/** Past flags and the words that they take. */
function skipFlags(run: readonly string[], from: number, takes: readonly string[]): number {
  let at = from;
  while (at < run.length && run[at].startsWith("-")) at += takes.includes(run[at]) ? 2 : 1;
  return at;
}

/** Programs that start another one: behind which word, and which of their flags take a word. */
const runners = new Map<string, { after?: string[]; takes: string[] }>([
  ["xargs", { takes: ["-n", "-I", "-P", "-L", "-d", "-a", "-s", "-E"] }],
  ["npx", { takes: ["-p", "--package"] }],
  ["bunx", { takes: ["-p", "--package"] }],
  ["pnpx", { takes: [] }],
  ["npm", { after: ["exec", "x"], takes: ["--prefix", "-w", "--workspace", "-p", "--package"] }],
  ["pnpm", { after: ["exec", "dlx"], takes: ["-C", "--dir", "-F", "--filter"] }],
  ["yarn", { after: ["exec", "dlx"], takes: ["--cwd"] }],
  ["bun", { after: ["x"], takes: [] }],
  ["uvx", { takes: ["--from", "--with"] }],
  ["uv", { after: ["run"], takes: ["--with", "--extra", "--group", "-p", "--python"] }],
  ["poetry", { after: ["run"], takes: ["-C"] }],
  ["pipenv", { after: ["run"], takes: [] }],
]);

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
