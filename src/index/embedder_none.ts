// The embedder that makes no vectors: every text gives zeros, so that search stays lexical.

import type { Embedder } from "./embedder.ts";

/** Turns vectors off. */
export const noEmbedder: Embedder = {
  name: "none",
  dimensions: 16,
  fingerprint: "none",
  isLocal: true,
  embed(texts) {
    return Promise.resolve(texts.map(() => new Float32Array(16)));
  },
};
