// Whether another program named `ctx` would run in place of this one. Reads names, runs nothing.

import { findInfo } from "../disk/outside_files.ts";
import { versionInfo } from "../version.ts";
import type { Context } from "../command/command.ts";

/** The file that the running ctx was started as; undefined from source, where there is none. */
export function findOwnExecutable(env: Context["env"]): string | undefined {
  switch (versionInfo().form) {
    case "compiled":
      return Deno.execPath();
    case "self-extracting":
    case "bundle":
      return env("CTX_EXECUTABLE");
    default:
      return undefined;
  }
}

/** The first `ctx` on the PATH when it is not this program, or undefined. */
export function findOtherCtx(
  env: Context["env"],
  own: string | undefined = findOwnExecutable(env),
): string | undefined {
  if (own === undefined) return undefined;
  const first = findOnPath("ctx", env("PATH") ?? "");
  return first === undefined || isSameFile(first, own) ? undefined : first;
}

function findOnPath(name: string, path: string): string | undefined {
  const windows = Deno.build.os === "windows";
  const endings = windows ? [".exe", ".cmd", ".bat"] : [""];
  for (const directory of path.split(windows ? ";" : ":")) {
    if (directory === "") continue;
    for (const ending of endings) {
      const candidate = `${directory}/${name}${ending}`;
      if (isProgram(candidate)) return candidate;
    }
  }
  return undefined;
}

function isProgram(path: string): boolean {
  const { isFile, mode = null } = findInfo(path) ?? {};
  return isFile === true && (mode === null || (mode & 0o111) !== 0);
}

function isSameFile(a: string, b: string): boolean {
  try {
    const [first, second] = [Deno.statSync(a), Deno.statSync(b)];
    return first.ino === null
      ? Deno.realPathSync(a) === Deno.realPathSync(b)
      : first.ino === second.ino && first.dev === second.dev;
  } catch {
    return false;
  }
}
