// One git pack and its index (version 2): finds an object by name and undoes its deltas. Reads only
// the parts it needs, and believes no number that it reads: sizes and places are checked before they
// are used. Throws GitDamage.

import { inflateSync } from "node:zlib";
import { diskFiles, type FileReader } from "../store/files/files.ts";
import { applyDelta, resultSize } from "./git_delta.ts";
import {
  type GitBudget,
  GitDamage,
  type GitObject,
  maxDeltas,
  maxHeldBytes,
  maxObjectBytes,
} from "./git_object.ts";

const kinds: Record<number, GitObject["kind"]> = { 1: "commit", 2: "tree", 3: "blob", 4: "tag" };
const offsetDelta = 6;
const nameDelta = 7;
const packHead = 12;
const indexHead = 1032;

/** What is looked for: deeper chains and larger objects are not wanted. */
export interface Wanted {
  /** Larger objects are passed over. */
  maxBytes: number;
  /** How many deltas led here, and how large they are. */
  deltas: number;
  heldBytes: number;
}

/** How a pack is read. */
export interface PackOptions {
  oidBytes: number;
  budget: GitBudget;
  /** Looks an object up anywhere: the base of a delta may be in another pack. */
  findBase(oid: string, wanted: Wanted): GitObject | undefined;
}

/** An open pack; close it. */
export class GitPack implements Disposable {
  readonly #index: FileReader;
  readonly #pack: FileReader;
  readonly #options: PackOptions;
  readonly #fanout: number[] = [];

  private constructor(index: FileReader, pack: FileReader, options: PackOptions) {
    this.#index = index;
    this.#pack = pack;
    this.#options = options;
    const view = this.#view(8, 1024);
    for (let i = 0; i < 256; i++) this.#fanout.push(view.getUint32(i * 4));
    const rises = this.#fanout.every((count, i) => i === 0 || this.#fanout[i - 1] <= count);
    const least = indexHead + this.#fanout[255] * (options.oidBytes + 8);
    if (!rises || least > index.size) throw new GitDamage("the index of a pack is damaged");
  }

  /** Opens `PATH.idx` and `PATH.pack`, or returns undefined when they cannot be read. */
  static open(path: string, options: PackOptions): GitPack | undefined {
    using opened = new DisposableStack();
    const index = opened.use(diskFiles.openReader(`${path}.idx`));
    const pack = opened.use(diskFiles.openReader(`${path}.pack`));
    const head = new Uint8Array(8);
    const isVersion2 = index !== undefined && index.readAt(0, head) === 8 &&
      head.join() === "255,116,79,99,0,0,0,2";
    if (!isVersion2 || pack === undefined) return undefined;
    const made = new GitPack(index, pack, options);
    opened.move();
    return made;
  }

  /** The object of that name, or undefined when it is not in this pack or not wanted. */
  find(oid: string, wanted: Wanted): GitObject | undefined {
    const offset = this.#findOffset(oid);
    return offset === undefined ? undefined : this.#readObject(offset, wanted);
  }

  [Symbol.dispose](): void {
    this.#index[Symbol.dispose]();
    this.#pack[Symbol.dispose]();
  }

  #findOffset(oid: string): number | undefined {
    const { oidBytes } = this.#options;
    const wanted = Uint8Array.fromHex(oid);
    const first = wanted[0] === 0 ? 0 : this.#fanout[wanted[0] - 1];
    const names = new Uint8Array((this.#fanout[wanted[0]] - first) * oidBytes);
    this.#index.readAt(indexHead + first * oidBytes, names);
    let from = 0;
    let to = names.length / oidBytes;
    while (from < to) {
      const middle = (from + to) >> 1;
      const order = compareBytes(names.subarray(middle * oidBytes), wanted);
      if (order === 0) return this.#offsetOf(first + middle);
      if (order < 0) from = middle + 1;
      else to = middle;
    }
    return undefined;
  }

  #offsetOf(at: number): number {
    const count = this.#fanout[255];
    const offsets = indexHead + count * (this.#options.oidBytes + 4);
    const offset = this.#view(offsets + at * 4, 4).getUint32(0);
    if (offset < 0x80000000) return offset;
    const large = offsets + count * 4 + (offset & 0x7fffffff) * 8;
    return Number(this.#view(large, 8).getBigUint64(0));
  }

  /** Collects the deltas down to an object that is none, then applies them. */
  #readObject(offset: number, wanted: Wanted): GitObject | undefined {
    const deltas: Uint8Array[] = [];
    let { heldBytes } = wanted;
    let base: GitObject | undefined;
    for (let at = offset; base === undefined;) {
      if (wanted.deltas + deltas.length > maxDeltas || heldBytes > maxHeldBytes) {
        throw new GitDamage("a chain of deltas does not end");
      }
      const head = this.#readHead(at);
      const isDelta = head.type === offsetDelta || head.type === nameDelta;
      // The size of a delta is not that of the object; the first one tells how large that is.
      const limit = isDelta || deltas.length > 0 ? maxObjectBytes : wanted.maxBytes;
      if (head.size > limit) return undefined;
      const data = this.#inflate(head.data, head.size);
      if (!isDelta) {
        const kind = kinds[head.type];
        if (kind === undefined) throw new GitDamage("a pack has an object of no kind");
        base = { kind, data };
        break;
      }
      if (deltas.length === 0 && resultSize(data) > wanted.maxBytes) return undefined;
      deltas.push(data);
      heldBytes += data.length;
      if (head.type === nameDelta) {
        const count = wanted.deltas + deltas.length;
        const deeper = { maxBytes: maxObjectBytes, deltas: count, heldBytes };
        base = this.#options.findBase(head.base!, deeper);
        if (base === undefined) return undefined;
      } else at -= head.back!;
    }
    let { data } = base;
    for (const delta of deltas.reverse()) {
      this.#options.budget.spend(resultSize(delta));
      data = applyDelta(data, delta);
    }
    return { kind: base.kind, data };
  }

  /** The header of an object: its type and size, where its data starts, and its base. */
  #readHead(
    offset: number,
  ): { type: number; size: number; data: number; back?: number; base?: string } {
    const { oidBytes } = this.#options;
    const head = new Uint8Array(64);
    const isInside = offset >= packHead && offset < this.#pack.size - oidBytes;
    if (!isInside || this.#pack.readAt(offset, head) < 2) throw new GitDamage("a pack is cut off");
    let at = 0;
    let byte = head[at++];
    const type = (byte >> 4) & 7;
    let size = byte & 15;
    for (let shift = 4; byte & 0x80 && at < 10; shift += 7) {
      byte = head[at++];
      size += (byte & 0x7f) * 2 ** shift;
    }
    if (type === nameDelta) {
      const base = head.subarray(at, at + oidBytes).toHex();
      return { type, size, data: offset + at + oidBytes, base };
    }
    if (type !== offsetDelta) return { type, size, data: offset + at };
    byte = head[at++];
    let back = byte & 0x7f;
    while (byte & 0x80 && at < 20) {
      byte = head[at++];
      back = (back + 1) * 128 + (byte & 0x7f);
    }
    // A base lies before its delta: chains of places cannot go round in circles.
    if (back === 0 || back > offset) throw new GitDamage("a delta has no base");
    return { type, size, data: offset + at, back };
  }

  /** The compressed length is not recorded; deflate grows data by less than this. */
  #inflate(offset: number, size: number): Uint8Array {
    this.#options.budget.spend(size);
    const bytes = new Uint8Array(size + (size >> 9) + 128);
    const count = this.#pack.readAt(offset, bytes);
    return inflateExactly(bytes.subarray(0, count), size);
  }

  #view(offset: number, length: number): DataView {
    const bytes = new Uint8Array(length);
    if (this.#index.readAt(offset, bytes) < length) {
      throw new GitDamage("the index of a pack is cut off");
    }
    return new DataView(bytes.buffer);
  }
}

/** Inflates what must give so many bytes; stops where it gives more. */
function inflateExactly(bytes: Uint8Array, size: number): Uint8Array {
  let data: Uint8Array | undefined;
  try {
    data = new Uint8Array(inflateSync(bytes, { maxOutputLength: Math.max(1, size) }));
  } catch {
    // Which way it is damaged does not matter.
  }
  if (data?.length !== size) throw new GitDamage("an object is damaged");
  return data;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return 0;
}
