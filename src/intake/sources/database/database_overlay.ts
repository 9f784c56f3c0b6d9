// What lies over the pages of a SQLite file: committed pages in its write-ahead log, or the pages
// that an unfinished transaction has put aside in its rollback journal. Both are only read: the
// formats are those of sqlite.org/fileformat2.html, sections 3 and 4.

/** Pages whose current bytes are in another file than the database, and how many pages there are. */
export interface Overlay {
  /** By page number, where its bytes begin. */
  offsets: Map<number, number>;
  pageCount?: number;
}

/** Reads some bytes at an offset; fewer where the file ends. */
export type ReadAt = (offset: number, bytes: Uint8Array) => number;

const walHeaderBytes = 32;
const frameHeaderBytes = 24;
const journalMagic = 0xd9d505f920a163d7n;

/** The committed pages of a write-ahead log: up to the last commit whose checksums hold. */
export function readWal(readAt: ReadAt, pageBytes: number): Overlay {
  const overlay: Overlay = { offsets: new Map() };
  const header = new DataView(new ArrayBuffer(walHeaderBytes));
  if (readAt(0, new Uint8Array(header.buffer)) < walHeaderBytes) return overlay;
  const magic = header.getUint32(0);
  if ((magic & ~1) !== 0x377f0682 || header.getUint32(8) !== pageBytes) return overlay;
  const little = (magic & 1) === 0;
  let sums = addChecksum([0, 0], header, { from: 0, to: 24, little });
  if (sums[0] !== header.getUint32(24) || sums[1] !== header.getUint32(28)) return overlay;
  const frame = new DataView(new ArrayBuffer(frameHeaderBytes + pageBytes));
  const bytes = new Uint8Array(frame.buffer);
  let waiting = new Map<number, number>();
  for (let at = walHeaderBytes; readAt(at, bytes) === bytes.length; at += bytes.length) {
    if (frame.getUint32(8) !== header.getUint32(16)) break;
    if (frame.getUint32(12) !== header.getUint32(20)) break;
    sums = addChecksum(sums, frame, { from: 0, to: 8, little });
    sums = addChecksum(sums, frame, { from: frameHeaderBytes, to: bytes.length, little });
    if (sums[0] !== frame.getUint32(16) || sums[1] !== frame.getUint32(20)) break;
    waiting.set(frame.getUint32(0), at + frameHeaderBytes);
    const pageCount = frame.getUint32(4);
    if (pageCount === 0) continue;
    for (const [page, offset] of waiting) overlay.offsets.set(page, offset);
    overlay.pageCount = pageCount;
    waiting = new Map();
  }
  return overlay;
}

/** The pages as they were before the transaction that a rollback journal belongs to. */
export function readJournal(
  readAt: ReadAt,
  options: { pageBytes: number; sizeBytes: number },
): Overlay {
  const { pageBytes, sizeBytes } = options;
  const overlay: Overlay = { offsets: new Map() };
  const record = new DataView(new ArrayBuffer(pageBytes + 8));
  const bytes = new Uint8Array(record.buffer);
  const header = new DataView(new ArrayBuffer(28));
  for (let at = 0; readAt(at, new Uint8Array(header.buffer)) === 28;) {
    if (header.getBigUint64(0) !== journalMagic || header.getUint32(24) !== pageBytes) break;
    overlay.pageCount ??= header.getUint32(16);
    const sectorBytes = Math.max(512, header.getUint32(20));
    const said = header.getUint32(8);
    at += sectorBytes;
    const count = said === 0xffffffff ? Math.floor((sizeBytes - at) / bytes.length) : said;
    for (let i = 0; i < count; i++, at += bytes.length) {
      if (readAt(at, bytes) < bytes.length) return overlay;
      const page = record.getUint32(0);
      if (recordSum(bytes, header.getUint32(12)) !== record.getUint32(pageBytes + 4)) {
        return overlay;
      }
      // The first copy is the oldest: that is the one from before the transaction.
      if (!overlay.offsets.has(page)) overlay.offsets.set(page, at + 4);
    }
    at = Math.ceil(at / sectorBytes) * sectorBytes;
  }
  return overlay;
}

function addChecksum(
  sums: [number, number],
  data: DataView,
  span: { from: number; to: number; little: boolean },
): [number, number] {
  let [a, b] = sums;
  for (let at = span.from; at < span.to; at += 8) {
    a = (a + data.getUint32(at, span.little) + b) >>> 0;
    b = (b + data.getUint32(at + 4, span.little) + a) >>> 0;
  }
  return [a, b];
}

/** The sum of a journal's record: its nonce and every 200th byte of the page, from its end. */
function recordSum(record: Uint8Array, nonce: number): number {
  let sum = nonce;
  for (let i = record.length - 8 - 200; i > 0; i -= 200) sum = (sum + record[4 + i]) >>> 0;
  return sum;
}
