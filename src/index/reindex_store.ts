// `reindex`: brings the index up to the logs whatever it takes, and makes missing vectors.

import { CtxError } from "../core/errors.ts";
import type { Store } from "../store/store.ts";
import { catchUp, type CatchUpReport } from "./catch_up.ts";
import { completeVectors } from "./complete_vectors.ts";
import { refreshLines } from "./lines/line_table.ts";
import type { Embedder } from "./vectors/embedder.ts";

/** What to rebuild. */
export interface ReindexOptions {
  /** Everything from the logs, as if there were no index. */
  full?: boolean;
  /** Makes the vectors of every entry that has none. */
  embedder?: Embedder;
  /** Drops the vectors that are there. */
  dropVectors?: boolean;
  warn?: (message: string) => void;
  /** Stops it soon; the index then stays as it was. */
  signal?: AbortSignal;
  /** Bytes of the logs done and to do; then rows without vectors. */
  progress?: (done: number, total: number) => void;
}

/** Rebuilds or completes the index, whatever other processes do meanwhile. */
export async function reindex(store: Store, options: ReindexOptions = {}): Promise<CatchUpReport> {
  const { embedder, signal, progress } = options;
  const whole = { sealBytes: 1, purge: true, insist: true, lockTimeoutMs: 60_000 };
  let report = await catchUp(store, { ...options, ...whole });
  if (embedder !== undefined && await completeVectors(store, embedder, { signal, progress }) > 0) {
    // Segments with vectors and without are not merged with each other.
    const { sealed_rows } = report;
    report = { ...await catchUp(store, { ...options, full: false, ...whole }), sealed_rows };
  }
  if (report.busy) {
    throw new CtxError("STORE_LOCKED", "Cannot reindex: another process keeps the store locked", {
      hint: "try again in a minute",
    });
  }
  await refreshLines(store, { full: true, anew: options.full, signal: options.signal });
  // Every read asks for it, and would look for it in the manifest.
  if (store.files.findSize(store.layout.state) === undefined) {
    await store.write("reindex", () => {});
  }
  return report;
}
