// The index while it is being brought up to date: the segments of the manifest and new ones, held
// in memory where they change. Nothing is seen by readers before `save`.

import { type Pool, pools } from "../core/entry.ts";
import { CtxError } from "../core/errors.ts";
import { type StoreLock, takeLock } from "../store/lock.ts";
import type { Store } from "../store/store.ts";
import { embeddableText, type Embedder } from "./embedder.ts";
import { inLogOrder } from "./corpus.ts";
import { factsInLogOrder, resolveLiveness, type SegmentFacts } from "./liveness.ts";
import { LogReader } from "./log_reader.ts";
import {
  coveredBytes,
  fromGaps,
  makeManifest,
  manifestName,
  readManifest,
  type SegmentRecord,
  toGaps,
  type VectorModel,
  writeManifest,
} from "./manifest.ts";
import { mergeSegments } from "./merge.ts";
import { edgesOf, openIndexFile, openSealed, soundSegments, writeIndexFile } from "./sealed.ts";
import { Segment } from "./segment.ts";
import type { SegmentBuilder } from "./segment_builder.ts";
import { embedTexts, mergeBlocks } from "./vector_block.ts";
import { VectorColumn } from "./vector_column.ts";
import { encodeVectors, type VectorBlock } from "./vector_format.ts";

/** A segment of the draft; `bytes` when it is not on disk yet. */
interface Piece extends SegmentFacts {
  pool: Pool;
  from: number;
  to: number;
  edges: number;
  purged: boolean;
  record?: SegmentRecord;
  bytes?: Uint8Array;
  /** Vectors that are not on disk yet. */
  vectors?: VectorBlock;
}

/** Segments of four similar sizes become one of the next size. */
const mergeFan = 4;
const smallestLevel = 64;
/** Larger segments stay as they are. */
const largestMerge = 262_144;
/** With more segments than this, merge whatever it costs. */
const mostSegments = 40;

/** An index being changed. Dispose of it to close its files. */
export class IndexDraft implements Disposable {
  readonly #store: Store;
  readonly #log: LogReader;
  readonly #model?: VectorModel;
  #pieces: Piece[] = [];

  /** Takes over the segments whose log is unchanged; throws IndexDamage when one is damaged. */
  constructor(store: Store, from: { records: readonly SegmentRecord[]; model?: VectorModel }) {
    const { records, model } = from;
    this.#store = store;
    this.#model = model;
    this.#log = new LogReader(store);
    // Opened before any row is read: if a log is replaced meanwhile, the edges will not fit.
    for (const pool of pools) this.#log.readBytes(pool, 0, 1);
    const sound = soundSegments(this.#log, records);
    for (const record of sound) {
      this.#pieces.push({
        segment: openSealed(store, record, { resident: false }),
        fresh: sound.length < records.length,
        dead: fromGaps(record.dead),
        superseded: fromGaps(record.superseded),
        pool: record.pool,
        from: record.from,
        to: record.to,
        edges: record.edges,
        purged: record.purged,
        record,
      });
    }
  }

  get segments(): number {
    return this.#pieces.length;
  }

  get rows(): number {
    return this.#pieces.reduce((sum, { segment }) => sum + segment.rows, 0);
  }

  /** How far each log is covered. */
  covered(): Record<Pool, number> {
    return coveredBytes(this.#pieces);
  }

  /** Adds a segment over the next range of its log. */
  seal(
    builder: SegmentBuilder,
    range: { from: number; to: number; vectors?: VectorBlock },
  ): void {
    const bytes = builder.finish();
    const { pool } = builder;
    this.#pieces.push({
      segment: Segment.fromBytes(bytes),
      fresh: true,
      pool,
      ...range,
      edges: edgesOf(this.#log, { pool, ...range }),
      purged: false,
      bytes,
    });
  }

  /** Gives vectors to the segments that have none. */
  async addVectors(embedder: Embedder, progress?: (rows: number) => void): Promise<void> {
    let done = 0;
    for (const piece of this.#pieces) {
      if (piece.vectors === undefined && piece.record?.vectors === undefined) {
        const texts: string[] = [];
        for (let row = 0; row < piece.segment.rows; row++) {
          texts.push(embeddableText(this.#log.read(piece.segment, row)));
        }
        piece.vectors = await embedTexts(embedder, texts);
      }
      done += piece.segment.rows;
      progress?.(done);
    }
  }

  /** Works out which rows count, now that there are new ones. */
  resolve(): void {
    this.#pieces = inLogOrder(this.#pieces);
    const liveness = resolveLiveness(factsInLogOrder(this.#pieces), this.#log);
    this.#pieces.forEach((piece, i) => {
      piece.dead = liveness.dead[i];
      piece.superseded = liveness.superseded[i];
      piece.fresh = false;
    });
  }

  /** Merges what is due; returns how many segments went into others. */
  merge(options: { maxRows: number; purge: boolean }): number {
    let merged = 0;
    for (const pool of pools) {
      while (true) {
        const run = this.#dueRun(pool, options);
        if (run === undefined) break;
        this.#mergeRun(run);
        merged += run.length;
      }
    }
    return merged;
  }

  /**
   * Writes new files, then, under the store's lock, the manifest, and removes what it no longer
   * names. Gives up, and returns false, when another process replaced the manifest or a log meanwhile.
   */
  async save(options: { replaces: string | undefined; lockTimeoutMs: number }): Promise<boolean> {
    const { files, layout } = this.#store;
    const segments = this.#pieces.map((piece) => this.#toRecord(piece));
    using _lock = await this.#findLock(options.lockTimeoutMs);
    const isMine = _lock !== undefined &&
      readManifest(files, layout).text === options.replaces && this.#isSound(segments);
    if (isMine) writeManifest(files, layout, makeManifest(segments, this.#model));
    if (_lock !== undefined) removeLoose(this.#store);
    return isMine;
  }

  /** Whether the logs are still those that were read. */
  #isSound(segments: readonly SegmentRecord[]): boolean {
    using log = new LogReader(this.#store);
    return soundSegments(log, segments).length === segments.length;
  }

  async #findLock(timeoutMs: number): Promise<StoreLock | undefined> {
    const holder = { pid: Deno.pid, command: "index", since: new Date().toISOString() };
    try {
      return await takeLock(this.#store.layout.lock, { holder, timeoutMs });
    } catch (error) {
      if (error instanceof CtxError && error.code === "STORE_LOCKED") return undefined;
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#log[Symbol.dispose]();
    for (const { segment } of this.#pieces) segment[Symbol.dispose]();
  }

  /** Neighbours of a pool that should become one, or one that must lose its dead rows. */
  #dueRun(pool: Pool, options: { maxRows: number; purge: boolean }): Piece[] | undefined {
    const own = this.#pieces.filter((piece) => piece.pool === pool);
    const dirty = options.purge
      ? own.find((piece) => piece.dead !== undefined && piece.dead.size > 0)
      : undefined;
    if (dirty) return [dirty];
    const crowded = this.#pieces.length > mostSegments;
    const maxRows = crowded ? largestMerge : Math.min(options.maxRows, largestMerge);
    const levels = [...new Set(own.map(levelOf))].sort((a, b) => a - b);
    for (const level of levels) {
      const run = findRun(own, { level, maxRows });
      if (run) return run;
    }
    return undefined;
  }

  #mergeRun(run: Piece[]): void {
    const inputs = run.map((piece) => ({ segment: this.#resident(piece), dead: piece.dead }));
    const { bytes, rows } = mergeSegments(inputs);
    const blocks = run.map((piece) => this.#readVectors(piece));
    const vectors = blocks.every((block) => block !== undefined)
      ? mergeBlocks(blocks, rows)
      : undefined;
    const superseded = new Set<number>();
    run.forEach((piece, i) => {
      for (const row of piece.superseded ?? []) superseded.add(rows[i][row]);
    });
    const first = run[0];
    const last = run[run.length - 1];
    const range = { pool: first.pool, from: first.from, to: last.to };
    const piece: Piece = {
      ...range,
      segment: Segment.fromBytes(bytes),
      fresh: false,
      superseded,
      edges: edgesOf(this.#log, range),
      purged: run.some(({ purged, dead }) => purged || (dead?.size ?? 0) > 0),
      bytes,
      vectors,
    };
    this.#pieces.splice(this.#pieces.indexOf(first), run.length, piece);
    for (const { segment } of run) segment[Symbol.dispose]();
  }

  /** A piece's segment with all its bytes in memory: merging reads every one of them. */
  #resident(piece: Piece): Segment {
    if (piece.record === undefined) return piece.segment;
    return openSealed(this.#store, piece.record, { resident: true });
  }

  #readVectors(piece: Piece): VectorBlock | undefined {
    const facts = piece.record?.vectors;
    if (piece.vectors !== undefined || facts === undefined) return piece.vectors;
    using column = new VectorColumn(openIndexFile(this.#store, facts), piece.segment.rows);
    return column.readAll();
  }

  #toRecord(piece: Piece): SegmentRecord {
    const { pool, from, to, edges, purged, segment } = piece;
    const prefix = `${pool}-${from}-${to}`;
    const file = piece.bytes === undefined && piece.record !== undefined
      ? { name: piece.record.name, bytes: piece.record.bytes, checksum: piece.record.checksum }
      : writeIndexFile(this.#store, piece.bytes ?? new Uint8Array(0), { prefix, suffix: "seg" });
    const vectors = piece.vectors === undefined
      ? piece.record?.vectors
      : writeIndexFile(this.#store, encodeVectors(piece.vectors), { prefix, suffix: "vec" });
    return {
      ...file,
      ...(vectors === undefined || this.#model === undefined ? {} : { vectors }),
      pool,
      from,
      to,
      rows: segment.rows,
      edges,
      purged,
      dead: toGaps(piece.dead ?? []),
      superseded: toGaps(piece.superseded ?? []),
    };
  }
}

/** Removes files of the index that its manifest does not name. The caller holds the store's lock. */
function removeLoose({ files, layout }: Store): void {
  const read = readManifest(files, layout);
  const segments = "manifest" in read ? read.manifest.segments : [];
  const named = new Set(segments.flatMap(({ name, vectors }) => [name, vectors?.name]));
  for (const name of files.list(layout.index)) {
    if (!named.has(name) && name !== manifestName) files.remove(`${layout.index}/${name}`);
  }
}

/** The last run of neighbours up to a level that is long enough to merge. */
function findRun(
  pieces: readonly Piece[],
  limits: { level: number; maxRows: number },
): Piece[] | undefined {
  let run: Piece[] = [];
  let rows = 0;
  for (const piece of pieces.toReversed()) {
    const fits = levelOf(piece) <= limits.level && rows + piece.segment.rows <= limits.maxRows;
    if (fits) {
      run.unshift(piece);
      rows += piece.segment.rows;
      continue;
    }
    if (run.length >= mergeFan) return run;
    run = [];
    rows = 0;
  }
  return run.length >= mergeFan ? run : undefined;
}

/** Sizes within a factor of four are one level. */
function levelOf({ segment }: Piece): number {
  return Math.max(0, Math.floor(Math.log2(segment.rows / smallestLevel) / 2));
}
