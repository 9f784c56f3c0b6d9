// Text that arrives in pieces, line by line.

/**
 * The lines of a stream of bytes, without their ends (LF, CRLF or CR); the last one may have none.
 * Only what is new is searched, so that a long line in many pieces is not searched again and again.
 */
export async function* streamLines(bytes: ReadableStream<BufferSource>): AsyncGenerator<string> {
  let line = "";
  let endsInCr = false;
  for await (const text of bytes.pipeThrough(new TextDecoderStream())) {
    const isCutCrLf = endsInCr && text.startsWith("\n");
    const [first, ...others] = text.slice(isCutCrLf ? 1 : 0).split(/\r\n|\r|\n/);
    endsInCr = text.endsWith("\r");
    line += first;
    for (const next of others) {
      yield line;
      line = next;
    }
  }
  if (line !== "") yield line;
}
