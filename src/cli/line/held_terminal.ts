// A terminal that gives keys as they are pressed, for a while. Whatever happens, it is given back as it
// was. Uses Deno's own streams: the library's terminal would load most of Node first.

import { encodeExact } from "../../core/utf8.ts";
import type { Stream } from "./page.ts";
import { writeBytes } from "./terminal.ts";

export interface HoldOptions {
  out: Stream;
  /** What it is told at first and at last. */
  enter: string;
  leave: string;
  /** Whether Ctrl-C and Ctrl-Z stay signals; SIGINT is then the caller's. */
  keepsSignals?: boolean;
}

/** How a process that a signal ends is counted: 128 and the signal's number. */
const endings: readonly [Deno.Signal, number][] = [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
];

/** A terminal that is held; dispose of it to give it back. */
export class HeldTerminal implements Disposable {
  readonly #options: HoldOptions;
  readonly #giveBack: (() => void)[] = [];

  constructor(options: HoldOptions) {
    this.#options = options;
    this.#giveBack.push(() => Deno.stdin.setRaw(false));
    this.#giveBack.push(() => this.write(options.leave));
    this.take();
    for (const [name, exit] of endings) {
      if (name === "SIGINT" && options.keepsSignals) continue;
      if (Deno.build.os === "windows" && name === "SIGTERM") continue;
      this.listen(name, () => {
        this[Symbol.dispose]();
        Deno.exit(exit);
      });
    }
    this.#watchErrors();
  }

  /** Takes it, also once more after somebody else had it. */
  take(): void {
    Deno.stdin.setRaw(true, { cbreak: this.#options.keepsSignals ?? false });
    this.write(this.#options.enter);
  }

  get isHeld(): boolean {
    return this.#giveBack.length > 0;
  }

  /** Has something called on a signal, as long as the terminal is held. */
  listen(name: Deno.Signal, call: () => void): void {
    Deno.addSignalListener(name, call);
    this.#giveBack.push(() => Deno.removeSignalListener(name, call));
  }

  /** What is typed, as it comes; ends with the input or when nobody asks for more. */
  async *readKeys(): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    const buffer = new Uint8Array(4096);
    while (true) {
      const count = await Deno.stdin.read(buffer);
      if (count === null) return;
      yield decoder.decode(buffer.subarray(0, count), { stream: true });
    }
  }

  write(text: string): void {
    writeBytes(this.#options.out, encodeExact(text));
  }

  [Symbol.dispose](): void {
    for (let undo = this.#giveBack.pop(); undo !== undefined; undo = this.#giveBack.pop()) {
      try {
        undo();
      } catch {
        // The terminal is gone: there is nothing to give back.
      }
    }
  }

  /** An error that nobody catches is told on a terminal that can be read. */
  #watchErrors(): void {
    const giveBack = (): void => this[Symbol.dispose]();
    for (const name of ["error", "unhandledrejection", "unload"]) {
      globalThis.addEventListener(name, giveBack);
      this.#giveBack.push(() => globalThis.removeEventListener(name, giveBack));
    }
  }
}
