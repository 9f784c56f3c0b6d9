// The whole terminal for a while: the alternate screen, lines painted where they changed.

import { HeldTerminal } from "../line/held_terminal.ts";

const enter = "\x1b[?1049h\x1b[?7l\x1b[?25l\x1b[?2004h\x1b[2J";
const leave = "\x1b[?2004l\x1b[?25h\x1b[?7h\x1b[?1049l";
/** Between these a terminal shows nothing, so that nothing flickers. */
const [begin, end] = ["\x1b[?2026h", "\x1b[?2026l"];

/** A terminal that is taken over; dispose of it to give it back. */
export class Screen implements Disposable {
  readonly #terminal: HeldTerminal;
  #shown: string[] = [];
  #size = { columns: 0, rows: 0 };
  #onResize: () => void = () => {};

  constructor(out: "stdout" | "stderr") {
    this.#measure();
    this.#terminal = new HeldTerminal({ out, enter, leave });
    if (Deno.build.os === "windows") return;
    this.#terminal.listen("SIGWINCH", () => {
      this.#measure();
      this.write("\x1b[2J");
      this.#onResize();
    });
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
  readKeys(): AsyncGenerator<string> {
    return this.#terminal.readKeys();
  }

  /** Shows lines from the top; what has not changed is not written. */
  paint(lines: readonly string[]): void {
    if (!this.#terminal.isHeld) return;
    let text = "";
    for (let row = 0; row < this.rows; row++) {
      const line = lines[row] ?? "";
      if (line === this.#shown[row]) continue;
      text += `\x1b[${row + 1};1H\x1b[2K${line}\x1b[0m`;
      this.#shown[row] = line;
    }
    if (text !== "") this.write(begin + text + end);
  }

  write(text: string): void {
    this.#terminal.write(text);
  }

  [Symbol.dispose](): void {
    this.#terminal[Symbol.dispose]();
  }

  #measure(): void {
    const { columns, rows } = Deno.consoleSize();
    // Some terminals do not know.
    this.#size = { columns: columns || 80, rows: rows || 24 };
    this.#shown = [];
  }
}
