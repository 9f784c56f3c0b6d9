// Seals a long tail on two cores: a Worker takes its second half. What the Worker does not come to, because
// it fails or is not there, is sealed as any tail is.

import type { Pool } from "../core/entry.ts";
import { findLogSize } from "../store/log_files.ts";
import type { Store } from "../store/store.ts";
import type { IndexDraft } from "./index_draft.ts";
import { LogReader } from "./log_reader.ts";
import { readTail } from "./read_tail.ts";
import type { SealedPart, SealReport, SealRequest } from "./seal_worker.ts";
import type { Embedder } from "./vectors/embedder.ts";

/** Seals a tail if it is long enough; returns how many rows. */
export async function sealBeside(
  store: Store,
  draft: IndexDraft,
  options: {
    pool: Pool;
    leastBytes: number;
    embedder?: Embedder;
    signal?: AbortSignal;
    progress?: (done: number, total: number) => void;
  },
): Promise<number> {
  const { pool, leastBytes, embedder, signal, progress } = options;
  const covered = draft.covered()[pool];
  const size = findLogSize(store.files, store.layout, pool);
  const isOwn = pool !== "team" && (embedder?.name ?? "local") === "local";
  if (!isOwn || size - covered < leastBytes) return 0;
  const middle = findLine(store, pool, covered + Math.floor((size - covered) / 2));
  if (middle >= size) return 0;
  const other = new OtherHalf({
    workspace: store.layout.workspace,
    pool,
    from: middle,
    to: size,
    embeds: embedder !== undefined,
  });
  try {
    let sealed = 0;
    for await (const chunk of readTail(store, pool, { covered, end: middle, embedder, signal })) {
      draft.seal(chunk.builder, chunk);
      sealed += chunk.builder.rows;
      progress?.((chunk.to - covered) * 2, size);
    }
    if (draft.covered()[pool] !== middle) return sealed;
    await other.end(signal);
    signal?.throwIfAborted();
    for (const part of other.parts.splice(0)) sealed += draft.adopt(part);
    return sealed;
  } finally {
    for (const part of await other.stop()) draft.discard(part);
  }
}

/** Where the first line begins after a place. */
function findLine(store: Store, pool: Pool, from: number): number {
  using log = new LogReader(store);
  for (let at = from;; at += 65_536) {
    const bytes = log.readBytes(pool, at, 65_536);
    const feed = bytes.indexOf(10);
    if (feed >= 0) return at + feed + 1;
    if (bytes.length < 65_536) return at + bytes.length;
  }
}

/** The Worker; stop it. */
class OtherHalf {
  /** What it has written so far. */
  readonly parts: SealedPart[] = [];
  readonly #worker = new Worker(new URL("./seal_worker.ts", import.meta.url), { type: "module" });
  readonly #ended = Promise.withResolvers<void>();

  constructor(request: SealRequest) {
    this.#worker.onmessage = ({ data }: MessageEvent<SealReport>) => {
      if ("ended" in data) this.#ended.resolve();
      else this.parts.push(data);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#ended.resolve();
    };
    this.#worker.postMessage(request);
  }

  /** Waits until it has ended, well or not; if somebody wants no more, until it has stopped. */
  async end(signal?: AbortSignal): Promise<void> {
    const stop = (): void => this.#worker.postMessage("stop");
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop);
    await this.#ended.promise;
    signal?.removeEventListener("abort", stop);
  }

  /** Ends it between two files; returns what it wrote that nobody has taken. */
  async stop(): Promise<SealedPart[]> {
    await this.end(AbortSignal.abort());
    this.#worker.terminate();
    return this.parts;
  }
}
