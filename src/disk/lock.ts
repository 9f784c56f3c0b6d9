// The advisory lock of a store: one writer at a time, and a dead holder never blocks, because the
// operating system drops the lock with the process. The file's content only names the holder.

import { CtxError } from "../core/errors.ts";
import { type FileSystem, toStoreError } from "./files.ts";
import { isNamed } from "./open_alone.ts";

/** Who holds the lock and what for. */
export interface LockHolder {
  pid: number;
  command: string;
  since: string;
}

/** A held lock; dispose it to let the next writer in. */
export class StoreLock implements Disposable {
  readonly #file: Deno.FsFile;
  readonly #path: string;

  constructor(file: Deno.FsFile, path: string) {
    this.#file = file;
    this.#path = path;
  }

  /**
   * Throws STORE_LOCKED when the path no longer names the file that is locked: whoever finds no lock
   * file makes a new one, and would write at the same time. Asked before every change of a file.
   */
  check(): void {
    if (isNamed(Deno, this.#path, this.#file)) return;
    throw new CtxError(
      "STORE_LOCKED",
      `Cannot continue: "${this.#path}" was removed or replaced while it was locked`,
      { hint: "nothing was lost; leave that file in place and run the same command again" },
    );
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}

/** Takes the lock, waiting up to `timeoutMs`; throws STORE_LOCKED naming the holder. */
export async function takeLock(
  path: string,
  options: { holder: LockHolder; timeoutMs: number },
): Promise<StoreLock> {
  const deadline = performance.now() + options.timeoutMs;
  let waitMs = 1;
  while (true) {
    const lock = tryTakeLock(path, options.holder);
    if (lock !== undefined) return lock;
    if (performance.now() >= deadline) throw lockedError(path, options.timeoutMs);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    waitMs = Math.min(waitMs * 2, 25);
  }
}

/** Takes the lock if it is free, for work that may as well be left undone. */
export function tryTakeLock(
  path: string,
  holder: LockHolder,
  system: Pick<FileSystem, "openSync" | "statSync"> = Deno,
): StoreLock | undefined {
  const file = openLockFile(path, system);
  // Between opening and locking, the file may have been removed, and another be locked by its name.
  if (!file.tryLockSync(true) || !isNamed(system, path, file)) {
    file.close();
    return undefined;
  }
  nameHolder(file, holder);
  return new StoreLock(file, path);
}

/** The holder that the lock file names, if it can be read. */
export function findHolder(path: string): LockHolder | undefined {
  try {
    const holder = JSON.parse(Deno.readTextFileSync(path));
    return typeof holder?.pid === "number" ? holder : undefined;
  } catch {
    return undefined;
  }
}

function openLockFile(path: string, system: Pick<FileSystem, "openSync">): Deno.FsFile {
  try {
    return system.openSync(path, { read: true, write: true, create: true, mode: 0o600 });
  } catch (error) {
    throw toStoreError(error, path);
  }
}

/** The name is a courtesy: a full disk must not stop a writer that could free space. */
function nameHolder(file: Deno.FsFile, holder: LockHolder): void {
  try {
    file.truncateSync(0);
    file.seekSync(0, Deno.SeekMode.Start);
    file.writeSync(new TextEncoder().encode(JSON.stringify(holder) + "\n"));
  } catch {
    return;
  }
}

function lockedError(path: string, timeoutMs: number): CtxError {
  const holder = findHolder(path);
  const who = holder
    ? `process ${holder.pid} (ctx ${holder.command}) has locked it since ${holder.since}`
    : "another process has locked it";
  return new CtxError("STORE_LOCKED", `Cannot lock the store within ${timeoutMs} ms: ${who}`, {
    hint: "try again, or raise the timeout with: ctx config set lock_timeout_ms 60000",
  });
}
