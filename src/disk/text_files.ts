// Small files of text, read and replaced whole.

import { decodeLossy } from "../core/utf8.ts";
import type { Files } from "./files.ts";

/** The text of a file; empty when there is none. */
export function readText(files: Files, path: string): string {
  const bytes = files.findBytes(path);
  return bytes === undefined ? "" : decodeLossy(bytes);
}

/** Replaces a file by a text; it is on disk when this returns. */
export function replaceText(files: Files, path: string, text: string): void {
  files.replace(path, new TextEncoder().encode(text), { sync: true });
}

/** Takes the lines that a test picks out of a file; returns how many. */
export function dropLines(files: Files, path: string, isGone: (line: string) => boolean): number {
  const bytes = files.findBytes(path);
  if (bytes === undefined) return 0;
  const lines = decodeLossy(bytes).split("\n");
  const kept = lines.filter((line) => !isGone(line));
  if (kept.length < lines.length) replaceText(files, path, kept.join("\n"));
  return lines.length - kept.length;
}
