// Splits a file into whole lines in constant memory, from a resume point on. Lines over the cap are
// counted and passed over; bytes after the last newline are an unfinished line, handed out last.

import { hashHex } from "../../core/hash.ts";
import { readAt } from "./database/read_at.ts";
import type { ResumePoint } from "./source.ts";
import type { Tally } from "./problem_tally.ts";

/** One line without its newline. The bytes are a view: decode them before going on. */
export interface SourceLine {
  bytes: Uint8Array;
  offset: number;
  /** Whether the newline was there. */
  whole: boolean;
}

const newline = 10;
const blockBytes = 1 << 20;
const tailBytes = 256;
/** Longer lines are counted and skipped: the longest seen in the wild are 19 MB of images. */
export const maxLineBytes = 20 << 20;

/** A file read line by line; dispose it to close it. */
export class LineReader implements Disposable {
  readonly #file: Deno.FsFile;
  readonly #tally: Tally;
  readonly #identity: string;
  readonly size: number;
  readonly modified: number;
  /** The byte after the last whole line that was handed out. */
  offset = 0;
  /** Whether reading began at the start: the file is new to us, or was rewritten. */
  readonly fromStart: boolean;

  constructor(path: string, options: { tally: Tally; resume?: ResumePoint }) {
    this.#file = Deno.openSync(path, { read: true });
    this.#tally = options.tally;
    const { size, mtime, dev, ino } = this.#file.statSync();
    this.size = size;
    this.modified = mtime?.getTime() ?? 0;
    this.#identity = `${dev}:${ino ?? 0}`;
    const { resume } = options;
    if (resume?.offset !== undefined && this.#continues(resume)) this.offset = resume.offset;
    this.fromStart = this.offset === 0;
    this.#tally.bytes += size - this.offset;
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }

  /** Where to go on next time. */
  resumePoint(state?: Record<string, unknown>): ResumePoint {
    return {
      signature: `${this.size}:${Math.round(this.modified)}`,
      offset: this.offset,
      tail: this.#hashBefore(this.offset),
      file: this.#identity,
      ...(state === undefined ? {} : { state }),
    };
  }

  /** Yields the lines up to the size the file had when it was opened. */
  *lines(): Generator<SourceLine> {
    let buffer = new Uint8Array(Math.min(blockBytes, Math.max(1024, this.size - this.offset)));
    let kept = 0;
    let position = this.offset;
    while (position < this.size) {
      if (kept === buffer.length) {
        if (buffer.length >= maxLineBytes) {
          position = this.#skipLine(position);
          if (position < 0) return;
          kept = 0;
          buffer = new Uint8Array(blockBytes);
          continue;
        }
        buffer = enlarge(buffer);
      }
      const wanted = Math.min(buffer.length - kept, this.size - position);
      const count = readAt(this.#file, position, buffer.subarray(kept, kept + wanted));
      if (count === 0) break;
      position += count;
      const filled = kept + count;
      let start = 0;
      let end = buffer.indexOf(newline, kept);
      while (end >= 0 && end < filled) {
        const offset = this.offset;
        this.offset += end + 1 - start;
        yield { bytes: buffer.subarray(start, end), offset, whole: true };
        start = end + 1;
        end = buffer.indexOf(newline, start);
      }
      buffer.copyWithin(0, start, filled);
      kept = filled - start;
    }
    if (kept > 0) yield { bytes: buffer.subarray(0, kept), offset: this.offset, whole: false };
  }

  /** Takes the unfinished last line as read. */
  acceptTail(): void {
    this.offset = this.size;
  }

  /** Passes over a line that is too long; returns the place after it, or -1 when it does not end. */
  #skipLine(from: number): number {
    this.#tally.bad_lines++;
    this.#tally.lost_lines++;
    this.#tally.skip("line_too_long");
    const block = new Uint8Array(blockBytes);
    let position = from;
    while (position < this.size) {
      const wanted = Math.min(block.length, this.size - position);
      const count = readAt(this.#file, position, block.subarray(0, wanted));
      if (count === 0) break;
      const end = block.subarray(0, count).indexOf(newline);
      if (end >= 0) {
        this.offset = position + end + 1;
        return this.offset;
      }
      position += count;
    }
    return -1;
  }

  #continues(resume: ResumePoint): boolean {
    return resume.file === this.#identity && (resume.offset ?? 0) <= this.size &&
      resume.tail === this.#hashBefore(resume.offset ?? 0);
  }

  #hashBefore(offset: number): string {
    const bytes = new Uint8Array(Math.min(tailBytes, offset));
    readAt(this.#file, offset - bytes.length, bytes);
    return hashHex(new TextDecoder("latin1").decode(bytes));
  }
}

function enlarge(buffer: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(maxLineBytes, buffer.length * 2));
  larger.set(buffer);
  return larger;
}
