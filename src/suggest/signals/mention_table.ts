// What the store says about files and symbols, as derived data: a table up to some place in the logs,
// and over it the rows that came since, read on opening. Superseded and forgotten entries are never
// given out. A log that was rewritten (compact, gc) makes the table anew.

import { type Entry, type OwnPool, ownPools, tombstoneType } from "../../core/entry.ts";
import { hashHex } from "../../core/hash.ts";
import type { Files } from "../../store/files/files.ts";
import type { Layout } from "../../store/files/layout.ts";
import { repeatKey } from "../../store/snapshot.ts";
import type { Store } from "../../store/store.ts";
import {
  findDecision,
  findDoc,
  type KeyedMention,
  type Mention,
  UndoRule,
} from "./mention_rules.ts";
import { encodeTable, openTable, type RecordTable } from "../tables/record_table.ts";

interface MentionMeta {
  version: number;
  /** How far each log is in the table, and a fingerprint of the bytes before that place. */
  logs: Record<OwnPool, { offset: number; anchor: string }>;
  edited: Record<string, string[]>;
  decisions: number;
}

const version = 4;
const anchorBytes = 256;
const rewriteBytes = 64 << 10;
const maxTailBytes = 1 << 20;

/** The mentions of a store; close it. */
export class MentionTable implements Disposable {
  readonly #table: RecordTable | undefined;
  readonly #tail: KeyedMention[];
  readonly #dropped: ReadonlySet<string>;
  readonly #tailKeys: ReadonlySet<string>;
  /** How many decisions there are, for the weight of words. */
  readonly decisions: number;

  constructor(table: RecordTable | undefined, base: number, tail: Tail) {
    this.#table = table;
    this.#tail = tail.mentions;
    this.#dropped = tail.dropped;
    this.#tailKeys = keysOf(tail);
    this.decisions = base + tail.mentions.filter((item) => item.value.kind === "decision").length;
  }

  /** The mentions that have a key. */
  find(key: string, limit = 200): Mention[] {
    const found = this.#tail.filter((item) => item.keys.includes(key)).map((item) => item.value);
    for (const id of this.#table?.find(key).slice(-limit).reverse() ?? []) {
      const mention = this.#table!.read(id) as Mention;
      const newer = this.#tailKeys.has(repeatKey(mention)) && mention.kind !== "revert";
      if (!this.#dropped.has(mention.id) && !newer) found.push(mention);
    }
    return found;
  }

  /** How many mentions have a key, about. */
  countOf(key: string): number {
    return (this.#table?.countOf(key) ?? 0) +
      this.#tail.filter((item) => item.keys.includes(key)).length;
  }

  [Symbol.dispose](): void {
    this.#table?.[Symbol.dispose]();
  }
}

/** Opens the mentions as they are now; with a table far behind, the newest rows may be missing. */
export function openMentions(store: Store): MentionTable {
  const { table, meta } = openValid(store);
  const logs = meta?.logs;
  const behind = unreadBytes(store, logs);
  const tail = table === undefined || behind > maxTailBytes
    ? { mentions: [], dropped: new Set<string>() }
    : readTail(store, { from: logs, undo: new UndoRule(meta?.edited) });
  return new MentionTable(table, meta?.decisions ?? 0, tail);
}

/** Brings the table up to the logs when they have grown enough, or when it must be made anew. */
export function refreshMentions(store: Store): void {
  const { table, meta } = openValid(store);
  using _table = table;
  if (table !== undefined && unreadBytes(store, meta?.logs) < rewriteBytes) return;
  const logs = readAnchors(store);
  const undo = new UndoRule(meta?.edited);
  const tail = readTail(store, { from: meta?.logs, to: logs, undo });
  const old = table === undefined ? [] : readKept(table, tail.dropped, keysOf(tail));
  const records = [...old, ...tail.mentions];
  const decisions = records.filter((item) => item.value.kind === "decision").length;
  const next: MentionMeta = { version, logs, edited: undo.toJSON(), decisions };
  const { files, layout } = store;
  files.makeDirectory(layout.index);
  // Keys are kept in the record, so that the next catch-up can write the table without the log.
  const keyed = records.map(({ value, keys }) => ({ parts: [value, keys], keys }));
  files.replace(pathOf(layout), encodeTable(next, keyed), { sync: false });
}

interface Tail {
  mentions: KeyedMention[];
  /** Ids that later rows supersede or forget. */
  dropped: Set<string>;
}

function keysOf({ mentions }: Tail): Set<string> {
  return new Set(mentions.map(({ value }) => repeatKey(value)));
}

function readKept(
  table: RecordTable,
  dropped: ReadonlySet<string>,
  fresh: ReadonlySet<string>,
): KeyedMention[] {
  const kept: KeyedMention[] = [];
  for (const [value, keys] of table.readAll() as Iterable<[Mention, string[]]>) {
    if (!dropped.has(value.id) && !fresh.has(repeatKey(value))) kept.push({ value, keys });
  }
  return kept;
}

function readTail(
  store: Store,
  { from, to, undo }: { from?: MentionMeta["logs"]; to?: MentionMeta["logs"]; undo: UndoRule },
): Tail {
  const mentions: KeyedMention[] = [];
  const dropped = new Set<string>();
  for (
    const { entry } of store.rows({ pools: ownPools, from: offsetsOf(from), to: offsetsOf(to) })
  ) {
    if (entry.type === tombstoneType) { for (const id of entry.refs ?? []) dropped.add(id); }
    if (entry.supersedes !== undefined) dropped.add(entry.supersedes);
    for (const mention of mentionsOf(entry, undo)) mentions.push(mention);
  }
  return { mentions: mentions.filter((item) => !dropped.has(item.value.id)), dropped };
}

function mentionsOf(entry: Entry, undo: UndoRule): KeyedMention[] {
  return [findDecision(entry), findDoc(entry), undo.next(entry)]
    .filter((mention) => mention !== undefined);
}

/** The table, when the logs still begin with what it was made from. */
function openValid(store: Store): { table?: RecordTable; meta?: MentionMeta } {
  const table = openTable(store.files, pathOf(store.layout));
  let valid = false;
  try {
    const meta = table?.readMeta() as MentionMeta | undefined;
    valid = meta?.version === version &&
      ownPools.every((pool) =>
        meta.logs[pool].anchor ===
          anchorAt(store.files, store.layout.history[pool], meta.logs[pool].offset)
      );
    return valid ? { table, meta } : {};
  } finally {
    if (!valid) table?.[Symbol.dispose]();
  }
}

function readAnchors(store: Store): MentionMeta["logs"] {
  const place = (pool: OwnPool): { offset: number; anchor: string } => {
    const path = store.layout.history[pool];
    const offset = wholeSize(store.files, path);
    return { offset, anchor: anchorAt(store.files, path, offset) ?? "" };
  };
  return { hot: place("hot"), archive: place("archive") };
}

/** The size up to the last whole line: a writer may be in the middle of one. */
function wholeSize(files: Files, path: string): number {
  const size = files.findSize(path) ?? 0;
  using reader = size === 0 ? undefined : files.openReader(path);
  if (reader === undefined) return 0;
  const bytes = new Uint8Array(Math.min(size, 1 << 20));
  const count = reader.readAt(size - bytes.length, bytes);
  return size - bytes.length + bytes.lastIndexOf(10, count - 1) + 1;
}

function anchorAt(files: Files, path: string, offset: number): string | undefined {
  if (offset === 0) return "";
  using reader = files.openReader(path);
  if (reader === undefined || reader.size < offset) return undefined;
  const bytes = new Uint8Array(Math.min(anchorBytes, offset));
  reader.readAt(offset - bytes.length, bytes);
  return hashHex(new TextDecoder("latin1").decode(bytes));
}

function unreadBytes(store: Store, logs: MentionMeta["logs"] | undefined): number {
  let unread = 0;
  for (const pool of ownPools) {
    unread += (store.files.findSize(store.layout.history[pool]) ?? 0) - (logs?.[pool].offset ?? 0);
  }
  return unread;
}

function offsetsOf(
  logs: MentionMeta["logs"] | undefined,
): Partial<Record<OwnPool, number>> | undefined {
  return logs && { hot: logs.hot.offset, archive: logs.archive.offset };
}

function pathOf(layout: Layout): string {
  return `${layout.index}/graph.mentions.bin`;
}
