// The line that is typed into, and the keys around it. Keys come in pieces and in several protocols, and
// editing goes by what people see as characters: that is the library's part.

import { Input } from "pi-tui/components/input.js";
import { parseKey } from "pi-tui/keys.js";
import { StdinBuffer } from "pi-tui/stdin-buffer.js";
import { CURSOR_MARKER } from "pi-tui/tui.js";

/** Keys as tmux and the Linux console send them, which the library does not name. */
const otherKeys: Record<string, string> = { "\x1b[1~": "home", "\x1b[4~": "end" };

/** How long a lone escape may be the beginning of a longer key, over a slow line too. */
const escapeMs = 30;

/** How the line begins, and what stands in it while it is empty. */
export interface LineLook {
  prompt: string;
  placeholder: string;
}

export class QueryLine implements Disposable {
  readonly #input: Input;
  readonly #keys = new StdinBuffer({ escapeTimeout: escapeMs });

  /** `onKey` is told every key by its name, and says whether the line is not to have it. */
  constructor(
    query: string,
    { look, onKey }: { look: LineLook; onKey: (name: string, typed: string) => boolean },
  ) {
    this.#input = new Input(look);
    this.value = query;
    this.#keys.on("data", (data) => {
      if (!onKey(parseKey(data) ?? otherKeys[data] ?? "", data)) this.#input.handleInput(data);
    });
    this.#keys.on("paste", (text) => {
      const plain = inOneLine(text);
      if (!onKey("paste", plain)) this.#input.handleInput(plain);
    });
  }

  /** Takes what came from the terminal. */
  take(chunk: string): void {
    if (chunk !== "") this.#keys.process(chunk);
  }

  get value(): string {
    return this.#input.getValue();
  }

  /** Another text, with the cursor at its end. */
  set value(text: string) {
    this.#input.setValue("");
    const plain = inOneLine(text);
    if (plain !== "") this.#input.handleInput(plain);
  }

  /** The line with a cursor drawn into it, ready for the terminal. */
  draw(columns: number): string {
    return this.#input.render(columns)[0];
  }

  /** The same over what stands in the terminal's line, whose own cursor is put in its place. */
  drawOver(columns: number): string {
    this.#input.focused = true;
    const line = this.draw(columns).replace(`${CURSOR_MARKER}\x1b[7m`, "\x1b7")
      .replace("\x1b[27m", "").trimEnd();
    return `\r\x1b[2K${line}\x1b8`;
  }

  [Symbol.dispose](): void {
    this.#keys.destroy();
  }
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, " ").replace(controls, "");
}

/** What a terminal would obey. */
// deno-lint-ignore no-control-regex
const controls = /[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
