// The sketches of a segment in memory, for a process that searches more than once: reading and
// checking them again takes longer than comparing them.

import { groupBytes, groupRows, type SketchQuery } from "./sketch.ts";
import { makeSketchKernel, type SketchKernel } from "./sketch_kernel.ts";

/** All columns together keep no more than this: the sketches of two million rows of 256 dimensions. */
const mostBytes = 1 << 26;
let keptBytes = 0;

const tablesAt = 0;
const estimatesAt = 65_536;
/** So many groups are estimated before their rows are handed on. */
const groupsAtOnce = 1024;
const sketchesAt = estimatesAt + groupsAtOnce * groupRows * 4;

/** Whether there is room for some bytes more. */
export function mayKeep(bytes: number): boolean {
  return keptBytes + bytes <= mostBytes;
}

/** Sketches in a memory of their own. */
export class KeptSketches implements Disposable {
  /** The place for them, to be filled by who makes this. */
  readonly bytes: Uint8Array;
  readonly #kernel: SketchKernel;
  readonly #memory: WebAssembly.Memory;

  constructor(length: number) {
    const initial = Math.ceil((sketchesAt + length) / 65_536);
    this.#memory = new WebAssembly.Memory({ initial, maximum: initial });
    this.#kernel = makeSketchKernel(this.#memory);
    this.bytes = new Uint8Array(this.#memory.buffer, sketchesAt, length);
    keptBytes += length;
  }

  /** Writes an estimate for each of the first rows into `out`, all of it. */
  estimate({ tables, step, offset }: SketchQuery, out: Float32Array): void {
    const { buffer } = this.#memory;
    new Uint8Array(buffer, tablesAt, tables.length).set(tables);
    const columns = tables.length / 32;
    const size = groupBytes(columns * 8);
    const groups = Math.ceil(out.length / groupRows);
    for (let group = 0; group < groups; group += groupsAtOnce) {
      const count = Math.min(groupsAtOnce, groups - group);
      const at = sketchesAt + group * size;
      this.#kernel.estimate(at, columns, count, tablesAt, step, offset, estimatesAt);
      const row = group * groupRows;
      const rows = Math.min(count * groupRows, out.length - row);
      out.set(new Float32Array(buffer, estimatesAt, rows), row);
    }
  }

  [Symbol.dispose](): void {
    keptBytes -= this.bytes.length;
  }
}
