// Brings the index up to the logs: seals the unindexed tail into a small segment, merges small
// segments, replaces the manifest. Works without a lock until the end; then, under the store's, the
// manifest is replaced only if nobody else did so meanwhile and the logs are still the same. Whoever
// loses looks again, a few times. Never touches anything but `index/`.

import { type Pool, pools } from "../core/entry.ts";
import { CtxError } from "../core/errors.ts";
import { breathe, isBreathDue } from "../core/breathe.ts";
import { isIndexBehind } from "../store/index_lag.ts";
import { sealBytes as defaultSealBytes } from "../store/index_version.ts";
import { findLogSize } from "../store/log_files.ts";
import { type StoreLock, takeLock } from "../disk/lock.ts";
import type { Row, Store } from "../store/store.ts";
import { IndexDamage } from "../disk/byte_source.ts";
import { IndexDraft } from "./index_draft.ts";
import { embeddableText, type Embedder } from "./vectors/embedder.ts";
import {
  type ManifestReading,
  readManifest,
  type SegmentRecord,
  type VectorModel,
} from "./manifest.ts";
import { met } from "./text/tokenize.ts";
import { largestMerge } from "./segment/merge_policy.ts";
import { SegmentBuilder } from "./segment/segment_builder.ts";
import { VectorCollector } from "./vectors/vector_block.ts";
import type { VectorBlock } from "./vectors/vector_format.ts";

/** How much to do. */
export interface CatchUpOptions {
  warn?: (message: string) => void;
  /** A tail below this many bytes is left to be indexed in memory by each search. */
  sealBytes?: number;
  /** Stop after about this many rows; the rest is done by later calls. */
  maxRows?: number;
  /** Merge only up to this many rows at once, so that a save stays quick. */
  maxMergeRows?: number;
  /** Rewrite segments that hold forgotten rows, so that nothing of them stays in the index. */
  purge?: boolean;
  full?: boolean;
  /** Makes vectors of what is sealed; `completeVectors` makes those that are missing. */
  embedder?: Embedder;
  /** Drops the vectors that are there: somebody wants none. */
  dropVectors?: boolean;
  lockTimeoutMs?: number;
  /**
   * Come to an end whatever others do: a manifest of theirs is replaced, and when the logs are
   * rewritten each time, the last attempt holds the lock from its beginning.
   */
  insist?: boolean;
  /** Merges only what is too many for a search: somebody waits, and `tidies` does the rest later. */
  mergesLater?: boolean;
  /** Merges what is due even if there is nothing new. */
  tidies?: boolean;
  /** Shows readers every segment that is full, so that what was done stays when this is stopped. */
  publishes?: boolean;
  /** Stops it between two steps; the index then stays as it was, or was shown last. */
  signal?: AbortSignal;
  progress?: (done: number, total: number) => void;
  /**
   * Asked at the end of a log that is being written, whether to read on; waits until that is known.
   * Meanwhile readers are shown every segment that is full; the rest is done when there is no more.
   */
  more?: () => Promise<boolean>;
}

/** What was done. */
export interface CatchUpReport {
  sealed_rows: number;
  merged_segments: number;
  segments: number;
  rows: number;
  /** Whether others were faster each time, or had the store locked: nothing was changed. */
  busy: boolean;
}

/** How large a segment gets at once; where nobody is to be shown some of them before the end, so large that none need be merged. */
const stepSize = { rows: 8192, bytes: 24 << 20, terms: Infinity };
const wholeSize = { rows: largestMerge, bytes: 256 << 20, terms: 400_000 };

/** How often it is tried while others are faster. */
const attempts = 3;

/** Indexes what is new. Costs a look at the file sizes when there is little. */
export async function catchUp(
  store: Store,
  options: CatchUpOptions = {},
): Promise<CatchUpReport> {
  const { sealBytes = defaultSealBytes, full = false, purge = false, insist = false } = options;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const isAsked = full || purge || options.tidies || options.more !== undefined;
    if (!isAsked && !isIndexBehind(store, sealBytes)) return nothing(false);
    const outcome = await tryCatchUp(store, options);
    if (outcome === "locked") break;
    if (outcome !== "lost") return outcome;
  }
  if (!insist) return nothing(true);
  using lock = await findLock(store, options);
  const outcome = lock && await tryCatchUp(store, withoutNetwork(options), lock);
  return typeof outcome === "object" ? outcome : nothing(true);
}

/** "lost": another process changed the index or log meanwhile; "locked": it holds the lock. */
type Outcome = CatchUpReport | "lost" | "locked";

async function tryCatchUp(
  store: Store,
  options: CatchUpOptions,
  lock?: StoreLock,
): Promise<Outcome> {
  refuseUnreadable(store);
  const known = readManifest(store.files, store.layout);
  if ("fault" in known && known.fault === "newer" && !options.full) {
    options.warn?.("the index was written by a newer version of ctx and was not changed");
    return nothing(false);
  }
  store.files.makeDirectory(store.layout.index);
  try {
    return await update(store, options, lock);
  } catch (error) {
    if (!(error instanceof IndexDamage)) throw error;
    if (readManifest(store.files, store.layout).text !== known.text) return "lost";
    options.warn?.(`the index was rebuilt (${error.message})`);
    return await update(store, { ...options, full: true }, lock);
  }
}

/** Nobody should wait for the lock because a remote embedder is slow. */
function withoutNetwork(options: CatchUpOptions): CatchUpOptions {
  if (options.embedder === undefined || options.embedder.isLocal) return options;
  options.warn?.(
    "other processes kept changing the store; missing vectors will be added by the next ctx reindex",
  );
  return { ...options, embedder: undefined };
}

/** The store's lock; undefined while another process holds it. */
export async function findLock(
  { layout }: Store,
  { lockTimeoutMs: timeoutMs = 1000 }: Pick<CatchUpOptions, "lockTimeoutMs">,
): Promise<StoreLock | undefined> {
  const holder = { pid: Deno.pid, command: "index", since: new Date().toISOString() };
  try {
    return await takeLock(layout.lock, { holder, timeoutMs });
  } catch (error) {
    if (error instanceof CtxError && error.code === "STORE_LOCKED") return undefined;
    throw error;
  }
}

/** What cannot be read would be built again and again. */
function refuseUnreadable(store: Store): void {
  const path = store.findUnreadable();
  if (path === undefined) return;
  throw new CtxError("DENIED", `Cannot read "${path}"`, {
    hint: "move it away or make it readable, then run: ctx reindex",
  });
}

async function update(
  store: Store,
  options: CatchUpOptions,
  held?: StoreLock,
): Promise<Outcome> {
  const { full = false } = options;
  const found = readManifest(store.files, store.layout);
  const { embedder, from } = planVectors(startFrom(found, options), options);
  using draft = new IndexDraft(store, full ? { model: from.model, records: [] } : from);
  let replaces = found.text;
  const publish = async (): Promise<boolean> => {
    draft.resolve();
    using lock = await findLock(store, options);
    // Whoever holds it for long is waited for at the end.
    if (lock === undefined) return true;
    const saved = draft.save(lock, { replaces });
    replaces = readManifest(store.files, store.layout).text;
    return saved;
  };
  const sealed = await sealTails(store, draft, { ...options, embedder, publish });
  if (sealed === undefined) return "lost";
  draft.resolve();
  const merged = await draft.merge({
    maxRows: options.maxMergeRows ?? Infinity,
    purge: options.purge ?? false,
    later: options.mergesLater,
    signal: options.signal,
  });
  options.signal?.throwIfAborted();
  using taken = held ? undefined : await findLock(store, options);
  const lock = held ?? taken;
  if (lock === undefined) return "locked";
  if (!draft.save(lock, options.insist ? undefined : { replaces })) return "lost";
  return {
    sealed_rows: sealed,
    merged_segments: merged,
    segments: draft.segments,
    rows: draft.rows,
    busy: false,
  };
}

/**
 * Seals the rows after what is covered, about `maxRows` of them; returns how many, or undefined when
 * they could not be shown to readers: another process changed the index or log meanwhile.
 */
async function sealTails(
  store: Store,
  draft: IndexDraft,
  options: CatchUpOptions & { publish: () => Promise<boolean> },
): Promise<number | undefined> {
  const { maxRows = Infinity } = options;
  const total = pools.reduce((sum, pool) => sum + sizeOf(store, pool), 0);
  const isWhole = maxRows === Infinity && !options.more && !options.publishes;
  const size = isWhole ? wholeSize : { ...stepSize, rows: Math.min(stepSize.rows, maxRows) };
  const progress = (bytes: number): void =>
    options.progress?.(pools.reduce((sum, name) => sum + draft.covered()[name], bytes), total);
  let sealed = 0;
  for (const pool of pools) {
    const covered = draft.covered()[pool];
    const more = pool === "hot" ? options.more : undefined;
    for await (
      const chunk of readTail(store, pool, { ...options, covered, size, more, progress })
    ) {
      const { builder, isFull, ...range } = chunk;
      draft.seal(builder, range);
      sealed += builder.rows;
      if (isFull && (more || options.publishes) && !await options.publish()) return undefined;
      progress(0);
      if (sealed >= maxRows) break;
    }
  }
  return sealed;
}

interface Start {
  records: SegmentRecord[];
  model?: VectorModel;
}

function startFrom(read: ManifestReading, options: CatchUpOptions): Start {
  if ("manifest" in read) return { records: read.manifest.segments, model: read.manifest.model };
  if (read.fault === "older") {
    options.warn?.("the index was written by an older version of ctx; rebuilding it");
  } else if (read.fault !== "missing") {
    options.warn?.(`the index was rebuilt (its manifest was ${read.fault})`);
  }
  return { records: [] };
}

/** Vectors of another model are dropped; those of this one are followed. */
function planVectors(
  start: Start,
  options: CatchUpOptions,
): { embedder?: Embedder; from: Start } {
  const { embedder, dropVectors = false } = options;
  if (embedder === undefined && !dropVectors) return { from: start };
  if (embedder && start.model?.fingerprint === embedder.fingerprint) {
    return { embedder, from: start };
  }
  const records = start.records.map(({ vectors: _vectors, ...record }) => record);
  if (embedder === undefined) return { from: { records } };
  const { name, fingerprint, dimensions } = embedder;
  return { embedder, from: { records, model: { name, fingerprint, dimensions } } };
}

/** Rows for one segment. The builder is used again for the next one. */
interface Chunk {
  builder: SegmentBuilder;
  from: number;
  to: number;
  vectors?: VectorBlock;
  /** Whether it has all rows that it can have. */
  isFull: boolean;
}

/** The rows after what is covered, in chunks of a segment's size. */
async function* readTail(
  store: Store,
  pool: Pool,
  options: Pick<CatchUpOptions, "embedder" | "more" | "signal"> & {
    covered: number;
    size: typeof stepSize;
    /** Told now and then how many bytes were read of the chunk at hand. */
    progress: (bytes: number) => void;
  },
): AsyncGenerator<Chunk> {
  const { covered, size, embedder, signal, more, progress } = options;
  const builder = new SegmentBuilder(pool);
  const collector = embedder && new VectorCollector(embedder);
  let from = covered;
  let to = covered;
  let last: Row | undefined;
  do {
    for (const row of store.rows({ pools: [pool], from: { [pool]: to }, lines: true })) {
      const isNewLine = row.offset !== last?.offset;
      if (
        isNewLine &&
        (builder.rows >= size.rows || to - from >= size.bytes || builder.terms >= size.terms)
      ) {
        yield { builder, from, to, vectors: await collector?.finish(), isFull: true };
        builder.clear();
        from = to;
      }
      // After a full segment was handed over: what is stopped here keeps it.
      if (isBreathDue()) await breathe(signal);
      builder.add(row);
      // Its words were just read, and most rows need no second look for their pieces.
      if (collector?.addMet(met) === false) collector.add(embeddableText(row.entry));
      if (collector?.isDue) await collector.embed();
      last = row;
      to = row.offset + row.length + 1;
      if (builder.rows % stepSize.rows === 0) progress(to - from);
    }
  } while (await more?.());
  if (to > from) yield { builder, from, to, vectors: await collector?.finish(), isFull: false };
}

function sizeOf(store: Store, pool: Pool): number {
  return findLogSize(store.files, store.layout, pool);
}

function nothing(busy: boolean): CatchUpReport {
  return { sealed_rows: 0, merged_segments: 0, segments: 0, rows: 0, busy };
}
