// Whether a command breaks a guard: its programs against the patterns of those that are not run. Reads
// the line only if it names a program that a guard is about.

import type { Breach, Guard } from "./guard_kinds.ts";
import type { CommandRun } from "./command_runs.ts";
import { matchGlob } from "./match_glob.ts";

/** Tells the branch of the checkout in a directory, relative to where the command starts. */
export type BranchOf = (directory?: string) => string | undefined;

export async function checkCommand(
  guards: readonly Guard[],
  command: string,
  branchOf: BranchOf,
): Promise<Breach[]> {
  const near = guards.filter((guard) => mentions(guard, command));
  if (near.length === 0) return [];
  const { commandRuns } = await import("./command_runs.ts");
  const runs = commandRuns(command);
  return near.flatMap((guard): Breach[] => {
    const found = runs.find((run, i) =>
      breaks(guard, run, () => switchedTo(runs.slice(0, i)) ?? branchOf(run.directory))
    );
    return found === undefined ? [] : [{ guard, what: command, found: found.join(" ") }];
  });
}

/** Whether a program of the guard's may be in the line at all. */
function mentions({ check }: Guard, command: string): boolean {
  if (check.on !== "command") return false;
  return check.runs.some((pattern) => {
    const [program] = pattern.split(/\s+/);
    return /[*?[]/.test(program) || command.includes(program);
  });
}

function breaks(guard: Guard, run: CommandRun, branch: () => string | undefined): boolean {
  const { check, except = [] } = guard;
  if (check.on !== "command") return false;
  if (!check.runs.some((pattern) => matchRun(pattern, run) && !isTrial(pattern, run))) return false;
  // `uv run pytest` may be meant where `pytest` is not.
  for (let one: CommandRun | undefined = run; one !== undefined; one = one.by) {
    const words = one;
    if (except.some((pattern) => matchRun(pattern, words))) return false;
  }
  if (check.to !== undefined && !pushesTo(run, check.to, branch)) return false;
  return check.branches === undefined || check.branches.includes(branch() ?? "");
}

/** Whether a run only shows what it would do, or compiles what it would run; unless that is forbidden. */
function isTrial(pattern: string, run: CommandRun): boolean {
  // `npm run deploy --dry-run`, `yarn deploy --dry-run` and `node drop.js --dry-run` do run it.
  const [command] = positionals(run);
  const isProgram = command !== undefined && interpreters.test(run[0]);
  if (isScript(command) || isProgram || (managers.has(run[0]) && !builtIn.has(command))) {
    return false;
  }
  const flags = ownFlags(run);
  if (flags.some(({ word }) => /^--(?:no-dry|dry-run=(?!(?:client|server|true)$))/.test(word))) {
    return false;
  }
  const forbidden = pattern.split(/\s+/);
  const known = trials.get(run[0]) ?? [];
  return flags.some(({ word }) =>
    !forbidden.includes(word) && (/^--(?:dry-run(?:=.+)?|help)$/.test(word) || known.includes(word))
  ) || (run[0] === "go" && !forbidden.includes("-run") && runsNoTest(flags));
}

/** Package managers run a script of the project for any command that is not their own. */
const managers: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun", "deno"]);
const builtIn: ReadonlySet<string | undefined> = new Set([
  undefined,
  ..."publish unpublish pack install i ci add remove rm uninstall update upgrade version dedupe prune"
    .split(" "),
]);
/** What runs a file: flags behind it are the file's. */
const interpreters = /^(?:node|tsx|ts-node|python[\d.]*|ruby|perl|php|bash|sh|zsh|dash|fish)$/;

/** A flag, and the word behind it, which may be its value. */
interface Flag {
  word: string;
  next: string;
}

/** The flags that a program reads as its own: not as the word of another flag, nor as an argument. */
function ownFlags(run: CommandRun): Flag[] {
  const takes = [
    ...wordFlags,
    ...commands.get(run[0]) ?? [],
    ...wordFlagsOf.get(run[0]) ?? [],
  ];
  const flags: Flag[] = [];
  for (let i = 1; i < run.length; i++) {
    if (run[i] === "--" || (run[0] === "go" && /^--?args$/.test(run[i]))) break;
    if (run[i].startsWith("-")) flags.push({ word: run[i], next: run[i + 1] ?? "" });
    // `-am` takes a word as `-m` does.
    if (takes.includes(run[i]) || /^-[A-Za-z]+[mo]$/.test(run[i])) i++;
  }
  return flags;
}

/** Flags that take a word, in most programs that have them. */
const wordFlags = [
  ...["-m", "--message", "-F", "--file", "-o", "--push-option", "--output", "--author", "--date"],
  ...["--title", "--body", "--reason", "--trailer", "--template", "--exec", "--receive-pack"],
  ...["--repo", "--filename", "--selector"],
];

/** Further ones of a program. */
const wordFlagsOf = new Map<string, string[]>([
  ["git", ["-t"]],
  ["gh", ["-b", "-t", "-B"]],
  ["go", ["-run", "-tags", "-timeout", "-exec", "-bench", "-fuzz", "-skip"]],
  ["cargo", ["-p", "--package", "--features"]],
  ["kubectl", ["-f", "-l"]],
  ["pytest", ["-k", "-p", "-c"]],
  ["jest", ["-t", "-c"]],
  ["make", ["-f", "-C", "-I", "-W"]],
]);

/** The flags with which a program runs nothing of what it is given. */
const trials = new Map<string, string[]>([
  ["go", ["-c", "-n", "-list"]],
  ["cargo", ["--no-run"]],
  ["pytest", ["--collect-only", "--co"]],
  ["jest", ["--listTests"]],
  ["playwright", ["--list"]],
  ["make", ["-n", "--just-print"]],
]);

/** Whether the last `-run` names no test on purpose, so that they are only compiled. */
function runsNoTest(flags: readonly Flag[]): boolean {
  if (flags.some(({ word }) => /^--?(?:bench|fuzz)(?:=|$)/.test(word))) return false;
  const last = flags.findLast(({ word }) => /^--?run(?:=|$)/.test(word));
  if (last === undefined) return false;
  const [, value = last.next] = last.word.split("=");
  return /^(?:\^\$|\^?(?:x{2,}|X{2,})\$?|none|NONE)$/.test(value);
}

/** The branch to which a line has switched before a run. */
function switchedTo(runs: readonly CommandRun[]): string | undefined {
  const last = runs.findLast((run) =>
    matchRun("git switch", run) ||
    (matchRun("git checkout", run) && !run.includes("--") && !run.includes("."))
  );
  return last && positionals(last)[1];
}

/** Whether a push goes to one of some branches: by its words, or because the checkout is on one. */
function pushesTo(
  run: CommandRun,
  wanted: readonly string[],
  branch: () => string | undefined,
): boolean {
  if (run.some((word) => word === "--all" || word === "--mirror" || word === "--branches")) {
    return true;
  }
  const [, , ...refs] = positionals(run);
  const own = refs.length === 0 && !run.includes("--tags") ? ["HEAD"] : refs;
  return own.some((ref) => {
    const to = (ref.replace(/^\+/, "").split(":").at(-1) ?? "").replace(/^refs\/heads\//, "");
    return wanted.includes(to === "HEAD" || to === "@" ? branch() ?? "" : to);
  });
}

/**
 * Whether a pattern such as `git push --force` is about a run: program, then its other words in order with
 * anything between them, and its flags anywhere. `-rf` has both `-r` and `-f`. The first word of `git` and
 * the like is their command: `git commit -m clean` is no `git clean`.
 */
export function matchRun(pattern: string, run: readonly string[]): boolean {
  const [program, ...wanted] = pattern.trim().split(/\s+/);
  if (run.length === 0 || !matchGlob(program, run[0])) return false;
  const flags = wanted.filter((word) => word.startsWith("-"));
  if (!flags.every((flag) => hasFlag(run.slice(1), flag))) return false;
  const words = positionals(run);
  const others = wanted.filter((word) => !word.startsWith("-"));
  if (others.length > 0 && commands.has(program)) {
    if (isScript(words[0]) && !isScript(others[0])) words.shift();
    if (words.length === 0 || !matchGlob(others[0], words[0])) return false;
  }
  let at = 0;
  for (const one of others) {
    while (at < words.length && !matchGlob(one, words[at])) at++;
    if (at++ >= words.length) return false;
  }
  return true;
}

/** `npm run test` is `npm test`. */
function isScript(word: string | undefined): boolean {
  return word === "run" || word === "run-script";
}

/** The words of a run that are no flags, nor taken by one before its command. */
function positionals(run: readonly string[]): string[] {
  const takes = commands.get(run[0]) ?? [];
  const words: string[] = [];
  for (let i = 1; i < run.length; i++) {
    if (words.length === 0 && takes.includes(run[i])) i++;
    else if (!run[i].startsWith("-") && !(words.length === 0 && run[i].startsWith("+"))) {
      words.push(run[i]);
    }
  }
  return words;
}

/** Programs whose first word is a command, and their flags before it that take a word. */
const commands = new Map<string, string[]>([
  ["git", ["-C", "-c", "--git-dir", "--work-tree", "--namespace"]],
  ["gh", ["-R", "--repo"]],
  ["npm", ["--prefix", "-C", "-w", "--workspace"]],
  ["pnpm", ["-C", "--dir", "-F", "--filter"]],
  ["yarn", ["--cwd"]],
  ["bun", ["--cwd"]],
  ["cargo", ["--manifest-path", "--config", "-C"]],
  ["go", ["-C"]],
  ["docker", ["-H", "--host", "--context", "-c", "--config"]],
  ["podman", ["--connection", "-c"]],
  ["kubectl", ["-n", "--namespace", "--context", "--kubeconfig"]],
  ["terraform", []],
  ["pip", []],
  ["deno", []],
  ["ctx", ["--workspace"]],
]);

function hasFlag(words: readonly string[], flag: string): boolean {
  if (words.some((word) => word === flag || matchGlob(flag, word) || word.startsWith(`${flag}=`))) {
    return true;
  }
  if (!/^-[A-Za-z]{1,3}$/.test(flag)) return false;
  const short = words.filter((word) => /^-[A-Za-z]+$/.test(word));
  return [...flag.slice(1)].every((letter) => short.some((word) => word.includes(letter, 1)));
}
