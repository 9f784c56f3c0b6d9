// The file layer of the store: the few operations it needs, synchronous and small, so that a
// test can put a failing one in its place. Uses Deno's own API only (node:fs costs start-up time).

import { CtxError, hasCode, isAbsent, isDirectoryRead } from "../core/errors.ts";
import { isNamed, openAlone, pause } from "./open_alone.ts";

/** What the store asks of a file system. Every write of the store goes through here. */
export interface Files {
  /** The file's size in bytes, or undefined when it does not exist. */
  findSize(path: string): number | undefined;
  /** The whole file, or undefined when it does not exist. */
  findBytes(path: string): Uint8Array | undefined;
  /** Opens for positioned reads, or returns undefined when it does not exist. */
  openReader(path: string): FileReader | undefined;
  /**
   * Appends all bytes or none: a short write is undone. Returns the file's new size. `shared` spares the
   * lock of the file, for lines that may be lost where another process replaces it meanwhile.
   */
  append(path: string, bytes: Uint8Array, options: { sync: boolean; shared?: boolean }): number;
  truncate(path: string, size: number): void;
  /** Replaces a file atomically: readers see the old bytes or the new ones. */
  replace(path: string, bytes: Uint8Array, options: { sync: boolean; mode?: number }): void;
  /** Opens a new file for a long write, to be renamed over its target when it is whole. */
  openWriter(path: string): FileWriter;
  /** Keeps others from appending to a file, or rewriting it too, until it is disposed of. */
  hold(path: string): Disposable | undefined;
  /** Renames; used for files that were written whole beside their target. */
  rename(from: string, to: string): void;
  /** Removes a file if it is there. */
  remove(path: string): void;
  /** Makes a directory and its parents, private to the user unless a mode is given. */
  makeDirectory(path: string, mode?: number): void;
  /** The names in a directory, sorted; empty when it does not exist. */
  list(path: string): string[];
  /** The paths of all files below a directory, sorted; links are passed over. */
  listTree(path: string): string[];
  /** Set on a view of one session, which may add rows but rewrite no file. */
  readonly isScoped?: boolean;
}

/** Positioned reads from one open file; dispose of it to close it. */
export interface FileReader extends Disposable {
  readonly size: number;
  /** Whether the path still names the file that was opened: a replaced one is read to its end. */
  isCurrent(): boolean;
  /** Fills the buffer from the offset; returns how many bytes were there. */
  readAt(offset: number, buffer: Uint8Array): number;
  /** Which file it is and when it was last written, where it is one on a disk. */
  readStamp?(): { ino: number; mtimeMs: number };
}

/** A new file being written. */
export interface FileWriter {
  write(bytes: Uint8Array): void;
  /** Waits until everything is on the disk, unless `sync` is false, and closes. */
  finish(options?: { sync: boolean }): void;
  /** Closes and removes the unfinished file. */
  abandon(): void;
}

/** The system calls that the file layer is made of; a test puts failing ones in their place. */
export type FileSystem = Pick<
  typeof Deno,
  | "mkdirSync"
  | "openSync"
  | "readDirSync"
  | "readFileSync"
  | "removeSync"
  | "renameSync"
  | "statSync"
  | "truncateSync"
>;

export function makeFiles(system: FileSystem, os = Deno.build.os): Files {
  return {
    findSize(path) {
      return whenPresent(() => system.statSync(path).size);
    },
    findBytes(path) {
      return whenPresent(() => system.readFileSync(path));
    },
    openReader(path) {
      const file = whenPresent(() => system.openSync(path, { read: true }));
      if (file === undefined) return undefined;
      try {
        return makeReader(system, path, file);
      } catch (error) {
        file.close();
        throw error;
      }
    },
    append(path, bytes, { sync, shared = false }) {
      return guard(path, () => {
        const options = { append: true, create: true, mode: 0o600 };
        using file = shared ? system.openSync(path, options) : openAlone(system, path, options);
        const before = sizeOf(file);
        try {
          writeAll(file, bytes);
          if (sync) file.syncDataSync();
          return before + bytes.length;
        } catch (error) {
          system.truncateSync(path, before);
          throw error;
        }
      });
    },
    truncate(path, size) {
      guard(path, () => system.truncateSync(path, size));
    },
    replace(path, bytes, { sync, mode = 0o600 }) {
      const draft = `${path}.${Deno.pid}.tmp`;
      guard(path, () => {
        try {
          using file = system.openSync(draft, {
            write: true,
            create: true,
            truncate: true,
            mode,
          });
          writeAll(file, bytes);
          if (sync) file.syncSync();
          renameFile(system, draft, path, os);
        } catch (error) {
          this.remove(draft);
          throw error;
        }
      });
    },
    openWriter(path) {
      return guard(path, () => makeWriter(system, path));
    },
    hold(path) {
      return guard(path, () => whenPresent(() => openAlone(system, path, { read: true })));
    },
    rename(from, to) {
      guard(to, () => renameFile(system, from, to, os));
    },
    remove(path) {
      guard(path, () => whenPresent(() => system.removeSync(path)));
    },
    makeDirectory(path, mode = 0o700) {
      guard(path, () => system.mkdirSync(path, { recursive: true, mode }));
    },
    list(path) {
      const names = whenPresent(() => [...system.readDirSync(path)].map((item) => item.name));
      return (names ?? []).sort();
    },
    listTree(path) {
      const items = guard(path, () => whenPresent(() => [...system.readDirSync(path)])) ?? [];
      return items.flatMap(({ name, isFile, isDirectory }) => {
        if (isDirectory) return this.listTree(`${path}/${name}`);
        return isFile ? [`${path}/${name}`] : [];
      }).sort();
    },
  };
}

/** The real file system. */
export const diskFiles: Files = makeFiles(Deno);

/** On Windows an antivirus program may hold a new file for a moment. */
function renameFile(
  system: FileSystem,
  from: string,
  to: string,
  os: typeof Deno.build.os,
): void {
  for (let waitMs = 1;; waitMs *= 2) {
    try {
      return system.renameSync(from, to);
    } catch (error) {
      const mayPass = error instanceof Deno.errors.PermissionDenied || hasCode(error, "EBUSY");
      if (os !== "windows" || !mayPass || waitMs > 256) throw error;
    }
    pause(waitMs);
  }
}

function makeReader(system: FileSystem, path: string, file: Deno.FsFile): FileReader {
  return {
    size: sizeOf(file),
    isCurrent: () => isNamed(system, path, file),
    readAt(offset, buffer) {
      file.seekSync(offset, Deno.SeekMode.Start);
      let filled = 0;
      while (filled < buffer.length) {
        const count = file.readSync(buffer.subarray(filled));
        if (count === null || count === 0) break;
        filled += count;
      }
      return filled;
    },
    readStamp() {
      const { ino, mtime } = file.statSync();
      return { ino: ino ?? 0, mtimeMs: mtime?.getTime() ?? 0 };
    },
    [Symbol.dispose]: () => file.close(),
  };
}

function makeWriter(system: FileSystem, path: string): FileWriter {
  const file = system.openSync(path, { write: true, create: true, truncate: true, mode: 0o600 });
  let isOpen = true;
  const close = (): void => {
    if (isOpen) file.close();
    isOpen = false;
  };
  return {
    write: (bytes) => guard(path, () => writeAll(file, bytes)),
    finish({ sync } = { sync: true }) {
      if (sync) guard(path, () => file.syncSync());
      close();
    },
    abandon() {
      close();
      guard(path, () => whenPresent(() => system.removeSync(path)));
    },
  };
}

/** Turns an operating-system failure on a path into the right CtxError. */
export function toStoreError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof CtxError) return error;
  const code = "code" in error ? String(error.code) : "";
  const text = `${code} ${error.message}`;
  if (/ENOSPC|EDQUOT|EFBIG|No space left|File too large|quota/i.test(text)) {
    return new CtxError("DISK_FULL", `Cannot write "${path}": the disk or its quota is full`, {
      hint: "free some space and run the same command again; nothing was half-written",
      cause: error,
    });
  }
  if (hasCode(error, "EBUSY")) {
    return new CtxError("DENIED", `Cannot write "${path}": the file is in use`, {
      hint:
        "close the program using it (in a container, mount its directory, not the file), then run the same command again",
      cause: error,
    });
  }
  const denied = error instanceof Deno.errors.PermissionDenied ||
    error instanceof Deno.errors.NotCapable ||
    /EACCES|EPERM|EROFS|Read-only/i.test(text);
  if (denied) {
    return new CtxError("DENIED", `Cannot write "${path}": ${reason(error)}`, {
      hint: `check the permissions of "${path}" and of its directory`,
      cause: error,
    });
  }
  if (error instanceof Deno.errors.AlreadyExists || error instanceof Deno.errors.NotADirectory) {
    return new CtxError(
      "STORE_CORRUPT",
      `Cannot write "${path}": there is a file where a directory should be`,
      {
        hint: "move the file away, then run the same command again",
        cause: error,
      },
    );
  }
  if (isDirectoryRead(error)) return directoryError(path, error);
  return error;
}

/** A directory has the name of a file of the store. */
export function directoryError(path: string, cause?: Error): CtxError {
  return new CtxError(
    "STORE_CORRUPT",
    `Cannot use "${path}": there is a directory where a file should be`,
    {
      hint: "move the directory away, then run the same command again",
      cause,
    },
  );
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

/** By seeking: the facts of a file have dates among them, whose first use takes a third of a millisecond. */
function sizeOf(file: Deno.FsFile): number {
  try {
    const end = file.seekSync(0, Deno.SeekMode.End);
    if (Number.isSafeInteger(end)) return end;
  } catch {
    // Below.
  }
  // A directory can be opened too: on some systems it ends nowhere, on others it has no end.
  return file.statSync().size;
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += file.writeSync(bytes.subarray(written));
}

/** What a look at a path gives, or undefined when there is nothing at it. */
export function whenPresent<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/**
 * Whether a file is there, for one that often is not: a listing tells without an error, and the
 * first error of a process takes half a millisecond.
 */
export function isListed(files: Files, path: string): boolean {
  // A view of one session works out every file to list them, and has no errors to spare.
  if (files.isScoped) return true;
  const at = path.lastIndexOf("/");
  const directory = at < 0 ? "." : path.slice(0, at) || "/";
  return files.list(directory).includes(path.slice(at + 1));
}

/** As `isListed`, for several files of one directory. */
export function listedIn(files: Files, directory: string): (path: string) => boolean {
  if (files.isScoped) return () => true;
  const names = new Set(files.list(directory));
  return (path) => names.has(path.slice(directory.length + 1));
}

/** The same files, where some operations are others. */
export function overlayFiles(files: Files, others: Partial<Files>): Files {
  return new Proxy(files, {
    get(target, name) {
      if (Object.hasOwn(others, name)) return Reflect.get(others, name);
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
