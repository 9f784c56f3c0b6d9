// Where things are under `.contextfs/`, and how a workspace is found. Refuses links that lead out.

import { parentOf, realPath, resolvePath } from "../core/platform_path.ts";
import { CtxError, isAbsent, linkedStoreError } from "../core/errors.ts";
import type { OwnPool } from "../core/entry.ts";
import { directoryError, whenPresent } from "./files.ts";
import { findMainCheckout } from "./worktree.ts";

export const storeDirectory = ".contextfs";

/** What ctx keeps in a store, by its name in code; anything else there is foreign and left alone. */
const names = {
  quarantine: "history.bad.ndjson",
  state: "state.json",
  sessions: "sessions.ndjson",
  traces: "retrieval.traces.ndjson",
  collections: "collections.ndjson",
  usage: "usage.ndjson",
  suggestions: "suggestions.ndjson",
  subscriptions: "subscriptions.ndjson",
  /** What agents were given of this store, and whether they used it. */
  injections: "injections.ndjson",
  /** What the watcher has dealt with. */
  watch: "watch.json",
  pins: "pins.md",
  summary: "summary.md",
  /** Written by the original ContextFS, whose stores are read. */
  manifest: "manifest.md",
  config: "config.jsonc",
  /** Rules that bind, and what they did. */
  guards: "guards.jsonc",
  guardLog: "guards.ndjson",
  /** Rule files as they were before `ctx audit --fix`. */
  audit: "audit",
  lock: ".lock",
  watchLock: ".watch.lock",
  /** Held by what hooks leave for later. */
  followLock: ".follow.lock",
  gitignore: ".gitignore",
  gitattributes: ".gitattributes",
  index: "index",
  /** Transcripts of `ctx chat`. */
  chat: "chat",
  /** What hooks did: captures, failures, the sessions that are live. */
  captures: "captures.ndjson",
  /** Whose edits of which lines the last hour saw. */
  live: "live.ndjson",
  /** What was done by whom, to take it back. */
  acts: "acts.ndjson",
  /** Words that no transcript has yet, a file each. */
  held: "held",
  /** What a move between the logs has to finish, while one is under way. */
  move: "move.json",
  /** Others' rows, a log for each writer, and what is known of their members. */
  team: "team",
  /** Which space this store belongs to, and as whom. */
  remote: "remote.json",
  /** What was shared by name, and taken back. */
  shares: "shares.ndjson",
} as const;

const history: Record<OwnPool, string> = {
  hot: "history.ndjson",
  archive: "history.archive.ndjson",
};

/** The paths of one store. */
export type Layout = Record<keyof typeof names | "workspace" | "root", string> & {
  history: Record<OwnPool, string>;
};

/** The paths of the store in a workspace, whether it exists or not. */
export function layoutOf(workspace: string): Layout {
  const root = `${workspace.replace(/(.)\/+$/, "$1")}/${storeDirectory}`;
  const paths = Object.entries(names).map(([key, name]) => [key, `${root}/${name}`]);
  const own = { hot: `${root}/${history.hot}`, archive: `${root}/${history.archive}` };
  return { workspace, root, history: own, ...Object.fromEntries(paths) };
}

/** Files that ctx itself keeps in the store. */
export const ownNames: ReadonlySet<string> = new Set([
  ...Object.values(history),
  ...Object.values(names),
]);

const ownDirectories: ReadonlySet<string> = new Set(["audit", "index", "chat", "held", "team"]);

/** Whether a name in the store is one of ctx's own, rotated logs and drafts included. */
export function isOwnName(name: string): boolean {
  return ownNames.has(name) || /\.ndjson\.\d+$|\.tmp$/.test(name);
}

/** Whether a name is a file's, which the store cannot do without: drafts and rotated logs are not. */
export function isOwnFile(name: string): boolean {
  return !ownDirectories.has(name) && ownNames.has(name);
}

/**
 * The directory that was asked for, else the nearest, from `cwd` upwards, that holds a store; a git
 * worktree without one has that of its main checkout.
 */
export function findWorkspace(
  { workspace, cwd }: { workspace?: string; cwd: string },
): string | undefined {
  if (workspace !== undefined) return workspace;
  const start = realDirectory(cwd);
  for (let directory = start;; directory = parentOf(directory)) {
    if (holdsStore(directory)) return directory;
    const main = findMainCheckout(directory);
    // The same place in the main checkout, and up to its top.
    for (let at = main && main + start.slice(directory.length); main && at; at = parentOf(at)) {
      if (holdsStore(at)) return at;
      if (at === main) break;
    }
    if (parentOf(directory) === directory) return undefined;
  }
}

/** The real path of a directory that somebody named, seen from `cwd`. */
export function realDirectory(path: string, cwd = "."): string {
  try {
    return realPath(resolvePath(path, cwd));
  } catch (error) {
    if (!isAbsent(error)) throw error;
    throw new CtxError("NOT_FOUND", `Cannot use workspace "${path}": there is no such directory`, {
      hint: "create the directory first, then: ctx init --workspace DIR",
      cause: error,
    });
  }
}

/** Whether a directory holds a store: foreign files alone do not make one. */
export function holdsStore(directory: string): boolean {
  // A listing: the facts of a file cost a short command more, and a missing one is an error.
  return holdsLogs(findItems(layoutOf(directory).root));
}

function holdsLogs(items: Deno.DirEntry[]): boolean {
  return items.some(({ name }) => storeNames.includes(name));
}

/** Any of these makes a directory a store. */
export const storeNames = ["state.json", "history.ndjson", "history.archive.ndjson"];

/**
 * Throws DENIED when the store or one of its files is a symbolic link: a clone could aim it
 * anywhere; and STORE_CORRUPT when a directory is in the place of a file, or a pipe, which would hold
 * whoever opens it for good. Returns whether there is a store at all.
 */
export function refuseLinks(layout: Layout): boolean {
  if (isLink(layout.root)) throw linkedStoreError(layout.root);
  const items = findItems(layout.root);
  for (const item of items) {
    if (!isOwnName(item.name)) continue;
    const path = `${layout.root}/${item.name}`;
    refuseItem(path, item);
    if (!item.isDirectory) continue;
    if (isOwnFile(item.name)) throw directoryError(path);
    // An index that leads to a device would be read without end.
    for (const inner of findReadable(path)) refuseItem(`${path}/${inner.name}`, inner);
  }
  return holdsLogs(items);
}

function refuseItem(path: string, item: Deno.DirEntry): void {
  if (item.isSymlink) throw linkedStoreError(path);
  if (item.isFile || item.isDirectory) return;
  throw new CtxError("STORE_CORRUPT", `Cannot use "${path}": not a regular file`, {
    hint: "move it away, then run the same command again",
  });
}

/** Not a link if its real path equals it; realPath is cheaper than lstat. */
function isLink(path: string): boolean {
  const real = whenPresent(() => realPath(path));
  return real !== path && (whenPresent(() => Deno.lstatSync(path).isSymlink) ?? false);
}

function findItems(directory: string): Deno.DirEntry[] {
  return whenPresent(() => [...Deno.readDirSync(directory)]) ?? [];
}

/** Like findItems, but empty if access is denied. */
function findReadable(directory: string): Deno.DirEntry[] {
  try {
    return findItems(directory);
  } catch {
    return [];
  }
}
