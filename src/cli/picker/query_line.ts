// The line that is typed into, and the keys around it. Keys come in pieces and in several protocols, and
// editing goes by what people see as characters: that is the library's part.

import { Input } from "pi-tui/components/input.js";
import { parseKey } from "pi-tui/keys.js";
import { StdinBuffer } from "pi-tui/stdin-buffer.js";

/** Keys as tmux and the Linux console send them, which the library does not name. */
const otherKeys: Record<string, string> = { "\x1b[1~": "home", "\x1b[4~": "end" };

/** How long a lone escape may be the beginning of a longer key, over a slow line too. */
const escapeMs = 30;

/** How the line begins, and what stands in it while it is empty. */
export interface LineLook {
  prompt: string;
  placeholder: string;
}

/** A line to type into. */
export class QueryLine implements Disposable {
  readonly #input: Input;
  readonly #keys = new StdinBuffer({ escapeTimeout: escapeMs });

  /** `onKey` is told every key by its name, and says whether the line is not to have it. */
  constructor(
    query: string,
    { look, onKey }: { look: LineLook; onKey: (name: string, typed: string) => boolean },
  ) {
    this.#input = new Input(look);
    if (query !== "") this.#input.handleInput(query);
    this.#keys.on("data", (data) => {
      if (!onKey(parseKey(data) ?? otherKeys[data] ?? "", data)) this.#input.handleInput(data);
    });
    this.#keys.on("paste", (text) => {
      const plain = text.replace(/\s+/g, " ").replace(controls, "");
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

  /** The line with its cursor, ready for the terminal. */
  draw(columns: number): string {
    return this.#input.render(columns)[0];
  }

  [Symbol.dispose](): void {
    this.#keys.destroy();
  }
}

/** What a terminal would obey. */
// deno-lint-ignore no-control-regex
const controls = /[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
