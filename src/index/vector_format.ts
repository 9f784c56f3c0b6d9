// Vectors beside a segment: one page of header, then one int8 row for each row of the segment, then
// the length of each as float32. Rows are scaled to use all of int8; only the angle matters.

import { IndexDamage, makePagedBytes, pageBytes } from "./byte_source.ts";

const magic = 0x31434556;
const version = 1;

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

/** Scales a vector to int8 at a place among others; returns its length. */
export function quantizeInto(vector: Float32Array, values: Int8Array, from: number): number {
  let most = 0;
  for (let i = 0; i < vector.length; i++) most = Math.max(most, Math.abs(vector[i]));
  if (!(most > 0)) return 0;
  let square = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = Math.round(vector[i] * 127 / most);
    values[from + i] = value;
    square += value * value;
  }
  return Math.fround(Math.sqrt(square));
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

/** A block of zeros that lies in its file's bytes already: large ones are not copied to be written. */
export interface FileBlock extends VectorBlock {
  file: Uint8Array;
}

/** Makes room for the vectors of some rows. */
export function makeFileBlock(dimensions: number, rows: number): FileBlock {
  const size = rows * strideOf(dimensions);
  const file = makePagedBytes(pageBytes + size + rows * 4);
  return {
    dimensions,
    file,
    values: new Int8Array(file.buffer, pageBytes, size),
    norms: new Float32Array(file.buffer, pageBytes + size, rows),
  };
}

/** Completes the vector file that a block lies in. */
export function encodeVectors({ file, dimensions, norms }: FileBlock): Uint8Array {
  const view = new DataView(file.buffer);
  [magic, version, norms.length, dimensions].forEach((word, i) =>
    view.setUint32(i * 4, word, true)
  );
  return file;
}

/** Reads the shape from a file's header. */
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
