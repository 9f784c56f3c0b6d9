// The vector leg: whether it can run, and the query's vector.

import { CtxError, isProviderError } from "../core/errors.ts";
import type { Corpus } from "../index/segment/corpus.ts";
import type { Embedder } from "../index/vectors/embedder.ts";
import type { SearchIndex } from "../index/search_index.ts";
import type { VectorModel } from "../index/manifest.ts";
import type { Query } from "./query.ts";
import type { RankSource } from "./rank/rank.ts";
import type { SearchRequest } from "./request.ts";

/** Which legs to search, and the query's vector when it is one of them. */
export interface Similarity {
  branch: RankSource;
  vector?: Float32Array;
  notes: string[];
  /** Why the embedder gave no vector. */
  provider_error?: CtxError;
}

/** What a similarity is worked out from. */
export interface SimilarityInput {
  corpus: Corpus;
  request: SearchRequest;
  query: Query;
  /** The configured embedder, when it is not the local one. */
  embedder?: Embedder;
  /** Whether an index would have the local embedder's vectors: without one, rows get theirs here. */
  isLocal?: boolean;
  warn?: (message: string) => void;
}

/** With more rows than this and no index, a search by words is all that is quick enough. */
const scannedRows = 2000;
/** From so many rows on it pays to read the embedder's table at once. */
const manyRows = 50;

/** Embeds the query, and rows not sealed yet, when the mode asks for it and the index has vectors. */
export async function findSimilarity(
  index: SearchIndex,
  input: SimilarityInput,
): Promise<Similarity> {
  const { mode } = input.request;
  if (mode === "lexical") return { branch: "lexical", notes: [] };
  const asked = mode !== "auto";
  const model = index.model ?? await findScanModel(index, input);
  if (model === undefined) {
    const note =
      "most entries have no vectors yet, so this search used words only; run ctx reindex --vectors to add them";
    return { branch: "lexical", notes: asked || index.isPartlyEmbedded ? [note] : [] };
  }
  const embedder = await findEmbedder(model, input.embedder);
  if (embedder === undefined) {
    const note = `the vectors were made with "${model.name}", which is not configured, ` +
      "so this search used words only; run ctx reindex --vectors to make new ones";
    return { branch: "lexical", notes: [note] };
  }
  if (model.name === "local" && isMostlyForeign(input.query.text)) {
    const note = "the local embedder supports only Latin script, so this search used words only";
    return { branch: "lexical", notes: asked ? [note] : [] };
  }
  const vector = await embedQuery(embedder, input.query.text);
  if (vector instanceof CtxError) {
    return { branch: "lexical", notes: [toWordsNote(vector)], provider_error: vector };
  }
  if (!vector.some((value) => Math.abs(value) > 0)) {
    const note =
      "the embedder knows none of the words in the query, so this search used words only";
    return { branch: "lexical", notes: asked ? [note] : [] };
  }
  await index.openVectors(input.corpus, embedder);
  const note =
    "some entries have no vectors yet and are found by words only; run ctx reindex --vectors to add them";
  const notes = index.isPartlyEmbedded ? [note] : [];
  return { branch: mode === "vector" ? "vector" : "hybrid", vector, notes };
}

/** Note shown when no query vector could be made. */
export function toWordsNote(error: CtxError): string {
  return `${error.message}: searched by words only`;
}

/** The query's vector, or why a provider gave none: words can be searched without it. */
async function embedQuery(
  embedder: Embedder,
  text: string,
): Promise<Float32Array | CtxError> {
  try {
    const [vector] = await embedder.embed([text]);
    return vector;
  } catch (error) {
    if (isProviderError(error)) return error;
    throw error;
  }
}

/** The model that an index would have been made with, where there is none and the rows are few. */
async function findScanModel(
  index: SearchIndex,
  { corpus, isLocal, warn }: SimilarityInput,
): Promise<Model | undefined> {
  if (!index.isEmpty || !isLocal || corpus.size === 0) return undefined;
  if (corpus.size <= scannedRows) return await openLocal(corpus.size > manyRows);
  warn?.("there is no index, so this search used words only; run ctx reindex to search by meaning");
  return undefined;
}

/** Text of other scripts falls to pieces in the local table, and then resembles anything. */
function isMostlyForeign(text: string): boolean {
  if (!/[\u0080-\uffff]/.test(text)) return false;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return letters > 0 && latin * 2 < letters;
}

type Model = Pick<VectorModel, "name" | "fingerprint">;

/** The embedder of the vectors: the configured one if it fits, or the local one. */
export async function findEmbedder(
  model: Model,
  configured: Embedder | undefined,
): Promise<Embedder | undefined> {
  if (configured?.fingerprint === model.fingerprint) return configured;
  if (model.name !== "local") return undefined;
  const found = await openLocal(false);
  return found?.fingerprint === model.fingerprint ? found : undefined;
}

async function openLocal(whole: boolean): Promise<Embedder | undefined> {
  const { findLocalEmbedder } = await import("../index/vectors/embedder_local.ts");
  return local ??= findLocalEmbedder({ whole });
}

let local: Embedder | undefined;
