// Lines typed on a terminal: editing, and what was asked before with up and down. Ctrl-C stays a
// signal, so that it also stops what runs between two lines; what is typed meanwhile is kept.

import { HeldTerminal } from "../line/held_terminal.ts";
import { toTerminal } from "../line/to_terminal.ts";
import { QueryLine } from "../picker/query_line.ts";

/** What is there before the first key. */
export interface TypedOptions {
  /** Questions asked before, oldest first. */
  asked: readonly string[];
  onKey: () => void;
}

/** Lines that are typed; dispose of them to give the terminal back. */
export class TypedLines implements Disposable {
  readonly #prompt: string;
  readonly #terminal: HeldTerminal;
  readonly #line: QueryLine;
  readonly #asked: string[] = [];
  /** Which of them is shown; after the last one what was typed. */
  #at = 0;
  #draft = "";
  /** Lines that are whole and not taken yet; undefined is the end. */
  readonly #whole: (string | undefined)[] = [];
  /** Whether it is the turn of who types. */
  #isShown = false;
  #isStale = false;

  constructor(prompt: string, { asked, onKey }: TypedOptions) {
    this.#prompt = toTerminal(prompt);
    for (const text of asked) this.#remember(text);
    this.#terminal = new HeldTerminal({
      out: "stdout",
      enter: "\x1b[?2004h",
      leave: "\x1b[?2004l",
      keepsSignals: true,
    });
    this.#line = new QueryLine("", {
      look: { prompt: this.#prompt, placeholder: "" },
      onKey: (name) => {
        onKey();
        this.#drawSoon();
        return this.#press(name);
      },
    });
    this.#terminal.listen("SIGWINCH", () => this.#draw());
    this.#terminal.listen("SIGCONT", () => {
      this.#terminal.take();
      this.#draw();
    });
  }

  /** Lines as they are ended, until Ctrl-D or the end of the input. */
  async *read(): AsyncGenerator<string> {
    const keys = this.#terminal.readKeys();
    while (true) {
      while (this.#whole.length === 0) {
        const { value, done } = await keys.next();
        if (done) return;
        this.#line.take(value);
      }
      const line = this.#whole.shift();
      if (line === undefined) return;
      this.#isShown = false;
      // Whole, and where it was typed: the line itself shows only what fits.
      this.#terminal.write(`\r\x1b[2K${this.#prompt}${toTerminal(line)}\n`);
      yield line;
    }
  }

  /** Shows the line in the terminal's last one. */
  show(): void {
    this.#isShown = true;
    this.#draw();
  }

  /** Empties the line; false when it was empty. */
  clear(): boolean {
    if (this.#line.value === "") return false;
    this.#begin();
    this.#draw();
    return true;
  }

  [Symbol.dispose](): void {
    this.#line[Symbol.dispose]();
    this.#terminal[Symbol.dispose]();
  }

  /** Does what the line itself does not; true when it did. */
  #press(name: string): boolean {
    const { value } = this.#line;
    if (name === "up" || name === "ctrl+p") this.#go(-1);
    else if (name === "down" || name === "ctrl+n") this.#go(1);
    else if (name === "ctrl+d" && value === "") this.#whole.push(undefined);
    else if (name === "enter" || name === "return") {
      this.#whole.push(value);
      this.#remember(value);
      this.#begin();
    } else return false;
    return true;
  }

  #go(step: number): void {
    const to = this.#at + step;
    if (to < 0 || to > this.#asked.length) return;
    if (this.#at === this.#asked.length) this.#draft = this.#line.value;
    this.#at = to;
    this.#line.value = this.#asked[to] ?? this.#draft;
  }

  #begin(): void {
    this.#line.value = "";
    this.#at = this.#asked.length;
  }

  #remember(text: string): void {
    if (text.trim() !== "" && text !== this.#asked.at(-1)) this.#asked.push(text);
    this.#at = this.#asked.length;
  }

  /** Once for all keys that came together. */
  #drawSoon(): void {
    if (this.#isStale) return;
    this.#isStale = true;
    queueMicrotask(() => {
      this.#isStale = false;
      if (this.#whole.length === 0) this.#draw();
    });
  }

  #draw(): void {
    if (!this.#isShown || !this.#terminal.isHeld) return;
    // The last column stays free: some terminals break the line when it is filled.
    this.#terminal.write(this.#line.drawOver((Deno.consoleSize().columns || 80) - 1));
  }
}
