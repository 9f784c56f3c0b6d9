// What turns text into vectors. One interface for all: none, the local table, an HTTP endpoint.

import type { MetRuns } from "../text/tokenize.ts";

/** Makes vectors of unit length; a text with nothing to embed gives zeros. */
export interface Embedder {
  readonly name: string;
  readonly dimensions: number;
  /** Changes when the vectors would; kept in the index. */
  readonly fingerprint: string;
  /** Whether a call is cheap enough to be made while searching. */
  readonly isLocal: boolean;
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /** Puts the vector of one text over another one, where that needs no waiting and no batches. */
  embedInto?(text: string, vector: Float32Array): void;
  /** The same of a text whose words were read already; false where that is not enough. */
  embedMet?(runs: MetRuns, vector: Float32Array): boolean;
}

export function embeddableText(entry: { title?: string; summary?: string; text: string }): string {
  return [entry.title, entry.summary, entry.text].filter(Boolean).join("\n");
}
