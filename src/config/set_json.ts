// Changes one value of ctx's own configuration file; other programs' files need edit_json.ts. Load it
// lazily: it loads the parser.

import { withoutMark } from "../core/text.ts";
import { applyEdits, modify } from "jsonc-parser";

/** The text with the value at a path set, comments kept; undefined removes it. */
export function setJson(text: string, path: string[], value: unknown): string {
  const own = withoutMark(text);
  const source = own.trim() === "" ? "{\n}\n" : own;
  const formattingOptions = { insertSpaces: true, tabSize: 2, insertFinalNewline: true };
  return applyEdits(source, modify(source, path, value, { formattingOptions }));
}
