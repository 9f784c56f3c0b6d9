// Unpacks a zstd file to a scratch file, as a stream, so that its size does not matter to memory. A
// few bytes can unpack to more than any disk holds: there is a bound.

/** The most that one file may unpack to; a day of Codex is a hundredth of that. */
const maxUnpackedBytes = 2 ** 30;

/** How much to unpack. */
export interface UnpackOptions {
  /** The bound; more is an error. */
  maxBytes?: number;
  /** About as much is enough. */
  headBytes?: number;
}

/** Unpacks into the scratch directory and returns the new file's path; the caller removes it. */
export async function unpackZstd(
  path: string,
  scratch: string,
  { maxBytes = maxUnpackedBytes, headBytes = Infinity }: UnpackOptions = {},
): Promise<string> {
  const { createZstdDecompress } = await import("node:zlib");
  const { Readable } = await import("node:stream");
  Deno.mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const target = `${scratch}/import-${crypto.randomUUID()}.jsonl`;
  const source = await Deno.open(path, { read: true });
  const output = await Deno.open(target, { write: true, createNew: true, mode: 0o600 });
  try {
    const unpacked = Readable.from(source.readable).pipe(createZstdDecompress());
    let bytes = 0;
    for await (const chunk of unpacked) {
      let rest: Uint8Array = chunk;
      bytes += rest.length;
      if (bytes > maxBytes) {
        throw new Error(`it decompresses to more than ${maxBytes / 2 ** 20} MiB`);
      }
      while (rest.length > 0) rest = rest.subarray(output.writeSync(rest));
      if (bytes >= headBytes) break;
    }
  } catch (error) {
    Deno.removeSync(target);
    throw error;
  } finally {
    output.close();
  }
  return target;
}
