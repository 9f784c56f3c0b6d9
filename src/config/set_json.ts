// Changes one value of ctx's own configuration file. Other programs' files need edit_json.ts.

/** The text with the value at a path set, comments kept; undefined removes it. */
export async function setJson(text: string, path: string[], value: unknown): Promise<string> {
  const { applyEdits, modify } = await import("jsonc-parser");
  const source = text.trim() === "" ? "{\n}\n" : text;
  const formattingOptions = { insertSpaces: true, tabSize: 2, insertFinalNewline: true };
  return applyEdits(source, modify(source, path, value, { formattingOptions }));
}
