// A connection over a socket file, in the form that the client library takes: Deno's own, because
// node:net closes the file of such a socket twice (Deno 2.9), and by then its number may be another
// file's.

import { Buffer } from "node:buffer";

type Listener = (value?: unknown) => void;

/** How much may wait to be sent before the library is told to wait. */
const highWaterBytes = 1 << 20;
const readBytes = 1 << 16;

/** What the library uses of a socket, already connected. */
export class UnixSocket {
  readyState: "open" | "closed" = "open";
  readonly #file: Deno.UnixConn;
  readonly #listeners = new Map<string, Listener[]>();
  #sending: Promise<void> = Promise.resolve();
  #waitingBytes = 0;
  #goOn?: () => void;
  #isPaused = false;

  private constructor(file: Deno.UnixConn) {
    this.#file = file;
    void this.#read();
  }

  static async connect(path: string): Promise<UnixSocket> {
    return new UnixSocket(await Deno.connect({ transport: "unix", path }));
  }

  on(event: string, listener: Listener): this {
    this.#listeners.set(event, [...this.#listeners.get(event) ?? [], listener]);
    return this;
  }

  once(event: string, listener: Listener): this {
    const once: Listener = (value) => {
      this.removeListener(event, once);
      listener(value);
    };
    return this.on(event, once);
  }

  removeListener(event: string, listener: Listener): this {
    const kept = (this.#listeners.get(event) ?? []).filter((item) => item !== listener);
    this.#listeners.set(event, kept);
    return this;
  }

  removeAllListeners(): this {
    this.#listeners.clear();
    return this;
  }

  /** Sends in the order of calls; false asks the caller to wait for `drain`. */
  write(chunk: Uint8Array, done?: Listener): boolean {
    this.#waitingBytes += chunk.length;
    this.#sending = this.#sending.then(() => this.#send(chunk)).then(
      () => done?.(),
      (error) => this.#fail(error),
    );
    return this.#waitingBytes < highWaterBytes;
  }

  end(chunk?: Uint8Array): void {
    if (chunk !== undefined) this.write(chunk);
    void this.#sending.then(() => this.destroy());
  }

  destroy(): void {
    if (this.readyState === "closed") return;
    this.readyState = "closed";
    this.#file.close();
    this.resume();
    queueMicrotask(() => this.#emit("close"));
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#goOn?.();
  }

  async #read(): Promise<void> {
    try {
      while (this.readyState === "open") {
        if (this.#isPaused) await new Promise<void>((resolve) => this.#goOn = resolve);
        const buffer = Buffer.allocUnsafeSlow(readBytes);
        const count = await this.#file.read(buffer);
        if (count === null) break;
        this.#emit("data", buffer.subarray(0, count));
      }
      this.destroy();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #send(chunk: Uint8Array): Promise<void> {
    for (let sent = 0; sent < chunk.length;) sent += await this.#file.write(chunk.subarray(sent));
    const before = this.#waitingBytes;
    this.#waitingBytes -= chunk.length;
    if (before >= highWaterBytes && this.#waitingBytes < highWaterBytes) this.#emit("drain");
  }

  /** What fails once it is closed is of no interest. */
  #fail(error: unknown): void {
    if (this.readyState === "closed") return;
    this.#emit("error", error);
    this.destroy();
  }

  #emit(event: string, value?: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(value);
  }
}
