// Checksums of index pages: not against attackers, against broken disks, torn writes and bugs.

/** A 32-bit checksum of bytes; the length counts too. */
export function checksum(bytes: Uint8Array): number {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
  let a = 0x9e3779b1 ^ bytes.length;
  let b = 0x85ebca77;
  const even = words.length & ~1;
  for (let i = 0; i < even; i += 2) {
    a = Math.imul(a ^ words[i], 0x9e3779b1);
    a ^= a >>> 15;
    b = Math.imul(b ^ words[i + 1], 0x85ebca77);
    b ^= b >>> 13;
  }
  if (even < words.length) a = Math.imul(a ^ words[even], 0xc2b2ae3d);
  for (let i = words.length * 4; i < bytes.length; i++) b = Math.imul(b ^ bytes[i], 0x27d4eb2f);
  a = Math.imul(a ^ (b >>> 16) ^ (b << 16), 0xc2b2ae3d);
  return (a ^ (a >>> 15)) >>> 0;
}
