// Which lines of which files a tool call is going to change, found in the files as they are before it:
// the edits of Claude Code, Codex (apply_patch), Gemini, Qwen Code and OpenCode. What cannot be placed
// in its file has no span. On the way of every edit. Pure.

import { toFields } from "../../core/json.ts";
import type { lineSpan } from "../../formats/log_row.ts";
import type { RowOf } from "../../formats/row_schema.ts";

/** Lines that are replaced, counted from 0, `to` not included, and how many stand there afterwards. */
export type LineSpan = RowOf<typeof lineSpan>;

/** A file of a tool call, as the call names it, and what changes in it. */
export interface FileSpans {
  file: string;
  spans: LineSpan[];
}

const maxChars = 1 << 20;
const maxFiles = 20;
const maxSpans = 20;

/** The changed lines by file; `readText` gives a file that is there. */
export function findSpans(
  input: Record<string, unknown>,
  readText: (file: string) => string | undefined,
): FileSpans[] {
  const patch = [input.command, input.patch, input.patchText, input.input].flat()
    .find((part): part is string => typeof part === "string" && part.includes("*** Begin Patch"));
  if (patch !== undefined) return spansOfPatch(patch, readText);
  const file = findText(input, ["file_path", "filePath", "path", "file"]);
  if (file === undefined) return [];
  const content = findText(input, ["content", "file_text", "contents"]);
  const edits: unknown[] = Array.isArray(input.edits) ? input.edits.slice(0, maxSpans) : [input];
  const changes = edits.map(toFields).flatMap((edit) => {
    const before = findText(edit, ["old_string", "oldString", "old_str"]);
    const after = findText(edit, ["new_string", "newString", "new_str"]);
    const isAll = edit.replace_all === true || edit.replaceAll === true;
    return before === undefined || after === undefined ? [] : [{ before, after, isAll }];
  });
  if (content === undefined && changes.length === 0) return [];
  const text = readText(file);
  if (text === undefined || text.length > maxChars) {
    const isNew = text === undefined && (content !== undefined || changes[0]?.before === "");
    return isNew ? [{ file, spans: [{ ...wholeFile, lines: toLines(content ?? "").length }] }] : [];
  }
  const spans = content !== undefined
    ? narrow(toLines(text), toLines(content), 0)
    : changes.flatMap((change) => placesOf(text, change));
  return spans.length === 0 ? [] : [{ file, spans: spans.slice(0, maxSpans) }];
}

/** A file that is not there yet is all somebody's who writes it. */
const wholeFile = { from: 0, to: 1_000_000 };

/** Where a text is replaced by another. */
function placesOf(
  text: string,
  { before, after, isAll }: { before: string; after: string; isAll: boolean },
): LineSpan[] {
  if (before === "") return [];
  const spans: LineSpan[] = [];
  let at = text.indexOf(before);
  for (let places = 0; at >= 0 && places < maxSpans; places++) {
    // Whole lines: the text may begin and end within one.
    const start = text.lastIndexOf("\n", at - 1) + 1;
    const last = text.indexOf("\n", at + before.length - (before.endsWith("\n") ? 1 : 0));
    const end = last < 0 ? text.length : last;
    const whole = text.slice(start, end);
    const changed = text.slice(start, at) + after + text.slice(at + before.length, end);
    spans.push(...narrow(toLines(whole), toLines(changed), countLines(text, start)));
    at = isAll ? text.indexOf(before, at + before.length) : -1;
  }
  return spans;
}

/** The lines between those that are equal at both ends; none where nothing changes. */
function narrow(before: string[], after: string[], offset: number): LineSpan[] {
  const most = Math.min(before.length, after.length);
  let first = 0;
  while (first < most && before[first] === after[first]) first++;
  let last = 0;
  while (last < most - first && before.at(-1 - last) === after.at(-1 - last)) last++;
  const span = {
    from: offset + first,
    to: offset + before.length - last,
    lines: after.length - last - first,
  };
  return span.from === span.to && span.lines === 0 ? [] : [span];
}

function spansOfPatch(
  patch: string,
  readText: (file: string) => string | undefined,
): FileSpans[] {
  const parts = patch.slice(0, maxChars).split(/^\*\*\* (Add|Update|Delete) File: (.+)$/m);
  const files: FileSpans[] = [];
  for (let i = 1; i < parts.length && files.length < maxFiles; i += 3) {
    const [kind, file, body = ""] = [parts[i], parts[i + 1].trim(), parts[i + 2]];
    const text = readText(file);
    const lines = text === undefined || text.length > maxChars ? undefined : toLines(text);
    const spans = kind === "Update"
      ? spansOfHunks(body, lines ?? [])
      : kind === "Delete"
      ? [{ from: 0, to: lines?.length ?? 0, lines: 0 }]
      : [{ ...wholeFile, lines: body.split("\n").filter((line) => line.startsWith("+")).length }];
    if (spans.length > 0) files.push({ file, spans: spans.slice(0, maxSpans) });
  }
  return files;
}

/** Each hunk is looked for behind the one before it. */
function spansOfHunks(body: string, lines: string[]): LineSpan[] {
  const spans: LineSpan[] = [];
  let from = 0;
  for (const hunk of body.split(/^@@.*$/m)) {
    const rows = hunk.split(/^\*\*\* /m)[0].split("\n").filter((row) => /^[-+ ]/.test(row));
    const before = rows.filter((row) => !row.startsWith("+")).map((row) => row.slice(1));
    const after = rows.filter((row) => !row.startsWith("-")).map((row) => row.slice(1));
    if (before.length === 0) continue;
    const at = findRun(lines, before, from);
    if (at < 0) continue;
    spans.push(...narrow(before, after, at));
    from = at + before.length;
  }
  return spans;
}

/** Where some lines stand one after the other, or -1. */
function findRun(lines: string[], run: string[], from: number): number {
  for (let at = lines.indexOf(run[0], from); at >= 0; at = lines.indexOf(run[0], at + 1)) {
    if (run.every((line, i) => lines[at + i] === line)) return at;
  }
  return -1;
}

function toLines(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** How many lines end before a place. */
function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function findText(from: Record<string, unknown>, names: string[]): string | undefined {
  return names.map((name) => from[name])
    .find((value): value is string => typeof value === "string");
}
