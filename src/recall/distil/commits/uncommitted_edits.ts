// The edits of a session that no commit has taken yet, and which of them the next one takes: those that
// `git add` named, or all. What a commit says is about these files and no others of its session. Pure.

import type { Run } from "../../../core/rows/exchanges.ts";

/** The edits that a commit took, and the files of them that are in it. */
export interface CommittedEdits {
  runs: Run[];
  files: string[];
}

/** Edits in order, and what is staged of them. */
export class UncommittedEdits {
  #runs: Run[] = [];
  /** The paths that are staged; undefined once all are. */
  #paths: string[] | undefined = [];

  /** Notes a run, if it changed files. */
  add(run: Run): void {
    if (run.effect === "edit" && !run.failed && run.call !== undefined) this.#runs.push(run);
  }

  /** Notes what `git add` is given. */
  stage(words: readonly string[]): void {
    const paths = words.filter((word) => !word.startsWith("-"));
    const isAll = words.some((word) => takesAll.test(word));
    this.#paths = isAll ? undefined : this.#paths && [...this.#paths, ...paths];
  }

  /** What a commit with these words takes: all where nothing was named. */
  commit(words: readonly string[]): CommittedEdits {
    const isAll = words.some((word) => /^(?:--all|-[a-z]*a[a-z]*)$/.test(word));
    const paths = isAll || this.#paths?.length === 0 ? undefined : this.#paths;
    const isTaken = (file: string): boolean =>
      paths === undefined || paths.some((path) => isWithin(file, path));
    const taken = this.#runs.filter(({ call }) => call?.files?.some(isTaken));
    this.#runs = this.#runs.filter((run) => !taken.includes(run));
    this.#paths = [];
    const files = taken.flatMap(({ call }) => call?.files ?? []).filter(isTaken);
    return { runs: taken, files: [...new Set(files)] };
  }
}

const takesAll = /^(?:-A|--all|-u|--update|\.|\.\/|\*|:\/)$/;

/** Whether a file may be what a path names from some directory: the file, or a directory above it. */
function isWithin(file: string, path: string): boolean {
  const named = path.replace(/^\.\//, "").replace(/[^/]*\*.*$/, "").replace(/\/$/, "");
  return named === "" || `/${file}/`.includes(named.startsWith("/") ? `${named}/` : `/${named}/`);
}
