// How alike two files are, counted as git does: the share of bytes that lie in equal pieces, where a
// piece is a line, or 64 bytes of a long one. Pure.

/** The pieces of a file: how many bytes there are of each. */
export interface Pieces {
  size: number;
  bytes: Map<number, number>;
}

const maxPiece = 64;

/** Counts the pieces of a file. */
export function countPieces(data: Uint8Array): Pieces {
  const bytes = new Map<number, number>();
  let [hash, length] = [0x811c9dc5, 0];
  for (let at = 0; at < data.length; at++) {
    const byte = data[at];
    if (byte === 13 && data[at + 1] === 10) continue;
    hash = Math.imul(hash ^ byte, 0x01000193);
    length++;
    if (byte !== 10 && length < maxPiece && at < data.length - 1) continue;
    bytes.set(hash, (bytes.get(hash) ?? 0) + length);
    [hash, length] = [0x811c9dc5, 0];
  }
  return { size: data.length, bytes };
}

/** From 0, nothing in common, to 1. */
export function rateSimilarity(a: Pieces, b: Pieces): number {
  const most = Math.max(a.size, b.size);
  if (most === 0) return 1;
  let shared = 0;
  for (const [hash, bytes] of a.bytes) shared += Math.min(bytes, b.bytes.get(hash) ?? 0);
  return shared / most;
}
