// The file layer of the store: the few operations it needs, synchronous and small, so that a
// test can put a failing one in its place. Uses Deno's own API only (node:fs costs start-up time).

import { CtxError } from "../core/errors.ts";

/** What the store asks of a file system. Every write of the store goes through here. */
export interface Files {
  /** The file's size in bytes, or undefined when it does not exist. */
  findSize(path: string): number | undefined;
  /** The whole file, or undefined when it does not exist. */
  findBytes(path: string): Uint8Array | undefined;
  /** Opens for positioned reads, or returns undefined when it does not exist. */
  openReader(path: string): FileReader | undefined;
  /** Appends all bytes or none: a short write is undone. */
  append(path: string, bytes: Uint8Array, options: { sync: boolean }): void;
  /** Cuts a file to a size. */
  truncate(path: string, size: number): void;
  /** Replaces a file atomically: readers see the old bytes or the new ones. */
  replace(path: string, bytes: Uint8Array, options: { sync: boolean }): void;
  /** Opens a new file for a long write, to be renamed over its target when it is whole. */
  openWriter(path: string): FileWriter;
  /** Renames; used for files that were written whole beside their target. */
  rename(from: string, to: string): void;
  /** Removes a file if it is there. */
  remove(path: string): void;
  /** Makes a directory and its parents, private to the user. */
  makeDirectory(path: string): void;
  /** The names in a directory, sorted; empty when it does not exist. */
  list(path: string): string[];
}

/** Positioned reads from one open file. */
export interface FileReader {
  readonly size: number;
  /** Fills the buffer from the offset; returns how many bytes were there. */
  readAt(offset: number, buffer: Uint8Array): number;
  close(): void;
}

/** A new file being written. */
export interface FileWriter {
  write(bytes: Uint8Array): void;
  /** Waits until everything is on the disk, and closes. */
  finish(): void;
  /** Closes and removes the unfinished file. */
  abandon(): void;
}

/** The real file system. */
export const diskFiles: Files = {
  findSize(path) {
    return whenPresent(() => Deno.statSync(path).size);
  },
  findBytes(path) {
    return whenPresent(() => Deno.readFileSync(path));
  },
  openReader(path) {
    const file = whenPresent(() => Deno.openSync(path, { read: true }));
    return file === undefined ? undefined : new DiskReader(file);
  },
  append(path, bytes, { sync }) {
    guard(path, () => {
      using file = Deno.openSync(path, { append: true, create: true, mode: 0o600 });
      const before = file.statSync().size;
      try {
        writeAll(file, bytes);
        if (sync) file.syncDataSync();
      } catch (error) {
        Deno.truncateSync(path, before);
        throw error;
      }
    });
  },
  truncate(path, size) {
    guard(path, () => Deno.truncateSync(path, size));
  },
  replace(path, bytes, { sync }) {
    const draft = `${path}.${Deno.pid}.tmp`;
    guard(path, () => {
      try {
        using file = Deno.openSync(draft, {
          write: true,
          create: true,
          truncate: true,
          mode: 0o600,
        });
        writeAll(file, bytes);
        if (sync) file.syncSync();
      } catch (error) {
        this.remove(draft);
        throw error;
      }
      Deno.renameSync(draft, path);
    });
  },
  openWriter(path) {
    return guard(path, () => new DiskWriter(path));
  },
  rename(from, to) {
    guard(to, () => Deno.renameSync(from, to));
  },
  remove(path) {
    guard(path, () => whenPresent(() => Deno.removeSync(path)));
  },
  makeDirectory(path) {
    guard(path, () => Deno.mkdirSync(path, { recursive: true, mode: 0o700 }));
  },
  list(path) {
    const names = whenPresent(() => [...Deno.readDirSync(path)].map((item) => item.name));
    return (names ?? []).sort();
  },
};

class DiskReader implements FileReader {
  readonly size: number;
  readonly #file: Deno.FsFile;

  constructor(file: Deno.FsFile) {
    this.#file = file;
    this.size = file.statSync().size;
  }

  readAt(offset: number, buffer: Uint8Array): number {
    this.#file.seekSync(offset, Deno.SeekMode.Start);
    let filled = 0;
    while (filled < buffer.length) {
      const count = this.#file.readSync(buffer.subarray(filled));
      if (count === null || count === 0) break;
      filled += count;
    }
    return filled;
  }

  close(): void {
    this.#file.close();
  }
}

class DiskWriter implements FileWriter {
  readonly #path: string;
  readonly #file: Deno.FsFile;

  constructor(path: string) {
    this.#path = path;
    this.#file = Deno.openSync(path, { write: true, create: true, truncate: true, mode: 0o600 });
  }

  write(bytes: Uint8Array): void {
    guard(this.#path, () => writeAll(this.#file, bytes));
  }

  finish(): void {
    guard(this.#path, () => this.#file.syncSync());
    this.#file.close();
  }

  abandon(): void {
    this.#file.close();
    whenPresent(() => Deno.removeSync(this.#path));
  }
}

/** Turns an operating-system failure on a path into the right CtxError. */
export function toStoreError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof CtxError) return error;
  const code = "code" in error ? String(error.code) : "";
  const text = `${code} ${error.message}`;
  if (/ENOSPC|EDQUOT|EFBIG|No space left|File too large|quota/i.test(text)) {
    return new CtxError("DISK_FULL", `Cannot write "${path}": the disk or its limit is full`, {
      hint: "free some space and run the same command again; nothing was half-written",
      cause: error,
    });
  }
  const denied = error instanceof Deno.errors.PermissionDenied ||
    error instanceof Deno.errors.NotCapable || /EACCES|EPERM|EROFS|Read-only/i.test(text);
  if (denied) {
    return new CtxError("DENIED", `Cannot write "${path}": ${reason(error)}`, {
      hint: `check the permissions of "${path}" and of its directory`,
      cause: error,
    });
  }
  return error;
}

function reason(error: Error): string {
  if (/EROFS|Read-only/i.test(error.message)) return "the file system is read-only";
  return "permission denied";
}

function guard<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw toStoreError(error, path);
  }
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += file.writeSync(bytes.subarray(written));
}

function whenPresent<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return undefined;
    }
    throw error;
  }
}
