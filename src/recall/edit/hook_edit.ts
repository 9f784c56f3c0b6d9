// An agent's edit, as its hook tells it: the file and session, and the hunks. The forms of Claude Code,
// Codex, Cursor, OpenCode, Gemini and plain callers. Pure; what it cannot place gives no hunk.

import { toFields } from "../../core/json.ts";
import { type EditHunk, maxHunks } from "./signals/edit_facts.ts";

const maxChars = 400_000;
/** Lines that are looked through to place a patch; one that fits its file needs far fewer. */
const maxLooks = 5_000_000;

/** The file and session that an agent's hook input is about. */
export interface HookSubject {
  file: string;
  cwd?: string;
  session?: string;
}

/** Reads whose edit of which file a message tells of. */
export function findHookSubject(payload: unknown): HookSubject | undefined {
  const root = toFields(payload);
  const input = toInput(payload);
  const file = findText(input, ["file_path", "filePath", "path", "notebook_path", "file"]) ??
    findText(root, ["file_path", "filePath", "file", "path"]) ??
    /^\*\*\* (?:Update|Add|Delete) File: (.+)$/m.exec(findPatch(input) ?? "")?.[1].trim();
  if (file === undefined) return undefined;
  return {
    file: file.replace(/^file:\/\//, ""),
    cwd: findText(root, ["cwd", "workspace", "workspace_root"]),
    session: findText(root, ["session_id", "sessionId", "conversation_id", "thread_id"]),
  };
}

/** What the tool is called with. */
export function toInput(payload: unknown): Record<string, unknown> {
  const root = toFields(payload);
  return toFields(root.tool_input ?? root.toolInput ?? root.args ?? root.input);
}

/** The hunks of an edit of a file whose text is given; "" for a new file. */
export function findHunks(input: Record<string, unknown>, text: string): EditHunk[] {
  const patch = findPatch(input);
  if (patch !== undefined) return hunksOfPatch(patch, text);
  const content = input.content ?? input.file_text;
  if (typeof content === "string") return keepChanged({ before: text, after: content, line: 1 });
  const edits = Array.isArray(input.edits) ? input.edits.slice(0, maxHunks) : [input];
  return edits.flatMap((edit: unknown) => {
    const before = findText(toFields(edit), ["old_string", "oldString", "old_str"]);
    const after = findText(toFields(edit), ["new_string", "newString", "new_str"]) ?? "";
    const at = before === undefined ? -1 : text.indexOf(before);
    if (before === undefined || at < 0) return [];
    return keepChanged({ before, after, line: countLines(text, at) });
  });
}

/** One hunk without the lines that are equal at both ends; none when nothing changes. */
function keepChanged(
  { before, after, line }: { before: string; after: string; line: number },
): EditHunk[] {
  const removed = toLines(before);
  const added = toLines(after);
  let first = 0;
  while (first < removed.length && first < added.length && removed[first] === added[first]) first++;
  let last = 0;
  const room = Math.min(removed.length, added.length) - first;
  while (last < room && removed.at(-1 - last) === added.at(-1 - last)) last++;
  const hunk = {
    line: line + first,
    removed: removed.slice(first, removed.length - last),
    added: added.slice(first, added.length - last),
  };
  return hunk.removed.length + hunk.added.length === 0 ? [] : [hunk];
}

/** The hunks of the first file in a patch in the form of apply_patch. */
function hunksOfPatch(patch: string, text: string): EditHunk[] {
  const body = patch.slice(0, maxChars).split(/^\*\*\* (?:Update|Add) File: .*\n/m)[1] ?? "";
  const place = makePlacer(toLines(text));
  const hunks: EditHunk[] = [];
  let at = 0;
  let open: EditHunk | undefined;
  for (const line of body.split(/^\*\*\* /m)[0].split("\n")) {
    const rest = line.slice(1);
    if (line.startsWith("-") || line.startsWith("+")) {
      if (open === undefined) {
        if (line.startsWith("-")) at = place(rest, at);
        open = { line: at + 1, removed: [], added: [] };
        hunks.push(open);
      }
      if (line.startsWith("+")) open.added.push(rest);
      else {
        open.removed.push(rest);
        at++;
      }
      continue;
    }
    open = undefined;
    if (line.startsWith(" ")) at = place(rest, at) + 1;
    else if (line.startsWith("@@ ")) at = place(line.slice(3).trim(), at);
  }
  return hunks;
}

/** Finds the next line that is, or holds, some text; where the search began when there is none. */
function makePlacer(lines: string[]): (text: string, from: number) => number {
  let looks = 0;
  return (text, from) => {
    if (lines[from] === text) return from;
    if (looks > maxLooks) return from;
    const exact = lines.indexOf(text, from);
    looks += (exact < 0 ? lines.length : exact) - from;
    if (exact >= 0) return exact;
    const holds = text === "" ? -1 : lines.findIndex((line, i) => i >= from && line.includes(text));
    looks += (holds < 0 ? lines.length : holds) - from;
    return holds >= 0 ? holds : from;
  };
}

function toLines(text: string): string[] {
  const some = text.slice(0, maxChars);
  return some === "" ? [] : some.replace(/\n$/, "").split("\n");
}

function countLines(text: string, end: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** A patch in the form of apply_patch. */
function findPatch({ command, patch, input }: Record<string, unknown>): string | undefined {
  return [command, patch, input].flat()
    .find((part): part is string => typeof part === "string" && part.includes("*** "));
}

function findText(from: Record<string, unknown>, names: string[]): string | undefined {
  return names.map((name) => from[name])
    .find((value): value is string => typeof value === "string" && value !== "");
}
