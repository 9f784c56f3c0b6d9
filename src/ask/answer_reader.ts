// Reads a model's answer while it is streamed and gives the prose in it. Models asked for prose still
// send JSON now and then, bare, in a fence or after a few words: a reader must never see that. What
// might be the beginning of such an object is held back until it is clear what it is. Pure.

import { findObjectEnd } from "../core/json.ts";

/** The prose of one answer, piece by piece. */
export class AnswerReader {
  #text = "";
  #shown = 0;
  readonly #before: string;

  /** A reader; `before` is put before the first word, where there is one. */
  constructor(before = "") {
    this.#before = before;
  }

  /** What the `answer` of an object says so far; undefined while there is none. */
  get answer(): string | undefined {
    return readAnswer(this.#text).answer;
  }

  /** Takes the next piece and returns what can be shown. */
  push(piece: string): string {
    this.#text += piece;
    return this.#give(false);
  }

  /** Returns what was held back to the end. */
  end(): string {
    return this.#give(true);
  }

  #give(isLast: boolean): string {
    const { prose, held, answer = "" } = readAnswer(this.#text);
    const said = `${prose}${answer}${isLast ? held : ""}`.trimStart();
    // Half of a character that needs two units waits for the other half.
    const ready = isLast ? said : said.replace(/[\ud800-\udbff]$/, "");
    const fresh = ready.slice(this.#shown);
    const before = this.#shown === 0 && fresh !== "" ? this.#before : "";
    this.#shown = Math.max(this.#shown, ready.length);
    return before + fresh;
  }
}

/**
 * The beginning of an object, with the fence it may stand in; and what may become one. A brace and a
 * quote begin one while what follows can still be a key: prose has them too.
 */
const objectStart = /(?:(?<=^\s*|\n)```\w*[ \t]*\r?\n\s*)?\{\s*"(?=[^"\n]{0,80}(?:$|"\s*(?:$|:)))/g;
const halfStart = /(?:(?<=^\s*|\n)(?:`{1,2}|```\w*[ \t]*\r?(?:\n\s*(?:\{\s*)?)?)|\{\s*)$/;
const answerStart = /"answer"\s*:\s*"/;
/**
 * The text of an answer. Models forget to escape quotes: only one that is followed so closes it. What
 * comes last may be half of an escape or a closing quote and is left out.
 */
const answerText =
  /^(?:[^"\\]|\\u[\da-f]{4}|\\u(?=[\da-f]{0,3}[^\da-f])|\\[^u]|"(?=\s*[^\s},]|\s*,\s*[^\s"}]))*/i;

/** What a text says before an object, what the object answers, and what is not clear yet. */
function readAnswer(text: string): { prose: string; held: string; answer?: string } {
  for (const { index, 0: start } of text.matchAll(objectStart)) {
    const prose = text.slice(0, index);
    const object = text.slice(index + start.indexOf("{"));
    const end = findObjectEnd(object);
    const found = answerStart.exec(object);
    if (found !== null && (end < 0 || found.index < end)) {
      const [said] = answerText.exec(object.slice(found.index + found[0].length))!;
      return { prose, held: "", answer: said.replace(/\\(?:u[\da-f]{4}|[^])/gi, unescape) };
    }
    if (end < 0) return { prose, held: text.slice(index) };
  }
  const at = text.search(halfStart);
  return at < 0 ? { prose: text, held: "" } : { prose: text.slice(0, at), held: text.slice(at) };
}

/** What an escape in a string of JSON stands for; one that JSON does not know stays as it is. */
function unescape(escape: string): string {
  try {
    return String(JSON.parse(`"${escape}"`));
  } catch {
    return escape;
  }
}
