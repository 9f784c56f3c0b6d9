// Reads a conversation that is one JSON document. One that cannot be read, or is no whole document,
// is told with its name: nothing of it came in.

import { findJson } from "./loose_json.ts";
import type { Tally } from "./problem_tally.ts";

/** The value of a document, or undefined when there is none. */
export function readDocument(
  path: string,
  { tally, maxBytes }: { tally: Tally; maxBytes: number },
): unknown {
  tally.files++;
  let text: string;
  try {
    const { isFile, size } = Deno.statSync(path);
    if (!isFile) throw new Error("not a file");
    if (size > maxBytes) throw new Error(`it is larger than ${maxBytes >> 20} MiB`);
    text = Deno.readTextFileSync(path);
    tally.bytes += size;
  } catch (error) {
    tally.problem(path, error);
    return undefined;
  }
  if (text.trim() === "") {
    tally.skip("empty_file");
    return undefined;
  }
  const value = findJson(text.replace(/^\uFEFF/, ""));
  if (value !== undefined) return value;
  tally.bad_lines++;
  tally.problem(path, "not a valid JSON document");
  return undefined;
}
