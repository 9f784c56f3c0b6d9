// What a `copy … to stdout` sends, taken straight from the client library. Its stream would hand over
// every row by itself, which costs more than all the rest; and it stops its socket when much comes at
// once, and with the last of the data would never go on.

/** The library's stream, whose methods we put ours in place of. */
interface CopyStream {
  push(chunk: Uint8Array | null): boolean;
  destroy(error: unknown): void;
  _read(): void;
}

/** So much may wait before the server is to pause. */
const maxWaiting = 1 << 20;

/** Collects the rows of a COPY into chunks. */
export class CopySink {
  #stream: CopyStream | undefined;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #isEnded = false;
  #failure: { error: unknown } | undefined;
  #wake: () => void = () => {};

  /** Takes a stream's place; what comes later is no stream. */
  attach(answer: unknown): void {
    if (this.#stream !== undefined) return;
    const stream = answer as CopyStream;
    this.#stream = stream;
    stream.push = (chunk) => {
      if (chunk === null) this.#isEnded = true;
      else {
        this.#parts.push(chunk);
        this.#bytes += chunk.length;
      }
      this.#wake();
      return this.#bytes < maxWaiting;
    };
    stream.destroy = (error) => {
      this.#failure = { error };
      this.#wake();
    };
  }

  /** All that is there, in bytes of its own; undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    while (this.#parts.length === 0) {
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#isEnded) return undefined;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    const whole = new Uint8Array(this.#bytes);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    this.#parts = [];
    this.#bytes = 0;
    if (!this.#isEnded && this.#failure === undefined) this.resume();
    return whole;
  }

  /** Lets the server go on. */
  resume(): void {
    this.#stream?._read();
  }
}
