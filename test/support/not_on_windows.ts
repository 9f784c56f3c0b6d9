// Skips tests that Windows can't run, and prints why.

import assert from "node:assert/strict";
import { hasModes } from "../../src/core/platform_path.ts";

/** Whether links can be made: on Windows that takes a right which few have. */
export const hasLinks = Deno.build.os !== "windows";

/** Whether a case is left out: `ignore: notOnWindows("files have no modes")`. */
export function notOnWindows(why: string): boolean {
  if (Deno.build.os !== "windows") return false;
  Deno.stderr.writeSync(new TextEncoder().encode(`skipped on Windows: ${why}\n`));
  return true;
}

/** Fails unless a file has the permission bits `mode`; on Windows files have none. */
export function assertMode(path: string, mode: number): void {
  if (hasModes()) assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, mode);
}
