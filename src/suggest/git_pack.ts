// One git pack and its index (version 2): finds an object by name and undoes its deltas. Reads only
// the parts it needs.

import { inflateSync } from "node:zlib";
import { diskFiles, type FileReader } from "../store/files.ts";
import type { GitObject } from "./git_objects.ts";

const kinds: Record<number, GitObject["kind"]> = { 1: "commit", 2: "tree", 3: "blob", 4: "tag" };
const offsetDelta = 6;
const nameDelta = 7;
/** Larger objects are passed over. */
export const maxObjectBytes = 32 << 20;

/** How a pack is read. */
export interface PackOptions {
  oidBytes: number;
  /** Looks an object up anywhere: the base of a delta may be in another pack. */
  findObject(oid: string): GitObject | undefined;
}

/** An open pack; close it. */
export class GitPack implements Disposable {
  readonly #index: FileReader;
  readonly #pack: FileReader;
  readonly #fanout: DataView;
  readonly #options: PackOptions;

  private constructor(index: FileReader, pack: FileReader, options: PackOptions) {
    this.#index = index;
    this.#pack = pack;
    this.#options = options;
    this.#fanout = this.#view(8, 1024);
  }

  /** Opens `PATH.idx` and `PATH.pack`, or returns undefined when they cannot be read. */
  static open(path: string, options: PackOptions): GitPack | undefined {
    const index = diskFiles.openReader(`${path}.idx`);
    const pack = index && diskFiles.openReader(`${path}.pack`);
    const head = new Uint8Array(8);
    const isVersion2 = index !== undefined && index.readAt(0, head) === 8 &&
      head.join() === "255,116,79,99,0,0,0,2";
    if (isVersion2 && pack !== undefined) return new GitPack(index, pack, options);
    index?.close();
    pack?.close();
    return undefined;
  }

  /** The object of that name, or undefined when it is not in this pack. */
  find(oid: string): GitObject | undefined {
    const offset = this.#findOffset(oid);
    return offset === undefined ? undefined : this.#readAt(offset, 0);
  }

  [Symbol.dispose](): void {
    this.#index.close();
    this.#pack.close();
  }

  #findOffset(oid: string): number | undefined {
    const { oidBytes } = this.#options;
    const wanted = fromHex(oid);
    const count = this.#fanout.getUint32(255 * 4);
    const first = wanted[0] === 0 ? 0 : this.#fanout.getUint32((wanted[0] - 1) * 4);
    const last = this.#fanout.getUint32(wanted[0] * 4);
    const names = new Uint8Array((last - first) * oidBytes);
    this.#index.readAt(1032 + first * oidBytes, names);
    let from = 0;
    let to = last - first;
    while (from < to) {
      const middle = (from + to) >> 1;
      const order = compareBytes(names.subarray(middle * oidBytes), wanted);
      if (order === 0) return this.#offsetOf(first + middle, count);
      if (order < 0) from = middle + 1;
      else to = middle;
    }
    return undefined;
  }

  #offsetOf(at: number, count: number): number {
    const offsets = 1032 + count * (this.#options.oidBytes + 4);
    const offset = this.#view(offsets + at * 4, 4).getUint32(0);
    if (offset < 0x80000000) return offset;
    const large = offsets + count * 4 + (offset & 0x7fffffff) * 8;
    return Number(this.#view(large, 8).getBigUint64(0));
  }

  #readAt(offset: number, depth: number): GitObject | undefined {
    if (depth > 200) return undefined;
    const head = new Uint8Array(64);
    this.#pack.readAt(offset, head);
    let at = 0;
    let byte = head[at++];
    const type = (byte >> 4) & 7;
    let size = byte & 15;
    for (let shift = 4; byte & 0x80; shift += 7) {
      byte = head[at++];
      size += (byte & 0x7f) * 2 ** shift;
    }
    if (size > maxObjectBytes) return undefined;
    if (type === offsetDelta) {
      const { value, next } = readBackOffset(head, at);
      const base = this.#readAt(offset - value, depth + 1);
      return base &&
        { kind: base.kind, data: applyDelta(base.data, this.#inflate(offset + next, size)) };
    }
    if (type === nameDelta) {
      const name = toHex(head.subarray(at, at + this.#options.oidBytes));
      const base = this.#options.findObject(name);
      const start = offset + at + this.#options.oidBytes;
      return base && { kind: base.kind, data: applyDelta(base.data, this.#inflate(start, size)) };
    }
    const kind = kinds[type];
    return kind && { kind, data: this.#inflate(offset + at, size) };
  }

  /** The compressed length is not recorded; deflate grows data by less than this. */
  #inflate(offset: number, size: number): Uint8Array {
    const bytes = new Uint8Array(size + (size >> 9) + 128);
    const count = this.#pack.readAt(offset, bytes);
    return new Uint8Array(inflateSync(bytes.subarray(0, count)));
  }

  #view(offset: number, length: number): DataView {
    const bytes = new Uint8Array(length);
    this.#index.readAt(offset, bytes);
    return new DataView(bytes.buffer);
  }
}

/** Rebuilds an object from its base and a list of copies and inserts. */
export function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array {
  let at = 0;
  const readSize = (): number => {
    let size = 0;
    for (let shift = 0;; shift += 7) {
      const byte = delta[at++];
      size += (byte & 0x7f) * 2 ** shift;
      if ((byte & 0x80) === 0) return size;
    }
  };
  readSize();
  const result = new Uint8Array(readSize());
  let filled = 0;
  while (at < delta.length) {
    const order = delta[at++];
    if ((order & 0x80) === 0) {
      result.set(delta.subarray(at, at + order), filled);
      at += order;
      filled += order;
      continue;
    }
    let from = 0;
    let length = 0;
    for (let i = 0; i < 4; i++) if (order & (1 << i)) from += delta[at++] * 2 ** (8 * i);
    for (let i = 0; i < 3; i++) if (order & (16 << i)) length += delta[at++] * 2 ** (8 * i);
    if (length === 0) length = 0x10000;
    result.set(base.subarray(from, from + length), filled);
    filled += length;
  }
  return result;
}

function readBackOffset(head: Uint8Array, start: number): { value: number; next: number } {
  let at = start;
  let byte = head[at++];
  let value = byte & 0x7f;
  while (byte & 0x80) {
    byte = head[at++];
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next: at };
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return 0;
}

/** An object name as bytes. */
export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** Bytes as an object name. */
export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}
