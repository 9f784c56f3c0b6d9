// The files of a transaction: the lock is checked before each change. If its file was removed, another
// writer may be at work, and what was read before may be out of date.

import { type Files, overlayFiles } from "./files.ts";
import type { StoreLock } from "./lock.ts";

/** The same files; changes throw STORE_LOCKED once the lock is not the store's any more. */
export function guardFiles(files: Files, lock: Pick<StoreLock, "check">): Files {
  return overlayFiles(files, {
    append(path, bytes, options) {
      lock.check();
      return files.append(path, bytes, options);
    },
    truncate(path, size) {
      lock.check();
      files.truncate(path, size);
    },
    replace(path, bytes, options) {
      lock.check();
      files.replace(path, bytes, options);
    },
    rename(from, to) {
      lock.check();
      files.rename(from, to);
    },
    remove(path) {
      // A draft of our own goes in any case.
      if (!path.endsWith(`.${Deno.pid}.tmp`)) lock.check();
      files.remove(path);
    },
  });
}
