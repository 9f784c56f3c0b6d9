// Programs of a name on the PATH. Reads names, runs nothing.

import { hasModes, splitPathList } from "../core/platform_path.ts";
import { findInfo } from "../disk/outside_files.ts";

/** All programs of a name, in the order of the PATH. */
export function findPrograms(
  name: string,
  list: string | undefined,
  os: typeof Deno.build.os = Deno.build.os,
): string[] {
  const endings = os === "windows" ? [".exe", ".cmd", ".bat"] : [""];
  return [...new Set(splitPathList(list, os))]
    .flatMap((directory) => endings.map((ending) => `${directory}/${name}${ending}`))
    .filter(isProgram);
}

function isProgram(path: string): boolean {
  const { isFile, mode } = findInfo(path) ?? {};
  return isFile === true && (!hasModes() || ((mode ?? 0o111) & 0o111) !== 0);
}
