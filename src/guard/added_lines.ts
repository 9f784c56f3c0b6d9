// What a tool call adds to which files, from the agent's message before it runs: the edits of Claude
// Code, Codex (apply_patch), Gemini, Qwen Code, OpenCode and Cursor. Lines that an edit only moves
// along are not added. Pure.

import { toFields } from "../core/json.ts";

/** One file of a tool call. */
export interface EditedFile {
  path: string;
  added: string[];
  /** Whether the whole file is written, so that it may be a new one. */
  isWhole: boolean;
}

const maxChars = 400_000;
const maxEdits = 60;

/** The files that a tool call changes; none of a call that changes none. */
export function addedLines(payload: unknown): EditedFile[] {
  const root = toFields(payload);
  const input = toFields(root.tool_input ?? root.toolInput ?? root.args ?? root.input);
  const patch = [input.command, input.patch, input.patchText, input.input].flat()
    .find((part): part is string => typeof part === "string" && part.includes("*** Begin Patch"));
  if (patch !== undefined) return ofPatch(patch.slice(0, maxChars));
  const path = findText(input, ["file_path", "filePath", "path", "notebook_path", "file"]);
  if (path === undefined) return [];
  const content = findText(input, ["content", "file_text", "contents", "new_source"]);
  if (content !== undefined) return [{ path, added: toLines(content), isWhole: true }];
  const edits: unknown[] = Array.isArray(input.edits) ? input.edits.slice(0, maxEdits) : [input];
  const parts = edits.flatMap((edit): string[][] => {
    const fields = toFields(edit);
    const after = findText(fields, ["new_string", "newString", "new_str"]);
    if (after === undefined) return [];
    const before = findText(fields, ["old_string", "oldString", "old_str"]) ?? "";
    return [newLines(before, after)];
  });
  return parts.length === 0 ? [] : [{ path, added: parts.flat(), isWhole: false }];
}

/** The lines of a text that an older one does not have. */
export function newLines(before: string, after: string): string[] {
  const known = new Map<string, number>();
  for (const line of toLines(before)) known.set(line.trim(), (known.get(line.trim()) ?? 0) + 1);
  return toLines(after).filter((line) => {
    const count = known.get(line.trim()) ?? 0;
    if (count > 0) known.set(line.trim(), count - 1);
    return count === 0;
  });
}

function ofPatch(patch: string): EditedFile[] {
  const files: EditedFile[] = [];
  for (const line of patch.split("\n")) {
    const head = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line);
    if (head !== null) files.push({ path: head[2].trim(), added: [], isWhole: head[1] === "Add" });
    else if (line.startsWith("*** Move to: ")) {
      files.push({ path: line.slice(13).trim(), added: [], isWhole: true });
    } else if (line.startsWith("+")) files.at(-1)?.added.push(line.slice(1));
  }
  return files;
}

function toLines(text: string): string[] {
  const some = text.slice(0, maxChars).replace(/\n$/, "");
  return some === "" ? [] : some.split("\n");
}

function findText(from: Record<string, unknown>, names: string[]): string | undefined {
  return names.map((name) => from[name]).find((value): value is string =>
    typeof value === "string"
  );
}
