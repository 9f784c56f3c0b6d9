// Whether a look at code can tell something: some entry names code itself, or may stand on code and the
// store may hold the edits that it would stand on. Small, because reads that show no code ask it too.

import { docType, type Entry } from "../../core/entry.ts";
import { listedIn } from "../../disk/files.ts";
import type { Store } from "../../store/store.ts";

/** A log beyond this is not looked through. */
const maxBytes = 1 << 18;

/** Whether it is worth loading what looks at code. */
export function maySpeakOfCode(store: Store, entries: readonly Entry[]): boolean {
  if (entries.some(mayStandOnCode) && mayHoldEdits(store)) return true;
  const naming = entries.filter(mayNameCode);
  return naming.length > 0 && (mayHold(store, confirmation) || mayHaveChanged(store, naming));
}

/** False only where the whole log was seen, and no agent's call is in it. */
export function mayHoldEdits(store: Store): boolean {
  return mayHold(store, call);
}

function mayHold({ layout, files }: Store, mark: RegExp): boolean {
  const isThere = listedIn(files, layout.root);
  return Object.values(layout.history).filter(isThere).some((path) => {
    using log = files.openReader(path);
    if (log === undefined || log.size > maxBytes) return log !== undefined;
    const bytes = new Uint8Array(log.size);
    log.readAt(0, bytes);
    return mark.test(new TextDecoder().decode(bytes));
  });
}

const call = /"tool_call"|"patch"/;
const confirmation = /"confirm"/;

/**
 * Whether the code may have changed that entries name themselves: lines that they quote, files that
 * changed or are gone. Only git knows what a file was; without a repository nothing is told of it.
 */
function mayHaveChanged({ layout: { workspace } }: Store, entries: readonly Entry[]): boolean {
  return entries.some(quotesCode) || isInRepository(workspace);
}

function isInRepository(directory: string): boolean {
  if (isPresent(`${directory}/.git`)) return true;
  const slash = directory.lastIndexOf("/");
  return slash > 0 && isInRepository(directory.slice(0, slash));
}

/** Links are not followed. */
function isPresent(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether an entry may stand on code, told from the entry alone: an edit, what an agent answered, what
 * was derived or saved in a session.
 */
export function mayStandOnCode({ role, type, tool, patch, session_id }: Entry): boolean {
  if (type === "tool_call") return tool?.effect !== "read" && tool?.effect !== "search";
  if (patch !== undefined || session_id === undefined) return patch !== undefined;
  return role === "note" || type === "decision" || role === "assistant" && type !== "thinking";
}

/** Whether what was saved may speak of code by itself: by files, paths in backticks, fenced lines. */
export function mayNameCode({ role, type, files, record, text }: Entry): boolean {
  if (role !== "note" || type === docType || record !== undefined) return false;
  return files !== undefined && files.length > 0 || named.test(text);
}

/** Whether it may quote lines of code. */
function quotesCode({ text }: Entry): boolean {
  return /```|~~~/.test(text);
}

const named = /```|~~~|`[^`\s/]{0,99}\/[^`\s]{1,199}\.\w/;
