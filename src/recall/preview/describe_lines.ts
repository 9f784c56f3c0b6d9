// What an agent would be given at a moment, as the hook would say it: the forms that all moments share.
// Whatever makes one notes nothing and counts nothing as told.

import { findEntries } from "../../read/find_entries.ts";
import { ageOf } from "../../core/time/age_of.ts";
import { countTokens } from "../../core/tokens.ts";
import { findStaleNames } from "../pack/find_stale_ids.ts";
import { parsePins, readPinsText } from "../../store/logs/pins.ts";
import type { Store } from "../../store/store.ts";

/** What would be given. */
export interface Preview {
  /** What the agent's model would read, to the byte; empty when nothing. */
  text: string;
  /** The most tokens that it may have, where there is such a bound. */
  budget?: number;
  lines: PreviewLine[];
  left_out: LeftOutLine[];
  /** Why there is nothing, and what else to know. */
  notes: string[];
}

/** One line of it. */
export interface PreviewLine {
  /** The entry that it is of; lines about code and of files have none. */
  id?: string;
  /** What it is about where that is no entry: a file, a commit, `pins.md`, `summary.md`. */
  subject?: string;
  kind: string;
  /** As it stands in the text. */
  text: string;
  tokens: number;
  pinned: boolean;
  ts?: string;
  age?: string;
  /** Told where its code has changed. */
  freshness?: string;
}

/** What was found and is not in it; `count` lines of which only the number is known. */
export interface LeftOutLine {
  id?: string;
  kind?: string;
  text?: string;
  why: string;
  count: number;
}

/** What is known of a line before the store is asked about it. */
export type DraftLine = Pick<PreviewLine, "id" | "subject" | "kind" | "text">;

/** Lines with what the store knows of their entries. */
export async function describeLines(
  store: Store,
  lines: readonly DraftLine[],
  nowMs: number,
): Promise<PreviewLine[]> {
  const ids = lines.flatMap(({ id }) => id ?? []);
  const entries = await findEntries(store, ids);
  const stale = await findStaleNames(store, ids);
  const pinned = new Set(parsePins(readPinsText(store)).flatMap(({ id }) => id ?? []));
  return lines.map((line) => {
    const { id = "", subject } = line;
    const entry = entries.get(id)?.row?.entry;
    const freshness = stale.get(id);
    return {
      ...line,
      tokens: countTokens(line.text),
      // A pin may stand for what was corrected since.
      pinned: line.kind === "pin" || subject === "pins.md" || pinned.has(id),
      ...(entry === undefined ? {} : { ts: entry.ts, age: ageOf(entry.ts, nowMs) }),
      ...(freshness === undefined ? {} : { freshness }),
    };
  });
}
