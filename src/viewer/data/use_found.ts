// What of a list has the typed words, as state of a component: at once and in their order the rows
// that contain them, then what Orama finds besides: other accents, and words that are misspelt.

import { useEffect, useMemo, useState } from "preact/hooks";
import { type FoundTexts, TextDatabase } from "./text_database.ts";

/** More rows than these are not added to what contains the words. */
const maxBesides = 200;
/** Rows that are indexed before the browser may do other things. */
const rowsAtOnce = 500;

/** The rows that were found. */
export interface FoundRows<T> {
  rows: readonly T[];
  total: number;
  /** Whether anything is typed. */
  isAsked: boolean;
  /** Whether no row contains the words: these have similar ones. */
  isNear: boolean;
  isSearching: boolean;
}

/** All rows while nothing is typed. `rows` stays the same value while the list does. */
export function useFound<T>(
  rows: readonly T[],
  typed: string,
  toText: (row: T) => string,
): FoundRows<T> {
  const texts = useMemo(() => rows.map(toText), [rows]);
  const lower = useMemo(() => texts.map((text) => text.toLowerCase()), [texts]);
  const held = useMemo<{ database?: Promise<TextDatabase> }>(() => ({}), [texts]);
  const [late, setLate] = useState<{ held: unknown; typed: string; found: FoundTexts }>();
  useEffect(() => {
    if (typed.trim() === "") return;
    let isLate = false;
    held.database ??= fill(texts);
    void held.database
      .then((database) => database.find({ typed, limit: maxBesides, hasAllWords: true }))
      .then((found) => isLate || setLate({ held, typed, found }));
    return () => void (isLate = true);
  }, [held, typed]);
  const exact = useMemo(() => findContaining(lower, typed), [lower, typed]);
  if (exact === undefined) {
    return { rows, total: rows.length, isAsked: false, isNear: false, isSearching: false };
  }
  const found = late?.held === held && late.typed === typed ? late.found : undefined;
  const besides = exact.size > 0 && found?.isNear ? [] : found?.rows ?? [];
  const all = [...exact.union(new Set(besides))].map((row) => rows[row]);
  return {
    rows: all,
    total: all.length,
    isAsked: true,
    isNear: exact.size === 0 && all.length > 0,
    isSearching: found === undefined,
  };
}

async function fill(texts: readonly string[]): Promise<TextDatabase> {
  const database = new TextDatabase();
  for (let at = 0; at < texts.length; at += rowsAtOnce) {
    await database.add(texts.slice(at, at + rowsAtOnce).map((text) => ({ text })));
    await new Promise((resume) => setTimeout(resume));
  }
  return database;
}

/** The numbers of the texts, in small letters, that contain all typed words; undefined where there are none. */
function findContaining(lower: readonly string[], typed: string): Set<number> | undefined {
  const words = typed.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return undefined;
  return new Set(
    lower.flatMap((text, row) => words.every((word) => text.includes(word)) ? row : []),
  );
}
