// Making and merging blocks of quantized vectors.

import type { Embedder } from "./embedder.ts";
import { quantizeInto, strideOf, type VectorBlock } from "./vector_format.ts";

const batchTexts = 256;

/** Embeds texts in batches. An empty text gives zeros without asking. */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
): Promise<VectorBlock> {
  const block = emptyBlock(embedder.dimensions, texts.length);
  const stride = strideOf(embedder.dimensions);
  for (let from = 0; from < texts.length; from += batchTexts) {
    const rows = texts.slice(from, from + batchTexts).map((text, i) => ({ text, row: from + i }))
      .filter(({ text }) => text !== "");
    const vectors = await embedder.embed(rows.map(({ text }) => text));
    rows.forEach(({ row }, i) => {
      block.norms[row] = quantizeInto(vectors[i], block.values, row * stride);
    });
  }
  return block;
}

/** Joins blocks; rows mapped to -1 are left out. */
export function mergeBlocks(blocks: readonly VectorBlock[], rows: Int32Array[]): VectorBlock {
  const { dimensions } = blocks[0];
  const stride = strideOf(dimensions);
  const count = rows.reduce(
    (sum, map) => sum + map.reduce((n, row) => n + (row < 0 ? 0 : 1), 0),
    0,
  );
  const merged = emptyBlock(dimensions, count);
  blocks.forEach(({ values, norms }, i) => {
    rows[i].forEach((target, row) => {
      if (target < 0) return;
      merged.values.set(values.subarray(row * stride, (row + 1) * stride), target * stride);
      merged.norms[target] = norms[row];
    });
  });
  return merged;
}

function emptyBlock(dimensions: number, rows: number): VectorBlock {
  return {
    dimensions,
    values: new Int8Array(rows * strideOf(dimensions)),
    norms: new Float32Array(rows),
  };
}
