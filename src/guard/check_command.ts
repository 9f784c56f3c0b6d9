// Whether a command breaks a guard: its programs against the patterns of those that are not run. Reads
// the line only if it names a program that a guard is about.

import type { Breach, Guard } from "./guard_kinds.ts";
import type { CommandRun } from "./command_runs.ts";
import { matchGlob } from "./match_glob.ts";

/** The guards that a command breaks. `branch` is where the checkout is. */
export async function checkCommand(
  guards: readonly Guard[],
  command: string,
  branch: () => string | undefined,
): Promise<Breach[]> {
  const near = guards.filter((guard) => mentions(guard, command));
  if (near.length === 0) return [];
  const { commandRuns } = await import("./command_runs.ts");
  const runs = commandRuns(command);
  return near.flatMap((guard): Breach[] => {
    const found = runs.find((run) => breaks(guard, run, branch));
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
  if (check.on !== "command" || except.some((pattern) => matchRun(pattern, run))) return false;
  if (!check.runs.some((pattern) => matchRun(pattern, run))) return false;
  return check.branches === undefined || check.branches.includes(branch() ?? "");
}

/**
 * Whether a pattern such as `git push --force` is about a run: program, then its other words in order with
 * anything between them, and its flags anywhere. `-rf` has both `-r` and `-f`.
 */
export function matchRun(pattern: string, run: CommandRun): boolean {
  const [program, ...wanted] = pattern.trim().split(/\s+/);
  if (run.length === 0 || !matchGlob(program, run[0])) return false;
  const rest = run.slice(1);
  const flags = wanted.filter((word) => word.startsWith("-"));
  if (!flags.every((flag) => rest.some((word) => hasFlag(word, flag)))) return false;
  const words = rest.filter((word) => !word.startsWith("-"));
  let at = 0;
  for (const one of wanted) {
    if (one.startsWith("-")) continue;
    while (at < words.length && !matchGlob(one, words[at])) at++;
    if (at++ >= words.length) return false;
  }
  return true;
}

function hasFlag(word: string, flag: string): boolean {
  if (word === flag || matchGlob(flag, word) || word.startsWith(`${flag}=`)) return true;
  const isShort = /^-[A-Za-z]+$/.test(word) && /^-[A-Za-z]+$/.test(flag);
  return isShort && [...flag.slice(1)].every((letter) => word.slice(1).includes(letter));
}
