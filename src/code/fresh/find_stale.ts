// Entries that somebody may go on believing though the code under them has moved: pins, decisions and
// what was saved; outcomes and fixes, which tell what was done on a day, when they are asked for.
// Newest first, bounded.

import { docType, type Entry } from "../../core/entry.ts";
import { breathe, isBreathDue } from "../../core/breathe.ts";
import { isRecord, recordOf } from "../../core/rows/record.ts";
import { isTelling } from "../../core/rows/telling_words.ts";
import { type Corpus, isSuperseded, locate } from "../../index/segment/corpus.ts";
import { keyword } from "../../index/segment/keyword.ts";
import { forEachRow } from "../../index/segment/postings.ts";
import { rowFlags } from "../../index/segment/segment_format.ts";
import { parsePins, readPinsText } from "../../store/logs/pins.ts";
import type { Store } from "../../store/store.ts";
import { type Freshness, isStale } from "./freshness.ts";
import { FreshnessReader } from "./freshness_reader.ts";
import { openCodeRows } from "./open_code_rows.ts";
import { mayNameCode, mayStandOnCode } from "./may_speak_of_code.ts";

/** What to look for. */
export interface StaleOptions {
  limit: number;
  /** Entries from this time on, in milliseconds. */
  sinceMs?: number;
  /** Outcomes and fixes too. */
  all: boolean;
  signal?: AbortSignal;
}

export interface StaleEntry {
  entry: Entry;
  isPinned: boolean;
  told: Freshness;
}

/** How many were looked at, and those that are stale; more may be further back. */
export interface StaleEntries {
  found: StaleEntry[];
  looked: number;
  more: boolean;
}

const maxLooked = 2000;
const noteTerm = keyword("role", "note");
const docTerm = keyword("type", docType);

export async function findStale(store: Store, options: StaleOptions): Promise<StaleEntries> {
  using rows = await openCodeRows(store, { terms: [noteTerm, docTerm] });
  const { corpus } = rows;
  using reader = new FreshnessReader(store, rows, { isPatient: true });
  const pins = new Set(parsePins(readPinsText(store)).flatMap(({ id }) => id ?? []));
  const pinned = [...pins].flatMap((id) => [...rows.findGlobals(id)].slice(0, 1));
  const known = new Set(pinned);
  const found: StaleEntry[] = [];
  let looked = 0;
  for (const global of [...pinned, ...candidates(rows.corpus, options, known)]) {
    if (isBreathDue()) await breathe(options.signal);
    if (isSuperseded(corpus, global)) continue;
    const entry = rows.readEntry(global);
    if (!options.all && isRecord(entry) && entry.type !== "decision" && !known.has(global)) {
      continue;
    }
    if (!known.has(global) && recordOf(entry)?.by === "rules" && !isTelling(entry)) {
      continue;
    }
    // Most notes do not speak of code: they are not counted as looked at.
    if (!known.has(global) && !mayStandOnCode(entry) && !mayNameCode(entry)) continue;
    if (found.length >= options.limit || looked >= maxLooked) return { found, looked, more: true };
    looked++;
    const name = (await reader.find(entry, global))?.freshness;
    const told = isStale(name) ? await reader.explain(entry, global) : undefined;
    if (told) found.push({ entry, isPinned: known.has(global), told });
  }
  return { found, looked, more: false };
}

/** Rows that were derived or saved, also as plain notes, newest first. */
function candidates(
  corpus: Corpus,
  { sinceMs = 0 }: StaleOptions,
  known: ReadonlySet<number>,
): number[] {
  const found: { global: number; time: number }[] = [];
  const notes = findNotes(corpus);
  for (let global = 0; global < corpus.size; global++) {
    const { segment, segmentNumber, row } = locate(corpus, global);
    const isSaved = (segment.flags(row) & (rowFlags.record | rowFlags.saved)) !== 0;
    if (!isSaved && !notes.has(global)) continue;
    if (known.has(global) || corpus.liveness.dead[segmentNumber]?.has(row)) continue;
    const time = segment.time(row);
    if (time >= sinceMs) found.push({ global, time });
  }
  return found.sort((a, b) => b.time - a.time || b.global - a.global).map(({ global }) => global);
}

/** The rows of notes other than sections of documents. */
function findNotes(corpus: Corpus): Set<number> {
  const notes = new Set<number>();
  corpus.segments.forEach((segment, i) => {
    const visit = (term: string, take: (global: number) => void): void => {
      const postings = segment.findPostings(term);
      if (postings) forEachRow(postings.bytes, (row) => take(corpus.bases[i] + row));
    };
    visit(noteTerm, (global) => void notes.add(global));
    visit(docTerm, (global) => void notes.delete(global));
  });
  return notes;
}
