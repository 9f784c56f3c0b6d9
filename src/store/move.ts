// Moves lines from the hot log to the archive so that a kill between any two writes loses nothing
// and repeats nothing: say where the archive ends (`move.json`), append the lines there, synced,
// replace the hot log without them, take `move.json` away. Whoever writes next finishes a move
// that was cut short; meanwhile readers pass over the second copy (invariants 4 and 11).

import { CtxError } from "../core/errors.ts";
import { hash64 } from "../core/hash.ts";
import { findJson, isObject } from "../core/json.ts";
import { decodeLossy } from "../core/utf8.ts";
import { readLines } from "../disk/lines.ts";
import { rewriteFile } from "./rewrite.ts";
import { writeState } from "./state.ts";
import type { Writer } from "./writer.ts";

const blockBytes = 1 << 20;

/** Moves the lines that `isChosen` picks, by their position in the hot log; returns how many. */
export function moveLines(writer: Writer, isChosen: (position: number) => boolean): number {
  const { files, layout } = writer;
  const unfinished = files.findBytes(layout.move);
  const start = unfinished === undefined
    ? files.findSize(layout.history.archive) ?? 0
    : parseIntent(unfinished);
  const intent = new TextEncoder().encode(JSON.stringify({ version: 1, archive_bytes: start }));
  files.replace(layout.move, intent, { sync: true });
  copyLines(writer, isChosen);
  return dropCopied(writer, start);
}

/**
 * Finishes a move that was cut short: what reached the archive leaves the hot log. Says how it
 * went; on a full disk it waits for the next writer, so that `forget` and `gc` can still free space.
 */
export function tryFinishMove(writer: Writer): string {
  try {
    dropCopied(writer, parseIntent(writer.files.findBytes(writer.layout.move)));
    return "an interrupted compaction was completed";
  } catch (error) {
    if (!(error instanceof CtxError) || error.code !== "DISK_FULL") throw error;
    return "an interrupted compaction could not be completed: the disk is full";
  }
}

function copyLines(writer: Writer, isChosen: (position: number) => boolean): void {
  const { files, layout } = writer;
  let block = new Uint8Array(blockBytes);
  let filled = 0;
  let position = 0;
  const flush = (sync: boolean): void => {
    files.append(layout.history.archive, block.subarray(0, filled), { sync });
    filled = 0;
  };
  for (const { bytes } of readLines(files, layout.history.hot)) {
    if (!isChosen(position++)) continue;
    if (filled > 0 && filled + bytes.length + 1 > block.length) flush(false);
    if (bytes.length + 1 > block.length) block = new Uint8Array(bytes.length + 1);
    block.set(bytes, filled);
    block[filled + bytes.length] = 10;
    filled += bytes.length + 1;
  }
  flush(true);
}

/** Takes the lines that the archive has from an offset on out of the hot log, byte for byte equal. */
function dropCopied(writer: Writer, start: number): number {
  const { files, layout } = writer;
  const copied = new Set<string>();
  for (const { bytes } of readLines(files, layout.history.archive, { from: start })) {
    copied.add(keyOf(bytes));
  }
  const dropped = copied.size === 0 ? 0 : rewriteFile(
    writer,
    layout.history.hot,
    ({ bytes }) => copied.has(keyOf(bytes)) ? "drop" : "keep",
  );
  writer.recount();
  writeState(files, layout, writer.state);
  files.remove(layout.move);
  return dropped;
}

/** Two hashes and the length stand for the line. */
function keyOf(bytes: Uint8Array): string {
  const line = decodeLossy(bytes);
  return [...hash64(line), ...hash64(line, 0x5bd1e995), line.length].join();
}

/** Where the archive ended; an unreadable intent compares with the whole archive, which is safe. */
function parseIntent(bytes: Uint8Array | undefined): number {
  const intent = findJson(decodeLossy(bytes ?? new Uint8Array()));
  const start = isObject(intent) ? Number(intent.archive_bytes) : 0;
  return Number.isInteger(start) && start >= 0 ? start : 0;
}
