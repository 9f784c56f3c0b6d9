// Reads a model's answer while it is streamed and gives the prose in it. Models asked for prose still
// send JSON now and then, bare, in a fence or after a few words: a reader must never see that. What
// might be the beginning of such an object is held back until it is clear what it is. Pure.

type State = "prose" | "fence" | "object" | "answer" | "quote" | "done";

/** The prose of one answer, piece by piece. */
export class AnswerReader {
  #state: State = "prose";
  /** Text that is not shown yet, because what follows decides what it is. */
  #held = "";
  #out = "";
  #isEmpty = true;
  #isLineStart = true;
  /** Where we are in an object that may hold the answer. */
  #object = { depth: 0, inString: false, escaped: false, text: "", key: "", wants: "" };
  #answer?: string;
  readonly #before: string;

  /** A reader; `before` is put before the first word, where there is one. */
  constructor(before = "") {
    this.#before = before;
  }

  /** What the `answer` of an object says so far; undefined while there is none. */
  get answer(): string | undefined {
    return this.#answer;
  }

  /** Takes the next piece and returns what can be shown. */
  push(piece: string): string {
    for (let i = 0; i < piece.length; i++) this.#take(piece[i]);
    return this.#give();
  }

  /** Returns what was held back to the end. */
  end(): string {
    // Of an answer only its closing quote or half an escape is held; of the rest, prose.
    if (this.#answer === undefined) this.#release();
    return this.#give(true);
  }

  /** What is ready; half of a character that needs two units waits for the other half. */
  #give(isLast = false): string {
    const last = this.#out.charCodeAt(this.#out.length - 1);
    const isHalf = !isLast && last >= 0xd800 && last < 0xdc00;
    const ready = isHalf ? this.#out.slice(0, -1) : this.#out;
    this.#out = this.#out.slice(ready.length);
    return ready;
  }

  #take(character: string): void {
    switch (this.#state) {
      case "prose":
        return this.#takeProse(character);
      case "fence":
        return this.#takeFence(character);
      case "object":
        return this.#takeObject(character);
      case "answer":
        return this.#takeAnswer(character);
      case "quote":
        return this.#takeAfterQuote(character);
      case "done":
        return;
    }
  }

  #takeProse(character: string): void {
    if (character === "{") return this.#openObject();
    if (character === "`" && this.#isLineStart) {
      this.#state = "fence";
      this.#held = character;
    } else this.#show(character);
  }

  #takeFence(character: string): void {
    const isFence = /^```\w*[ \t]*\r?\n\s*$/.test(this.#held);
    if (isFence && character === "{") return this.#openObject();
    if (this.#held.length < maxFence && fenceStart.test(this.#held + character)) {
      this.#held += character;
    } else this.#refuse(character);
  }

  #openObject(): void {
    this.#state = "object";
    this.#held += "{";
    this.#object = { depth: 1, inString: false, escaped: false, text: "", key: "", wants: '"}' };
  }

  #takeObject(character: string): void {
    const at = this.#object;
    const isTop = at.depth === 1;
    if (at.inString) {
      this.#held += character;
      if (at.escaped) at.escaped = false;
      else if (character === "\\") at.escaped = true;
      else if (character === '"') at.inString = false;
      else if (isTop) at.text += character;
      return;
    }
    if (/\s/.test(character)) {
      this.#held += character;
      return;
    }
    if (at.wants !== "" && !at.wants.includes(character)) return this.#refuse(character);
    at.wants = "";
    this.#held += character;
    if (character === '"') {
      if (isTop && at.key === "answer") return this.#openAnswer();
      at.inString = true;
      at.text = "";
      if (isTop && at.key === "") at.wants = ":";
    } else if (isTop && character === ":") at.key = at.text;
    else if (isTop && character === ",") {
      at.key = "";
      at.wants = '"}';
    } else if (character === "{" || character === "[") at.depth++;
    else if ((character === "}" || character === "]") && --at.depth === 0) this.#release();
  }

  #openAnswer(): void {
    this.#state = "answer";
    this.#held = "";
    this.#answer = "";
  }

  /** A character of the answer's text; an escape is held until it is whole. */
  #takeAnswer(character: string): void {
    if (this.#held === "" && character === '"') {
      this.#state = "quote";
      this.#held = character;
    } else if (this.#held === "" && character !== "\\") this.#tell(character);
    else {
      this.#held += character;
      if (/^\\(?:u[\da-f]{0,3})?$/i.test(this.#held)) return;
      const escape = this.#held;
      this.#held = "";
      this.#tell(unescape(escape));
    }
  }

  /** After a quote: models forget to escape those inside, and only a closing one is followed so. */
  #takeAfterQuote(character: string): void {
    const text = this.#held + character;
    if (/^"\s*(?:\}|,\s*["}])$/.test(text)) this.#state = "done";
    else if (/^"\s*(?:,\s*)?$/.test(text) && text.length < maxFence) this.#held = text;
    else {
      this.#state = "answer";
      this.#held = "";
      this.#tell('"');
      for (let i = 1; i < text.length; i++) this.#take(text[i]);
    }
  }

  #tell(text: string): void {
    this.#answer = (this.#answer ?? "") + text;
    this.#show(text);
  }

  /** What was held is prose; the character is looked at again. */
  #refuse(character: string): void {
    this.#release();
    this.#takeProse(character);
  }

  #release(): void {
    const held = this.#held;
    this.#held = "";
    this.#state = "prose";
    this.#show(held);
  }

  /** Shows text, without the space before the first word. */
  #show(text: string): void {
    const shown = this.#isEmpty ? text.trimStart() : text;
    if (text !== "") this.#isLineStart = text.endsWith("\n") || (this.#isEmpty && shown === "");
    if (shown === "") return;
    this.#out += this.#isEmpty ? this.#before + shown : shown;
    this.#isEmpty = false;
  }
}

/** Longer than this nothing is a fence, nor a gap between two words of an object. */
const maxFence = 200;
const fenceStart = /^(?:`{1,3}|```\w*[ \t]*\r?(?:\n\s*)?)$/;

/** What an escape in a string of JSON stands for; one that JSON does not know stays as it is. */
function unescape(escape: string): string {
  try {
    const value: unknown = JSON.parse(`"${escape}"`);
    return typeof value === "string" ? value : escape;
  } catch {
    return escape;
  }
}
