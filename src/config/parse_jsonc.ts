// JSON with comments and trailing commas, as other programs write their settings. Lenient: nothing is thrown.

/** The value of a text, as far as it can be read. */
export async function parseJsonc(text: string): Promise<unknown> {
  return (await import("jsonc-parser")).parse(text, [], { allowTrailingComma: true });
}
