// The edits of an entry: which file, what was there, what is there now. One reader for all agents,
// whichever way they write an edit down: the patch of a result, two strings or a whole file in a
// call, the patch text of Codex, blocks to search and replace. Pure.

import { partBelow, toWholePath } from "../platform_path.ts";
import type { Entry } from "../entry.ts";
import { isObject } from "../json.ts";

/** One change of one file. Of a new file `old` is empty, of a deletion `new`. */
export interface Edit {
  /** Relative to the entry's project where it is inside it; empty where nobody says. */
  path: string;
  old: string;
  new: string;
  /** The line of the new file where it begins, where that is known. */
  line?: number;
  /** Not all of the text was kept. */
  isCut?: true;
}

/** The edits that an entry tells of, in order; none for most. */
export function editsOf(entry: Entry): Edit[] {
  const found = typeof entry.patch === "string"
    ? fromUnified(entry.patch)
    : entry.type === "tool_call"
    ? fromCall(entry)
    : entry.type === "turn" && entry.role === "assistant"
    ? fromBlocks(entry.text)
    : [];
  return found.map((edit) => {
    const isCut = cutEnd.test(edit.old) || cutEnd.test(edit.new) ||
      (edit === found.at(-1) && typeof entry.patch === "string" && cutEnd.test(entry.patch));
    const path = toRelative(edit.path, entry.project);
    return { ...edit, path, ...(isCut ? { isCut: true as const } : {}) };
  });
}

export function toRelative(path: string, project: string | undefined): string {
  if (project === undefined || project === "/" || project === "") return path;
  const [whole, root] = [toWholePath(path) ?? path, toWholePath(project) ?? project];
  return whole === root ? "." : partBelow(whole, root) ?? path;
}

const cutEnd = /\[\+\d+ chars\]$/;
const beginPatch = "*** Begin Patch";

type Fields = Record<string, unknown>;

function fromCall({ tool }: Entry): Edit[] {
  const input = tool?.input;
  if (typeof input === "string") return input.includes(beginPatch) ? fromPatchText(input) : [];
  if (!isObject(input)) return [];
  const text = [input.patch, input.input, input.patchText, input.command, input.cmd].flat()
    .find((one) => typeof one === "string" && one.includes(beginPatch));
  if (typeof text === "string") return fromPatchText(text);
  return tool?.effect === "edit" ? fromFields(input, pathOf(input) ?? "") : [];
}

/** The arguments of a tool that edits; lists of edits have the same names inside. */
function fromFields(input: Fields, path: string): Edit[] {
  const many = [input.edits, input.replacements].find((one) => Array.isArray(one));
  if (Array.isArray(many)) {
    return many.filter(isObject).flatMap((one) => fromFields(one, pathOf(one) ?? path));
  }
  const diff = textAt(input, ["diff", "patch"]);
  if (diff !== undefined) {
    const blocks = fromBlocks(diff, path);
    return blocks.length > 0 ? blocks : fromUnified(diff, path);
  }
  const old = textAt(input, ["old_string", "oldString", "old_str", "oldText", "old_text"]);
  const now = textAt(input, ["new_string", "newString", "new_str", "newText", "new_text"]) ??
    (old === undefined ? textAt(input, contentNames) : undefined);
  return old === undefined && now === undefined ? [] : [{ path, old: old ?? "", new: now ?? "" }];
}

const contentNames = ["content", "contents", "file_text", "new_source", "code_edit", "code"];
const pathNames = `file_path filePath notebook_path absolute_path path targetFile target_file
  relativeWorkspacePath`.split(/\s+/);

function pathOf(input: Fields): string | undefined {
  return textAt(input, pathNames);
}

function textAt(input: Fields, names: readonly string[]): string | undefined {
  const name = names.find((one) => typeof input[one] === "string");
  return name === undefined ? undefined : String(input[name]);
}

/** Runs of changed lines of one file; lines that stay are passed over. */
class Runs {
  readonly edits: Edit[] = [];
  path: string;
  /** The next line of the new file. */
  line: number | undefined;
  #old: string[] = [];
  #new: string[] = [];

  constructor(path = "") {
    this.path = path;
  }

  take(mark: string, text: string): void {
    if (mark === "-") this.#old.push(text);
    else if (mark === "+") this.#new.push(text);
    else this.close(1);
  }

  /** Ends a run, if one is open; `more` lines follow that stay. */
  close(more = 0): void {
    const [old, now] = [this.#old, this.#new];
    if (old.length + now.length > 0) {
      const at = this.line === undefined ? {} : { line: this.line };
      this.edits.push({ path: this.path, old: old.join("\n"), new: now.join("\n"), ...at });
    }
    if (this.line !== undefined) this.line += now.length + more;
    [this.#old, this.#new] = [[], []];
  }
}

/** A unified diff, of one file or of several. */
function fromUnified(patch: string, path = ""): Edit[] {
  const runs = new Runs(path);
  let [olds, news] = [0, 0];
  for (const line of patch.split("\n")) {
    if (olds > 0 || news > 0) {
      const mark = line[0] ?? " ";
      if (mark === "\\") continue;
      if (mark !== "+") olds--;
      if (mark !== "-") news--;
      runs.take(mark, line.slice(1));
      continue;
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    const file = /^(?:---|\+\+\+|Index:) (?:[ab]\/)?([^\t]+)/.exec(line)?.[1];
    if (hunk === null && file === undefined) continue;
    runs.close();
    if (hunk !== null) {
      [olds, news] = [Number(hunk[1] ?? 1), Number(hunk[3] ?? 1)];
      runs.line = Number(hunk[2]);
    } else if (file !== undefined && file !== "/dev/null") runs.path = file.trim();
  }
  runs.close();
  return runs.edits;
}

/** The patch text of Codex: sections of files, lines with a mark, no numbers. */
function fromPatchText(patch: string): Edit[] {
  const runs = new Runs();
  const from = patch.indexOf(beginPatch);
  for (const line of patch.slice(from).split("\n")) {
    const file = /^\*\*\* (?:(?:Update|Add|Delete) File|Move to): (.+)$/.exec(line)?.[1];
    if (line.startsWith("*** End Patch")) break;
    if (file !== undefined || line.startsWith("@@") || line.startsWith("***")) runs.close();
    else runs.take(line[0] ?? " ", line.slice(1));
    if (file !== undefined) runs.path = file.trim();
  }
  runs.close();
  return runs.edits;
}

/** Blocks to search and replace, as Aider and Cline write them; the file stands above the first. */
function fromBlocks(text: string, path = ""): Edit[] {
  if (!text.includes(" SEARCH")) return [];
  const edits: Edit[] = [];
  let file = path;
  let above = "";
  let open: { line?: number; old: string[]; new?: string[] } | undefined;
  // Line by line: a text with many blocks that nobody closed must not take longer than others.
  for (const line of text.split("\n")) {
    if (open === undefined) {
      if (searchLine.test(line)) {
        if (path === "" && above !== "" && !/\s/.test(above)) file = above;
        open = { old: [] };
      } else if (line.trim() !== "" && !line.trimStart().startsWith("```")) above = line.trim();
      continue;
    }
    const { old, new: now } = open;
    if (now !== undefined) {
      if (!replaceLine.test(line)) {
        now.push(line);
        continue;
      }
      const at = open.line === undefined ? {} : { line: open.line };
      edits.push({ path: file, old: old.join("\n"), new: now.join("\n"), ...at });
      open = undefined;
      above = "";
    } else if (/^={5,9}$/.test(line)) open.new = [];
    else if (old.length === 0 && open.line === undefined && startLine.test(line)) {
      open.line = Number(startLine.exec(line)?.[1]);
    } else if (old.length > 0 || open.line === undefined || !/^-{5,}$/.test(line)) old.push(line);
  }
  return edits;
}

const searchLine = /^(?:<{5,9}|-{5,9}) SEARCH>?$/;
const startLine = /^:start_line: ?(\d+)$/;
const replaceLine = /^(?:>{5,9}|\+{5,9}) REPLACE/;
