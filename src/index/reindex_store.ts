// `reindex`: brings the index up to the logs whatever it takes, and makes missing vectors.

import { CtxError } from "../core/errors.ts";
import type { Store } from "../store/store.ts";
import { catchUp, type CatchUpReport } from "./catch_up.ts";
import { completeVectors, findLacking } from "./complete_vectors.ts";
import { refreshLines } from "./lines/line_table.ts";
import { refreshMentions } from "./refresh_mentions.ts";
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

/** Others may merge segments while their vectors are made: those are made again, so often. */
const rounds = 3;

/** Rebuilds or completes the index, whatever other processes do meanwhile. */
export async function reindex(store: Store, options: ReindexOptions = {}): Promise<CatchUpReport> {
  const { embedder } = options;
  const whole = { sealBytes: 1, purge: true, insist: true, lockTimeoutMs: 60_000 };
  let report = await catchUp(store, { ...options, ...whole });
  let made = 0;
  let isLacking = true;
  for (let round = 0; embedder && isLacking && made === 0 && round < rounds; round++) {
    const { lockTimeoutMs } = whole;
    made = await completeVectors(store, embedder, { ...options, lockTimeoutMs });
    isLacking = findLacking(store, embedder).length > 0;
  }
  if (made > 0) {
    // Segments with vectors and without are not merged with each other.
    const { sealed_rows } = report;
    report = { ...await catchUp(store, { ...options, full: false, ...whole }), sealed_rows };
  } else if (embedder && isLacking) report.busy = true;
  if (report.busy) {
    throw new CtxError("STORE_LOCKED", "Cannot reindex: another process keeps the store busy", {
      hint: "try again in a minute",
    });
  }
  await refreshLines(store, { full: true, anew: options.full, signal: options.signal });
  refreshMentions(store);
  // Every read asks for it, and would look for it in the manifest.
  if (store.files.findSize(store.layout.state) === undefined) {
    await store.write("reindex", () => {});
  }
  return report;
}
