// The embedder inside the product: a static table of 30,522 word pieces, summed by weight. No
// network, no model runtime. A query reads a few rows of the table; indexing reads it whole.
// The steps are those of assets/embed/model.json and must give its test vectors.

import { hashHex } from "../core/hash.ts";
import { diskFiles } from "../store/files.ts";
import type { Embedder } from "./embedder.ts";
import { openTable, type VectorTable } from "./vector_table.ts";
import { WordPieces } from "./word_pieces.ts";

const maxPieces = 512;

/** Where the table is, beside the source or inside the compiled binary. */
export const localModelUrl: URL = new URL("../../assets/embed/", import.meta.url);

/** Opens the local embedder; `whole` reads the table at once, for embedding many texts. */
export function openLocalEmbedder(options: { whole: boolean; directory?: URL }): LocalEmbedder {
  const directory = options.directory ?? localModelUrl;
  const table = openTable(pathOf(directory, "ctx-embed-256.bin"), options.whole);
  const vocabulary = diskFiles.findBytes(pathOf(directory, "vocab.txt")) ?? new Uint8Array(0);
  return new LocalEmbedder(table, new WordPieces(new TextDecoder().decode(vocabulary), table.rows));
}

function pathOf(directory: URL, name: string): string {
  return decodeURIComponent(new URL(name, directory).pathname);
}

/** Embeds by adding up rows of a table. */
export class LocalEmbedder implements Embedder {
  readonly name = "local";
  readonly isLocal = true;
  readonly dimensions: number;
  readonly fingerprint: string;
  readonly #table: VectorTable;
  readonly #pieces: WordPieces;

  constructor(table: VectorTable, pieces: WordPieces) {
    this.#table = table;
    this.#pieces = pieces;
    this.dimensions = table.dimensions;
    this.fingerprint = hashHex(`${table.rows}:${table.dimensions}:${table.exponent}:${table.mark}`);
  }

  embed(texts: readonly string[]): Promise<Float32Array[]> {
    return Promise.resolve(texts.map((text) => this.embedText(text)));
  }

  /** One vector, at once. */
  embedText(text: string): Float32Array {
    const counts = new Map<number, number>();
    for (const id of this.#pieces.idsOf(text, maxPieces)) counts.set(id, (counts.get(id) ?? 0) + 1);
    const sum = new Float64Array(this.dimensions);
    for (const [id, count] of counts) {
      const { scale, values } = this.#table.row(id);
      const weight = scale * count ** this.#table.exponent;
      for (let i = 0; i < sum.length; i++) sum[i] += weight * values[i];
    }
    let square = 0;
    for (const value of sum) square += value * value;
    const norm = Math.sqrt(square);
    return Float32Array.from(sum, (value) => norm === 0 ? 0 : value / norm);
  }
}
