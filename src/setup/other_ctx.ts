// Programs named `ctx` on the PATH, and whether another one would run in place of this. Reads names,
// runs nothing.

import type { Check } from "../store/lifecycle/inspect.ts";
import { findPrograms } from "./find_programs.ts";
import { findInfo, findRealPath } from "../disk/outside_files.ts";
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

/** Says what a shell or an agent that starts `ctx` will run. */
export function checkPathClash(env: Context["env"]): Check {
  const base = { name: "path", fixable: false };
  const other = findOtherCtx(env);
  const found = findPrograms("ctx", env("PATH"));
  if (other === undefined && found.length <= 1) {
    const detail = found.length === 0
      ? "no program named ctx is on the PATH"
      : `ctx is ${found[0]}`;
    return { ...base, status: "ok", detail };
  }
  const detail = other === undefined
    ? `${found.length} programs named ctx are on the PATH, the first one runs: ${found.join(", ")}`
    : `"ctx" on the PATH is another program: ${other}; put this one first, or run it as contextfs`;
  return { ...base, status: "warning", detail };
}

/** The first `ctx` on the PATH when it is not this program, or undefined. */
export function findOtherCtx(
  env: Context["env"],
  own: string | undefined = findOwnExecutable(env),
): string | undefined {
  const [first] = own === undefined ? [] : findPrograms("ctx", env("PATH"));
  return first === undefined || isSameFile(first, own ?? "") ? undefined : first;
}

function isSameFile(a: string, b: string): boolean {
  const [first, second] = [findInfo(a), findInfo(b)];
  if (first === undefined || second === undefined) return false;
  return first.ino === null
    ? findRealPath(a) === findRealPath(b)
    : first.ino === second.ino && first.dev === second.dev;
}
