// What a tool call adds to which files, from its arguments before it runs: the edits of Claude
// Code, Codex (apply_patch), Gemini, Qwen Code, OpenCode and Cursor. Lines that an edit only moves
// along are not added. Pure.

import { toFields } from "../core/json.ts";

export interface EditedFile {
  path: string;
  added: string[];
  /** Whether the whole file is written, so that it may be a new one. */
  isWhole: boolean;
  /** What stands there afterwards, as far as it is known: the file, or the part that is edited. */
  text: string[];
  replaced?: { before: string; after: string }[];
  /** Whether `text` is all of the file. */
  isComplete?: boolean;
}

const maxChars = 400_000;
const maxEdits = 60;

/** The files that a tool call changes; none of a call that changes none. */
export function addedLines(input: Record<string, unknown>): EditedFile[] {
  const patch = [input.command, input.patch, input.patchText, input.input].flat()
    .find((part): part is string => typeof part === "string" && part.includes("*** Begin Patch"));
  if (patch !== undefined) return ofPatch(patch.slice(0, maxChars));
  const path = findText(input, ["file_path", "filePath", "path", "notebook_path", "file"]);
  if (path === undefined) return [];
  const content = findText(input, ["content", "file_text", "contents", "new_source"]);
  if (content !== undefined) {
    const added = toLines(content);
    return [{ path, added, text: added, isWhole: true, isComplete: true }];
  }
  const edits: unknown[] = Array.isArray(input.edits) ? input.edits.slice(0, maxEdits) : [input];
  const replaced = edits.flatMap((edit): { before: string; after: string }[] => {
    const fields = toFields(edit);
    const after = findText(fields, ["new_string", "newString", "new_str"]);
    if (after === undefined) return [];
    const before = findText(fields, ["old_string", "oldString", "old_str"]) ?? "";
    return [{ before, after }];
  });
  if (replaced.length === 0) return [];
  const added = replaced.flatMap(({ before, after }) => newLines(before, after));
  const text = replaced.flatMap(({ after }) => toLines(after));
  return [{ path, added, text, replaced, isWhole: false }];
}

/** The same edit of a file that is there: only lines that it does not have yet are added. */
export function editOf(file: EditedFile, before: string): EditedFile {
  if (before.length > maxChars) return file;
  if (file.isWhole) return { ...file, added: newLines(before, file.text.join("\n")) };
  let after = before;
  for (const one of file.replaced ?? []) {
    if (one.before === "" || !after.includes(one.before)) return file;
    after = after.replace(one.before, () => one.after);
  }
  return file.replaced === undefined ? file : { ...file, text: toLines(after), isComplete: true };
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
    if (head !== null) {
      const isWhole = head[1] === "Add";
      files.push({ path: head[2].trim(), added: [], text: [], isWhole, isComplete: isWhole });
    } else if (line.startsWith("*** Move to: ")) {
      files.push({ path: line.slice(13).trim(), added: [], text: [], isWhole: false });
    } else if (/^[+ ]/.test(line)) {
      files.at(-1)?.text.push(line.slice(1));
      if (line.startsWith("+")) files.at(-1)?.added.push(line.slice(1));
    }
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
