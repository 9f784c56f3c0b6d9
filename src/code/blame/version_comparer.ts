// Compares versions of files with those that they were made from, for the kept history. Bounded: what is
// not compared then is when it is asked for.

import { isBinary } from "../git/file_hash.ts";
import type { GitObjects } from "../git/git_objects.ts";
import { encodeHunks } from "./kept_hunks.ts";
import { diffHunks } from "../../core/lines/line_hunks.ts";
import { TextLines } from "../../core/lines/text_lines.ts";

/** Larger versions are not compared. */
const maxVersionBytes = 512 << 10;
/** What is compared in all. */
const maxComparedBytes = 512 << 20;

/** Compares versions; best those of one file one after another, newest first, as packs keep them. */
export class VersionComparer {
  readonly #objects: GitObjects;
  #leftBytes = maxComparedBytes;
  /** What was read last: it was made from the next. */
  #last?: { oid: string; lines: TextLines };

  constructor(objects: GitObjects) {
    this.#objects = objects;
  }

  /** The hunks as bytes; undefined for what is no text, too large or too much. */
  compare(before: string, after: string): Uint8Array | undefined {
    const now = this.#read(after);
    const old = now && this.#read(before);
    return old && encodeHunks(diffHunks(old, now, { isForBlame: true }));
  }

  #read(oid: string): TextLines | undefined {
    if (this.#last?.oid === oid) return this.#last.lines;
    if (this.#leftBytes <= 0) return undefined;
    const data = this.#objects.find(oid, maxVersionBytes)?.data;
    if (data === undefined || isBinary(data)) return undefined;
    this.#leftBytes -= data.length;
    this.#last = { oid, lines: new TextLines(data) };
    return this.#last.lines;
  }
}
