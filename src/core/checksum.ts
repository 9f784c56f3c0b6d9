// Checksums of index pages and of parts of logs: not against attackers, against broken disks, torn
// writes and bugs.
// Four lanes over 32-bit words, folded; the vector kernel computes the same lanes with SIMD.

const multiplier = 0x9e3779b1;
const seeds = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f];

/** A 32-bit checksum of bytes; the length counts too. */
export function checksum(bytes: Uint8Array): number {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
  let [a, b, c, d] = seeds;
  const whole = words.length & ~3;
  for (let i = 0; i < whole; i += 4) {
    a = Math.imul(a ^ words[i], multiplier);
    a ^= a >>> 15;
    b = Math.imul(b ^ words[i + 1], multiplier);
    b ^= b >>> 15;
    c = Math.imul(c ^ words[i + 2], multiplier);
    c ^= c >>> 15;
    d = Math.imul(d ^ words[i + 3], multiplier);
    d ^= d >>> 15;
  }
  return foldLanes(foldRest(a, bytes, whole * 4), b, c, d, bytes.length);
}

/** The first lane with the bytes that do not fill all four. */
export function foldRest(lane: number, bytes: Uint8Array, from: number): number {
  let a = lane;
  for (let i = from; i < bytes.length; i++) {
    a = Math.imul(a ^ bytes[i], 0x01000193) ^ (a >>> 7);
  }
  return a;
}

/** Folds the four lanes of some bytes into their checksum. */
export function foldLanes(a: number, b: number, c: number, d: number, length: number): number {
  let hash = mix(length, a);
  hash = mix(hash, b);
  hash = mix(hash, c);
  return mix(hash, d) >>> 0;
}

function mix(hash: number, lane: number): number {
  const mixed = Math.imul(hash ^ lane, 0x85ebca77);
  return mixed ^ (mixed >>> 13);
}
