// Tells which beginnings of a word may be pieces without looking one up: a bit for the hash of each.
// Most words of code end in letters of which few are, and a lookup makes a string of each.

const slots = 1 << 19;
const seed = 0x811c9dc5 | 0;

/** Bits by the hashes of all pieces; some other texts share them. */
export class PieceFilter {
  readonly #bits = new Uint8Array(slots / 8);
  readonly #ends = new Uint8Array(256);
  /** The hash of what stands before a piece that continues a word. */
  readonly #continued = mix(mix(seed, 35), 35);

  add(piece: string): void {
    let hash = seed;
    for (let at = 0; at < piece.length; at++) hash = mix(hash, piece.charCodeAt(at));
    const slot = slotOf(hash);
    this.#bits[slot >> 3] |= 1 << (slot & 7);
  }

  /** Where pieces may end that begin at a place of a word; what follows them there is of no use. */
  endsFrom(word: string, start: number): Uint8Array {
    let hash = start > 0 ? this.#continued : seed;
    let found = 0;
    for (let at = start; at < word.length && at < 255; at++) {
      hash = mix(hash, word.charCodeAt(at));
      const slot = slotOf(hash);
      if ((this.#bits[slot >> 3] & (1 << (slot & 7))) !== 0) this.#ends[found++] = at + 1;
    }
    return this.#ends.subarray(0, found);
  }
}

function mix(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (slots - 1);
}
