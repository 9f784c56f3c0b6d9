// A quick look at the start of a JSONL file: the first value of a field, without parsing the lines.
// Only for listing; what it finds is checked again when the session is read.

import { readAt } from "./database/read_at.ts";
import type { Tally } from "./problem_tally.ts";

export interface FileHead {
  text: string;
  /** The first text value of a field anywhere in the head. */
  find(field: string): string | undefined;
}

const firstBytes = 16 << 10;
const moreBytes = 512 << 10;

/** Reads the head of a file; more of it when no `cwd` is near the start. */
export function readHead(path: string, tally: Tally): FileHead | undefined {
  try {
    using file = Deno.openSync(path, { read: true });
    let text = readText(file, firstBytes);
    // By bytes: text of other alphabets has fewer characters.
    const isWhole = file.statSync().size <= firstBytes;
    if (!isWhole && findField(text, "cwd") === undefined) {
      text = readText(file, moreBytes);
    }
    return { text, find: (field) => findField(text, field) };
  } catch (error) {
    tally.problem(path, error);
    return undefined;
  }
}

function readText(file: Deno.FsFile, size: number): string {
  const bytes = new Uint8Array(size);
  return new TextDecoder().decode(bytes.subarray(0, readAt(file, 0, bytes)));
}

function findField(text: string, field: string): string | undefined {
  const match = new RegExp(`"${field}"\\s*:\\s*("(?:[^"\\\\\\n]|\\\\.){1,2000}")`).exec(text);
  if (!match) return undefined;
  try {
    return JSON.parse(match[1]);
  } catch {
    return undefined;
  }
}
