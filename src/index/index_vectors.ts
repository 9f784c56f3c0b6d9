// The vectors of an open index: those of sealed segments from their files, and those of rows that are
// not sealed yet, made on the spot. Loaded when a search compares vectors.

import { openIndexFile } from "./sealed.ts";
import type { LogReader } from "./log_reader.ts";
import type { FileFacts } from "./manifest.ts";
import type { Corpus } from "./segment/corpus.ts";
import type { Segment } from "./segment/segment.ts";
import type { Store } from "../store/store.ts";
import { embeddableText, type Embedder } from "./vectors/embedder.ts";
import { dotOf, VectorColumn } from "./vectors/vector_column.ts";
import { cosine, quantize, type Quantized } from "./vectors/vector_format.ts";

/** Of a tail with more rows, none are compared: its entries are found by words until it is sealed. */
const embeddedTailRows = 2048;

/** Where the vectors of an index come from. */
export interface VectorSource {
  store: Store;
  log: LogReader;
  /** The vector file of a sealed segment, if it has one; a tail has its rows embedded on the spot. */
  fileOf: (segment: Segment) => FileFacts | "tail" | undefined;
}

/** Vectors by segment; dispose of them to close their files. */
export class IndexVectors implements Disposable {
  /** How many numbers a vector of the tail has. */
  dimensions = 0;
  readonly #source: VectorSource;
  readonly #columns = new Map<Segment, VectorColumn>();
  /** Vectors of tails, which are kept while they are the same. */
  readonly #tails = new WeakMap<Segment, Quantized[]>();

  constructor(source: VectorSource) {
    this.#source = source;
  }

  /** Gives the rows of a corpus that are not sealed their vectors, if that is cheap. */
  async embedTail(corpus: Corpus, embedder: Embedder): Promise<void> {
    const { log } = this.#source;
    this.dimensions = embedder.dimensions;
    for (const segment of corpus.segments) {
      if (!embedder.isLocal || segment.rows > embeddedTailRows) continue;
      if (this.#tails.has(segment) || this.#source.fileOf(segment) !== "tail") continue;
      const rows = Array.from({ length: segment.rows }, (_, row) => log.read(segment, row));
      const vectors = await embedder.embed(rows.map(embeddableText));
      this.#tails.set(segment, vectors.map(quantize));
    }
  }

  /** The cosine of every row of a corpus with a query; 0 for rows without a vector. */
  compare(corpus: Corpus, vector: Float32Array): Float32Array {
    const query = quantize(vector);
    const values = new Float32Array(corpus.size);
    corpus.segments.forEach((segment, i) => {
      const base = corpus.bases[i];
      const column = this.#column(segment);
      if (column) return column.compare(query, values, base);
      this.#tails.get(segment)?.forEach((own, row) => {
        values[base + row] = cosine(dotOf(query, own), query.norm, own.norm);
      });
    });
    return values;
  }

  [Symbol.dispose](): void {
    for (const column of this.#columns.values()) column[Symbol.dispose]();
  }

  #column(segment: Segment): VectorColumn | undefined {
    let column = this.#columns.get(segment);
    if (column === undefined) {
      const facts = this.#source.fileOf(segment);
      if (facts === undefined || facts === "tail") return undefined;
      column = new VectorColumn(openIndexFile(this.#source.store, facts), segment.rows);
      this.#columns.set(segment, column);
    }
    return column;
  }
}
