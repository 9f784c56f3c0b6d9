// The Worker that seals a part of a log for an index that is being made: writes its segments and vectors,
// which no manifest names yet, and tells of each.

import type { Pool } from "../core/entry.ts";
import { drawSeed } from "../core/id.ts";
import { diskFiles } from "../disk/files.ts";
import { openStore } from "../store/store.ts";
import { writeIndexFile } from "./index_file_writer.ts";
import type { FileFacts } from "./manifest.ts";
import { readTail } from "./read_tail.ts";
import { findLocalEmbedder } from "./vectors/embedder_local.ts";
import { encodeVectors } from "./vectors/vector_format.ts";

/** What to seal. */
export interface SealRequest {
  workspace: string;
  pool: Pool;
  from: number;
  to: number;
  /** Whether vectors are made by the local embedder. */
  embeds: boolean;
}

/** A segment that was written. */
export interface SealedPart {
  pool: Pool;
  from: number;
  to: number;
  file: FileFacts;
  vectorFile?: FileFacts;
}

/** What it says: a part, or that it has ended. */
export type SealReport = SealedPart | { ended: true };

const scope = globalThis as unknown as Worker;
const stop = new AbortController();

scope.onmessage = async ({ data }: MessageEvent<SealRequest | "stop">) => {
  if (data === "stop") return stop.abort();
  // What is left over is sealed by the thread that asked, which also tells why it cannot be.
  await seal(data).catch(() => {});
  say({ ended: true });
};

async function seal({ workspace, pool, from, to: end, embeds }: SealRequest): Promise<void> {
  const silent = { files: diskFiles, now: Date.now, random: drawSeed, warn: () => {} };
  const store = openStore({ workspace, ...silent });
  const embedder = embeds ? findLocalEmbedder({ whole: true }) : undefined;
  const options = { covered: from, end, embedder, signal: stop.signal };
  for await (const { builder, from, to, vectors } of readTail(store, pool, options)) {
    const write = (parts: Iterable<Uint8Array>, suffix: string): FileFacts =>
      writeIndexFile(store, parts, { prefix: `${pool}-${from}-${to}`, suffix });
    const file = write(builder.finishParts(), "seg");
    const vectorFile = vectors &&
      write(encodeVectors({ ...vectors, values: [vectors.values] }), "vec");
    say({ pool, from, to, file, vectorFile });
  }
}

function say(report: SealReport): void {
  scope.postMessage(report);
}
