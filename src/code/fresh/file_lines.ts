// A file of today as grounds are compared with it: how often each line is there, the whole text for
// lines that a formatter broke or joined, and the words of its lines. Pure; each part is made when it is
// asked for.

import { LineWords } from "./line_words.ts";
import { normalLine, normalText } from "./normal_line.ts";

/** A line that is there more often tells no place. */
const maxPlaces = 4;
/** So many lines before and after are near one. */
const reach = 4;

export class FileLines {
  readonly #text: string;
  readonly #counts = new Map<string, number>();
  #order?: string[];
  #places?: Map<string, number[]>;
  #whole?: string;
  #words?: LineWords;

  constructor(text: string) {
    this.#text = text;
    for (const line of text.split("\n")) {
      const normal = normalLine(line);
      if (normal !== undefined) this.#counts.set(normal, (this.#counts.get(normal) ?? 0) + 1);
    }
  }

  /** The lines that say something, each once. */
  lines(): Iterable<string> {
    return this.#counts.keys();
  }

  get chars(): number {
    return this.#text.length;
  }

  /** How often a line is there by itself. */
  countWhole(line: string): number {
    return this.#counts.get(line) ?? 0;
  }

  /**
   * The same, also where it is a part of a line, broken into several or joined with others: formatters
   * do that, and an edit may be of a part of a line.
   */
  count(line: string): number {
    const found = this.#counts.get(line);
    if (found !== undefined) return found;
    this.#whole ??= normalText(this.#text);
    return this.#whole.includes(line) ? 1 : 0;
  }

  /** The lines around others, as far as those are there and not too often to tell a place. */
  *linesNear(others: Iterable<string>): Generator<string> {
    const order = this.#order ??= this.#text.split("\n").flatMap((line) => normalLine(line) ?? []);
    const places = this.#places ??= placesOf(order);
    for (const other of others) {
      if (this.countWhole(other) > maxPlaces) continue;
      for (const place of places.get(other) ?? []) {
        yield* order.slice(Math.max(0, place - reach), place + reach + 1);
      }
    }
  }

  get words(): LineWords {
    return this.#words ??= new LineWords(this.#counts.keys());
  }
}

function placesOf(lines: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  lines.forEach((line, i) => {
    const known = places.get(line);
    if (known === undefined) places.set(line, [i]);
    else if (known.length < maxPlaces) known.push(i);
  });
  return places;
}
