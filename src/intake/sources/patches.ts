// Patches as agents write them down, as unified diffs: hunks as objects, diffs without a head. Pure.

import { type Json, toNumber, toObjects, toText } from "./loose_json.ts";

/** The hunks of one file as a diff; undefined when there are none. */
export function patchOfHunks(path: string, hunks: unknown): string | undefined {
  const parts = toObjects(hunks).map((hunk) => {
    const lines = Array.isArray(hunk.lines) ? hunk.lines.join("\n") : toText(hunk.diffString);
    return lines === undefined ? "" : `${headOf(hunk)}\n${lines}\n`;
  });
  return withHead(path, parts.join(""));
}

/**
 * The diff of a file with that file's path above it, as it is kept: diffs often name no more than the
 * last part. Without a path it stays as it is; undefined when there are no hunks.
 */
export function withHead(path: string, diff: unknown): string | undefined {
  const text = toText(diff);
  const at = text?.search(/^@@ /m) ?? -1;
  if (text === undefined || at < 0) return undefined;
  return path === "" ? text : `--- ${path}\n+++ ${path}\n${text.slice(at)}`;
}

function headOf(hunk: Json): string {
  const [from, count] = [toNumber(hunk.oldStart) ?? 1, toNumber(hunk.oldLines) ?? 0];
  const [to, many] = [toNumber(hunk.newStart) ?? 1, toNumber(hunk.newLines) ?? 0];
  return `@@ -${from},${count} +${to},${many} @@`;
}
