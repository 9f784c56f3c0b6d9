// An OpenAI-compatible `/embeddings` endpoint: batched, tried again, capped. Never a
// default, and the key is never part of a message.

import * as z from "zod/mini";
import { CtxError } from "../../core/errors.ts";
import { hashHex } from "../../core/hash.ts";
import { FailedTry, parseRetryAfter, withRetries } from "../../core/retry.ts";
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
  const { attempts = 4, sleep = wait } = options;
  const retries = { wait: sleep, retries: attempts - 1, firstMs: 500, maxMs: 8000 };
  const body = await withRetries(() => request(options, input), retries);
  return readVectors(body, options, input.length);
}

async function request(options: HttpEmbedderOptions, input: string[]): Promise<unknown> {
  const { baseUrl, model, dimensions, key, timeoutMs = 30_000 } = options;
  const stop = options.signal === undefined ? [] : [options.signal];
  const url = `${baseUrl.replace(/\/+$/, "")}/embeddings`;
  try {
    const response = await (options.fetch ?? fetch)(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, dimensions, input, encoding_format: "float" }),
      // The texts are for this host alone.
      redirect: "error",
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...stop]),
    });
    if (response.ok) return await response.json();
    await response.body?.cancel();
    const { status } = response;
    throw new FailedTry(failed(`"${url}" responded with ${status}`), {
      retry: status === 429 || status >= 500,
      afterMs: parseRetryAfter(response.headers.get("retry-after"), Date.now()),
    });
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof FailedTry) throw error;
    if (error instanceof SyntaxError) throw failed(`the response from "${url}" is not JSON`, error);
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    const said = isLate
      ? new CtxError(
        "PROVIDER_TIMEOUT",
        `Cannot embed: "${url}" did not answer within ${timeoutMs} ms`,
        { hint },
      )
      : failed(`"${url}" cannot be reached`, error);
    throw new FailedTry(said, { retry: true });
  }
}

const hint = "check the endpoint with: ctx config list, or search with --mode lexical";

function failed(reason: string, cause?: unknown): CtxError {
  return new CtxError("PROVIDER_FAILED", `Cannot embed: ${reason}`, { hint, cause });
}

/** Reads `{data: [{index, embedding}]}`, in any order: so many vectors of so many numbers. */
function readVectors(
  body: unknown,
  { baseUrl, dimensions }: HttpEmbedderOptions,
  count: number,
): number[][] {
  const vector = z.array(z.number()).check(z.length(dimensions));
  const item = z.object({ index: z.optional(z.nullable(z.int())), embedding: vector });
  const { data } = z.safeParse(z.object({ data: z.array(item).check(z.length(count)) }), body);
  if (data === undefined) {
    throw failed(`"${baseUrl}" did not return ${count} vectors with ${dimensions} dimensions`);
  }
  return data.data.map(({ index, embedding }, i) => ({ at: index ?? i, embedding }))
    .sort((a, b) => a.at - b.at).map(({ embedding }) => embedding);
}

function toUnit(vector: number[]): Float32Array<ArrayBuffer> {
  const norm = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => norm === 0 ? 0 : value / norm);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
