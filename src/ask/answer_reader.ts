// Shows a model's answer while it is streamed. Models asked for prose still send JSON now and then,
// bare, in a fence or after a few words: a reader must never see that. Prose is shown as it comes; from
// an object that may hold the answer on, the text is kept back until its end.

import { findJson, findObjectEnd, isObject } from "../core/json.ts";
import { findLooseAnswer } from "./parse_answer.ts";

/** An object with a key, and the fence that it stands in. */
const objectStart = /(?:(?<=^|\n)```\w*[ \t]*\r?\n\s*)?\{\s*"/g;
/** What the next piece may make one of these of. */
const mayStart = /(?:(?<=^|\n)`{1,3}\w*[ \t]*\r?\n?\s*)?(?:\{\s*)?[\ud800-\udbff]?$/g;

/** The prose of one answer, piece by piece. */
export class AnswerReader {
  #text = "";
  /** How much of the text was shown. */
  #at = 0;
  #isEmpty = true;
  readonly #before: string;

  /** A reader; `before` is put before the first word, where there is one. */
  constructor(before = "") {
    this.#before = before;
  }

  /** Takes the next piece and returns what can be shown. */
  push(piece: string): string {
    this.#text += piece;
    mayStart.lastIndex = this.#at;
    const clear = mayStart.exec(this.#text)?.index ?? this.#text.length;
    return this.#showTo(Math.min(clear, this.#findObject()));
  }

  /** Returns what was kept back to the end. */
  end(): string {
    const prose = this.#showTo(this.#findObject());
    const answer = findLooseAnswer(this.#text.slice(this.#at));
    return prose + (answer === undefined ? this.#showTo(this.#text.length) : this.#show(answer));
  }

  /** Where an object begins that holds an answer, or may do so once it is whole. */
  #findObject(): number {
    for (objectStart.lastIndex = this.#at;;) {
      const found = objectStart.exec(this.#text);
      if (found === null) return this.#text.length;
      const from = this.#text.indexOf("{", found.index);
      const end = findObjectEnd(this.#text, from);
      const value = end < 0 ? undefined : findJson(this.#text.slice(from, end));
      if (!isObject(value) || typeof value.answer === "string") return found.index;
      objectStart.lastIndex = end;
    }
  }

  #showTo(end: number): string {
    const text = this.#text.slice(this.#at, end);
    this.#at = Math.max(this.#at, end);
    return this.#show(text);
  }

  /** A text as it is shown: without the space before the first word. */
  #show(text: string): string {
    const shown = this.#isEmpty ? text.trimStart() : text;
    if (shown === "" || !this.#isEmpty) return shown;
    this.#isEmpty = false;
    return this.#before + shown;
  }
}
