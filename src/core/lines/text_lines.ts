// A file's bytes as lines: where each starts, and a number by which equal lines are known. Pure.

/** The lines of some bytes. A last line without an end is a line too, and differs from one with it. */
export class TextLines {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Where each line starts, and where the last one ends. */
  readonly starts: Uint32Array;
  #hashes?: Uint32Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.starts = findStarts(bytes);
    this.count = this.starts.length - 1;
  }

  /** A hash of each line; equal lines have equal ones. */
  get hashes(): Uint32Array {
    if (this.#hashes !== undefined) return this.#hashes;
    const { bytes, starts, count } = this;
    const hashes = new Uint32Array(count);
    for (let line = 0; line < count; line++) {
      let hash = 0x811c9dc5;
      for (let at = starts[line]; at < starts[line + 1]; at++) {
        hash = Math.imul(hash ^ bytes[at], 0x01000193);
      }
      hashes[line] = hash;
    }
    return this.#hashes = hashes;
  }

  isSame(line: number, other: number, lines: TextLines = this): boolean {
    const from = this.starts[line];
    const length = this.starts[line + 1] - from;
    const start = lines.starts[other];
    if (lines.starts[other + 1] - start !== length) return false;
    const a = this.bytes;
    const b = lines.bytes;
    for (let i = 0; i < length; i++) if (a[from + i] !== b[start + i]) return false;
    return true;
  }

  /** How many lines end at or before a place. */
  countUpTo(at: number): number {
    return Math.max(0, this.countStartsUpTo(at) - (at >= this.bytes.length ? 0 : 1));
  }

  /** How many lines start at or before a place. */
  countStartsUpTo(at: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether a line starts at a place. */
  startsAt(at: number): boolean {
    return at === 0 || this.bytes[at - 1] === newline;
  }

  /** The text of a line, without its end. */
  textOf(line: number): string {
    let end = this.starts[line + 1];
    if (this.bytes[end - 1] === newline) end--;
    if (this.bytes[end - 1] === carriage && end > this.starts[line]) end--;
    return decoder.decode(this.bytes.subarray(this.starts[line], end));
  }
}

const newline = 10;
const carriage = 13;
const decoder = new TextDecoder();

function findStarts(bytes: Uint8Array): Uint32Array {
  let starts = new Uint32Array(64 + (bytes.length >> 4));
  let count = 0;
  for (let at = 0; at < bytes.length;) {
    if (count + 2 > starts.length) starts = grown(starts);
    starts[count++] = at;
    const end = bytes.indexOf(newline, at);
    at = end < 0 ? bytes.length : end + 1;
  }
  starts[count] = bytes.length;
  return starts.subarray(0, count + 1);
}

function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
