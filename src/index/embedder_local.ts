// The embedder inside the product: a static table of 30,522 word pieces, summed by weight. No
// network, no model runtime. A query reads a few rows of the table; indexing reads it whole.
// The steps are those of assets/embed/model.json and must give its test vectors.

import { CtxError } from "../core/errors.ts";
import { hashHex } from "../core/hash.ts";
import { diskFiles } from "../store/files.ts";
import type { Embedder } from "./embedder.ts";
import { openTable, type VectorTable } from "./vector_table.ts";
import { WordPieces } from "./word_pieces.ts";

const maxPieces = 512;

const table = new URL("../../assets/embed/ctx-embed-256.bin", import.meta.url);
const vocabulary = new URL("../../assets/embed/vocab.txt", import.meta.url);

/** What must be shipped with the table: its card, and the sources it was trained on. */
export const modelNotices: readonly URL[] = [
  new URL("../../assets/embed/CARD.md", import.meta.url),
  new URL("../../assets/embed/sources.tsv", import.meta.url),
  new URL("../../assets/embed/model.json", import.meta.url),
];

/** Opens the local embedder; `whole` reads the table at once, for embedding many texts. */
export function openLocalEmbedder(options: { whole: boolean }): LocalEmbedder {
  const embedder = findLocalEmbedder(options);
  if (embedder) return embedder;
  throw new CtxError("PROVIDER_MISSING", `Cannot find the local embedder's "${toPath(table)}"`, {
    hint: "install ctx again, or: ctx config set embedder.kind none",
  });
}

/** The local embedder, or undefined when its files were not installed. */
export function findLocalEmbedder(options: { whole: boolean }): LocalEmbedder | undefined {
  const words = diskFiles.findBytes(toPath(vocabulary));
  if (words === undefined || diskFiles.findSize(toPath(table)) === undefined) return undefined;
  const rows = openTable(toPath(table), options.whole);
  const pieces = new WordPieces(new TextDecoder().decode(words), { indexed: options.whole });
  return new LocalEmbedder(rows, pieces);
}

function toPath(url: URL): string {
  return decodeURIComponent(url.pathname);
}

/** Embeds by adding up rows of a table. */
export class LocalEmbedder implements Embedder {
  readonly name = "local";
  readonly isLocal = true;
  readonly dimensions: number;
  readonly fingerprint: string;
  readonly #table: VectorTable;
  readonly #pieces: WordPieces;
  /** How often each piece is in the text at hand; all zero in between. */
  readonly #counts: Uint16Array;
  readonly #sum: Float64Array;

  constructor(table: VectorTable, pieces: WordPieces) {
    this.#table = table;
    this.#pieces = pieces;
    this.#counts = new Uint16Array(table.rows);
    this.#sum = new Float64Array(table.dimensions);
    this.dimensions = table.dimensions;
    this.fingerprint = hashHex(`${table.rows}:${table.dimensions}:${table.exponent}:${table.mark}`);
  }

  embed(texts: readonly string[]): Promise<Float32Array[]> {
    // One buffer for all: a million small ones are slow to get and slow to be rid of.
    const all = new Float32Array(texts.length * this.dimensions);
    return Promise.resolve(texts.map((text, i) => {
      const from = i * this.dimensions;
      return this.#embedInto(text, all.subarray(from, from + this.dimensions));
    }));
  }

  /** One vector, at once. */
  embedText(text: string): Float32Array {
    return this.#embedInto(text, new Float32Array(this.dimensions));
  }

  #embedInto(text: string, unit: Float32Array): Float32Array {
    const ids = this.#pieces.idsOf(text, maxPieces);
    const counts = this.#counts;
    const sum = this.#sum.fill(0);
    for (const id of ids) counts[id]++;
    for (const id of ids) {
      const count = counts[id];
      if (count === 0) continue;
      counts[id] = 0;
      this.#table.addRow(id, count === 1 ? 1 : count ** this.#table.exponent, sum);
    }
    return toUnit(sum, unit);
  }
}

function toUnit(sum: Float64Array, unit: Float32Array): Float32Array {
  let square = 0;
  for (let i = 0; i < sum.length; i++) square += sum[i] * sum[i];
  if (square === 0) return unit;
  const norm = Math.sqrt(square);
  for (let i = 0; i < sum.length; i++) unit[i] = sum[i] / norm;
  return unit;
}
