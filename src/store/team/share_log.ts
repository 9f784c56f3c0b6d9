// `shares.ndjson`: what was shared with the team by name, and what was taken back. Appended; the last
// word on an entry counts.

import { isObject } from "../../core/json.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { readRecords } from "../../disk/lines.ts";

/** One line: an entry or a session, shared or taken back. */
export type ShareLine =
  & { ts: string; action: ShareAction }
  & ({ id: string; session_id?: undefined } | { session_id: string; id?: undefined });

/** What was said of it. */
export type ShareAction = "share" | "unshare";

/** What was said of an entry: by its own id, or only of its session. */
export type ShareWord = "shared_by_id" | "shared_by_session" | "unshared";

interface Place {
  files: Files;
  layout: Pick<Layout, "shares">;
}

/** What was said of entries and sessions so far. */
export class Shares {
  readonly #lines: readonly ShareLine[];
  /** The number of the last line on it. */
  readonly #ids = new Map<string, number>();
  readonly #sessions = new Map<string, number>();

  constructor(lines: readonly ShareLine[]) {
    this.#lines = lines;
    for (const [i, { id, session_id }] of lines.entries()) {
      if (id !== undefined) this.#ids.set(id, i);
      else this.#sessions.set(session_id, i);
    }
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /**
   * The word on an entry. Its own id counts before its session, but taking a whole session back means
   * all of it: what was shared by its id before that is taken back too.
   */
  wordOn({ id, session_id }: { id: string; session_id?: string }): ShareWord | undefined {
    const own = this.#ids.get(id);
    const whole = session_id === undefined ? undefined : this.#sessions.get(session_id);
    const isWholeBack = whole !== undefined && this.#lines[whole].action === "unshare";
    if (own === undefined) {
      return whole === undefined ? undefined : isWholeBack ? "unshared" : "shared_by_session";
    }
    if (this.#lines[own].action === "unshare" || isWholeBack && whole > own) return "unshared";
    return "shared_by_id";
  }

  /** What stands for all of it: the same words, the same text. */
  toString(): string {
    return JSON.stringify(this.#lines);
  }
}

/** Reads what was shared; lines that are none are passed over. */
export function readShares({ files, layout }: Place): Shares {
  return new Shares([...readRecords(files, layout.shares, isShareLine)]);
}

/** The id of the row that erases an entry which was taken back. */
export function takenBackId(id: string): string {
  return `${id}-u`;
}

/** Whether it is the id of such a row. */
export function isTakenBackId(id: string): boolean {
  return id.endsWith("-u");
}

/** What was shared here can be made of ids only; a line that names both, or nothing, is none. */
function isShareLine(value: unknown): value is ShareLine {
  if (!isObject(value) || typeof value.ts !== "string") return false;
  if (value.action !== "share" && value.action !== "unshare") return false;
  return typeof value.id === "string"
    ? value.session_id === undefined
    : value.id === undefined && typeof value.session_id === "string";
}
