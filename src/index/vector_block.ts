// Making and merging blocks of quantized vectors.

import type { Pacer } from "../core/pacer.ts";
import type { Embedder } from "./embedder.ts";
import {
  type FileBlock,
  makeFileBlock,
  quantizeInto,
  strideOf,
  type VectorBlock,
} from "./vector_format.ts";

const batchTexts = 256;

/** Embeds texts in batches. An empty text gives zeros without asking. */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  pacer: Pacer,
): Promise<FileBlock> {
  const block = makeFileBlock(embedder.dimensions, texts.length);
  const stride = strideOf(embedder.dimensions);
  for (let from = 0; from < texts.length; from += batchTexts) {
    if (pacer.isDue) await pacer.rest();
    const rows = texts.slice(from, from + batchTexts).map((text, i) => ({ text, row: from + i }))
      .filter(({ text }) => text !== "");
    const vectors = await embedder.embed(rows.map(({ text }) => text));
    rows.forEach(({ row }, i) => {
      block.norms[row] = quantizeInto(vectors[i], block.values, row * stride);
    });
  }
  return block;
}

/**
 * Joins blocks, which are read one after the other: together they may be larger than all the rest.
 * Rows mapped to -1 are left out.
 */
export async function mergeBlocks(
  readers: readonly (() => VectorBlock)[],
  rows: Int32Array[],
  pacer: Pacer,
): Promise<FileBlock> {
  const count = rows.reduce(
    (sum, map) => sum + map.reduce((n, row) => n + (row < 0 ? 0 : 1), 0),
    0,
  );
  let merged: FileBlock | undefined;
  for (const [i, read] of readers.entries()) {
    if (pacer.isDue) await pacer.rest();
    const { dimensions, values, norms } = read();
    const stride = strideOf(dimensions);
    const target = merged ??= makeFileBlock(dimensions, count);
    rows[i].forEach((to, row) => {
      if (to < 0) return;
      target.values.set(values.subarray(row * stride, (row + 1) * stride), to * stride);
      target.norms[to] = norms[row];
    });
  }
  return merged ?? makeFileBlock(0, 0);
}
