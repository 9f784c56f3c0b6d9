// The vectors of an open index: those of sealed segments from their files, and those of rows that are
// not sealed yet, made on the spot. Loaded when a search compares vectors.

import { openIndexFile } from "./sealed.ts";
import type { LogReader } from "./log_reader.ts";
import type { FileFacts } from "./manifest.ts";
import { type Corpus, locate } from "./segment/corpus.ts";
import type { Segment } from "./segment/segment.ts";
import type { Store } from "../store/store.ts";
import { Cosines } from "./vectors/cosines.ts";
import { embeddableText, type Embedder } from "./vectors/embedder.ts";
import { sketchMargin, toSketchQuery } from "./vectors/sketch.ts";
import { TailVectors } from "./vectors/tail_vectors.ts";
import { VectorColumn } from "./vectors/vector_column.ts";
import { quantize } from "./vectors/vector_format.ts";
import { mostSketched } from "./vectors/vector_kernel.ts";

/** Of a tail with more rows, none are compared: its entries are found by words until it is sealed. */
const embeddedTailRows = 2048;

/** Where the vectors of an index come from. */
export interface VectorSource {
  store: Store;
  log: LogReader;
  /** The vector file of a sealed segment, if it has one. */
  fileOf: (segment: Segment) => FileFacts | undefined;
}

/** Vectors by segment; dispose of them to close their files. */
export class IndexVectors implements Disposable {
  /** How many numbers a vector of the tail has. */
  dimensions = 0;
  readonly #source: VectorSource;
  readonly #columns = new Map<Segment, VectorColumn>();
  /** Vectors of tails, which are kept while they are the same. */
  readonly #tailVectors = new WeakMap<Segment, TailVectors>();

  constructor(source: VectorSource) {
    this.#source = source;
  }

  /** Gives the rows of a corpus that are not sealed their vectors, if that is cheap. */
  async embedTail(corpus: Corpus, embedder: Embedder): Promise<void> {
    const { log } = this.#source;
    this.dimensions = embedder.dimensions;
    for (const segment of corpus.segments) {
      if (!embedder.isLocal || segment.rows > embeddedTailRows) continue;
      if (this.#tailVectors.has(segment) || this.#column(segment)) continue;
      const rows = Array.from({ length: segment.rows }, (_, row) => log.read(segment, row));
      const vectors = await embedder.embed(rows.map(embeddableText));
      this.#tailVectors.set(segment, new TailVectors(vectors, embedder.dimensions));
    }
  }

  /** See `SearchIndex.compare`. */
  compare(corpus: Corpus, vector: Float32Array, options: { exactUpTo: number }): Cosines {
    const query = quantize(vector);
    const values = new Float32Array(corpus.size);
    const parts = corpus.segments.map((segment) =>
      this.#column(segment) ?? this.#tailVectors.get(segment)
    );
    const stride = query.values.length;
    if (corpus.entries <= options.exactUpTo || stride > mostSketched) {
      parts.forEach((part, i) => part?.compare(query, values, corpus.bases[i]));
      return new Cosines(values);
    }
    const sketch = toSketchQuery(query.values);
    parts.forEach((part, i) => part?.estimate(sketch, values, corpus.bases[i]));
    const compareRows = (rows: Uint32Array): Float32Array => {
      const found = new Float32Array(rows.length);
      for (let from = 0; from < rows.length;) {
        const { segment, segmentNumber, row } = locate(corpus, rows[from]);
        const base = rows[from] - row;
        let to = from;
        while (to < rows.length && rows[to] < base + segment.rows) to++;
        const own = rows.slice(from, to).map((global) => global - base);
        found.set(parts[segmentNumber]?.compareRows(query, own) ?? [], from);
        from = to;
      }
      return found;
    };
    return new Cosines(values, { margin: sketchMargin(stride), compareRows });
  }

  [Symbol.dispose](): void {
    for (const column of this.#columns.values()) column[Symbol.dispose]();
  }

  #column(segment: Segment): VectorColumn | undefined {
    let column = this.#columns.get(segment);
    if (column === undefined) {
      const facts = this.#source.fileOf(segment);
      if (facts === undefined) return undefined;
      column = new VectorColumn(openIndexFile(this.#source.store, facts), segment.rows);
      this.#columns.set(segment, column);
    }
    return column;
  }
}
