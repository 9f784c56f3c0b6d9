// Removes what a test made. On Windows a directory cannot go while a process that is ending is in it.

import { hasCode } from "../../src/core/errors.ts";

const waits = 40;
const waitMs = 250;

/** Removes a directory with everything in it. */
export async function removeTree(path: string): Promise<void> {
  for (let wait = 0;; wait++) {
    try {
      return await Deno.remove(path, { recursive: true });
    } catch (error) {
      const isInUse = ["EBUSY", "EPERM", "ENOTEMPTY"].some((code) => hasCode(error, code));
      if (Deno.build.os !== "windows" || !isInUse || wait === waits) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
