// Files in `index/` that are made from all rows and repeat text of them: the catalog of sessions
// (`sessions.json`) and what a session start is told from (`known.json`). Each has a checksum and
// fingerprints of the logs it was made from. They are written under the lock and only while the logs
// still are the ones they were made from: what was erased meanwhile must not come back with them.
// Others are rejected, and removed by gc.

import { checksum } from "../core/checksum.ts";
import { concat, decodeLossy, encodeExact } from "../core/utf8.ts";
import { type Pool, pools } from "../core/entry.ts";
import { compareText } from "../core/text.ts";
import { findFingerprint, readLineAt } from "../disk/lines.ts";
import { findSortedLines } from "../disk/sorted_lines.ts";
import { tryTakeLock } from "../disk/lock.ts";
import type { CatalogSession } from "./catalog_sessions.ts";
import { findLogFingerprint } from "./log_files.ts";
import type { Store } from "./store.ts";

/** One of these files: its name relative to `index/`, and the number of its form. */
interface KeptForm {
  name: string;
  version: number;
  /** What it is called in messages. */
  label: string;
}

export const catalogForm: KeptForm = {
  name: "sessions.json",
  version: 8,
  label: "session catalog",
};
/** What a session that starts may be told. */
export const knownForm: KeptForm = { name: "known.json", version: 5, label: "session start list" };

const forms = [catalogForm, knownForm];
export const keptNames: readonly string[] = forms.map(({ name }) => name);

/** How far a log was read, and what was there. */
export interface Covered {
  bytes: number;
  tail: string;
}

/** What such a file was made from. */
export interface Kept {
  covered: Record<string, Covered>;
  /** How many tombstones there were, where more of them hide what was counted. */
  tombstones?: number;
}

export interface CatalogFile extends Kept {
  sessions: CatalogSession[];
}

/** What was kept and can be used, or why there is nothing. */
export type KeptReading<T> = { kept: T } | { fault: "missing" | "damaged" | "stale" };

type Place = Pick<Store, "files" | "layout" | "readState">;

/** Reads what was kept; that of other logs, or with a wrong checksum, is rejected. */
export function readKept<T extends Kept>(
  store: Place,
  { name, version }: KeptForm,
): KeptReading<T> {
  const bytes = store.files.findBytes(`${store.layout.index}/${name}`);
  if (bytes === undefined) return { fault: "missing" };
  const text = decodeLossy(bytes);
  const head = /^\{"version":(\d+),"checksum":"(\w+)","(?:catalog|known)":/.exec(text);
  if (head === null) return { fault: "damaged" };
  if (Number(head[1]) !== version) return { fault: "stale" };
  if (head[2] !== sumOf(bytes.subarray(head[0].length, -1))) return { fault: "damaged" };
  const kept: T = JSON.parse(text.slice(head[0].length, -1));
  return isCurrent(store, kept) ? { kept } : { fault: "stale" };
}

/** Those of the files that readers reject: of no use, and they may repeat what was erased. */
export function findRejected(
  store: Place,
): { name: string; label: string; fault: "damaged" | "stale" }[] {
  return forms.flatMap((form) => {
    const read = readKept(store, form);
    if (!("fault" in read) || read.fault === "missing") return [];
    return [{ name: form.name, label: form.label, fault: read.fault }];
  });
}

/**
 * Keeps something when the lock is free and the logs are those that were read: `isSame` is asked
 * under the lock. Where the index cannot be written (a read-only mount, a sandbox), the next reader
 * catches up again.
 */
export function saveKept<T extends Kept>(
  store: Place,
  { form, kept, isSame }: { form: KeptForm; kept: T; isSame: () => boolean },
): void {
  const { name, version } = form;
  try {
    const since = new Date().toISOString();
    using lock = tryTakeLock(store.layout.lock, { pid: Deno.pid, command: "sessions", since });
    if (lock === undefined || !isSame() || !isCurrent(store, kept)) return;
    store.files.makeDirectory(store.layout.index);
    const body = new TextEncoder().encode(toBody(kept));
    const key = form === catalogForm ? "catalog" : "known";
    const head = `{"version":${version},"checksum":"${sumOf(body)}","${key}":`;
    const bytes = concat([encodeExact(head), body, encodeExact("}")]);
    store.files.replace(`${store.layout.index}/${name}`, bytes, { sync: false });
  } catch {
    return;
  }
}

/** A catalog has a line for each session, sorted by id, so that a few are found without the others. */
function toBody(kept: Kept & Partial<CatalogFile>): string {
  const { sessions, ...rest } = kept;
  if (sessions === undefined) return JSON.stringify(kept);
  const lines = sessions.toSorted((a, b) => compareText(a.id, b.id))
    .map((session) => JSON.stringify(session));
  return `${JSON.stringify(rest).slice(0, -1)},"sessions":[\n${lines.join(",\n")}\n]}`;
}

/** The catalog that was kept, with some of its sessions alone; undefined where it cannot be used. */
export function findKeptSessions(
  store: Place,
  ids: readonly string[],
  tailOf?: TailOf,
): CatalogFile | undefined {
  using reader = store.files.openReader(`${store.layout.index}/${catalogForm.name}`);
  if (reader === undefined) return undefined;
  try {
    const first = readLineAt(reader, 0) ?? new Uint8Array();
    const head = decodeLossy(first);
    if (!head.startsWith(`{"version":${catalogForm.version},`)) return undefined;
    const { catalog }: { catalog: CatalogFile } = JSON.parse(`${head}]}}`);
    if (!isCurrent(store, catalog, tailOf)) return undefined;
    const lines = findSortedLines(reader, { keys: ids, keyOf, from: first.length + 1 });
    for (const line of lines) catalog.sessions.push(JSON.parse(line.replace(/,$/, "")));
    return catalog;
  } catch {
    return undefined;
  }
}

/** The id of the session that a line is of; of the last line, which is of none, one after all others. */
function keyOf(line: string): string {
  const id = /^\{"id":("(?:[^"\\]|\\.)*")/.exec(line);
  return id === null ? "\uffff" : JSON.parse(id[1]);
}

/** How many tombstones there are: each may hide rows that were counted. */
export function countTombstones(store: Pick<Store, "readState">): number {
  const { logs } = store.readState();
  return pools.reduce((sum, pool) => sum + logs[pool].tombstones, 0);
}

/** Gives the fingerprint of a log, or of the log of sessions, before an offset. */
type TailOf = (name: Pool | "events", offset: number) => string | undefined;

/** Whether what it covers still stands at the front of the logs, with nothing more hidden. */
function isCurrent(
  store: Place,
  { covered, tombstones }: Kept,
  tailOf: TailOf = makeTailOf(store),
): boolean {
  const isSame = (name: Pool | "events"): boolean => {
    // Where there were no rows of others, nothing is said of them.
    const known = covered[name] ?? (name === "team" ? { bytes: 0, tail: "" } : undefined);
    return known !== undefined && (tailOf(name, known.bytes) ?? "") === known.tail;
  };
  return (tombstones === undefined || tombstones === countTombstones(store)) &&
    pools.every(isSame) && (covered.events === undefined || isSame("events"));
}

function makeTailOf({ files, layout }: Place): TailOf {
  return (name, offset) =>
    name === "events"
      ? findFingerprint(files, layout.sessions, offset)
      : findLogFingerprint(files, layout, { pool: name, offset });
}

/** Their checksum in words of the file's head. */
function sumOf(bytes: Uint8Array): string {
  return checksum(bytes).toString(16);
}
