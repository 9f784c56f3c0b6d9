// The files of the work tree as they are today, each read once: plain files of the workspace only, up
// to a size. A file is kept with its time and size, so that a server reads it again when it changed.
// Reads only.

import { isBinary } from "../git/file_hash.ts";
import { findRealPath, isWithin } from "../git/git_repository.ts";
import { stampOf } from "./file_stamp.ts";
import { FileLines } from "./file_lines.ts";
import type { FileState } from "./judge_freshness.ts";
import { realPath } from "../../core/platform_path.ts";

const maxBytes = 2 << 20;
const maxKept = 64;

/** Files that were read, by their real path. */
const kept = new Map<string, { stamp: string; state: FileState }>();

/** The files that were looked at, by the paths that they were looked for at, as they were then. */
export const lookedAt = new Map<string, string>();

export class WorkFiles {
  readonly #workspace: string;
  readonly #real: string | undefined;
  readonly #seen = new Map<string, FileState>();

  constructor(workspace: string) {
    this.#workspace = workspace;
    this.#real = findRealPath(workspace);
  }

  /** The lines of a file; a sentence when it cannot be compared, undefined when it is not there. */
  find(path: string): FileState {
    if (!this.#seen.has(path)) this.#seen.set(path, this.#read(path));
    return this.#seen.get(path);
  }

  /** Whether something is there, told without reading it; links are not followed. */
  kindOf(path: string): "file" | "other" | undefined {
    this.#note(path);
    try {
      return Deno.lstatSync(`${this.#workspace}/${path}`).isFile ? "file" : "other";
    } catch (error) {
      return error instanceof Deno.errors.NotFound || isNoDirectory(error) ? undefined : "other";
    }
  }

  /** When a file that can be compared was written last, in milliseconds. */
  findTime(path: string): number | undefined {
    if (!(this.find(path) instanceof FileLines)) return undefined;
    try {
      return Deno.statSync(`${this.#workspace}/${path}`).mtime?.getTime();
    } catch {
      return undefined;
    }
  }

  #note(path: string): void {
    const given = `${this.#workspace}/${path}`;
    if (!lookedAt.has(given)) lookedAt.set(given, stampOf(given));
  }

  #read(path: string): FileState {
    this.#note(path);
    const given = `${this.#workspace}/${path}`;
    try {
      const real = realPath(given);
      if (this.#real === undefined || !isWithin(real, this.#real)) {
        return `${path} is outside the workspace`;
      }
      return readKept(path, real);
    } catch (error) {
      return error instanceof Deno.errors.NotFound || isNoDirectory(error)
        ? undefined
        : `${path} cannot be read`;
    }
  }
}

/** A file stands where a directory was. */
function isNoDirectory(error: unknown): boolean {
  return error instanceof Deno.errors.NotADirectory;
}

function readKept(path: string, real: string): FileState {
  const { isFile, size, mtime } = Deno.statSync(real);
  if (!isFile) return `${path} is not a file`;
  if (size > maxBytes) return `${path} is too large to compare`;
  const stamp = `${mtime?.getTime()}:${size}`;
  const known = kept.get(real);
  if (known?.stamp === stamp) return known.state;
  const bytes = Deno.readFileSync(real);
  const state = isBinary(bytes)
    ? `${path} is not text`
    : new FileLines(new TextDecoder().decode(bytes));
  kept.delete(real);
  kept.set(real, { stamp, state });
  const [oldest] = kept.keys();
  if (kept.size > maxKept) kept.delete(oldest);
  return state;
}
