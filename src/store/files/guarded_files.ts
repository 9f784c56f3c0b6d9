// The files of a transaction: before each change the lock is looked at. Whoever removed its file has
// let another writer in, and what was read before may no longer be what is there.

import type { Files } from "./files.ts";
import type { StoreLock } from "./lock.ts";
import { overlayFiles } from "./overlay_files.ts";

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
