// Sketches: estimates are those of plain code and near the cosines they stand for, wherever the rows lie.

import assert from "node:assert/strict";
import { makeRandom } from "../../../bench/generate.ts";
import { encodeMerged } from "../../../src/index/vectors/vector_block.ts";
import {
  groupBytes,
  groupRows,
  SketchBuilder,
  sketchMargin,
  type SketchQuery,
  toSketchQuery,
} from "../../../src/index/vectors/sketch.ts";
import { sketchKernelBytes } from "../../../src/index/vectors/sketch_kernel.ts";
import { TailVectors } from "../../../src/index/vectors/tail_vectors.ts";
import { VectorColumn } from "../../../src/index/vectors/vector_column.ts";
import {
  encodeVectors,
  quantize,
  quantizeInto,
  strideOf,
  type VectorBlock,
  vectorOffsets,
} from "../../../src/index/vectors/vector_format.ts";
import { IndexDamage, PagedSource } from "../../../src/disk/byte_source.ts";
import { toPagedFile } from "../../../src/disk/paged_file.ts";
import { MemoryReader } from "../../../src/disk/memory_reader.ts";

Deno.test("sketch_kernel.ts holds sketch_kernel.wat, assembled", async () => {
  const { default: makeWabt } = await import("wabt");
  const path = new URL("../../../src/index/vectors/sketch_kernel.wat", import.meta.url);
  const wabt = await makeWabt();
  const module = wabt.parseWat("sketch_kernel.wat", Deno.readTextFileSync(path), { simd: true });
  assert.deepEqual(sketchKernelBytes(), new Uint8Array(module.toBinary({}).buffer));
});

for (const [dimensions, rows] of [[16, 70_000], [40, 17], [256, 5000], [384, 1], [1536, 33]]) {
  Deno.test(`estimates of ${rows} rows of ${dimensions} dimensions are those of plain code`, () => {
    const vectors = drawVectors(rows, dimensions);
    const block = toBlock(vectors);
    const column = new VectorColumn(fileOf(block), rows);
    const query = quantize(drawVectors(1, dimensions, 77)[0]);
    const sketch = toSketchQuery(query.values);
    const expected = plainEstimates(block, sketch);
    for (let time = 0; time < 4; time++) {
      const found = new Float32Array(rows + 2).fill(9);
      column.estimate(sketch, found, 1);
      assert.deepEqual([found[0], found[rows + 1]], [9, 9]);
      assert.deepEqual(found.subarray(1, rows + 1), expected);
    }
    const inMemory = new Float32Array(rows);
    new TailVectors(vectors, dimensions).estimate(sketch, inMemory, 0);
    assert.deepEqual(inMemory, expected);
  });
}

Deno.test("an estimate is seldom further from its cosine than the margin, and leans to no side", () => {
  for (const dimensions of [256, 384]) {
    // Much of each vector is common to all and in few dimensions, as with real texts.
    const vectors = drawVectors(3000, dimensions).map((vector, i) =>
      vector.map((value, at) => value * (0.5 + (i % 5) / 10) + (at < 8 ? 0.3 : 0))
    );
    const query = quantize(vectors[17]);
    const block = toBlock(vectors);
    const exact = new Float32Array(vectors.length);
    new VectorColumn(fileOf(block), vectors.length).compare(query, exact, 0);
    const estimates = plainEstimates(block, toSketchQuery(query.values));
    const margin = sketchMargin(strideOf(dimensions));
    const errors = exact.map((cosine, row) => estimates[row] - cosine);
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
    const far = errors.filter((error) => Math.abs(error) > margin).length / errors.length;
    assert.ok(Math.abs(mean) < margin / 4, `${dimensions}: on average off by ${mean}`);
    assert.ok(far < 0.03, `${dimensions}: ${far} are further off than ${margin}`);
    assert.ok(Math.abs(estimates[17] - 1) < margin, `${dimensions}: itself ${estimates[17]}`);
  }
});

Deno.test("the cosines of some rows are those of all", () => {
  for (const dimensions of [40, 256, 384]) {
    const vectors = drawVectors(3000, dimensions);
    const column = new VectorColumn(fileOf(toBlock(vectors)), vectors.length);
    const query = quantize(vectors[5]);
    const all = new Float32Array(vectors.length);
    column.compare(query, all, 0);
    const numbers = [...all.keys()];
    const some = [numbers.filter((row) => row % 7 < 3), numbers.filter((row) => row % 50 < 3)];
    for (const list of [[0], [2999], [], ...some]) {
      const rows = Uint32Array.from(list);
      const expected = Float32Array.from(rows, (row) => all[row]);
      assert.deepEqual(column.compareRows(query, rows), expected);
      const tail = new TailVectors(vectors, dimensions);
      assert.deepEqual(tail.compareRows(query, rows), expected);
    }
  }
});

Deno.test("merged vectors have the sketches that the same rows have in one piece", () => {
  const vectors = drawVectors(500, 48);
  const kept = [...vectors.keys()].filter((row) => row % 3 !== 1);
  const whole = joined(encodeVectors(inParts(toBlock(kept.map((row) => vectors[row])))));
  let next = 0;
  const inputs = [[0, 170], [170, 171], [171, 500]].map(([from, to], i) => {
    const block = toBlock(vectors.slice(from, to));
    const rows = Int32Array.from(
      { length: to - from },
      (_, at) => (from + at) % 3 === 1 ? -1 : next++,
    );
    return { vectors: i === 2 ? new VectorColumn(fileOf(block), to - from) : block, rows };
  });
  assert.deepEqual(joined(encodeMerged(inputs)), whole);
});

Deno.test("damage of a sketch is noticed, of whatever byte", () => {
  const rows = 2000;
  const block = toBlock(drawVectors(rows, 256));
  const shape = { rows, dimensions: 256, stride: 256 };
  const { sketches } = vectorOffsets(shape);
  const { tables, ...rest } = toSketchQuery(quantize(drawVectors(1, 256, 5)[0]).values);
  const bytes = Math.ceil(rows / groupRows) * groupBytes(256);
  for (const at of [0, 1, 4096, bytes - 1]) {
    const column = new VectorColumn(fileOf(block, sketches + at), rows);
    const estimate = () => column.estimate({ tables, ...rest }, new Float32Array(rows), 0);
    assert.throws(estimate, IndexDamage, `byte ${at}`);
    assert.throws(estimate, IndexDamage, `byte ${at}, the second time`);
  }
});

Deno.test("damage of a row that is compared alone is noticed", () => {
  const block = toBlock(drawVectors(2000, 256));
  const query = quantize(drawVectors(1, 256, 5)[0]);
  const start = vectorOffsets({ rows: 2000, dimensions: 256, stride: 256 }).rows;
  const column = new VectorColumn(fileOf(block, start + 800 * 256), 2000);
  assert.throws(() => column.compareRows(query, Uint32Array.of(3, 800, 1999)), IndexDamage);
  assert.equal(column.compareRows(query, Uint32Array.of(3, 1999)).length, 2);
});

/** Unit vectors; every 50th is nothing. */
function drawVectors(count: number, dimensions: number, seed = 3): Float32Array[] {
  const random = makeRandom(seed);
  return Array.from({ length: count }, (_, row) => {
    const vector = Float32Array.from({ length: dimensions }, () => random() + random() - 1);
    const norm = Math.hypot(...vector);
    return vector.map((value) => row % 50 === 49 ? 0 : value / norm);
  });
}

function toBlock(vectors: readonly Float32Array[]): VectorBlock {
  const dimensions = vectors[0].length;
  const stride = strideOf(dimensions);
  const values = new Int8Array(vectors.length * stride);
  const norms = Float32Array.from(
    vectors,
    (vector, row) => quantizeInto(vector, values, row * stride),
  );
  return { dimensions, values, norms };
}

function inParts(block: VectorBlock): Parameters<typeof encodeVectors>[0] {
  return { ...block, values: [block.values] };
}

function joined(parts: Iterable<Uint8Array>): Uint8Array {
  return Uint8Array.from([...parts].flatMap((part) => [...part]));
}

/** The estimates as the format says: signs looked up in tables, times a factor. */
function plainEstimates(block: VectorBlock, query: SketchQuery): Float32Array {
  const stride = strideOf(block.dimensions);
  const builder = new SketchBuilder(block.norms.length, stride);
  builder.add(block.values);
  const round = Math.fround;
  return block.norms.map((_, row) => {
    let at = Math.floor(row / groupRows) * groupBytes(stride) + row % groupRows;
    let sum = 0;
    for (let column = 0; column < stride / 8; column++, at += groupRows) {
      const bits = builder.bytes[at];
      sum += query.tables[column * 32 + (bits & 15)] + query.tables[column * 32 + 16 + (bits >> 4)];
    }
    const factor = builder.bytes[at];
    if (factor === 0) return 0;
    const scale = round(round(factor * round(1 / 254)) + round(1 - 1 / 254));
    return round(round(round(sum * round(query.step)) - round(query.offset)) * scale);
  });
}

/** A checked file of vectors, one byte of it other than it should be. */
function fileOf(block: VectorBlock, broken?: number): PagedSource {
  const { bytes, checksum } = toPagedFile([...encodeVectors(inParts(block))]);
  if (broken !== undefined) bytes[broken] ^= 4;
  return new PagedSource(new MemoryReader(bytes), {
    label: "test.vec",
    bytes: bytes.length,
    checksum,
  });
}
