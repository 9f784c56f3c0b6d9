// The file of the local model: little-endian "CTXEMB01", version, rows, dimensions, flags (low 16
// bits: exponent × 1000), 8 zero bytes, one float32 scale a row, then int8 rows.

import { diskFiles } from "../../disk/files.ts";
import { wholeChecksum } from "../../disk/page_checksums.ts";
import { makePoolKernel } from "./pool_kernel.ts";

export interface VectorTable {
  readonly rows: number;
  readonly dimensions: number;
  /** What a piece's count is raised to. */
  readonly exponent: number;
  /** Bytes that tell one table from another. */
  readonly mark: string;
  /** Adds up the first `count` of some rows, each times its weight. The sum is overwritten later. */
  addUp(ids: Uint16Array, weights: Float64Array, count: number): Float32Array;
}

const headerBytes = 32;
const magic = "CTXEMB01";
/** The most pieces of a text that count. */
export const maxPieces = 512;

/**
 * Opens a table if it is there: `whole` in memory, or with rows read by position as they are asked
 * for.
 */
export function findTable(path: string, whole: boolean): VectorTable | undefined {
  const file = diskFiles.openReader(path);
  if (file === undefined) return undefined;
  const read = (offset: number, bytes: Uint8Array): void => {
    if (file.readAt(offset, bytes) === bytes.length) return;
    throw new Error(`Cannot read "${path}": it ends too early`);
  };
  const head = new Uint8Array(headerBytes);
  read(0, head);
  const view = new DataView(head.buffer);
  const rows = view.getUint32(12, true);
  const dimensions = view.getUint32(16, true);
  const isTable = new TextDecoder().decode(head.subarray(0, 8)) === magic &&
    view.getUint32(8, true) === 1 && dimensions % 16 === 0;
  if (!isTable) {
    file[Symbol.dispose]();
    throw new Error(`Cannot use "${path}": it is no embedding table of version 1`);
  }
  const scales = new Float32Array(rows);
  read(headerBytes, new Uint8Array(scales.buffer));
  const table: TableRows = {
    rows,
    dimensions,
    scales,
    read: (id, bytes) => read(headerBytes + rows * 4 + id * dimensions, bytes),
  };
  const addUp = poolInKernel(table, whole);
  if (whole) file[Symbol.dispose]();
  return {
    rows,
    dimensions,
    exponent: (view.getUint32(20, true) & 0xffff) / 1000,
    mark: String(wholeChecksum(new Uint8Array(scales.buffer))),
    addUp,
  };
}

interface TableRows {
  rows: number;
  dimensions: number;
  scales: Float32Array;
  /** Fills bytes with the values from a row on. */
  read: (id: number, bytes: Uint8Array) => void;
}

/**
 * Adds rows up in a kernel: a loop of ours would be interpreted to its end. It has the whole table in
 * its memory, or the rows of the sum at hand.
 */
function poolInKernel(
  { rows, dimensions, scales, read }: TableRows,
  whole: boolean,
): VectorTable["addUp"] {
  const sumAt = maxPieces * 8;
  const tableAt = sumAt + dimensions * 4;
  const kernel = makePoolKernel(tableAt + (whole ? rows : maxPieces) * dimensions);
  const { buffer } = kernel.memory;
  if (whole) read(0, new Uint8Array(buffer, tableAt, rows * dimensions));
  const addresses = new Uint32Array(buffer, 0, maxPieces * 2);
  const factors = new Float32Array(buffer, 0, maxPieces * 2);
  const sum = new Float32Array(buffer, sumAt, dimensions);
  return (ids, weights, count) => {
    for (let item = 0; item < count; item++) {
      const id = ids[item];
      const at = tableAt + (whole ? id : item) * dimensions;
      if (!whole) read(id, new Uint8Array(buffer, at, dimensions));
      addresses[item * 2] = at;
      factors[item * 2 + 1] = weights[item] * scales[id];
    }
    kernel.pool(0, count, dimensions, sumAt);
    return sum;
  };
}
