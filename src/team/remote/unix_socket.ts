// A connection over a socket file, in the form that the client library takes: Deno's own, because
// node:net closes the file of such a socket twice (Deno 2.9), and by then its number may be another
// file's.

import { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";

const readBytes = 1 << 16;

/** What the library uses of a socket, already connected. */
export class UnixSocket extends EventEmitter {
  readyState: "open" | "closed" = "open";
  readonly #file: Deno.UnixConn;
  #sending: Promise<void> = Promise.resolve();
  #goOn?: () => void;
  #isPaused = false;

  private constructor(file: Deno.UnixConn) {
    super();
    this.#file = file;
    void this.#read();
  }

  static async connect(path: string): Promise<UnixSocket> {
    return new UnixSocket(await Deno.connect({ transport: "unix", path }));
  }

  /** Sends in the order of calls; nobody has to wait for that, as a batch is bounded. */
  write(chunk: Uint8Array): boolean {
    this.#sending = this.#sending.then(() => this.#send(chunk))
      .catch((error) => this.#fail(error));
    return true;
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
    queueMicrotask(() => this.emit("close"));
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
        this.emit("data", buffer.subarray(0, count));
      }
      this.destroy();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #send(chunk: Uint8Array): Promise<void> {
    for (let sent = 0; sent < chunk.length;) sent += await this.#file.write(chunk.subarray(sent));
  }

  /** What fails once it is closed is of no interest. */
  #fail(error: unknown): void {
    if (this.readyState === "closed") return;
    // Without a listener, emitting an error throws it.
    if (this.listenerCount("error") > 0) this.emit("error", error);
    this.destroy();
  }
}
