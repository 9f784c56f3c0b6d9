// Undoes the compression of git's objects (zlib, RFC 1950 and 1951). Our own, because loading the
// runtime's takes as long as the rest of a command, and its single calls as long as this. Pure; believes
// nothing that it reads, and throws GitDamage for what does not hold together.

import { GitDamage } from "./git_object.ts";

/** Inflates what must give so many bytes. */
export function inflateExactly(bytes: Uint8Array, size: number): Uint8Array {
  const inflated = new Inflater(bytes, { room: size, maxBytes: size }).run();
  if (inflated?.length !== size) throw damaged();
  return inflated;
}

/** Inflates what may give up to so many bytes; undefined when it gives more. */
export function inflateUpTo(bytes: Uint8Array, maxBytes: number): Uint8Array | undefined {
  return new Inflater(bytes, { room: Math.min(maxBytes, bytes.length * 4 + 64), maxBytes }).run();
}

const lengthBase = Uint16Array.of(
  ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115],
  ...[131, 163, 195, 227, 258],
);
const lengthBits = Uint8Array.of(
  ...[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0],
);
const distanceBase = Uint16Array.of(
  ...[1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537],
  ...[2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577],
);
const orderOfLengths = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** A table from the next bits to a symbol and the length of its code: `symbol << 4 | length`. */
interface Codes {
  table: Uint16Array;
  mask: number;
}

let fixed: { literals: Codes; distances: Codes } | undefined;

class Inflater {
  readonly #source: Uint8Array;
  readonly #maxBytes: number;
  #at = 2;
  #bits = 0;
  #count = 0;
  #out: Uint8Array;
  #filled = 0;

  constructor(source: Uint8Array, { room, maxBytes }: { room: number; maxBytes: number }) {
    this.#source = source;
    this.#maxBytes = maxBytes;
    this.#out = new Uint8Array(room);
    const isZlib = source.length > 2 && (source[0] & 15) === 8 && (source[1] & 32) === 0 &&
      (source[0] * 256 + source[1]) % 31 === 0;
    if (!isZlib) throw damaged();
  }

  /** Undefined when there is more than was wanted. */
  run(): Uint8Array | undefined {
    for (let isLast = false; !isLast;) {
      isLast = this.#take(1) === 1;
      const kind = this.#take(2);
      if (kind === 3) throw damaged();
      const codes = kind === 0 ? undefined : kind === 1 ? fixedCodes() : this.#readCodes();
      const fits = codes === undefined ? this.#copyStored() : this.#inflateBlock(codes);
      if (!fits) return undefined;
    }
    const result = this.#out.subarray(0, this.#filled);
    this.#checkSum(result);
    return result;
  }

  /** The next bits, as a number. */
  #take(count: number): number {
    while (this.#count < count) {
      if (this.#at >= this.#source.length) throw damaged();
      this.#bits |= this.#source[this.#at++] << this.#count;
      this.#count += 8;
    }
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#count -= count;
    return value;
  }

  #copyStored(): boolean {
    this.#toByte();
    const from = this.#at + 4;
    const size = this.#source[this.#at] | (this.#source[this.#at + 1] << 8);
    const check = this.#source[this.#at + 2] | (this.#source[this.#at + 3] << 8);
    if (from + size > this.#source.length || (size ^ check) !== 0xffff) throw damaged();
    if (!this.#makeRoom(size)) return false;
    this.#out.set(this.#source.subarray(from, from + size), this.#filled);
    this.#filled += size;
    this.#at = from + size;
    return true;
  }

  /** Gives back whole bytes that were taken too early. */
  #toByte(): void {
    this.#at -= this.#count >> 3;
    this.#bits = 0;
    this.#count = 0;
  }

  #readCodes(): { literals: Codes; distances: Codes } {
    const [literals, distances, lengths] = [
      this.#take(5) + 257,
      this.#take(5) + 1,
      this.#take(4) + 4,
    ];
    const own = new Uint8Array(19);
    for (let i = 0; i < lengths; i++) own[orderOfLengths[i]] = this.#take(3);
    const codes = makeCodes(own);
    const all = new Uint8Array(literals + distances);
    for (let i = 0; i < all.length;) {
      const symbol = this.#takeSymbol(codes);
      if (symbol < 16) {
        all[i++] = symbol;
        continue;
      }
      const value = symbol === 16 ? all[i - 1] : 0;
      const repeat = symbol === 16
        ? 3 + this.#take(2)
        : symbol === 17
        ? 3 + this.#take(3)
        : 11 + this.#take(7);
      if (i + repeat > all.length || (symbol === 16 && i === 0)) throw damaged();
      all.fill(value, i, i + repeat);
      i += repeat;
    }
    return {
      literals: makeCodes(all.subarray(0, literals)),
      distances: makeCodes(all.subarray(literals)),
    };
  }

  #takeSymbol({ table, mask }: Codes): number {
    while (this.#count < 15 && this.#at < this.#source.length) {
      this.#bits |= this.#source[this.#at++] << this.#count;
      this.#count += 8;
    }
    const entry = table[this.#bits & mask];
    const length = entry & 15;
    if (length === 0 || length > this.#count) throw damaged();
    this.#bits >>>= length;
    this.#count -= length;
    return entry >> 4;
  }

  #inflateBlock({ literals, distances }: { literals: Codes; distances: Codes }): boolean {
    while (true) {
      const symbol = this.#takeSymbol(literals);
      if (symbol === 256) return true;
      if (symbol < 256) {
        if (this.#filled === this.#out.length && !this.#makeRoom(1)) return false;
        this.#out[this.#filled++] = symbol;
        continue;
      }
      if (symbol > 285) throw damaged();
      const length = lengthBase[symbol - 257] + this.#take(lengthBits[symbol - 257]);
      const far = this.#takeSymbol(distances);
      if (far > 29) throw damaged();
      const distance = distanceBase[far] + this.#take(far < 2 ? 0 : (far >> 1) - 1);
      if (distance > this.#filled) throw damaged();
      if (!this.#makeRoom(length)) return false;
      const out = this.#out;
      let to = this.#filled;
      this.#filled += length;
      // Byte by byte: what is copied may just have been written.
      for (let from = to - distance; to < this.#filled;) out[to++] = out[from++];
    }
  }

  /** Whether so many bytes more are wanted; there is room for them then. */
  #makeRoom(bytes: number): boolean {
    const needed = this.#filled + bytes;
    if (needed <= this.#out.length) return true;
    if (needed > this.#maxBytes) return false;
    const larger = new Uint8Array(Math.min(this.#maxBytes, Math.max(needed, this.#out.length * 2)));
    larger.set(this.#out);
    this.#out = larger;
    return true;
  }

  #checkSum(bytes: Uint8Array): void {
    this.#toByte();
    const at = this.#at;
    if (at + 4 > this.#source.length) throw damaged();
    let [a, b] = [1, 0];
    for (let from = 0; from < bytes.length; from += 2000) {
      const to = Math.min(bytes.length, from + 2000);
      for (let i = from; i < to; i++) {
        a += bytes[i];
        b += a;
      }
      a %= 65521;
      b %= 65521;
    }
    const view = new DataView(this.#source.buffer, this.#source.byteOffset + at, 4);
    if (view.getUint32(0) !== b * 65536 + a) throw damaged();
  }
}

function fixedCodes(): { literals: Codes; distances: Codes } {
  if (fixed === undefined) {
    const lengths = new Uint8Array(288).fill(8);
    lengths.fill(9, 144, 256).fill(7, 256, 280);
    fixed = { literals: makeCodes(lengths), distances: makeCodes(new Uint8Array(30).fill(5)) };
  }
  return fixed;
}

/** The table of a set of codes, given by the length of each symbol's code. */
function makeCodes(lengths: Uint8Array): Codes {
  const counts = new Uint16Array(16);
  let longest = 1;
  for (let i = 0; i < lengths.length; i++) {
    counts[lengths[i]]++;
    if (lengths[i] > longest) longest = lengths[i];
  }
  const next = new Uint16Array(17);
  let [code, left] = [0, 1];
  counts[0] = 0;
  for (let length = 1; length <= 15; length++) {
    code = (code + counts[length - 1]) << 1;
    next[length] = code;
    left = left * 2 - counts[length];
    if (left < 0) throw damaged();
  }
  const table = new Uint16Array(1 << longest);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol];
    if (length === 0) continue;
    const entry = (symbol << 4) | length;
    // Codes come with their first bit first, numbers with their last.
    let reversed = 0;
    for (let i = 0, value = next[length]++; i < length; i++, value >>= 1) {
      reversed = (reversed << 1) | (value & 1);
    }
    for (let i = reversed; i < table.length; i += 1 << length) table[i] = entry;
  }
  return { table, mask: table.length - 1 };
}

function damaged(): GitDamage {
  return new GitDamage("an object is damaged");
}
