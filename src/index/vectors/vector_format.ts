// Vectors beside a segment: one page of header, then one int8 row for each row of the segment, then
// the length of each as float32. Rows are scaled to use all of int8; only the angle matters.

import { IndexDamage, pageBytes } from "../../disk/byte_source.ts";

const magic = 0x31434556;
const version = 3;

/** The shape of a vector file; rows are padded to a multiple of 16 bytes. */
export interface VectorShape {
  rows: number;
  dimensions: number;
  stride: number;
}

/** A vector as int8, with its length. */
export interface Quantized {
  values: Int8Array;
  norm: number;
}

/** The bytes of a row with some dimensions. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / 16) * 16;
}

/** Scales a vector to int8; zeros stay zeros. */
export function quantize(vector: Float32Array): Quantized {
  const values = new Int8Array(strideOf(vector.length));
  return { values, norm: quantizeInto(vector, values, 0) };
}

/** Puts the int8 values of a vector into others, from `start` on, and returns their length. */
export function quantizeInto(vector: Float32Array, values: Int8Array, start: number): number {
  let most = 0;
  for (let i = 0; i < vector.length; i++) {
    const size = Math.abs(vector[i]);
    if (size > most) most = size;
  }
  if (most === 0) return 0;
  const scale = 127 / most;
  let square = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = Math.floor(vector[i] * scale + 0.5);
    values[start + i] = value;
    square += value * value;
  }
  return square > 0 ? Math.fround(Math.sqrt(square)) : 0;
}

/** The cosine of two quantized vectors from their dot product. */
export function cosine(dot: number, a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : dot / (a * b);
}

/** The vectors of some rows, one after the other. */
export interface VectorBlock {
  dimensions: number;
  values: Int8Array;
  norms: Float32Array;
}

/** Lays out a vector file, in parts: a header, the rows, their lengths. */
export function* encodeVectors(
  parts: Omit<VectorBlock, "values"> & { values: Iterable<Int8Array> },
): Generator<Uint8Array> {
  const { dimensions, norms } = parts;
  yield encodeHeader(norms.length, dimensions);
  for (const values of parts.values) yield toBytes(values);
  yield toBytes(norms);
}

function encodeHeader(rows: number, dimensions: number): Uint8Array {
  const bytes = new Uint8Array(pageBytes);
  const view = new DataView(bytes.buffer);
  [magic, version, rows, dimensions].forEach((word, i) => view.setUint32(i * 4, word, true));
  return bytes;
}

function toBytes(numbers: Int8Array | Float32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

export function decodeShape(header: Uint8Array): VectorShape {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const word = (i: number): number => view.getUint32(i * 4, true);
  if (word(0) !== magic || word(1) !== version) {
    throw new IndexDamage("a vector file has a foreign header");
  }
  return { rows: word(2), dimensions: word(3), stride: strideOf(word(3)) };
}

/** Where the rows and their lengths are. */
export function vectorOffsets(shape: VectorShape): { rows: number; norms: number } {
  return { rows: pageBytes, norms: pageBytes + shape.rows * shape.stride };
}
