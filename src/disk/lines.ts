// Streams the whole lines of an append-only file, in blocks, with byte offsets. Bytes after the
// last newline are an unfinished line: readers never see them (invariant 2).

import { checkDeadline } from "../core/deadline.ts";
import { hashHex } from "../core/hash.ts";
import type { FileReader, Files } from "./files.ts";

/** One line without its newline. The bytes are a view: copy them to keep them. */
export interface Line {
  offset: number;
  bytes: Uint8Array;
}

/** What to read: a byte range, and optionally only lines that contain one of some ASCII needles. */
export interface LineOptions {
  from?: number;
  to?: number;
  needles?: string[];
  /** Longer lines are passed over, and never held. */
  maxBytes?: number;
}

const newline = 10;
const blockBytes = 1 << 20;

/** Yields the whole lines of a file in order. */
export function* readLines(
  files: Files,
  path: string,
  options: LineOptions = {},
): Generator<Line> {
  using reader = files.openReader(path);
  if (reader !== undefined) yield* readLinesOf(reader, options);
}

/** Yields the whole lines of an open file in order, up to the size it had when it was opened. */
export function* readLinesOf(reader: FileReader, options: LineOptions = {}): Generator<Line> {
  const matches = options.needles === undefined ? undefined : makeMatcher(options.needles);
  const end = Math.min(options.to ?? Infinity, reader.size);
  let offset = options.from ?? 0;
  let buffer = new Uint8Array(Math.min(blockBytes, Math.max(64, end - offset)));
  let kept = 0;
  while (offset + kept < end) {
    checkDeadline();
    if (kept >= (options.maxBytes ?? Infinity)) {
      const next = findLineEnd(reader, offset + kept, end);
      [offset, kept] = [next, 0];
      continue;
    }
    if (kept === buffer.length) buffer = grow(buffer, options.maxBytes);
    const wanted = Math.min(buffer.length - kept, end - offset - kept);
    const count = reader.readAt(offset + kept, buffer.subarray(kept, kept + wanted));
    if (count === 0) break;
    const filled = kept + count;
    const last = buffer.lastIndexOf(newline, filled - 1);
    if (last >= kept || (last >= 0 && kept === 0)) {
      const block = buffer.subarray(0, last + 1);
      if (matches === undefined) yield* splitBlock(block, offset);
      else yield* pickLines(block, offset, matches);
      buffer.copyWithin(0, last + 1, filled);
      offset += last + 1;
      kept = filled - last - 1;
    } else {
      kept = filled;
    }
  }
  if (buffer.length > (spare?.length ?? blockBytes)) spare = buffer;
}

/** Where the line that goes on at an offset is over: behind its newline, or at the end. */
function findLineEnd(reader: FileReader, from: number, end: number): number {
  const block = new Uint8Array(blockBytes);
  for (let at = from; at < end;) {
    checkDeadline();
    const count = reader.readAt(at, block.subarray(0, Math.min(blockBytes, end - at)));
    const found = block.subarray(0, count).indexOf(newline);
    if (found >= 0) return at + found + 1;
    if (count === 0) return end;
    at += count;
  }
  return end;
}

/** The line that starts at an offset, without its newline; undefined when none is whole there. */
export function readLineAt(reader: FileReader, offset: number): Uint8Array | undefined {
  let size = 4096;
  while (true) {
    const bytes = new Uint8Array(Math.min(size, Math.max(0, reader.size - offset)));
    const count = reader.readAt(offset, bytes);
    const end = bytes.subarray(0, count).indexOf(newline);
    if (end >= 0) return bytes.subarray(0, end);
    if (count < size) return undefined;
    size *= 16;
  }
}

/** The bytes after the last newline, or undefined when the file ends with one. */
export function findTornTail(files: Files, path: string): Line | undefined {
  using reader = files.openReader(path);
  return reader && findTailOf(reader);
}

/** The same of an open file. */
export function findTailOf(reader: FileReader): Line | undefined {
  let size = 64;
  while (true) {
    const start = Math.max(0, reader.size - size);
    const bytes = new Uint8Array(reader.size - start);
    reader.readAt(start, bytes);
    if (bytes.length === 0 || bytes[bytes.length - 1] === newline) return undefined;
    const last = bytes.lastIndexOf(newline);
    if (last >= 0) return { offset: start + last + 1, bytes: bytes.subarray(last + 1) };
    if (start === 0) return { offset: 0, bytes };
    size *= 16;
  }
}

function* splitBlock(block: Uint8Array, offset: number): Generator<Line> {
  let start = 0;
  while (start < block.length) {
    const end = block.indexOf(newline, start);
    yield { offset: offset + start, bytes: block.subarray(start, end) };
    start = end + 1;
  }
}

function* pickLines(
  block: Uint8Array,
  offset: number,
  findNext: (block: Uint8Array, from: number) => number,
): Generator<Line> {
  let from = 0;
  while (true) {
    const hit = findNext(block, from);
    if (hit < 0) return;
    const start = block.lastIndexOf(newline, hit) + 1;
    const end = block.indexOf(newline, hit);
    yield { offset: offset + start, bytes: block.subarray(start, end) };
    from = end + 1;
  }
}

/** A search for the first of several needles; where all begin alike, that is looked for first. */
function makeMatcher(needles: string[]): (block: Uint8Array, from: number) => number {
  const encoded = needles.map((needle) => new TextEncoder().encode(needle));
  const [first] = encoded;
  let shared = 0;
  while (shared < first?.length && encoded.every((other) => other[shared] === first[shared])) {
    shared++;
  }
  // A shorter beginning is met too often.
  if (encoded.length < 2 || shared < 4) return matchEach(encoded);
  const search = makeByteSearch(first.subarray(0, shared));
  return (block, from) => {
    let at = search(block, from);
    const isHere = (needle: Uint8Array): boolean =>
      needle.every((byte, i) => block[at + i] === byte);
    while (at >= 0 && !encoded.some(isHere)) at = search(block, at + 1);
    return at;
  };
}

/** Looks for each; each remembers its next hit, so a block is walked once for it. */
function matchEach(needles: Uint8Array[]): (block: Uint8Array, from: number) => number {
  const searches = needles.map(makeByteSearch);
  let current: Uint8Array | undefined;
  let next: number[] = [];
  return (block, from) => {
    if (block !== current) {
      current = block;
      next = searches.map(() => -2);
    }
    let best = -1;
    searches.forEach((search, i) => {
      if (next[i] !== -1 && next[i] < from) next[i] = search(block, from);
      if (next[i] >= 0 && (best < 0 || next[i] < best)) best = next[i];
    });
    return best;
  };
}

/** Horspool's search over bytes: several times faster than decoding every line. */
export function makeByteSearch(needle: Uint8Array): (block: Uint8Array, from: number) => number {
  const last = needle.length - 1;
  const skip = new Int32Array(256).fill(needle.length);
  for (let i = 0; i < last; i++) skip[needle[i]] = last - i;
  return (block, from) => {
    let at = from + last;
    while (at < block.length) {
      let i = 0;
      while (i <= last && block[at - i] === needle[last - i]) i++;
      if (i > last) return at - last;
      at += skip[block[at]];
    }
    return -1;
  };
}

/** The last long buffer that a reader is done with: the next reader of the same log needs it too. */
let spare: Uint8Array<ArrayBuffer> | undefined;

function grow(buffer: Uint8Array<ArrayBuffer>, most = Infinity): Uint8Array<ArrayBuffer> {
  const isEnough = spare !== undefined && spare.length > buffer.length && spare.length <= most;
  const larger = isEnough ? spare! : new Uint8Array(buffer.length * 2);
  if (isEnough) spare = undefined;
  larger.set(buffer);
  return larger;
}

const spanBytes = 96;

/** The fingerprint of the bytes before an offset; undefined when the file is shorter than that. */
export function findFingerprint(files: Files, path: string, offset: number): string | undefined {
  if (offset === 0) return "";
  using reader = files.openReader(path);
  return reader && fingerprintOf(reader, offset);
}

/** The same of an open file. */
export function fingerprintOf(
  reader: Pick<FileReader, "readAt">,
  offset: number,
): string | undefined {
  if (offset === 0) return "";
  const from = Math.max(0, offset - spanBytes);
  const bytes = new Uint8Array(offset - from);
  if (reader.readAt(from, bytes) < bytes.length) return undefined;
  return hashHex(String.fromCharCode(...bytes));
}

/** Yields the values of an NDJSON file, past torn and foreign lines, that are what `isRecord` says. */
export function* readRecords<T>(
  files: Files,
  path: string,
  isRecord: (value: unknown) => value is T,
  options: LineOptions = {},
): Generator<T> {
  for (const { bytes } of readLines(files, path, options)) {
    const value = findRecord(bytes, isRecord);
    if (value !== undefined) yield value;
  }
}

/** The value of one line, or undefined. */
export function findRecord<T>(
  bytes: Uint8Array,
  isRecord: (value: unknown) => value is T,
): T | undefined {
  try {
    const value = JSON.parse(decoder.decode(bytes));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });
