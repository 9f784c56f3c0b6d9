// Cosines from a vector file are those of plain code, however many rows it has.

import assert from "node:assert/strict";
import { pageBytes, PagedSource } from "../../../src/disk/byte_source.ts";
import { pageChecksums, wholeChecksum } from "../../../src/disk/page_checksums.ts";
import { dotOf, VectorColumn } from "../../../src/index/vectors/vector_column.ts";
import {
  cosine,
  encodeVectors,
  quantize,
  quantizeInto,
} from "../../../src/index/vectors/vector_format.ts";
import { MemoryReader } from "../../../src/disk/memory_reader.ts";

for (const [rows, dimensions] of [[1, 16], [300, 16], [5000, 16], [70_000, 16], [3000, 1536]]) {
  Deno.test(`compare() gives the cosine of each of ${rows} rows of ${dimensions}, also twice`, () => {
    const vectorOf = (row: number) =>
      Float32Array.from({ length: dimensions }, (_, i) => Math.sin(row * 31 + i * 7));
    const values = new Int8Array(rows * dimensions);
    const norms = new Float32Array(rows);
    for (let row = 1; row < rows; row++) {
      norms[row] = quantizeInto(vectorOf(row), values, row * dimensions);
    }
    const column = new VectorColumn(
      fileOf([...encodeVectors({ dimensions, values: [values], norms })]),
      rows,
    );
    const query = quantize(vectorOf(7));
    for (let time = 0; time < 2; time++) {
      const found = new Float32Array(rows + 2).fill(9);
      column.compare(query, found, 1);
      assert.deepEqual([found[0], found[rows + 1]], [9, 9]);
      for (let row = 0; row < rows; row += row < 300 ? 1 : 97) {
        const own = {
          values: values.subarray(row * dimensions, (row + 1) * dimensions),
          norm: norms[row],
        };
        assert.equal(found[row + 1], Math.fround(cosine(dotOf(query, own), query.norm, own.norm)));
      }
    }
  });
}

/** A file of pages and the table of their checksums. */
function fileOf(parts: Uint8Array[]): PagedSource {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const pages = Math.ceil(size / pageBytes);
  const bytes = new Uint8Array(pages * (pageBytes + 4));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  const sums = Uint32Array.from(pageChecksums(bytes.subarray(0, pages * pageBytes), pageBytes));
  const table = new Uint8Array(sums.buffer);
  bytes.set(table, pages * pageBytes);
  return new PagedSource(new MemoryReader(bytes), {
    label: "test.vec",
    bytes: bytes.length,
    checksum: wholeChecksum(table),
  });
}
