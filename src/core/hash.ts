// A small, fast, stable 64-bit hash for ids and fingerprints. Not for security.

/** Hashes text to two unsigned 32-bit halves; the same text gives the same pair everywhere. */
export function hash64(text: string, seed = 0): [number, number] {
  const start = { high: 0xdeadbeef ^ seed, low: 0x41c6ce57 ^ seed };
  hashPart(start, { text, from: 0, to: text.length }, words);
  return [words[0], words[1]];
}

const words = new Uint32Array(2);

/** Where the hash of a text is after a prefix; `hashPart` goes on from there. */
export interface HashStart {
  readonly high: number;
  readonly low: number;
}

/** Prepares hashes of texts that begin with the same prefix. */
export function hashStart(prefix: string): HashStart {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < prefix.length; i++) {
    const unit = prefix.charCodeAt(i);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  return { high, low };
}

/**
 * As `hash64` of the prefix and a part of a text, into two words that are handed in: millions of
 * parts are hashed without making a string or an array of any.
 */
export function hashPart(
  start: HashStart,
  { text, from, to }: { text: string; from: number; to: number },
  into: Uint32Array,
): void {
  let { high, low } = start;
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  into[0] = high;
  into[1] = low;
}

/** 53 bits of the hash as one number. */
export function hash53(text: string): number {
  const [high, low] = hash64(text);
  return (high & 0x1fffff) * 2 ** 32 + low;
}

/** The hash as 16 hexadecimal digits. */
export function hashHex(text: string): string {
  const [high, low] = hash64(text);
  return high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
}
