// A growing run of bytes with the few number codings that index files use. Kept in parts: growing
// never copies what is there, and a large segment is written to its file part by part.

const largestPart = 1 << 18;

/** Appends bytes and variable-length numbers. */
export class ByteWriter {
  readonly #full: Uint8Array[] = [];
  #part = new Uint8Array(1 << 12);
  /** The bytes in full parts, and in the last one. */
  #before = 0;
  #filled = 0;

  get size(): number {
    return this.#before + this.#filled;
  }

  /** A number below 2^53, seven bits to a byte, low bits first. */
  varint(value: number): void {
    if (this.#filled + 8 > this.#part.length) this.#startPart(8);
    const part = this.#part;
    let at = this.#filled;
    let rest = value;
    // By bits where they suffice: dividing takes several times as long.
    while (rest > 127 && rest < 2 ** 31) {
      part[at++] = rest & 127 | 128;
      rest >>= 7;
    }
    while (rest > 127) {
      part[at++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    part[at++] = rest;
    this.#filled = at;
  }

  byte(value: number): void {
    if (this.#filled === this.#part.length) this.#startPart(1);
    this.#part[this.#filled++] = value;
  }

  /** Appends some bytes of others. */
  append(bytes: Uint8Array, from = 0, to = bytes.length): void {
    const count = to - from;
    if (this.#filled + count > this.#part.length) this.#startPart(count);
    // A call of `set` takes longer than a few bytes do.
    if (count > 16) this.#part.set(bytes.subarray(from, to), this.#filled);
    else for (let i = 0; i < count; i++) this.#part[this.#filled + i] = bytes[from + i];
    this.#filled += count;
  }

  /** Views of what was written, in order. */
  parts(): Uint8Array[] {
    return [...this.#full, this.#part.subarray(0, this.#filled)];
  }

  #startPart(count: number): void {
    this.#full.push(this.#part.subarray(0, this.#filled));
    this.#before += this.#filled;
    this.#part = new Uint8Array(Math.max(count, Math.min(largestPart, this.#part.length * 2)));
    this.#filled = 0;
  }
}

/** Numbers with room for some more: the same ones, or a copy of twice the size. */
export function withRoom<
  T extends
    | Uint8Array
    | Int8Array
    | Uint16Array
    | Int32Array
    | Uint32Array
    | Float32Array
    | Float64Array,
>(
  numbers: T,
  count: number,
): T {
  if (count <= numbers.length) return numbers;
  const size = Math.max(count, numbers.length * 2);
  const larger = new (numbers.constructor as new (size: number) => T)(size);
  larger.set(numbers);
  return larger;
}
