// From ids to rows, without reading the logs from end to end.

import type { Corpus } from "./segment/corpus.ts";
import type { LogReader } from "./log_reader.ts";
import { idHashOf } from "./segment/id_hash.ts";

/** The live row of an id, by global number. */
export function findRow(corpus: Corpus, log: LogReader, id: string): number | undefined {
  const hash = idHashOf(id);
  for (let i = 0; i < corpus.segments.length; i++) {
    const segment = corpus.segments[i];
    for (const row of segment.rowsWithIdHash(hash)) {
      if (corpus.liveness.dead[i]?.has(row)) continue;
      if (log.read(segment, row).id === id) return corpus.bases[i] + row;
    }
  }
  return undefined;
}
