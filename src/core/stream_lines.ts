// Text that arrives in pieces, line by line.

/** The lines of a stream of bytes, without their ends; the last one may have none. */
export async function* streamLines(bytes: ReadableStream<BufferSource>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of bytes.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
