// The ground of an entry: the lines that it stands on. Of several edits of one file what is left after
// the last counts: a line that was written and taken away again is no ground. Pure.

import type { Edit } from "../../core/rows/edits.ts";
import { normalLine } from "./normal_line.ts";

/** What an entry stands on in one file: lines in their normal form. */
export interface GroundPart {
  /** Relative to the workspace. */
  path: string;
  added: string[];
  removed: string[];
  /** The lines that stood around a line when it was written: by them its place is found again. */
  around: ReadonlyMap<string, readonly string[]>;
}

/** An edit of a file of the workspace. */
export type PlacedEdit = Pick<Edit, "path" | "old" | "new">;

/** More lines of one entry are not compared. */
const maxLines = 2000;
/** So many lines before and after are around one. */
const reach = 3;

/** The ground of edits, in their order. */
export function groundOf(edits: readonly PlacedEdit[]): GroundPart[] {
  const files = new Map<string, FileGround>();
  let room = maxLines;
  for (const { path, old, new: now } of edits) {
    if (room <= 0) break;
    const lines = { old: linesOf(old, room), new: linesOf(now, room) };
    room -= lines.old.length + lines.new.length;
    let file = files.get(path);
    if (file === undefined) files.set(path, file = new FileGround());
    file.apply(lines);
  }
  return [...files].map(([path, file]) => ({ path, ...file.lines() }))
    .filter(({ added, removed }) => added.length + removed.length > 0);
}

function linesOf(text: string, most: number): string[] {
  return text === "" ? [] : text.split("\n", most).flatMap((line) => normalLine(line) ?? []);
}

/** The lines of one file while edits are applied: how many more or fewer of each there are. */
class FileGround {
  readonly #net = new Map<string, number>();
  readonly #around = new Map<string, string[]>();

  apply({ old, new: now }: { old: readonly string[]; new: readonly string[] }): void {
    for (const line of old) this.#add(line, -1);
    for (const line of now) this.#add(line, 1);
    now.forEach((line, i) =>
      this.#around.set(line, now.slice(Math.max(0, i - reach), i + reach + 1))
    );
  }

  lines(): Omit<GroundPart, "path"> {
    const all = [...this.#net];
    return {
      added: all.filter(([, count]) => count > 0).map(([line]) => line),
      removed: all.filter(([, count]) => count < 0).map(([line]) => line),
      around: this.#around,
    };
  }

  #add(line: string, by: number): void {
    this.#net.set(line, (this.#net.get(line) ?? 0) + by);
  }
}
