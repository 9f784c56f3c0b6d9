// The verdict: whether the lines that an entry stands on are still there. Pure.

import type { FileLines } from "./file_lines.ts";
import type { FreshnessName } from "./freshness.ts";
import type { GroundPart } from "./ground.ts";
import { alike, likenessOf, LineWords } from "./line_words.ts";
import { wordsOf } from "./normal_line.ts";

/** A verdict, and the lines that are no longer there. */
export interface Verdict {
  name: FreshnessName;
  /** Lines that count: of how many, how many are gone, and which, by the path they were in. */
  of: number;
  lost: { path: string; line: string }[];
  /** Why nothing can be said. */
  because?: string;
}

/** A file of today; a sentence says why it cannot be compared, undefined that it is not there. */
export type FileState = FileLines | string | undefined;

/** With this share of its lines an entry is fresh. */
const fresh = 0.9;
const gone = 0.1;
/** So many lines of a file are looked at for what they tell. */
const maxTelling = 400;
/** This share of what was taken away is back: reverted. */
const back = 0.8;

/** Compares a ground with the files as they are today. */
export function judgeFreshness(
  ground: readonly GroundPart[],
  fileOf: (path: string) => FileState,
): Verdict {
  const sum = new Sum();
  let because: string | undefined;
  for (const part of ground) {
    const file = fileOf(part.path);
    if (typeof file === "string") because ??= file;
    else sum.add(part, file);
  }
  return sum.verdict(because);
}

/** The weights of all lines of a ground. A line that the file has often tells little. */
class Sum {
  #added = 0;
  #kept = 0;
  #removed = 0;
  #back = 0;
  #of = 0;
  readonly #lost: Verdict["lost"] = [];
  readonly #parts: ComparedPart[] = [];
  /** Characters that may still be looked through for parts of lines. */
  #room = 100_000_000;

  add(part: GroundPart, file: FileLines | undefined): void {
    const { path, added, removed, around } = part;
    const kept: string[] = [];
    const lost: string[] = [];
    for (const line of added) {
      const count = this.#countOf(line, file);
      const weight = 1 / Math.max(1, count);
      this.#added += weight;
      this.#of++;
      if (count > 0) {
        this.#kept += weight;
        kept.push(line);
      } else {
        this.#lost.push({ path, line });
        lost.push(line);
      }
    }
    this.#parts.push({ kept, lost, removed, around, file });
    for (const line of removed) {
      const count = file?.countWhole(line) ?? 0;
      const weight = 1 / Math.max(1, count);
      this.#removed += weight;
      if (count > 0) this.#back += weight;
    }
  }

  #countOf(line: string, file: FileLines | undefined): number {
    const whole = file?.countWhole(line) ?? 0;
    if (file === undefined || whole > 0 || this.#room <= 0) return whole;
    this.#room -= file.chars;
    return file.count(line);
  }

  verdict(because: string | undefined): Verdict {
    const found = { of: this.#of, lost: this.#lost };
    if (this.#added === 0) return { ...this.#removal(because), ...found };
    const kept = this.#kept / this.#added;
    // Of what was not compared nobody knows.
    if (kept >= fresh) {
      return { name: because === undefined ? "fresh" : "unknown", because, ...found };
    }
    // A line of many is soon found somewhere: what lines tell counts as much as how many there are.
    const isGone = kept <= gone && kept + toldShare(this.#parts) <= gone;
    if (isGone && this.#isBack) return { name: "reverted", ...found };
    return { name: isGone && because === undefined ? "gone" : "drifted", ...found };
  }

  /** At least one line that was taken away and is rare is there again, and most of the others are. */
  get #isBack(): boolean {
    return this.#removed >= 1 && this.#back >= this.#removed * back;
  }

  #removal(because: string | undefined): Pick<Verdict, "name" | "because"> {
    if (this.#removed === 0 || because !== undefined) {
      return { name: "unknown", because: because ?? "its lines are too common to compare" };
    }
    return { name: this.#removed >= 2 && this.#isBack ? "reverted" : "fresh" };
  }
}

/** A part of a ground after a look at its file. */
interface ComparedPart extends Omit<GroundPart, "path" | "added"> {
  kept: string[];
  lost: string[];
  file: FileLines | undefined;
}

/** How much of what the lines tell is there: as they were, or in lines that came of them. */
function toldShare(parts: readonly ComparedPart[]): number {
  let [all, there, inPlace] = [0, 0, 0];
  for (const { kept, lost, removed, around, file } of parts) {
    const before = { lines: new Set(removed), words: new LineWords(removed) };
    for (const line of kept.slice(0, maxTelling)) {
      const tells = file === undefined
        ? 0
        : file.words.weigh(line) / Math.max(1, file.countWhole(line));
      all += tells;
      there += tells;
    }
    for (const line of lost.slice(0, maxTelling)) {
      const tells = file?.words.weigh(line) ?? wordsOf(line).size;
      all += tells;
      if (file === undefined) continue;
      const likeness = findInPlace(line, { around, before, file });
      if (likeness > 0) inPlace += tells * likeness;
      else {
        const like = file.words.findLike(line);
        if (like && !isOlder(like.line, { line, before })) there += like.tells;
      }
    }
  }
  // Lines that tell next to nothing are known by their place alone.
  return there / Math.max(1, all) + (all === 0 ? 0 : inPlace / all);
}

/** How much a line that stands where another stood is like it; 0 where none is one that was changed. */
function findInPlace(
  line: string,
  { around, before, file }: { around: GroundPart["around"]; before: Before; file: FileLines },
): number {
  const words = wordsOf(line);
  const stood = around.get(line) ?? [];
  let most = 0;
  for (const near of new Set(file.linesNear(stood))) {
    // What stood beside it is not what became of it.
    if (around.has(near)) continue;
    const likeness = likenessOf(words, wordsOf(near));
    if (likeness > Math.max(most, alike) && !isOlder(near, { line, before })) most = likeness;
  }
  return most;
}

/** What a line replaced. */
interface Before {
  lines: ReadonlySet<string>;
  words: LineWords;
}

/** Whether a line of today came of what was there before a line, rather than of that line. */
function isOlder(today: string, { line, before }: { line: string; before: Before }): boolean {
  if (before.lines.has(today)) return true;
  const older = before.words.findLike(today)?.line;
  if (older === undefined) return false;
  const words = wordsOf(today);
  return likenessOf(wordsOf(older), words) > likenessOf(wordsOf(line), words);
}
