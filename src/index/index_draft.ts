// The index while it is being brought up to date: the segments of the manifest and new ones, held
// in memory where they change. Nothing is seen by readers before `save`.

import { type Pool, pools } from "../core/entry.ts";
import { concat } from "../core/utf8.ts";
import type { StoreLock } from "../disk/lock.ts";
import { edgesOf } from "../store/log_files.ts";
import { readCounts } from "../store/state.ts";
import type { Store } from "../store/store.ts";
import { writeIndexFile } from "./index_file_writer.ts";
import { inLogOrder, liveTotals } from "./segment/corpus.ts";
import { factsInLogOrder, resolveLiveness, type SegmentFacts } from "./liveness.ts";
import { LogReader } from "./log_reader.ts";
import {
  coveredBytes,
  type FileFacts,
  fromGaps,
  isComplete,
  makeManifest,
  type ManifestReading,
  namesOf,
  readManifest,
  type SegmentRecord,
  toGaps,
  type VectorModel,
  writeManifest,
} from "./manifest.ts";
import { mergeSegments } from "./segment/merge.ts";
import { findDueRun, mostSegments } from "./segment/merge_policy.ts";
import { openIndexFile, openSealed, soundSegments } from "./sealed.ts";
import { Segment } from "./segment/segment.ts";
import type { SegmentBuilder } from "./segment/segment_builder.ts";
import { encodeMerged, type VectorInput } from "./vectors/vector_block.ts";
import { VectorColumn } from "./vectors/vector_column.ts";
import { encodeVectors, type VectorBlock } from "./vectors/vector_format.ts";

type Place = Pick<SegmentRecord, "pool" | "from" | "to">;

/** A segment of the draft; `bytes` when it is not on disk yet. */
interface Piece extends SegmentFacts, Place {
  edges: number;
  purged: boolean;
  file?: FileFacts;
  vectorFile?: FileFacts;
  bytes?: Uint8Array;
  vectors?: VectorBlock;
}

/** Larger segments and vectors are written at once: there may be hundreds before the end. */
const heldBytes = 1 << 17;

/** An index being changed. Dispose of it to close its files. */
export class IndexDraft implements Disposable {
  readonly #store: Store;
  readonly #log: LogReader;
  #model?: VectorModel;
  /** The segments of the manifest that this is to replace, but for their vectors. */
  #known: string;
  readonly #written = new Set<string>();
  #pieces: Piece[] = [];

  /** Takes over the segments whose log is unchanged; throws IndexDamage when one is damaged. */
  constructor(store: Store, from: { records: readonly SegmentRecord[]; model?: VectorModel }) {
    const { records, model } = from;
    this.#store = store;
    this.#model = model;
    this.#known = withoutVectors(records);
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
        live: record.live,
        pool: record.pool,
        from: record.from,
        to: record.to,
        edges: record.edges,
        purged: record.purged,
        file: { name: record.name, bytes: record.bytes, checksum: record.checksum },
        ...(record.vectors === undefined ? {} : { vectorFile: record.vectors }),
      });
    }
  }

  get segments(): number {
    return this.#pieces.length;
  }

  get rows(): number {
    return this.#pieces.reduce((sum, { segment }) => sum + segment.rows, 0);
  }

  covered(): Record<Pool, number> {
    return coveredBytes(this.#pieces);
  }

  seal(
    builder: SegmentBuilder,
    range: { from: number; to: number; vectors?: VectorBlock },
  ): void {
    const place = { pool: builder.pool, from: range.from, to: range.to };
    const piece: Piece = {
      ...this.#hold(builder.finishParts(), place),
      ...place,
      fresh: true,
      edges: edgesOf(this.#log, place),
      purged: false,
      vectors: range.vectors,
    };
    this.#pieces.push(piece);
    if (piece.bytes === undefined || (piece.vectors?.values.length ?? 0) > heldBytes) {
      this.#flush(piece);
    }
  }

  /** A new segment: in memory while it is small, else in its file. */
  #hold(parts: Uint8Array[], place: Place): Pick<Piece, "segment" | "bytes" | "file"> {
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    if (size <= heldBytes) {
      const bytes = concat(parts);
      return { segment: Segment.fromBytes(bytes), bytes };
    }
    const file = this.#write(parts, place, "seg");
    return { segment: new Segment(openIndexFile(this.#store, file)), file };
  }

  /** Works out which rows count, now that there are new ones. */
  resolve(): void {
    this.#pieces = inLogOrder(this.#pieces);
    const liveness = resolveLiveness(factsInLogOrder(this.#pieces), this.#log);
    this.#pieces.forEach((piece, i) => {
      if (piece.dead?.size !== liveness.dead[i]?.size) piece.live = undefined;
      piece.dead = liveness.dead[i];
      piece.superseded = liveness.superseded[i];
      piece.fresh = false;
    });
  }

  /**
   * Merges what is due, or, to leave that for later, only what is too many for a search; returns how
   * many segments went into others.
   */
  async merge(
    options: { maxRows: number; purge: boolean; later?: boolean; signal?: AbortSignal },
  ): Promise<number> {
    let merged = 0;
    for (const pool of pools) {
      while (true) {
        const own = this.#pieces.filter((piece) => piece.pool === pool);
        const crowded = this.#pieces.length > mostSegments;
        if (options.later && !crowded) break;
        const run = crowded
          ? findDueRun(own, { ...options, maxRows: Infinity, crowded })
          : groupByVectors(own).map((group) => findDueRun(group, options)).find((due) => due);
        if (run === undefined) break;
        await this.#mergeRun(run, options.signal);
        merged += run.length;
      }
    }
    return merged;
  }

  /**
   * Under the store's lock: writes what is not on disk yet, then the manifest, and removes what no
   * manifest names any more. Gives up, and returns false, when another process replaced a log, a
   * file or, unless it is to be replaced whatever it says, the manifest meanwhile; vectors that it
   * added to segments are taken over.
   */
  save(lock: StoreLock, expected?: { replaces: string | undefined }): boolean {
    const { files, layout } = this.#store;
    const now = readManifest(files, layout);
    const isMine = expected === undefined || now.text === expected.replaces || this.#adopt(now);
    const saved = isMine && this.#publish(lock, now);
    this.#removeUnnamed();
    return saved;
  }

  /** Takes over the vectors of a manifest that differs in nothing else. */
  #adopt(now: ManifestReading): boolean {
    if (!("manifest" in now)) return false;
    const { segments, model } = now.manifest;
    if (withoutVectors(segments) !== this.#known) return false;
    if (this.#model !== undefined && model?.fingerprint !== this.#model.fingerprint) return false;
    this.#model = model;
    for (const piece of this.#pieces) {
      const record = segments.find(({ name }) => name === piece.file?.name);
      if (!hasVectors(piece) && record?.vectors) piece.vectorFile = record.vectors;
    }
    return true;
  }

  #publish(lock: StoreLock, old: ManifestReading): boolean {
    const { files, layout } = this.#store;
    for (const piece of this.#pieces) this.#flush(piece);
    const segments = this.#pieces.map((piece) => this.#toRecord(piece));
    if (!this.#isSound(segments) || !isComplete(this.#store, segments)) return false;
    for (const name of namesOf("manifest" in old ? old.manifest.segments : [])) {
      this.#written.add(name);
    }
    const logs = readCounts(files, layout);
    lock.check();
    writeManifest(files, layout, makeManifest(segments, { model: this.#model, logs }));
    this.#known = withoutVectors(segments);
    return true;
  }

  /** Removes files that were written here, or replaced, and that no manifest names. */
  #removeUnnamed(): void {
    if (this.#written.size === 0) return;
    const { files, layout } = this.#store;
    const now = readManifest(files, layout);
    const named = namesOf("manifest" in now ? now.manifest.segments : []);
    for (const name of this.#written) {
      if (!named.has(name)) files.remove(`${layout.index}/${name}`);
    }
    this.#written.clear();
  }

  /** Whether the logs are still those that were read. */
  #isSound(segments: readonly SegmentRecord[]): boolean {
    using log = new LogReader(this.#store);
    return soundSegments(log, segments).length === segments.length;
  }

  [Symbol.dispose](): void {
    this.#removeUnnamed();
    this.#log[Symbol.dispose]();
    for (const { segment } of this.#pieces) segment[Symbol.dispose]();
  }

  async #mergeRun(run: Piece[], signal?: AbortSignal): Promise<void> {
    const inputs = run.map((piece) => ({ segment: this.#resident(piece), dead: piece.dead }));
    const { bytes, rows } = await mergeSegments(inputs, signal);
    const superseded = new Set<number>();
    run.forEach((piece, i) => {
      for (const row of piece.superseded ?? []) superseded.add(rows[i][row]);
    });
    const first = run[0];
    const place = { pool: first.pool, from: first.from, to: run[run.length - 1].to };
    const piece: Piece = {
      ...this.#hold(bytes, place),
      ...place,
      fresh: false,
      superseded,
      edges: edgesOf(this.#log, place),
      purged: run.some(({ purged, dead }) => purged || (dead?.size ?? 0) > 0),
      vectorFile: this.#mergeVectors(run, { rows, place }),
    };
    this.#pieces.splice(this.#pieces.indexOf(first), run.length, piece);
    for (const { segment } of run) segment[Symbol.dispose]();
  }

  /** The merged vectors' file; undefined when a piece has none. */
  #mergeVectors(
    run: Piece[],
    target: { rows: Int32Array[]; place: Place },
  ): FileFacts | undefined {
    using columns = new DisposableStack();
    const inputs: VectorInput[] = [];
    for (const [i, { segment, vectors, vectorFile }] of run.entries()) {
      const rows = target.rows[i];
      if (vectors !== undefined) inputs.push({ vectors, rows });
      else if (vectorFile !== undefined) {
        const column = new VectorColumn(openIndexFile(this.#store, vectorFile), segment.rows);
        inputs.push({ vectors: columns.use(column), rows });
      } else return undefined;
    }
    return this.#write(encodeMerged(inputs), target.place, "vec");
  }

  /** A piece's segment with all its bytes in memory: merging reads every one of them. */
  #resident(piece: Piece): Segment {
    if (piece.bytes !== undefined) return piece.segment;
    return openSealed(this.#store, this.#toRecord(piece), { resident: true });
  }

  #flush(piece: Piece): void {
    const { bytes, vectors } = piece;
    if (bytes !== undefined) piece.file = this.#write([bytes], piece, "seg");
    if (vectors !== undefined) {
      const parts = encodeVectors({ ...vectors, values: [vectors.values] });
      piece.vectorFile = this.#write(parts, piece, "vec");
    }
    piece.vectors = undefined;
    piece.bytes = undefined;
  }

  #write(parts: Iterable<Uint8Array>, place: Place, suffix: string): FileFacts {
    const prefix = `${place.pool}-${place.from}-${place.to}`;
    const facts = writeIndexFile(this.#store, parts, { prefix, suffix });
    this.#written.add(facts.name);
    return facts;
  }

  #toRecord(piece: Piece): SegmentRecord {
    const { pool, from, to, edges, purged, segment, file, vectorFile } = piece;
    if (file === undefined) throw new Error("A piece was not written before it was recorded");
    return {
      ...file,
      ...(vectorFile === undefined || this.#model === undefined ? {} : { vectors: vectorFile }),
      pool,
      from,
      to,
      rows: segment.rows,
      edges,
      purged,
      dead: toGaps(piece.dead ?? []),
      superseded: toGaps(piece.superseded ?? []),
      ...liveOf(piece),
    };
  }
}

/** The sums over a piece's rows that are not dead: without them each search adds them up. */
function liveOf(piece: Piece): Pick<SegmentRecord, "live"> {
  if ((piece.dead?.size ?? 0) === 0) return {};
  const live = piece.live ??= liveTotals(piece.segment, piece.dead);
  return live.entries === 0 ? {} : { live };
}

function hasVectors({ vectors, vectorFile }: Piece): boolean {
  return vectors !== undefined || vectorFile !== undefined;
}

function withoutVectors(segments: readonly SegmentRecord[]): string {
  return JSON.stringify(segments.map(({ vectors: _, ...record }) => record));
}

/** Neighbours that all have vectors or all have none: merged with those, vectors would be lost. */
function groupByVectors(pieces: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = [];
  for (const piece of pieces) {
    const group = groups.at(-1);
    if (group && hasVectors(group[0]) === hasVectors(piece)) group.push(piece);
    else groups.push([piece]);
  }
  return groups;
}
