// Rewrites a log without some of its lines, atomically: the new file is whole and synced before it
// takes the old one's name (invariant 1). Kept lines are copied byte for byte (invariant 7).

import type { OwnPool } from "../core/entry.ts";
import type { FileWriter } from "../disk/files.ts";
import { readLines } from "../disk/lines.ts";
import { type ParsedLine, parseLine } from "./row.ts";
import { toLines, type Writer } from "./writer.ts";

/** What becomes of a line: kept as it is, dropped, or replaced by rows. */
export type Verdict = "keep" | "drop" | { rows: object[] };

/**
 * Rewrites one pool; returns how many lines were dropped or replaced. Nothing changed, nothing
 * written. Lines that `concerns` waves through by their bytes alone are kept without being parsed.
 */
export function rewritePool(
  writer: Writer,
  pool: OwnPool,
  judge: (line: ParsedLine, place: { bytes: Uint8Array; offset: number; pool: OwnPool }) => Verdict,
  concerns: (bytes: Uint8Array) => boolean = () => true,
): number {
  return rewriteFile(
    writer,
    writer.layout.history[pool],
    (line) => concerns(line.bytes) ? judge(parseLine(line.bytes), { ...line, pool }) : "keep",
  );
}

/** Rewrites any NDJSON file of the store by its lines. */
export function rewriteFile(
  writer: Writer,
  path: string,
  judge: (line: { bytes: Uint8Array; offset: number }) => Verdict,
): number {
  const { files } = writer;
  if (files.findSize(path) === undefined) return 0;
  // From before it is read until it is replaced: what is appended between would be lost.
  using _held = files.hold(path);
  const draft = `${path}.${Deno.pid}.tmp`;
  let changed = 0;
  const output = new BlockWriter(files.openWriter(draft));
  try {
    for (const line of readLines(files, path)) {
      const verdict = judge(line);
      if (verdict === "keep") {
        output.writeLine(line.bytes);
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
  try {
    writer.uncount(path);
    files.rename(draft, path);
  } catch (error) {
    files.remove(draft);
    throw error;
  }
  return changed;
}

/** Gathers lines to blocks, so that a million lines are not a million system calls. */
class BlockWriter {
  readonly #writer: FileWriter;
  readonly #block = new Uint8Array(1 << 18);
  #filled = 0;

  constructor(writer: FileWriter) {
    this.#writer = writer;
  }

  writeLine(bytes: Uint8Array): void {
    this.write(bytes);
    this.write(newline);
  }

  write(bytes: Uint8Array): void {
    if (this.#filled + bytes.length > this.#block.length) this.#flush();
    if (bytes.length > this.#block.length) return this.#writer.write(bytes);
    this.#block.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  finish(): void {
    this.#flush();
    this.#writer.finish();
  }

  abandon(): void {
    this.#writer.abandon();
  }

  #flush(): void {
    if (this.#filled > 0) this.#writer.write(this.#block.subarray(0, this.#filled));
    this.#filled = 0;
  }
}

const newline = Uint8Array.of(10);
