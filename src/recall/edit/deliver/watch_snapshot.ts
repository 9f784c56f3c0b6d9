// What the watcher has dealt with: the state of every file, and how far the history is read. A change
// is dealt with when its suggestion is in the log; only then does the snapshot move, so that a killed
// watcher finds again what it had not finished.

import { breathe } from "../../../core/breathe.ts";
import type { Files } from "../../../disk/files.ts";
import type { Layout } from "../../../disk/layout.ts";
import { readLines } from "../../../disk/lines.ts";
import { parseLine } from "../../../store/row.ts";
import { hashBytes } from "../../../code/git/file_hash.ts";
import { type IgnoreRules, walkWorkspace, type WorkspaceFile } from "../graph/walk_workspace.ts";

export type SeenFile = [size: number, mtime: number, hash: string];

/** The snapshot as plain data. */
export interface WatchSnapshot {
  version: number;
  files: Record<string, SeenFile>;
  /** The newest entry that was read, to know the log again after a rewrite. */
  last?: { id: string; ts: string };
  /** How far the hot log is read, in bytes. */
  history: number;
}

/** A file that is not as it was. */
export interface FileChange {
  path: string;
  hash: string;
  /** The state to remember once it is dealt with; absent when the file is gone. */
  seen?: SeenFile;
}

const version = 1;
const maxHashedBytes = 4 << 20;
const tailBytes = 1 << 20;

/** The snapshot that was kept, or undefined; one that cannot be read is told of. */
export function readSnapshot(
  files: Files,
  layout: Layout,
  warn?: (message: string) => void,
): WatchSnapshot | undefined {
  const bytes = files.findBytes(layout.watch);
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  try {
    // Older versions wrote a checksum on a line of its own.
    const snapshot: WatchSnapshot = JSON.parse(text.slice(text.indexOf("{")));
    return snapshot.version === version ? snapshot : undefined;
  } catch {
    warn?.("watch.json was damaged and has been rebuilt (it is derived data)");
    return undefined;
  }
}

export function keepSnapshot(files: Files, layout: Layout, snapshot: WatchSnapshot): void {
  const bytes = new TextEncoder().encode(JSON.stringify(snapshot));
  files.replace(layout.watch, bytes, { sync: false });
}

/** The entry at the end of a log. */
function findLastEntry(files: Files, path: string): WatchSnapshot["last"] {
  let last: WatchSnapshot["last"];
  const from = Math.max(0, (files.findSize(path) ?? 0) - tailBytes);
  for (const { bytes } of readLines(files, path, { from })) {
    for (const { id, ts } of parseLine(bytes).entries) last = { id, ts };
  }
  return last;
}

/** The workspace as it is: what a first watcher starts from. */
export async function takeSnapshot(
  files: Files,
  { workspace, history: { hot } }: Layout,
  rules: IgnoreRules,
): Promise<WatchSnapshot> {
  const history = files.findSize(hot) ?? 0;
  const snapshot = { version, files: {}, history, last: findLastEntry(files, hot) };
  const found = await findChanges(snapshot, { workspace, rules });
  return { ...snapshot, files: Object.fromEntries(found.map(({ path, seen }) => [path, seen!])) };
}

export async function findChanges(
  snapshot: WatchSnapshot,
  { workspace, rules }: { workspace: string; rules: IgnoreRules },
): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  const gone = new Set(Object.keys(snapshot.files));
  for (const file of walkWorkspace(workspace, { rules, wanted: () => true })) {
    await breathe();
    const { path, size, mtime } = file;
    const before = gone.delete(path) ? snapshot.files[path] : undefined;
    if (before && before[0] === size && before[1] === mtime) continue;
    const hash = hashFile(workspace, file);
    const seen: SeenFile = [size, mtime, hash];
    if (before?.[2] === hash) snapshot.files[path] = seen;
    else changes.push({ path, hash, seen });
  }
  return [...changes, ...gone.values().map((path) => ({ path, hash: "gone" }))];
}

/** A file too large to read is told apart by its size and time. */
function hashFile(workspace: string, { path, size, mtime }: WorkspaceFile): string {
  if (size > maxHashedBytes) return `${size}-${mtime}`;
  try {
    return hashBytes(Deno.readFileSync(`${workspace}/${path}`));
  } catch {
    return "unreadable";
  }
}
