// Rewrites a log without some of its lines, atomically: the new file is whole and synced before it
// takes the old one's name (invariant 1). Kept lines are copied byte for byte (invariant 7).

import type { Entry, Pool } from "../core/entry.ts";
import { readLines } from "./lines.ts";
import { type ParsedLine, parseLine } from "./row.ts";
import { toLines, type Writer } from "./writer.ts";

/** What becomes of a line: kept as it is, dropped, or replaced by rows. */
export type Verdict = "keep" | "drop" | { rows: Entry[] };

/** Rewrites one pool; returns how many lines were dropped or replaced. Nothing changed, nothing written. */
export function rewritePool(
  writer: Writer,
  pool: Pool,
  judge: (line: ParsedLine, place: { bytes: Uint8Array; offset: number }) => Verdict,
): number {
  return rewriteFile(
    writer,
    writer.layout.history[pool],
    (line) => judge(parseLine(line.bytes), line),
  );
}

/** Rewrites any NDJSON file of the store by its lines. */
export function rewriteFile(
  writer: Writer,
  path: string,
  judge: (line: { bytes: Uint8Array; offset: number }) => Verdict,
): number {
  const { files } = writer;
  const draft = `${path}.${Deno.pid}.tmp`;
  let changed = 0;
  const output = files.openWriter(draft);
  try {
    for (const line of readLines(files, path)) {
      const verdict = judge(line);
      if (verdict === "keep") {
        output.write(withNewline(line.bytes));
        continue;
      }
      changed++;
      if (verdict !== "drop") output.write(toLines(verdict.rows));
    }
    if (changed === 0) {
      output.abandon();
      return 0;
    }
    output.finish();
  } catch (error) {
    output.abandon();
    throw error;
  }
  files.rename(draft, path);
  return changed;
}

function withNewline(bytes: Uint8Array): Uint8Array {
  const line = new Uint8Array(bytes.length + 1);
  line.set(bytes);
  line[bytes.length] = 10;
  return line;
}
