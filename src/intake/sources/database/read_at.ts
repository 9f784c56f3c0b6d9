// Reads from any place of a file.

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

/** The text between two places of a file. */
export function readRange(path: string, from: number, to: number): string {
  using file = Deno.openSync(path, { read: true });
  const bytes = new Uint8Array(to - from);
  return new TextDecoder().decode(bytes.subarray(0, readAt(file, from, bytes)));
}
