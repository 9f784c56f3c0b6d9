// `index/sessions.json`: what the catalog of sessions was when it was kept, with a checksum and
// fingerprints of the logs it was made from. It repeats text of entries (first lines, titles), so it
// is written under the lock and only while the logs still are the ones it was made from: what was
// erased meanwhile must not come back with it. Another one is rejected, and removed by gc.

import { hashHex } from "../core/hash.ts";
import { decodeLossy } from "../core/utf8.ts";
import { pools } from "../core/entry.ts";
import { findFingerprint } from "../disk/lines.ts";
import { tryTakeLock } from "../disk/lock.ts";
import { findLogFingerprint } from "./log_files.ts";
import type { Store } from "./store.ts";

/** The name of the file, relative to `index/`. */
export const catalogName = "sessions.json";

/** How far a log was read, and what was there. */
export interface Covered {
  bytes: number;
  tail: string;
}

/** A catalog with what it was made from. */
export interface CatalogFile {
  covered: Record<string, Covered>;
  tombstones: number;
  sessions: unknown[];
}

/** A catalog that can be used, or why there is none. */
export type CatalogReading = { catalog: CatalogFile } | { fault: "missing" | "damaged" | "stale" };

type Place = Pick<Store, "files" | "layout" | "readState">;

const version = 5;

/** Reads the catalog that was kept; one of other logs, or with a wrong checksum, is rejected. */
export function readCatalog(store: Place): CatalogReading {
  const bytes = store.files.findBytes(`${store.layout.index}/${catalogName}`);
  if (bytes === undefined) return { fault: "missing" };
  const text = decodeLossy(bytes);
  const head = /^\{"version":(\d+),"checksum":"(\w+)","catalog":/.exec(text);
  if (head === null) return { fault: "damaged" };
  if (Number(head[1]) !== version) return { fault: "stale" };
  const body = text.slice(head[0].length, -1);
  if (head[2] !== hashHex(body)) return { fault: "damaged" };
  const catalog: CatalogFile = JSON.parse(body);
  return isCurrent(store, catalog) ? { catalog } : { fault: "stale" };
}

/**
 * Keeps a catalog when the lock is free and the logs are those that were read: `isSame` is asked
 * under the lock. Where the index cannot be written (a read-only mount, a sandbox), the next reader
 * catches up again.
 */
export function saveCatalog(store: Place, catalog: CatalogFile, isSame: () => boolean): void {
  try {
    const since = new Date().toISOString();
    using lock = tryTakeLock(store.layout.lock, { pid: Deno.pid, command: "sessions", since });
    if (lock === undefined || !isSame() || !isCurrent(store, catalog)) return;
    store.files.makeDirectory(store.layout.index);
    const body = JSON.stringify(catalog);
    const head = `{"version":${version},"checksum":"${hashHex(body)}","catalog":`;
    const bytes = new TextEncoder().encode(`${head}${body}}`);
    store.files.replace(`${store.layout.index}/${catalogName}`, bytes, { sync: false });
  } catch {
    return;
  }
}

/** How many tombstones there are: each may hide rows that were counted. */
export function countTombstones(store: Pick<Store, "readState">): number {
  const { logs } = store.readState();
  return pools.reduce((sum, pool) => sum + logs[pool].tombstones, 0);
}

/** Whether what a catalog covers still stands at the front of the logs, with nothing more hidden. */
function isCurrent(store: Place, { covered, tombstones }: CatalogFile): boolean {
  const { files, layout } = store;
  const isSame = (name: string, tailAt: (offset: number) => string | undefined): boolean => {
    // Where there were no rows of others, nothing is said of them.
    const known = covered[name] ?? (name === "team" ? { bytes: 0, tail: "" } : undefined);
    return known !== undefined && (tailAt(known.bytes) ?? "") === known.tail;
  };
  return tombstones === countTombstones(store) &&
    pools.every((pool) =>
      isSame(pool, (offset) => findLogFingerprint(files, layout, { pool, offset }))
    ) && isSame("events", (offset) => findFingerprint(files, layout.sessions, offset));
}
