// Reads from any place of an open file.

/** Fills a buffer from an offset; returns how many bytes there were. */
export function readAt(file: Deno.FsFile, offset: number, into: Uint8Array): number {
  file.seekSync(offset, Deno.SeekMode.Start);
  let filled = 0;
  while (filled < into.length) {
    const count = file.readSync(into.subarray(filled));
    if (count === null || count === 0) break;
    filled += count;
  }
  return filled;
}
