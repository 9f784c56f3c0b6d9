// The embedder inside the product: a static table of 30,522 word pieces, summed by weight. No
// network, no model runtime. A query reads a few rows of the table; indexing reads it whole.
// The steps are those of assets/embed/model.json and must give its test vectors.

import { CtxError } from "../../core/errors.ts";
import { fromFileUrl } from "../../core/platform_path.ts";
import { hashHex } from "../../core/hash.ts";
import { diskFiles, type FileReader } from "../../disk/files.ts";
import type { Embedder } from "./embedder.ts";
import { type FindPiece, indexPieces, searchPieces } from "../text/piece_lines.ts";
import { findTable, maxPieces, type VectorTable } from "./vector_table.ts";
import type { MetRuns } from "../text/tokenize.ts";
import { WordPieces } from "../text/word_pieces.ts";

// As functions: the first URL of a process takes a quarter of a millisecond, also where nothing is embedded.
const table = () => new URL("../../../assets/embed/ctx-embed-256.bin", import.meta.url);
const vocabulary = () => new URL("../../../assets/embed/pieces.txt", import.meta.url);

/** What must be shipped with the table: its card, and the sources it was trained on. */
export const modelNotices = (): readonly URL[] => [
  new URL("../../../assets/embed/CARD.md", import.meta.url),
  new URL("../../../assets/embed/sources.tsv", import.meta.url),
  new URL("../../../assets/embed/model.json", import.meta.url),
];

/** Opens the local embedder; `whole` reads the table at once, for embedding many texts. */
export function openLocalEmbedder(options: { whole: boolean }): LocalEmbedder {
  const embedder = findLocalEmbedder(options);
  if (embedder) return embedder;
  throw new CtxError(
    "PROVIDER_MISSING",
    `Cannot find the local embedder's "${fromFileUrl(table())}"`,
    {
      hint: "install ctx again, or: ctx config set embedder.kind none",
    },
  );
}

/** The local embedder, or undefined when its files were not installed. */
export function findLocalEmbedder(options: { whole: boolean }): LocalEmbedder | undefined {
  const pieces = findPieces(options.whole);
  const rows = pieces && findTable(fromFileUrl(table()), options.whole);
  return rows && new LocalEmbedder(rows, new WordPieces(pieces));
}

export interface Vocabulary {
  has(word: string): boolean;
}

/** Reads them; undefined when the embedder's files were not installed. */
export function findVocabulary(): Vocabulary | undefined {
  const find = findPieces(false);
  return find && { has: (word) => find(word) !== undefined };
}

/** The file is read once: a search that embeds its query may look at the spelling, too. */
let searched: FindPiece | undefined;

function findPieces(whole: boolean): FindPiece | undefined {
  if (!whole && searched !== undefined) return searched;
  using file = diskFiles.openReader(fromFileUrl(vocabulary()));
  if (file === undefined) return undefined;
  return whole ? readPieces(file) : searched = searchPieces(file);
}

function readPieces(file: FileReader): FindPiece {
  const bytes = new Uint8Array(file.size);
  file.readAt(0, bytes);
  return indexPieces(new TextDecoder().decode(bytes));
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
  /** The pieces of the text at hand, each once, and what they weigh. */
  readonly #ids = new Uint16Array(maxPieces);
  #distinct = 0;
  readonly #weights = new Float64Array(maxPieces);

  /** What a piece weighs that is so often in a text; 0 where that was never asked. */
  readonly #weightOf = new Float64Array(maxPieces + 1);

  constructor(table: VectorTable, pieces: WordPieces) {
    this.#table = table;
    this.#pieces = pieces;
    this.#counts = new Uint16Array(table.rows);
    this.dimensions = table.dimensions;
    // "f32": sums were once of double precision, and differ in the last bit.
    this.fingerprint = hashHex(
      `f32:${table.rows}:${table.dimensions}:${table.exponent}:${table.mark}`,
    );
  }

  embed(texts: readonly string[]): Promise<Float32Array[]> {
    return Promise.resolve(texts.map((text) => this.embedText(text)));
  }

  /** One vector, at once. */
  embedText(text: string): Float32Array {
    const vector = new Float32Array(this.dimensions);
    this.embedInto(text, vector);
    return vector;
  }

  embedInto(text: string, vector: Float32Array): void {
    this.#pieces.forEachId(text, this.#begin());
    this.#addUp(vector);
  }

  embedMet(runs: MetRuns, vector: Float32Array): boolean {
    const distinct = this.#pieces.countMet(runs, { counts: this.#counts, ids: this.#ids });
    if (distinct === undefined) return false;
    this.#distinct = distinct;
    this.#addUp(vector);
    return true;
  }

  /** What counts the pieces of a text, until there are enough. */
  #begin(): (id: number) => boolean {
    const counts = this.#counts;
    const ids = this.#ids;
    let left = maxPieces;
    this.#distinct = 0;
    return (id) => {
      if (counts[id]++ === 0) ids[this.#distinct++] = id;
      return --left > 0;
    };
  }

  #addUp(vector: Float32Array): void {
    const counts = this.#counts;
    const ids = this.#ids;
    for (let i = 0; i < this.#distinct; i++) {
      const count = counts[ids[i]];
      counts[ids[i]] = 0;
      this.#weights[i] = this.#weightOf[count] ||= count ** this.#table.exponent;
    }
    toUnit(this.#table.addUp(ids, this.#weights, this.#distinct), vector);
  }
}

/** Zeros stay zeros. */
function toUnit(sum: Float32Array, unit: Float32Array): void {
  let square = 0;
  for (let i = 0; i < sum.length; i++) square += sum[i] * sum[i];
  const norm = square === 0 ? 1 : Math.sqrt(square);
  for (let i = 0; i < sum.length; i++) unit[i] = sum[i] / norm;
}
