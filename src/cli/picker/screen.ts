// The whole terminal for a while: keys as they are pressed, the alternate screen, lines painted where
// they changed. Whatever happens, the terminal is given back as it was. Uses Deno's own streams: the
// library's terminal would load most of Node first.

import { encodeExact } from "../../core/utf8.ts";
import { writeBytes } from "../line/terminal.ts";

const enter = "\x1b[?1049h\x1b[?7l\x1b[?25l\x1b[?2004h\x1b[2J";
const leave = "\x1b[?2004l\x1b[?25h\x1b[?7h\x1b[?1049l";
/** Between these a terminal shows nothing, so that nothing flickers. */
const [begin, end] = ["\x1b[?2026h", "\x1b[?2026l"];

/** How a process that a signal ends is counted: 128 and the signal's number. */
const signals: readonly [Deno.Signal, number][] = [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
];

/** A terminal that is taken over; dispose of it to give it back. */
export class Screen implements Disposable {
  readonly #out: "stdout" | "stderr";
  readonly #giveBack: (() => void)[] = [];
  #shown: string[] = [];
  #size = { columns: 0, rows: 0 };
  #onResize: () => void = () => {};

  constructor(out: "stdout" | "stderr") {
    this.#out = out;
    this.#measure();
    Deno.stdin.setRaw(true);
    this.#giveBack.push(() => Deno.stdin.setRaw(false));
    this.write(enter);
    this.#giveBack.push(() => this.write(leave));
    this.#watchSignals();
    this.#watchErrors();
  }

  get columns(): number {
    return this.#size.columns;
  }

  get rows(): number {
    return this.#size.rows;
  }

  /** Has something called when the terminal has another size. */
  onResize(call: () => void): void {
    this.#onResize = call;
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

  /** Shows lines from the top; what has not changed is not written. */
  paint(lines: readonly string[]): void {
    if (this.#giveBack.length === 0) return;
    let text = "";
    for (let row = 0; row < this.rows; row++) {
      const line = lines[row] ?? "";
      if (line === this.#shown[row]) continue;
      text += `\x1b[${row + 1};1H\x1b[2K${line}\x1b[0m`;
      this.#shown[row] = line;
    }
    if (text !== "") this.write(begin + text + end);
  }

  /** Writes as it is. */
  write(text: string): void {
    writeBytes(this.#out, encodeExact(text));
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

  #measure(): void {
    const { columns, rows } = Deno.consoleSize();
    // Some terminals do not know.
    this.#size = { columns: columns || 80, rows: rows || 24 };
    this.#shown = [];
  }

  #watchSignals(): void {
    const resize = (): void => {
      this.#measure();
      this.write("\x1b[2J");
      this.#onResize();
    };
    const listen = (name: Deno.Signal, call: () => void): void => {
      Deno.addSignalListener(name, call);
      this.#giveBack.push(() => Deno.removeSignalListener(name, call));
    };
    if (Deno.build.os !== "windows") listen("SIGWINCH", resize);
    for (const [name, exit] of signals) {
      if (Deno.build.os === "windows" && name === "SIGTERM") continue;
      listen(name, () => {
        this[Symbol.dispose]();
        Deno.exit(exit);
      });
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
