// A small, fast, stable 64-bit hash for ids and fingerprints. Not for security.

/** Hashes text to two unsigned 32-bit halves; the same text gives the same pair everywhere. */
export function hash64(text: string, seed = 0): [number, number] {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return [high >>> 0, low >>> 0];
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
