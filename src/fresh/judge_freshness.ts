// The verdict: whether the lines that an entry stands on are still there. Pure.

import type { FileLines } from "./file_lines.ts";
import type { FreshnessName } from "./freshness.ts";
import type { GroundPart } from "./ground.ts";

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

/** With this share of its ground an entry is fresh; with so little, and so little that resembles it, gone. */
const fresh = 0.9;
const gone = 0.03;
const resembling = 0.2;
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
  #changed = 0;
  #removed = 0;
  #back = 0;
  #of = 0;
  readonly #lost: Verdict["lost"] = [];
  /** Characters that may still be looked through for parts of lines. */
  #room = 100_000_000;

  add({ path, added, removed }: GroundPart, file: FileLines | undefined): void {
    for (const line of added) {
      const count = this.#countOf(line, file);
      const weight = 1 / Math.max(1, count);
      this.#added += weight;
      this.#of++;
      if (count > 0) {
        this.#kept += weight;
        continue;
      }
      this.#lost.push({ path, line });
      if (file?.findLike(line) !== undefined) this.#changed += weight;
    }
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
    if (this.#isBack && kept <= gone) return { name: "reverted", ...found };
    const isGone = kept <= gone && this.#changed <= this.#added * resembling;
    return { name: isGone && because === undefined ? "gone" : "drifted", ...found };
  }

  /** At least one line that was taken away and is rare is there again, and most of the others are. */
  get #isBack(): boolean {
    return this.#removed >= 1 && this.#back >= this.#removed * back;
  }

  #removal(because: string | undefined): Pick<Verdict, "name" | "because"> {
    if (this.#removed === 0 || because !== undefined) {
      return { name: "unknown", because: because ?? "no line of it tells anything" };
    }
    return { name: this.#removed >= 2 && this.#isBack ? "reverted" : "fresh" };
  }
}
