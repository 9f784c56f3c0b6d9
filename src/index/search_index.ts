// The index of a store, opened for reading: sealed segments from the manifest and the unindexed
// tail of the logs, put together as a corpus. Readers never lock and never write.

import { type Pool, pools } from "../core/entry.ts";
import { edgesOf } from "../store/log_files.ts";
import type { Store } from "../store/store.ts";
import { IndexDamage } from "../disk/byte_source.ts";
import { type Corpus, locate, makeCorpus, type Replacement } from "./segment/corpus.ts";
import {
  factsInLogOrder,
  findReplacement,
  resolveLiveness,
  type SegmentFacts,
} from "./liveness.ts";
import { LogReader } from "./log_reader.ts";
import {
  coveredBytes,
  type FileFacts,
  fromGaps,
  type ManifestFault,
  readManifest,
  type SegmentRecord,
  type VectorModel,
} from "./manifest.ts";
import { openSealed, soundSegments } from "./sealed.ts";
import type { Segment } from "./segment/segment.ts";
import type { TermFilter } from "./segment/segment_builder.ts";
import type { Embedder } from "./vectors/embedder.ts";
import type { IndexVectors } from "./index_vectors.ts";

export interface IndexOptions {
  warn: (message: string) => void;
}

/** What is covered and what is not. */
export interface IndexLag {
  sealed_rows: number;
  tail_bytes: number;
}

const faultWarnings: Record<ManifestFault, string | undefined> = {
  missing: undefined,
  damaged: "the index manifest is damaged: searched without the index; run: ctx reindex",
  newer: "the index was written by a newer version of ctx: searched without it",
  older: "the index was written by an older version of ctx: searched without it; run: ctx reindex",
};

/** Tails up to this size are indexed whole and kept; of longer ones only the query's terms are. */
const keptTailBytes = 1 << 20;

/** Smaller segments are read at once: one read instead of a dozen, and a store has many of them. */
const residentBytes = 1 << 17;

type BuildTail = (typeof import("./build_tail.ts"))["buildTail"];

/** What indexes a tail, once it is loaded. */
let build: BuildTail | undefined;

/** Gives what indexes a tail, for those that cannot wait until it is loaded. */
export function giveTailBuilder(builder: BuildTail): void {
  build = builder;
}

/** An open index. Made by `openIndex`; dispose of it to close its files. */
export class SearchIndex implements Disposable {
  readonly log: LogReader;
  readonly store: Store;
  readonly #sealed: SegmentFacts[];
  readonly #covered: Record<Pool, number>;
  readonly #text: string;
  readonly #records: SegmentRecord[];
  /** The model of the vectors, when at least half of the sealed rows have one. */
  readonly model?: VectorModel;
  /** Whether only some of the sealed rows have vectors: the others are found by words. */
  readonly isPartlyEmbedded: boolean;
  #vectors?: IndexVectors;
  #tail?: { key: string; corpus: Corpus };
  /** How many searches go on, and whether this is to be closed after the last. */
  #held = 0;
  #isClosing = false;

  constructor(
    store: Store,
    parts: {
      log: LogReader;
      sealed: SegmentFacts[];
      records: SegmentRecord[];
      text: string;
      model?: VectorModel;
    },
  ) {
    this.store = store;
    this.log = parts.log;
    this.#sealed = parts.sealed;
    this.#records = parts.records;
    this.#covered = coveredBytes(parts.records);
    this.#text = parts.text;
    const rowsOf = (records: readonly SegmentRecord[]): number =>
      records.reduce((sum, { rows }) => sum + rows, 0);
    const rows = rowsOf(parts.records);
    const embedded = rowsOf(parts.records.filter(({ vectors }) => vectors !== undefined));
    // With fewer, similar rows would crowd out those that have no vectors yet.
    this.model = embedded > 0 && embedded * 2 >= rows ? parts.model : undefined;
    this.isPartlyEmbedded = embedded > 0 && embedded < rows;
  }

  /** Whether anything is indexed at all. */
  get isEmpty(): boolean {
    return this.#sealed.length === 0;
  }

  /** Whether the manifest and the logs' indexed parts are still what this was opened from. */
  isCurrent(): boolean {
    this.log.reopen();
    const read = readManifest(this.store.files, this.store.layout);
    return (read.text ?? "") === this.#text &&
      this.#records.every((record) => edgesOf(this.log, record) === record.edges);
  }

  /** What the segments cover, and how much of the logs comes after. */
  lag(): IndexLag {
    return {
      sealed_rows: this.#sealed.reduce((sum, { segment }) => sum + segment.rows, 0),
      tail_bytes: this.#tailBytes(this.#sizes()),
    };
  }

  #tailBytes(sizes: Record<Pool, number>): number {
    return pools.reduce((sum, pool) => sum + sizes[pool] - this.#covered[pool], 0);
  }

  /** Loads what indexes the tail, where there is one. To be awaited before `openCorpus`. */
  async load(): Promise<void> {
    if (build !== undefined || this.#tailBytes(this.#sizes()) === 0) return;
    giveTailBuilder((await import("./build_tail.ts")).buildTail);
  }

  /** The corpus as the logs are now; `keep` says which terms of a long tail are wanted. */
  openCorpus(keep: TermFilter): Corpus {
    const sizes = this.#sizes();
    const key = pools.map((pool) =>
      `${sizes[pool]}:${edgesOf(this.log, { pool, from: this.#covered[pool], to: sizes[pool] })}`
    ).join();
    if (this.#tail?.key === key) return this.#tail.corpus;
    const whole = this.#tailBytes(sizes) <= keptTailBytes;
    const behind = pools.filter((pool) => sizes[pool] > this.#covered[pool]);
    const tails = behind.map((pool) =>
      this.#buildTail(pool, { to: sizes[pool], keep: whole ? undefined : keep })
    );
    const fresh = tails.filter((segment) => segment.rows > 0)
      .map((segment) => ({ segment, fresh: true }));
    const corpus = this.#combine(factsInLogOrder([...this.#sealed, ...fresh]));
    if (whole) this.#tail = { key, corpus };
    return corpus;
  }

  /** How many numbers a vector of this index has; 0 while there are none. */
  get dimensions(): number {
    return this.model?.dimensions ?? this.#vectors?.dimensions ?? 0;
  }

  /**
   * Loads what compares vectors, which a search by words does without, and gives the rows of a corpus
   * that are not sealed their vectors, if that is cheap.
   */
  async openVectors(corpus: Corpus, embedder?: Embedder): Promise<void> {
    const { IndexVectors } = await import("./index_vectors.ts");
    const { store, log } = this;
    const fileOf = (segment: Segment): FileFacts | "tail" | undefined => {
      const at = this.#sealed.findIndex((facts) => facts.segment === segment);
      return at < 0 ? "tail" : this.#records[at].vectors;
    };
    this.#vectors ??= new IndexVectors({ store, log, fileOf });
    if (embedder) await this.#vectors.embedTail(corpus, embedder);
  }

  /**
   * The cosine of every row of a corpus of this index with a query; 0 for rows without a vector. The
   * vectors must be open.
   */
  compare(corpus: Corpus, query: Float32Array): Float32Array {
    if (this.#vectors === undefined) throw new Error("Cannot compare vectors: they are not open");
    return this.#vectors.compare(corpus, query);
  }

  /** Keeps the files open while a search goes on: it may wait for an embedder while others reopen. */
  hold(): Disposable {
    this.#held++;
    return {
      [Symbol.dispose]: () => {
        if (--this.#held === 0 && this.#isClosing) this.#close();
      },
    };
  }

  [Symbol.dispose](): void {
    if (this.#held === 0) this.#close();
    else this.#isClosing = true;
  }

  #close(): void {
    this.#vectors?.[Symbol.dispose]();
    this.log[Symbol.dispose]();
    for (const { segment } of this.#sealed) segment[Symbol.dispose]();
  }

  #combine(facts: SegmentFacts[]): Corpus {
    const segments = facts.map(({ segment }) => segment);
    const liveness = resolveLiveness(facts, this.log);
    const known = new Map<number, Replacement | undefined>();
    const corpus: Corpus = makeCorpus(segments, {
      liveness,
      // Rows only ever die: as many dead ones are the same.
      known: facts.map(({ live, dead }, i) =>
        liveness.dead[i]?.size === dead?.size ? live : undefined
      ),
      findReplacement: (global) => {
        if (!known.has(global)) {
          const { segment, row } = locate(corpus, global);
          const { id } = this.log.read(segment, row);
          known.set(global, findReplacement(corpus, { id, log: this.log }));
        }
        return known.get(global);
      },
    });
    return corpus;
  }

  #buildTail(pool: Pool, options: { to: number; keep?: TermFilter }): Segment {
    // Another search of this process saw the log grow: whoever was not ready for that looks again.
    if (build === undefined) throw new IndexDamage(`the ${pool} log has grown`);
    return build(this.log, { pool, from: this.#covered[pool], ...options });
  }

  #sizes(): Record<Pool, number> {
    return {
      archive: this.log.sizeOf("archive"),
      hot: this.log.sizeOf("hot"),
      team: this.log.sizeOf("team"),
    };
  }
}

/** Opens the index of a store. An unusable one is as good as none: everything is tail. */
export function openIndex(store: Store, options: IndexOptions): SearchIndex {
  for (let attempt = 0; attempt < 3; attempt++) {
    const read = readManifest(store.files, store.layout);
    if ("fault" in read) {
      const warning = faultWarnings[read.fault];
      if (warning) options.warn(warning);
      return openWithoutIndex(store, read.text);
    }
    const log = new LogReader(store);
    const records = soundSegments(log, read.manifest.segments);
    const rewritten = records.length < read.manifest.segments.length;
    if (rewritten) {
      options.warn(
        "the log was rewritten since it was indexed: ctx reindex makes search fast again",
      );
    }
    const sealed: SegmentFacts[] = [];
    const rowsInAll = records.reduce((sum, { rows }) => sum + rows, 0);
    try {
      for (const record of records) {
        sealed.push({
          segment: openSealed(store, record, {
            resident: record.bytes <= residentBytes,
            rowsInAll,
          }),
          fresh: rewritten,
          dead: fromGaps(record.dead),
          superseded: fromGaps(record.superseded),
          live: record.live,
        });
      }
      const { model } = read.manifest;
      return new SearchIndex(store, { log, sealed, records, text: read.text, model });
    } catch (error) {
      log[Symbol.dispose]();
      for (const { segment } of sealed) segment[Symbol.dispose]();
      if (!(error instanceof IndexDamage)) throw error;
      // A merge may have replaced the files since the manifest was read: read it again.
      if (attempt === 2) {
        options.warn(`the index is damaged (${error.message}): searched without it`);
      }
    }
  }
  return openWithoutIndex(store);
}

/** An index of nothing: every search reads the logs. */
export function openWithoutIndex(store: Store, text = ""): SearchIndex {
  return new SearchIndex(store, { log: new LogReader(store), sealed: [], records: [], text });
}
