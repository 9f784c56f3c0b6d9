// One git pack and its index (version 2): finds an object by name and undoes its deltas. Reads only
// the parts it needs, and believes no number that it reads: sizes and places are checked before they
// are used. Throws GitDamage.

import { diskFiles, type FileReader } from "../../disk/files.ts";
import { applyDelta, resultSize } from "./git_delta.ts";
import {
  type GitBudget,
  GitDamage,
  type GitObject,
  maxDeltas,
  maxHeldBytes,
  maxObjectBytes,
} from "./git_object.ts";
import { inflateExactly } from "./inflate.ts";

const kinds: Record<number, GitObject["kind"]> = { 1: "commit", 2: "tree", 3: "blob", 4: "tag" };
const offsetDelta = 6;
const nameDelta = 7;
const packHead = 12;
const indexHead = 1032;
const windowBytes = 4096;
const maxBaseBytes = 24 << 20;

/** What is looked for: deeper chains and larger objects are not wanted. */
export interface Wanted {
  /** Larger objects are passed over. */
  maxBytes: number;
  /** How many deltas led here, and how large they are. */
  deltas: number;
  heldBytes: number;
}

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
  /** The names of a part of the index, by their first byte. */
  readonly #names = new Map<number, Uint8Array>();
  /** Objects by their place: the versions of a file are made from each other. */
  readonly #bases = new Map<number, GitObject>();
  #baseBytes = 0;
  /** The bytes that were read last, and where they are from. */
  #window = new Uint8Array();
  #windowAt = 0;

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

  /** The names of objects that start with some hexadecimal digits, at least two of them. */
  *namesWith(prefix: string): Generator<string> {
    const { oidBytes } = this.#options;
    const { names } = this.#readNames(parseInt(prefix.slice(0, 2), 16));
    for (let at = 0; at < names.length; at += oidBytes) {
      const name = names.subarray(at, at + oidBytes).toHex();
      if (name.startsWith(prefix)) yield name;
    }
  }

  #findOffset(oid: string): number | undefined {
    const { oidBytes } = this.#options;
    const wanted = Uint8Array.fromHex(oid);
    const { names, first } = this.#readNames(wanted[0]);
    let from = 0;
    let to = names.length / oidBytes;
    while (from < to) {
      const middle = (from + to) >> 1;
      const order = compareBytes(names, middle * oidBytes, wanted);
      if (order === 0) return this.#offsetOf(first + middle);
      if (order < 0) from = middle + 1;
      else to = middle;
    }
    return undefined;
  }

  #readNames(byte: number): { names: Uint8Array; first: number } {
    const { oidBytes } = this.#options;
    const first = byte === 0 ? 0 : this.#fanout[byte - 1];
    let names = this.#names.get(byte);
    if (names === undefined) {
      names = new Uint8Array((this.#fanout[byte] - first) * oidBytes);
      this.#index.readAt(indexHead + first * oidBytes, names);
      this.#names.set(byte, names);
    }
    return { names, first };
  }

  #offsetOf(at: number): number {
    const count = this.#fanout[255];
    const offsets = indexHead + count * (this.#options.oidBytes + 4);
    const offset = this.#view(offsets + at * 4, 4).getUint32(0);
    if (offset < 0x80000000) return offset;
    const large = offsets + count * 4 + (offset & 0x7fffffff) * 8;
    return Number(this.#view(large, 8).getBigUint64(0));
  }

  /** Collects the deltas down to an object that is none, or is known, then applies them. */
  #readObject(offset: number, wanted: Wanted): GitObject | undefined {
    const deltas: { at: number; delta: Uint8Array }[] = [];
    let { heldBytes } = wanted;
    let base: GitObject | undefined;
    for (let at = offset; base === undefined;) {
      const known = this.#bases.get(at);
      if (known !== undefined) {
        if (deltas.length === 0 && known.data.length > wanted.maxBytes) return undefined;
        base = known;
        break;
      }
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
        base = this.#keep(at, { kind, data });
        break;
      }
      if (deltas.length === 0 && resultSize(data) > wanted.maxBytes) return undefined;
      deltas.push({ at, delta: data });
      heldBytes += data.length;
      if (head.type === nameDelta) {
        const count = wanted.deltas + deltas.length;
        const deeper = { maxBytes: maxObjectBytes, deltas: count, heldBytes };
        base = this.#options.findBase(head.base!, deeper);
        if (base === undefined) return undefined;
      } else at -= head.back!;
    }
    for (const { at, delta } of deltas.reverse()) {
      this.#options.budget.spend(resultSize(delta));
      base = this.#keep(at, { kind: base.kind, data: applyDelta(base.data, delta) });
    }
    return base;
  }

  #keep(at: number, object: GitObject): GitObject {
    if (this.#baseBytes > maxBaseBytes) {
      this.#bases.clear();
      this.#baseBytes = 0;
    }
    this.#bases.set(at, object);
    this.#baseBytes += object.data.length;
    return object;
  }

  /** The header of an object: its type and size, where its data starts, and its base. */
  #readHead(
    offset: number,
  ): { type: number; size: number; data: number; back?: number; base?: string } {
    const { oidBytes } = this.#options;
    const isInside = offset >= packHead && offset < this.#pack.size - oidBytes;
    const head = isInside ? this.#bytesAt(offset, 64) : new Uint8Array();
    if (head.length < 2) throw new GitDamage("a pack is cut off");
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
    return inflateExactly(this.#bytesAt(offset, size + (size >> 9) + 128), size);
  }

  /** So many bytes of the pack, fewer at its end: what lies side by side is read at once. */
  #bytesAt(offset: number, length: number): Uint8Array {
    const from = offset - this.#windowAt;
    if (from < 0 || from + length > this.#window.length) {
      const window = new Uint8Array(Math.max(length, windowBytes));
      this.#window = window.subarray(0, this.#pack.readAt(offset, window));
      this.#windowAt = offset;
      return this.#window.subarray(0, length);
    }
    return this.#window.subarray(from, from + length);
  }

  #view(offset: number, length: number): DataView {
    const bytes = new Uint8Array(length);
    if (this.#index.readAt(offset, bytes) < length) {
      throw new GitDamage("the index of a pack is cut off");
    }
    return new DataView(bytes.buffer);
  }
}

function compareBytes(a: Uint8Array, from: number, b: Uint8Array): number {
  for (let i = 0; i < b.length; i++) if (a[from + i] !== b[i]) return a[from + i] - b[i];
  return 0;
}
