// Which chapters of a session are open, and so which rows the list shows.

import { useCallback, useMemo, useState } from "preact/hooks";
import {
  type Chapter,
  type ChapterFacts,
  isFoldedAtFirst,
  listShown,
  toChapters,
  toFacts,
} from "./chapters.ts";
import type { ReaderRow } from "./reader_rows.ts";

/** The chapters of a session on the page. */
export interface Chapters {
  list: readonly Chapter[];
  /** The rows that the list shows. */
  shown: readonly number[];
  /** The place of a row in the list; -1 where its chapter is folded. */
  placeOf(row: number): number;
  /** The number of the chapter of a row. */
  indexOf(row: number): number;
  /** What a chapter led to. */
  factsOf(chapter: Chapter): ChapterFacts;
  isOpen(chapter: Chapter): boolean;
  areAllOpen: boolean;
  set(chapter: Chapter, isOpen: boolean): void;
  setAll(isOpen: boolean): void;
}

/** Groups rows into chapters; `named` is the row in the address, whose chapter is open at first. */
export function useChapters(rows: readonly ReaderRow[], named: number | undefined): Chapters {
  const list = useMemo(() => toChapters(rows), [rows]);
  const [choice, setChoice] = useState<
    { all?: boolean; own: ReadonlyMap<string, boolean> }
  >({ own: new Map() });
  const isOpenAtFirst = choice.all ?? !isFoldedAtFirst(rows, list);
  const [first] = useState<{ key?: string }>({});
  const indexOf = useCallback((row: number): number => findChapter(list, row), [list]);
  // The address changes while one reads; only the place where one came in is opened for that.
  if (first.key === undefined && named !== undefined) first.key = list[indexOf(named)]?.key;
  const isOpen = (chapter: Chapter): boolean =>
    chapter.key === "" ||
    (choice.own.get(chapter.key) ??
      (isOpenAtFirst || choice.all === undefined && chapter.key === first.key));
  const shown = useMemo(() => listShown(list, isOpen), [list, choice, first.key, isOpenAtFirst]);
  const places = useMemo(() => {
    const found = new Int32Array(rows.length).fill(-1);
    for (const [place, row] of shown.entries()) found[row] = place;
    return found;
  }, [shown]);
  const facts = useMemo(() => new Map<Chapter, ChapterFacts>(), [list]);
  return {
    list,
    shown,
    placeOf: (row) => places[row] ?? -1,
    indexOf,
    factsOf(chapter) {
      const known = facts.get(chapter) ?? toFacts(rows, chapter);
      facts.set(chapter, known);
      return known;
    },
    isOpen,
    areAllOpen: list.every(isOpen),
    set: (chapter, isOpen) =>
      setChoice(({ all, own }) => ({ all, own: new Map(own).set(chapter.key, isOpen) })),
    setAll: (all) => setChoice({ all, own: new Map() }),
  };
}

function findChapter(list: readonly Chapter[], row: number): number {
  let [low, high] = [0, list.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (list[middle].from <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}
