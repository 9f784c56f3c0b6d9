// Programs that a test can use when they are there.

import { splitPathList } from "../../../src/core/platform_path.ts";
import { findInfo } from "../../../src/disk/outside_files.ts";

/** The path of a program on the PATH, or undefined. */
export function findProgram(name: string): string | undefined {
  const file = Deno.build.os === "windows" ? `${name}.exe` : name;
  return splitPathList(Deno.env.get("PATH")).map((directory) => `${directory}/${file}`)
    .find((path) => findInfo(path)?.isFile);
}

/** Tells a test to skip, with a message, when a program is not installed. */
export function isMissing(name: string): boolean {
  if (findProgram(name) !== undefined) return false;
  Deno.stderr.writeSync(new TextEncoder().encode(`skipped: ${name} is not installed\n`));
  return true;
}
