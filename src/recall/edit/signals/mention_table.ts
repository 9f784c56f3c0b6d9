// What the store says about files and symbols, as derived data: a table up to some place in the logs,
// and over it the rows that came since, read on opening. Superseded and forgotten entries are never
// given out. A log that was rewritten (compact, gc) makes the table anew.

import { authorOf, type Pool, pools, tombstoneType } from "../../../core/entry.ts";
import { hashHex } from "../../../core/hash.ts";
import { isInstructionLike } from "../../../core/instruction_like.ts";
import type { Layout } from "../../../disk/layout.ts";
import { findLogSize, openLog } from "../../../store/log_files.ts";
import { repeatKey } from "../../../store/snapshot.ts";
import type { Row, Store } from "../../../store/store.ts";
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
  logs: Record<Pool, { offset: number; anchor: string }>;
  edited: Record<string, string[]>;
  decisions: number;
}

const version = 5;
const anchorBytes = 256;
const rewriteBytes = 64 << 10;
const maxTailBytes = 1 << 20;

/** The mentions of a store; close it. */
export class MentionTable implements Disposable {
  readonly #table: RecordTable | undefined;
  readonly #tail: KeyedMention[];
  readonly #isDropped: (mention: Mention) => boolean;
  readonly #tailKeys: ReadonlySet<string>;
  /** How many decisions there are, for the weight of words. */
  readonly decisions: number;

  constructor(table: RecordTable | undefined, base: number, tail: Tail) {
    this.#table = table;
    this.#tail = tail.mentions;
    this.#isDropped = (mention) => isDropped(mention, tail);
    this.#tailKeys = keysOf(tail);
    this.decisions = base + tail.mentions.filter((item) => item.value.kind === "decision").length;
  }

  /** The mentions that have a key. */
  find(key: string, limit = 200): Mention[] {
    const found = this.#tail.filter((item) => item.keys.includes(key)).map((item) => item.value);
    for (const id of this.#table?.find(key).slice(-limit).reverse() ?? []) {
      const mention = this.#table!.read(id) as Mention;
      const newer = this.#tailKeys.has(repeatKey(mention)) && mention.kind !== "revert";
      if (!this.#isDropped(mention) && !newer) found.push(mention);
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
    ? { mentions: [], dropped: new Set<string>(), buried: new Set<string>() }
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
  const old = table === undefined ? [] : readKept(table, tail);
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
  /** Ids that rows of others forget, which hides no row of one's own. */
  buried: Set<string>;
}

function isDropped({ id, author }: Mention, { dropped, buried }: Omit<Tail, "mentions">): boolean {
  return dropped.has(id) || author !== undefined && buried.has(id);
}

function keysOf({ mentions }: Tail): Set<string> {
  return new Set(mentions.map(({ value }) => repeatKey(value)));
}

function readKept(table: RecordTable, tail: Tail): KeyedMention[] {
  const fresh = keysOf(tail);
  const kept: KeyedMention[] = [];
  for (const [value, keys] of table.readAll() as Iterable<[Mention, string[]]>) {
    if (!isDropped(value, tail) && !fresh.has(repeatKey(value))) kept.push({ value, keys });
  }
  return kept;
}

function readTail(
  store: Store,
  { from, to, undo }: { from?: MentionMeta["logs"]; to?: MentionMeta["logs"]; undo: UndoRule },
): Tail {
  const mentions: KeyedMention[] = [];
  const dropped = new Set<string>();
  const buried = new Set<string>();
  for (const row of store.rows({ from: offsetsOf(from), to: offsetsOf(to) })) {
    const { entry, pool } = row;
    const hidden = pool === "team" ? buried : dropped;
    if (entry.type === tombstoneType) { for (const id of entry.refs ?? []) hidden.add(id); }
    if (entry.supersedes !== undefined) dropped.add(entry.supersedes);
    for (const mention of mentionsOf(row, undo)) mentions.push(mention);
  }
  const hidden = { dropped, buried };
  return { mentions: mentions.filter(({ value }) => !isDropped(value, hidden)), ...hidden };
}

function mentionsOf(row: Row, undo: UndoRule): KeyedMention[] {
  const { entry } = row;
  const author = authorOf(row);
  if (author !== undefined) {
    // What others decided is told unasked; what they merely said is not, nor what tells agents to act.
    if (entry.type !== "decision" || isInstructionLike(entry.text)) return [];
    const found = findDecision(entry);
    return found ? [{ ...found, value: { ...found.value, author } }] : [];
  }
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
      pools.every((pool) =>
        meta.logs[pool].anchor === anchorAt(store, pool, meta.logs[pool].offset)
      );
    return valid ? { table, meta } : {};
  } finally {
    if (!valid) table?.[Symbol.dispose]();
  }
}

function readAnchors(store: Store): MentionMeta["logs"] {
  const place = (pool: Pool): { offset: number; anchor: string } => {
    const offset = wholeSize(store, pool);
    return { offset, anchor: anchorAt(store, pool, offset) ?? "" };
  };
  return { hot: place("hot"), archive: place("archive"), team: place("team") };
}

/** The size up to the last whole line: a writer may be in the middle of one. */
function wholeSize({ files, layout }: Store, pool: Pool): number {
  using reader = openLog(files, layout, pool);
  if (reader === undefined || reader.size === 0) return 0;
  const { size } = reader;
  const bytes = new Uint8Array(Math.min(size, 1 << 20));
  const count = reader.readAt(size - bytes.length, bytes);
  return size - bytes.length + bytes.lastIndexOf(10, count - 1) + 1;
}

function anchorAt({ files, layout }: Store, pool: Pool, offset: number): string | undefined {
  if (offset === 0) return "";
  using reader = openLog(files, layout, pool);
  if (reader === undefined || reader.size < offset) return undefined;
  const bytes = new Uint8Array(Math.min(anchorBytes, offset));
  reader.readAt(offset - bytes.length, bytes);
  return hashHex(new TextDecoder("latin1").decode(bytes));
}

function unreadBytes(store: Store, logs: MentionMeta["logs"] | undefined): number {
  let unread = 0;
  for (const pool of pools) {
    unread += findLogSize(store.files, store.layout, pool) - (logs?.[pool].offset ?? 0);
  }
  return unread;
}

function offsetsOf(
  logs: MentionMeta["logs"] | undefined,
): Partial<Record<Pool, number>> | undefined {
  return logs && {
    hot: logs.hot.offset,
    archive: logs.archive.offset,
    team: logs.team.offset,
  };
}

function pathOf(layout: Layout): string {
  return `${layout.index}/graph.mentions.bin`;
}
