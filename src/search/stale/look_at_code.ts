// A look at the code under the rows of a search. Loaded when a row that is shown may speak of code.

import type { Entry } from "../../core/entry.ts";
import type { CodeRows } from "../../code/fresh/entry_edits.ts";
import type { Freshness, FreshnessName } from "../../code/fresh/freshness.ts";
import { FreshnessReader } from "../../code/fresh/freshness_reader.ts";
import type { Store } from "../../store/store.ts";
import type { RankedRow, RankStale } from "../rank/rank.ts";
import { weights } from "../rank/ranking.ts";
import { type Corpus, isSuperseded } from "../../index/segment/corpus.ts";
import { applySteps, type Step, step } from "../rank/steps.ts";

export interface CodeLook extends Disposable {
  /** Sets rows back or leaves them out; undefined when that changes nothing on this page. */
  rankStale?: RankStale;
  /** How many of the rows that were looked at are left out. */
  dropped: number;
  find(entry: Entry, global: number): Promise<Freshness | undefined>;
  /** Whether a row is not left out for its code. */
  keeps(entry: Entry, global: number): Promise<boolean>;
}

export interface FoundGlobals {
  page: readonly number[];
  /** Those that may change places with the rows of the page. */
  ranked: readonly number[];
  /** Rows whose code changed are left out. */
  filters: boolean;
}

export async function lookAtCode(
  store: Store,
  rows: CodeRows,
  { page, ranked, filters }: FoundGlobals,
): Promise<CodeLook> {
  using opened = new DisposableStack();
  const reader = opened.use(new FreshnessReader(store, rows));
  const marks = new Map<number, StaleMark>();
  const mark = async (global: number): Promise<boolean> => {
    const told = await reader.find(rows.readEntry(global), global);
    const found = markOf(told?.freshness, filters);
    marks.set(global, found);
    return found !== "keep";
  };
  const look = async (globals: readonly number[]): Promise<boolean> => {
    let isAny = false;
    for (const global of globals) isAny = await mark(global) || isAny;
    return isAny;
  };
  // Rows only fall: where none of a page does, those further down change nothing on it.
  const isNeeded = filters || await look(page);
  if (isNeeded) await look(filters ? ranked : ranked.slice(0, weights.stale.rows));
  const ends = opened.move();
  return {
    ...(isNeeded
      ? { rankStale: rankStale((global) => marks.get(global) ?? "keep", { filters }) }
      : {}),
    dropped: [...marks.values()].filter((mark) => mark === "drop").length,
    find: (entry, global) => reader.explain(entry, global),
    keeps: async (entry, global) =>
      !filters || markOf((await reader.find(entry, global))?.freshness, filters) !== "drop",
    [Symbol.dispose]: () => ends.dispose(),
  };
}

function markOf(name: FreshnessName | undefined, filters: boolean): StaleMark {
  if (name === "gone" || name === "reverted") return filters ? "drop" : "stale";
  return filters && name === "drifted" ? "drop" : "keep";
}

// The best rows once more, with those set back whose code is gone: never hidden, but below what still
// holds. The same rows for any page.

/** What is known of a row: whether it is set back, or left out altogether. */
type StaleMark = "keep" | "stale" | "drop";

/** Makes a ranking by marks; all rows are asked for where some are to be dropped. */
function rankStale(
  markOf: (global: number) => StaleMark,
  { filters = false }: { filters?: boolean } = {},
): RankStale {
  return (all, { corpus, stepsOf }) => {
    const first = all.slice(0, filters ? all.length : weights.stale.rows);
    const marked = first.flatMap((row): RankedRow[] => {
      const mark = markOf(row.global);
      if (mark === "drop") return [];
      if (mark === "keep") return [row];
      return [withStep(row, step("stale", "×", weights.stale.factor), stepsOf)];
    });
    const rows = belowReplacements(marked, { corpus, stepsOf });
    // Stable: equal scores stay as they were.
    rows.sort((a, b) => b.final - a.final);
    return [...rows, ...all.slice(first.length)];
  };
}

/** A superseded row stays below what replaced it, also where that was set back. */
function belowReplacements(
  rows: RankedRow[],
  { corpus, stepsOf }: { corpus: Corpus; stepsOf: (global: number) => Step[] },
): RankedRow[] {
  const finals = new Map(rows.map(({ global, final }) => [global, final]));
  return rows.map((row) => {
    if (!isSuperseded(corpus, row.global)) return row;
    const above = finals.get(corpus.findReplacement(row.global)?.global ?? -1);
    if (above === undefined || row.final < above) return row;
    return withStep(row, step("replacement", "≤", Math.max(0, above - 1e-6)), stepsOf);
  });
}

function withStep(row: RankedRow, added: Step, stepsOf: (global: number) => Step[]): RankedRow {
  const steps = [...row.steps ?? stepsOf(row.global), added];
  return { ...row, steps, final: applySteps(steps) };
}
