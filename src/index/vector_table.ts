// The file of the local model: little-endian "CTXEMB01", version, rows, dimensions, flags (low 16
// bits: exponent × 1000), 8 zero bytes, one float32 scale a row, then int8 rows.

import { diskFiles } from "../store/files.ts";
import { checksum } from "./checksum.ts";

/** Rows of a static embedding table. */
export interface VectorTable {
  readonly rows: number;
  readonly dimensions: number;
  /** What a piece's count is raised to. */
  readonly exponent: number;
  /** Bytes that tell one table from another. */
  readonly mark: string;
  /** Adds a row, times a weight, to a sum. */
  addRow(id: number, weight: number, sum: Float64Array): void;
}

const headerBytes = 32;
const magic = "CTXEMB01";

/** Opens a table: `whole` in memory, or with rows read by position as they are asked for. */
export function openTable(path: string, whole: boolean): VectorTable {
  const file = diskFiles.openReader(path);
  if (file === undefined) throw new Error(`Cannot find the embedding table "${path}"`);
  const read = (offset: number, length: number): Uint8Array<ArrayBuffer> => {
    const bytes = new Uint8Array(length);
    if (file.readAt(offset, bytes) < length) {
      throw new Error(`Cannot read "${path}": it ends too early`);
    }
    return bytes;
  };
  const head = read(0, headerBytes);
  const view = new DataView(head.buffer);
  const rows = view.getUint32(12, true);
  const dimensions = view.getUint32(16, true);
  if (new TextDecoder().decode(head.subarray(0, 8)) !== magic || view.getUint32(8, true) !== 1) {
    file.close();
    throw new Error(`Cannot use "${path}": it is no embedding table of version 1`);
  }
  const scales = new Float32Array(read(headerBytes, rows * 4).buffer);
  const start = headerBytes + rows * 4;
  const values = whole ? new Int8Array(read(start, rows * dimensions).buffer) : undefined;
  if (values) file.close();
  const readRow = (id: number): Int8Array =>
    new Int8Array(read(start + id * dimensions, dimensions).buffer);
  return {
    rows,
    dimensions,
    exponent: (view.getUint32(20, true) & 0xffff) / 1000,
    mark: String(checksum(new Uint8Array(scales.buffer))),
    addRow(id, weight, sum) {
      const factor = weight * scales[id];
      const source = values ?? readRow(id);
      const start = values ? id * dimensions : 0;
      for (let i = 0; i < dimensions; i++) sum[i] += factor * source[start + i];
    },
  };
}
