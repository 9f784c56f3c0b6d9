// A file system that dies at the n-th write, leaving half of it done, as a crash would: nothing
// after that moment reaches the disk. Loop n upwards until the run succeeds.

import { diskFiles, type Files, type FileWriter } from "../../../src/disk/files.ts";

/** The moment the process would have died. */
export class Crash extends Error {
  override readonly name = "Crash";
}

/** Files whose n-th change (counted from 1) is the last thing that happens, and only by half. */
export function failingFiles(failAt: number): Files & { changes: number } {
  let changes = 0;
  /** Runs one change; at the fatal one does half of it; after that nothing. */
  const change = <T>(whole: () => T, half: () => void = () => {}): T => {
    changes++;
    if (changes > failAt) throw new Crash();
    if (changes < failAt) return whole();
    half();
    throw new Crash();
  };
  return {
    ...diskFiles,
    get changes() {
      return changes;
    },
    append(path, bytes, options) {
      return change(
        () => diskFiles.append(path, bytes, options),
        () => diskFiles.append(path, bytes.subarray(0, bytes.length >> 1), { sync: false }),
      );
    },
    truncate(path, size) {
      change(() => diskFiles.truncate(path, size));
    },
    replace(path, bytes, options) {
      change(
        () => diskFiles.replace(path, bytes, options),
        () => Deno.writeFileSync(`${path}.999.tmp`, bytes.subarray(0, bytes.length >> 1)),
      );
    },
    openWriter(path): FileWriter {
      const writer = change(() => diskFiles.openWriter(path));
      return {
        write: (bytes) =>
          change(() => writer.write(bytes), () => writer.write(bytes.subarray(0, 1))),
        finish: (options) => change(() => writer.finish(options)),
        abandon: () => change(() => writer.abandon()),
      };
    },
    rename(from, to) {
      change(() => diskFiles.rename(from, to));
    },
    remove(path) {
      change(() => diskFiles.remove(path));
    },
    makeDirectory(path) {
      change(() => diskFiles.makeDirectory(path));
    },
  };
}
