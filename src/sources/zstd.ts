// Unpacks a zstd file to a scratch file, as a stream, so that its size does not matter to memory.

/** Unpacks into the scratch directory and returns the new file's path; the caller removes it. */
export async function unpackZstd(path: string, scratch: string): Promise<string> {
  const { createZstdDecompress } = await import("node:zlib");
  const { Readable } = await import("node:stream");
  Deno.mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const target = `${scratch}/import-${crypto.randomUUID()}.jsonl`;
  const source = await Deno.open(path, { read: true });
  const output = await Deno.open(target, { write: true, createNew: true, mode: 0o600 });
  try {
    const unpacked = Readable.from(source.readable).pipe(createZstdDecompress());
    for await (const chunk of unpacked) {
      let rest: Uint8Array = chunk;
      while (rest.length > 0) rest = rest.subarray(output.writeSync(rest));
    }
  } catch (error) {
    Deno.removeSync(target);
    throw error;
  } finally {
    output.close();
  }
  return target;
}
