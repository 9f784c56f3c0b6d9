// Programs that a test can use when they are there.

import { findPrograms } from "../../../src/setup/find_programs.ts";

/** The path of a program on the PATH, or undefined. */
export function findProgram(name: string): string | undefined {
  return findPrograms(name, Deno.env.get("PATH"))[0];
}

/** Tells a test to skip, with a message, when a program is not installed. */
export function isMissing(name: string): boolean {
  if (findProgram(name) !== undefined) return false;
  Deno.stderr.writeSync(new TextEncoder().encode(`skipped: ${name} is not installed\n`));
  return true;
}
