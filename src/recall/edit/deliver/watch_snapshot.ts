// What the watcher has dealt with: the state of every file, and how far the history is read. A change
// is dealt with when its suggestion is in the log; only then does the snapshot move, so that a killed
// watcher finds again what it had not finished.

import { breathe } from "../../../core/breathe.ts";
import type { Files } from "../../../disk/files.ts";
import type { Layout } from "../../../disk/layout.ts";
import { readLines } from "../../../disk/lines.ts";
import { parseLine } from "../../../store/row.ts";
import { findKeptJson, keepJson } from "../tables/checked_json.ts";
import { hashBytes } from "../../../code/git/file_hash.ts";
import {
  findFile,
  type IgnoreRules,
  walkWorkspace,
  type WorkspaceFile,
} from "../graph/walk_workspace.ts";

/** A file as it was dealt with. */
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

/** The snapshot that was kept, or undefined; throws TableDamage. */
export function readSnapshot(files: Files, layout: Layout): WatchSnapshot | undefined {
  const snapshot = findKeptJson(files, layout.watch) as WatchSnapshot | undefined;
  return snapshot?.version === version ? snapshot : undefined;
}

/** Keeps a snapshot. */
export function keepSnapshot(files: Files, layout: Layout, snapshot: WatchSnapshot): void {
  keepJson(files, layout.watch, snapshot);
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
  layout: Layout,
  rules: IgnoreRules,
): Promise<WatchSnapshot> {
  const snapshot: WatchSnapshot = {
    version,
    files: {},
    history: files.findSize(layout.history.hot) ?? 0,
    last: findLastEntry(files, layout.history.hot),
  };
  for (const file of walkWorkspace(layout.workspace, { rules, wanted: () => true })) {
    snapshot.files[file.path] = [file.size, file.mtime, hashFile(layout.workspace, file)];
    await breathe();
  }
  return snapshot;
}

/** What changed since a snapshot; `only` limits the look to some paths. */
export async function findChanges(
  snapshot: WatchSnapshot,
  at: { workspace: string; rules: IgnoreRules; only?: Iterable<string> },
): Promise<FileChange[]> {
  const { workspace, rules } = at;
  const changes: FileChange[] = [];
  const there = new Set<string>();
  const consider = (file: WorkspaceFile): void => {
    there.add(file.path);
    const before = snapshot.files[file.path];
    if (before && before[0] === file.size && before[1] === file.mtime) return;
    const hash = hashFile(workspace, file);
    const seen: SeenFile = [file.size, file.mtime, hash];
    if (before?.[2] === hash) snapshot.files[file.path] = seen;
    else changes.push({ path: file.path, hash, seen });
  };
  if (at.only === undefined) {
    for (const file of walkWorkspace(workspace, { rules, wanted: () => true })) {
      consider(file);
      await breathe();
    }
  } else {
    for (const path of at.only) {
      const file = rules.ignores(path, false) ? undefined : findFile(workspace, path);
      if (file !== undefined) consider(file);
    }
  }
  const gone = at.only === undefined ? Object.keys(snapshot.files) : [...at.only];
  for (const path of gone) {
    const known = Object.hasOwn(snapshot.files, path) && !there.has(path);
    if (known) changes.push({ path, hash: "gone" });
  }
  return changes;
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
