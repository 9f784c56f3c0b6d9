// Standard input as lines, as they are typed. The terminal does the editing.

/** Yields lines without their ends; the last one also without a newline. */
export async function* readInputLines(): AsyncGenerator<string> {
  let rest = "";
  for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
