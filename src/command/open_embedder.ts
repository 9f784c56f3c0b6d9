// The embedder that the configuration names.

import { CtxError } from "../core/errors.ts";
import type { Embedder } from "../index/vectors/embedder.ts";
import type { HttpEmbedderOptions } from "../index/vectors/embedder_http.ts";
import type { Context } from "./command.ts";

type Patience = Pick<HttpEmbedderOptions, "attempts" | "timeoutMs">;

/**
 * Opens the configured embedder for indexing; undefined for none, or a remote one unasked. For `few`
 * texts not all of the local one is read.
 */
export async function openEmbedder(
  context: Context,
  options: { remote: boolean; few?: boolean },
): Promise<Embedder | undefined> {
  const config = await context.readConfig();
  const kind = config.get("embedder.kind");
  if (kind === "local") {
    const { findLocalEmbedder } = await import("../index/vectors/embedder_local.ts");
    return findLocalEmbedder({ whole: !options.few });
  }
  return kind === "http" && options.remote ? await openHttp(context) : undefined;
}

/** A search waits for a vector as long as somebody waits for a search. */
const searchPatience = { attempts: 1, timeoutMs: 5000 };

export async function openSearchEmbedder(context: Context): Promise<Embedder> {
  return await openHttp(context, searchPatience);
}

async function openHttp(context: Context, patience: Patience = {}): Promise<Embedder> {
  const config = await context.readConfig();
  const baseUrl = config.get("embedder.url");
  const model = config.get("embedder.model");
  if (baseUrl === "" || model === "") {
    throw new CtxError(
      "PROVIDER_MISSING",
      "Cannot embed: embedder.url or embedder.model is empty",
      {
        hint: "ctx config set embedder.url URL, or: ctx config set embedder.kind local",
      },
    );
  }
  const { makeHttpEmbedder } = await import("../index/vectors/embedder_http.ts");
  const key = context.env("CTX_EMBEDDER_KEY") ?? context.env("OPENAI_API_KEY");
  const dimensions = config.get("embedder.dimensions");
  const { fetch, signal } = context;
  return makeHttpEmbedder({ baseUrl, model, dimensions, key, fetch, signal, ...patience });
}

/** Tells whether a text is about a topic; undefined where the local embedder is not configured. */
export async function findTopicCheck(
  context: Context,
): Promise<((topic: string, text: string) => boolean) | undefined> {
  if ((await context.readConfig()).get("embedder.kind") !== "local") return undefined;
  const { findLocalEmbedder } = await import("../index/vectors/embedder_local.ts");
  const { makeTopicCheck } = await import("../index/vectors/topic_likeness.ts");
  const embedder = findLocalEmbedder({ whole: false });
  return embedder && makeTopicCheck(embedder);
}
