// Opening a file so that nobody else appends to it or rewrites it. The store's lock sees to that as
// a rule; it is a file that can be removed, though, and then two processes hold one each. This lock is
// on the file itself: a row is never appended to a log that another process is about to replace.

import { CtxError, isAbsent } from "../core/errors.ts";

type System = Pick<typeof Deno, "openSync" | "statSync">;

const attempts = 100;
const pauseMs = 5;

/** Opens a file alone until it is closed; what was replaced meanwhile is opened anew. */
export function openAlone(system: System, path: string, options: Deno.OpenOptions): Deno.FsFile {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const file = system.openSync(path, options);
    try {
      if (tryLock(file) && isNamed(system, path, file)) return file;
    } catch (error) {
      file.close();
      throw error;
    }
    file.close();
    pause(pauseMs);
  }
  throw new CtxError("STORE_LOCKED", `Cannot write "${path}": another process is rewriting it`, {
    hint: "try again in a moment",
  });
}

export function isNamed(
  system: Pick<typeof Deno, "statSync">,
  path: string,
  file: Deno.FsFile,
): boolean {
  const opened = file.statSync();
  try {
    const named = system.statSync(path);
    return named.ino === opened.ino && named.dev === opened.dev;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

/** On Windows a locked file can't be read, so rely on the store's lock. */
function tryLock(file: Deno.FsFile): boolean {
  return Deno.build.os === "windows" || file.tryLockSync(true);
}

/** Waits without letting anything else go on. */
export function pause(ms: number): void {
  Atomics.wait(neverWoken, 0, 0, ms);
}

const neverWoken = new Int32Array(new SharedArrayBuffer(4));
