// A growing byte buffer with the few number codings that index files use.

/** Appends bytes and variable-length numbers. */
export class ByteWriter {
  #bytes: Uint8Array;
  #size = 0;

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  /** A number below 2^53, seven bits to a byte, low bits first. */
  varint(value: number): void {
    if (this.#size + 8 > this.#bytes.length) this.#reserve(8);
    let rest = value;
    // Bits where they suffice: dividing takes several times as long.
    while (rest > 127 && rest < 2 ** 31) {
      this.#bytes[this.#size++] = rest & 127 | 128;
      rest >>= 7;
    }
    while (rest > 127) {
      this.#bytes[this.#size++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#size++] = rest;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#size++] = value;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#size);
    this.#size += bytes.length;
  }

  /** Fills with zeros up to a multiple of 8, so that columns can be viewed as numbers. */
  align(): void {
    while (this.#size % 8 !== 0) this.byte(0);
  }

  /** A view of what was written. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#size);
  }

  #reserve(count: number): void {
    if (this.#size + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#size + count));
    larger.set(this.bytes());
    this.#bytes = larger;
  }
}
