// Garbage: forgotten bytes, tombstones with nothing left to hide, index files that the manifest
// does not name, rotated traces beyond the bound, drafts of killed writers. Looks without a lock,
// collects under it.

import { pools, tombstoneType } from "../../core/entry.ts";
import { readText } from "../../disk/text_files.ts";
import { findRejected, keptNames } from "../catalog_file.ts";
import { erase, eraseTeam, isLasting } from "./forget_entries.ts";
import { listIndex } from "./remove_derived.ts";
import { logNameOf } from "../log_files.ts";
import type { Store } from "../store.ts";
import { keptTraceFiles } from "../logs/trace_log.ts";

export interface Garbage {
  kind: "forgotten" | "tombstone" | "index" | "traces" | "draft";
  /** Relative to the store. */
  path: string;
  count: number;
  bytes: number;
}

/** Lists what a collection would remove; never writes. */
export function findGarbage(store: Store): Garbage[] {
  return [...findForgottenRows(store), ...findLooseFiles(store)];
}

/** Removes what `findGarbage` finds; returns what was removed. */
export async function collectGarbage(store: Store): Promise<Garbage[]> {
  const { revision } = store.readState();
  const early = findGarbage(store);
  if (early.length === 0) return [];
  return await store.write("gc", (writer) => {
    const garbage = writer.state.revision === revision ? early : findGarbage(store);
    const hasRows = garbage.some(({ kind }) => kind === "forgotten" || kind === "tombstone");
    if (hasRows) {
      const { ids, inTeam } = store.readHidden();
      erase(writer, ids);
      eraseTeam(writer, inTeam);
    }
    for (const { path } of findLooseFiles(store)) {
      writer.files.remove(`${store.layout.root}/${path}`);
    }
    return garbage;
  });
}

/** The bytes that the store takes on disk. */
export function diskUse(store: Store): number {
  const { files, layout } = store;
  listIndex(store);
  return files.listTree(layout.root).reduce((sum, path) => sum + (files.findSize(path) ?? 0), 0);
}

function findForgottenRows(store: Store): Garbage[] {
  const forgotten = store.readHidden();
  if (forgotten.ids.size + forgotten.inTeam.size === 0) return [];
  const found: Garbage[] = [];
  using snapshot = store.openSnapshot();
  for (const pool of pools) {
    const path = logNameOf(store.layout, pool);
    const rows: Garbage = { kind: "forgotten", path, count: 0, bytes: 0 };
    const tombstones: Garbage = { kind: "tombstone", path, count: 0, bytes: 0 };
    for (const row of snapshot.rows({ pools: [pool] })) {
      const { entry, length } = row;
      const target = forgotten.hides(row)
        ? rows
        : pool !== "team" && entry.type === tombstoneType && !isLasting(entry)
        ? tombstones
        : undefined;
      if (target === undefined) continue;
      target.count++;
      target.bytes += length + 1;
    }
    found.push(...[rows, tombstones].filter((item) => item.count > 0));
  }
  return found;
}

function findLooseFiles(store: Store): Garbage[] {
  const { files, layout } = store;
  const loose: Garbage[] = [];
  const add = (kind: Garbage["kind"], full: string): void => {
    const path = full.slice(layout.root.length + 1);
    loose.push({ kind, path, count: 1, bytes: files.findSize(full) ?? 0 });
  };
  for (const name of files.list(layout.root)) {
    const turn = /^retrieval\.traces\.ndjson\.(\d+)$/.exec(name);
    if (turn && Number(turn[1]) > keptTraceFiles) add("traces", `${layout.root}/${name}`);
    if (name.endsWith(".tmp")) add("draft", `${layout.root}/${name}`);
  }
  for (const path of findIndexOrphans(store)) add("index", path);
  return loose;
}

/** Derived files that stand for themselves; each names in its head what it was made from. */
const ownIndexFiles = ["manifest.json", ...keptNames, "shown.json", "mentions.bin"];
const ledgerFile = /^ledger-[\w-]+\.bin$/;

/** Files in `index/` that the manifest does not name, and what was kept of other logs. */
function findIndexOrphans(store: Store): string[] {
  const { files, layout } = store;
  const manifest = readText(files, `${layout.index}/manifest.json`);
  const named = new Set(manifest.match(/[\w.-]+/g));
  const rejected = new Set(findRejected(store).map(({ name }) => name));
  return listIndex(store).filter((path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const inside = path.slice(layout.index.length + 1);
    if (rejected.has(inside)) return true;
    if (ownIndexFiles.includes(inside) || ledgerFile.test(inside)) return false;
    return !named.has(name) && !named.has(name.replace(/\..*$/, ""));
  });
}
