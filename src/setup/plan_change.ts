// Turns a client's plan into changes of real files: what would be written, whether `--remove` can put
// back what was there before, and the writing itself, with a backup of what is the user's.

import { findRealPath } from "../disk/outside_files.ts";
import { CtxError } from "../core/errors.ts";
import { diffLines } from "../core/lines/line_diff.ts";
import { redactText } from "../core/redact/redact.ts";
import { encodeExact, findUtf8 } from "../core/utf8.ts";
import { diskFiles } from "../disk/files.ts";
import type { PlannedEdit, SetupWish } from "./client_edits.ts";

/** A file as it is and as it will be. */
export interface PlannedChange {
  path: string;
  action: "create" | "edit" | "remove" | "none";
  diff: string;
  before?: string;
  after?: string;
  /** The file is one that setup made, with nothing of the user's in it. */
  isOwn: boolean;
  /** The file will be as its backup is: that has then done its work. */
  isRestored: boolean;
  remarks: string[];
}

export type ToPlan = (wish: SetupWish) => PlannedEdit[];

/** Says what a planned edit does to the file as it is now. */
export async function planChange(
  planned: PlannedEdit,
  wish: SetupWish,
  toPlan: ToPlan,
): Promise<PlannedChange> {
  // Dotfiles are often links into a repository: the file itself is edited, the link stays.
  const path = findRealPath(planned.path) ?? planned.path;
  const before = findText(path);
  const backup = findBytes(backupOf(path));
  const remarks: string[] = [];
  let isRestored = false;
  let after = await planned.edit(before, (remark) => remarks.push(remark));
  const isOwn = before !== undefined && after !== before && backup === undefined &&
    (planned.isOurs?.(before) ||
      await isSetupOf({ text: before, path: planned.path }, wish, toPlan));
  if (wish.remove && after !== before && before !== undefined) {
    const first = backup && findUtf8(backup);
    if (isOwn) after = undefined;
    else if (first !== undefined) {
      const rest = await planned.edit(first, () => {});
      const file = { text: before, first, path: planned.path };
      // What was there before setup, byte for byte, unless ctx was in it by then.
      if (rest === first && await isSetupOf(file, wish, toPlan)) after = first;
      // Or the backup is a file of ours as an earlier build wrote it.
      isRestored = after === first || (after === undefined && rest === undefined);
    }
  }
  const action = after === before
    ? "none"
    : after === undefined
    ? "remove"
    : before === undefined
    ? "create"
    : "edit";
  const diff = redactText(diffLines(before ?? "", after ?? "")).value;
  return { path, action, diff, before, after, isOwn, isRestored, remarks };
}

/** What setup may have been told. */
const everyFlags: Partial<SetupWish>[] = [
  {},
  { preEdit: false },
  { hooks: false },
  { guards: true },
  { guards: true, preEdit: false },
];

/** Whether a text is what setup makes of a first one (undefined: of no file), by any of its flags. */
async function isSetupOf(
  file: { path: string; text: string; first?: string },
  wish: SetupWish,
  toPlan: ToPlan,
): Promise<boolean> {
  // Which servers were entered, in which order. Where one is to go and the other to stay, it was alone.
  const orders = wish.remove && wish.agent
    ? [[true]]
    : [[false], [true], [false, true], [true, false]];
  for (const flags of everyFlags) {
    for (const allowed of [[], readingTools, [savingTool], [...readingTools, savingTool]]) {
      const one = {
        ...wish,
        remove: false,
        hooks: true,
        preEdit: true,
        guards: false,
        agentsMd: true,
        allowed,
      };
      for (const servers of orders) {
        const edits = servers.map((agent) =>
          toPlan({ ...one, ...flags, agent }).find(({ path }) => path === file.path)
        );
        if (await editAll(edits, file.first) === file.text) return true;
      }
    }
  }
  return false;
}

/** A text after some edits, one after the other; undefined when one of them is refused or missing. */
async function editAll(
  edits: (PlannedEdit | undefined)[],
  first: string | undefined,
): Promise<string | undefined> {
  let text = first;
  for (const item of edits) {
    if (item === undefined) return undefined;
    try {
      text = await item.edit(text, () => {});
    } catch (error) {
      if (error instanceof CtxError) return undefined;
      throw error;
    }
  }
  return text;
}

/** The tools of the server that only read, and the one that saves. */
export const readingTools: readonly string[] = [
  "search",
  "timeline",
  "get",
  "list",
  "context_suggest",
];
export const savingTool = "save_memory";

/** Backs up, then replaces in one step; the file keeps its mode. */
export function applyChange(
  { path, action, before, after, isOwn, isRestored }: PlannedChange,
): void {
  if (action === "none") return;
  const mode = before === undefined ? 0o600 : (Deno.statSync(path).mode ?? 0o600) & 0o777;
  const write = (target: string, text: string): void =>
    diskFiles.replace(target, encodeExact(text), { sync: true, mode });
  // The first one is the user's own; what ctx wrote itself is no backup.
  if (before !== undefined && !isOwn && findBytes(backupOf(path)) === undefined) {
    write(backupOf(path), before);
  }
  if (after === undefined) {
    diskFiles.remove(path);
    removeIfEmpty(path);
  } else {
    diskFiles.makeDirectory(path.replace(/\/[^/]*$/, ""));
    write(path, after);
  }
  if (isRestored) diskFiles.remove(backupOf(path));
}

/** The directory of agents or plugins goes with our file, where that was all that was in it. */
function removeIfEmpty(path: string): void {
  const directory = path.replace(/\/[^/]*$/, "");
  if (!/\/(?:agents?|plugin)$/.test(directory)) return;
  try {
    // One that is not empty is refused, and stays.
    diskFiles.remove(directory);
  } catch {
    // It stays.
  }
}

/** The backup of a file, if there is one. */
export function findBackup(path: string): string | undefined {
  return findBytes(backupOf(path)) === undefined ? undefined : backupOf(path);
}

export function isThere(path: string): boolean {
  return findBytes(path) !== undefined;
}

function backupOf(path: string): string {
  return `${path}.ctx-backup`;
}

/** The text of a file, its byte order mark included; other bytes than UTF-8 are refused. */
export function findText(path: string): string | undefined {
  const bytes = findBytes(path);
  if (bytes === undefined) return undefined;
  const text = findUtf8(bytes);
  if (text !== undefined) return text;
  throw new CtxError("CONFIG_INVALID", `Cannot edit "${path}": it is not UTF-8`, {
    hint: "convert it first, for example with iconv -f latin1 -t utf-8; it was not changed",
  });
}

function findBytes(path: string): Uint8Array | undefined {
  try {
    // A pipe would be waited for.
    if (!Deno.statSync(path).isFile) throw new Error("not a file");
    return Deno.readFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return undefined;
    }
    throw new CtxError("DENIED", `Cannot read "${path}"`, { cause: error });
  }
}
