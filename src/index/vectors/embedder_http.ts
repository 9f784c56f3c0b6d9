// An OpenAI-compatible `/embeddings` endpoint: batched, retried with backoff, capped. Never a
// default, and the key is never part of a message.

import { CtxError } from "../../core/errors.ts";
import { hashHex } from "../../core/hash.ts";
import type { Embedder } from "./embedder.ts";

/** Where and how to ask. */
export interface HttpEmbedderOptions {
  baseUrl: string;
  model: string;
  dimensions: number;
  key?: string;
  /** Texts in one request. */
  batch?: number;
  /** Characters of one text that are sent. */
  maxChars?: number;
  attempts?: number;
  timeoutMs?: number;
  /** Stops it. */
  signal?: AbortSignal;
  fetch?: typeof fetch;
  sleep?: (ms: number) => Promise<void>;
}

/** Makes an embedder that asks an endpoint. */
export function makeHttpEmbedder(options: HttpEmbedderOptions): Embedder {
  const { baseUrl, model, dimensions, batch = 64, maxChars = 8000 } = options;
  return {
    name: "http",
    dimensions,
    fingerprint: hashHex(`${baseUrl}\0${model}\0${dimensions}`),
    isLocal: false,
    async embed(texts) {
      const vectors = texts.map(() => new Float32Array(dimensions));
      const asked = texts.map((text, i) => ({ text: text.slice(0, maxChars), i }))
        .filter(({ text }) => text.trim() !== "");
      for (let from = 0; from < asked.length; from += batch) {
        const part = asked.slice(from, from + batch);
        const found = await ask(options, part.map(({ text }) => text));
        part.forEach(({ i }, at) => vectors[i] = toUnit(found[at]));
      }
      return vectors;
    },
  };
}

/** One request, tried again on 429, 5xx and network failures. */
async function ask(options: HttpEmbedderOptions, input: string[]): Promise<number[][]> {
  const { attempts = 4, timeoutMs = 30_000, sleep = wait } = options;
  for (let attempt = 1;; attempt++) {
    const outcome = await request(options, { input, timeoutMs });
    if ("vectors" in outcome) return checkVectors(options, outcome.vectors, input.length);
    if (!outcome.retryable || attempt >= attempts) throw outcome.error;
    await sleep(Math.min(8000, outcome.waitMs ?? 250 * 2 ** attempt));
  }
}

type Outcome =
  | { vectors: unknown }
  | { error: CtxError; retryable: boolean; waitMs?: number };

async function request(
  options: HttpEmbedderOptions,
  body: { input: string[]; timeoutMs: number },
): Promise<Outcome> {
  const { baseUrl, model, dimensions, key } = options;
  const stop = options.signal === undefined ? [] : [options.signal];
  const url = `${baseUrl.replace(/\/+$/, "")}/embeddings`;
  try {
    const response = await (options.fetch ?? fetch)(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, dimensions, input: body.input, encoding_format: "float" }),
      // The texts are for this host alone.
      redirect: "error",
      signal: AbortSignal.any([AbortSignal.timeout(body.timeoutMs), ...stop]),
    });
    if (response.ok) return { vectors: parseVectors(await response.json()) };
    await response.body?.cancel();
    const after = Number(response.headers.get("retry-after"));
    return {
      error: failed(`"${url}" answered ${response.status}`),
      retryable: response.status === 429 || response.status >= 500,
      ...(after > 0 ? { waitMs: after * 1000 } : {}),
    };
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof CtxError) return { error, retryable: false };
    if (error instanceof SyntaxError) {
      return { error: failed(`"${url}" gave no JSON`, error), retryable: false };
    }
    if (error instanceof DOMException && error.name === "TimeoutError") {
      const message = `Cannot embed: "${url}" did not answer within ${body.timeoutMs} ms`;
      return { error: new CtxError("PROVIDER_TIMEOUT", message, { hint }), retryable: true };
    }
    return { error: failed(`"${url}" cannot be reached`, error), retryable: true };
  }
}

const hint = "check the endpoint with: ctx config list, or search with --mode lexical";

function failed(reason: string, cause?: unknown): CtxError {
  return new CtxError("PROVIDER_FAILED", `Cannot embed: ${reason}`, { hint, cause });
}

/** `{data: [{index, embedding}]}`, in any order. */
function parseVectors(body: unknown): unknown {
  const data = (body as { data?: { index?: number; embedding?: unknown }[] } | null)?.data;
  if (!Array.isArray(data)) return undefined;
  return data.map((item, i) => ({ at: item?.index ?? i, embedding: item?.embedding }))
    .sort((a, b) => a.at - b.at).map(({ embedding }) => embedding);
}

function checkVectors(
  options: HttpEmbedderOptions,
  vectors: unknown,
  count: number,
): number[][] {
  const fits = Array.isArray(vectors) && vectors.length === count &&
    vectors.every((vector) =>
      Array.isArray(vector) && vector.length === options.dimensions &&
      vector.every((value) => typeof value === "number" && Number.isFinite(value))
    );
  if (!fits) {
    throw failed(`"${options.baseUrl}" gave no ${count} vectors of ${options.dimensions} numbers`);
  }
  return vectors;
}

function toUnit(vector: number[]): Float32Array<ArrayBuffer> {
  const norm = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => norm === 0 ? 0 : value / norm);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
