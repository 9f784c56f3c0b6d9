// An embedder for tests: one dimension for each of a few words, so that similarity can be foreseen.

import type { Embedder } from "../../../src/index/vectors/embedder.ts";

/** Makes an embedder over groups of words; words of one group mean the same. */
export function wordEmbedder(groups: string[][]): Embedder {
  return {
    name: "test",
    dimensions: 32,
    fingerprint: "test32",
    isLocal: true,
    embed: (texts) => Promise.resolve(texts.map((text) => embed(text, groups))),
  };
}

function embed(text: string, groups: string[][]): Float32Array {
  const vector = new Float32Array(32);
  groups.forEach((words, i) => {
    for (const word of words) vector[i] += text.split(word).length - 1;
  });
  const norm = Math.hypot(...vector);
  return vector.map((value) => norm === 0 ? 0 : value / norm);
}
