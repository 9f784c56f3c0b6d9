// Looks ids up in the logs by their bytes: no index is needed, only rows that name an id are parsed.

import { authorOf, type Entry, tombstoneType } from "../core/entry.ts";
import { compareText } from "../core/text.ts";
import { repeatKey, type Row, type Snapshot } from "./snapshot.ts";

/** The state of an id: its row if it is there, and what later rows say of it. */
export interface Found {
  row?: Row;
  /** The rows of other sessions that use the same id, where there are any. */
  others?: Row[];
  forgotten: boolean;
  superseded_by?: string;
  /** Who made that correction, where somebody else did. */
  superseded_author?: string;
}

/** What the rows say of an id: its own first row, whether a tombstone names it, who corrects it. */
export interface IdFacts {
  row?: Row;
  /** Its rows in other sessions, by what tells repeats. */
  others?: Map<string, Row>;
  forgotten: boolean;
  /** Whether a tombstone of others names it, which hides no row of one's own. */
  buried?: boolean;
  /** Rows of other entries that supersede it, in log order, whether they count or not. */
  correctors: Row[];
}

/** A way to collect the facts of some ids: one pass over the logs, or an index. */
export type GatherFacts = (ids: readonly string[]) => Map<string, IdFacts>;

/** Finds ids; the last correction counts that is an entry itself: not forgotten, not a repeat. */
export function findWith(
  gather: GatherFacts,
  ids: readonly string[],
  logs: Pick<Snapshot, "writerOf">,
): Map<string, Found> {
  const facts = gather(ids);
  const newer = new Set<string>();
  for (const { correctors } of facts.values()) {
    for (const { entry } of correctors) newer.add(entry.id);
  }
  const known = newer.size === 0 ? undefined : gather([...newer]);
  const isEntry = (row: Row): boolean => {
    const own = known?.get(row.entry.id);
    const isOwn = ({ pool, offset }: Row): boolean => pool === row.pool && offset === row.offset;
    if (own?.row === undefined || isForgotten(own)) return false;
    return isOwn(own.row) || isOwn(own.others?.get(repeatKey(row.entry)) ?? own.row);
  };
  const found = new Map<string, Found>();
  for (const [id, known] of facts) {
    const { row, others, correctors } = known;
    const last = pickCorrection(correctors.filter(isEntry), (item) => logs.writerOf(item));
    const superseded_author = last && authorOf(last);
    found.set(id, {
      ...(row === undefined ? {} : { row }),
      ...(others === undefined ? {} : { others: [...others.values()] }),
      forgotten: isForgotten(known),
      ...(last === undefined ? {} : { superseded_by: last.entry.id }),
      ...(superseded_author === undefined ? {} : { superseded_author }),
    });
  }
  return found;
}

function isForgotten({ row, forgotten, buried }: IdFacts): boolean {
  return forgotten || buried === true && (row === undefined || row.pool === "team");
}

/**
 * Which of several corrections counts, in log order. In one log the last; between logs the later, then
 * the larger id, so that all members of a team see the same one.
 */
export function pickCorrection<T extends { entry: Pick<Entry, "id" | "ts"> }>(
  corrections: readonly T[],
  writerOf: (correction: T) => string | undefined,
): T | undefined {
  const last = new Map(corrections.map((item) => [writerOf(item), item]));
  return [...last.values()].sort((a, b) =>
    compareText(a.entry.ts, b.entry.ts) || compareText(a.entry.id, b.entry.id)
  ).at(-1);
}

/** Collects the facts of ids in one pass over a snapshot. */
export function gatherFacts(snapshot: Snapshot, ids: readonly string[]): Map<string, IdFacts> {
  const facts = noFacts(ids);
  for (const row of snapshot.rows({ needles: toNeedles(ids) })) addFacts(facts, row);
  return facts;
}

/** Facts of ids before any row was read. */
export function noFacts(ids: readonly string[]): Map<string, IdFacts> {
  return new Map(ids.map((id) => [id, { forgotten: false, correctors: [] }]));
}

/** Adds what one row says; rows must come in log order. */
export function addFacts(facts: Map<string, IdFacts>, row: Row): void {
  const { entry } = row;
  if (entry.type === tombstoneType) {
    for (const id of entry.refs ?? []) {
      const target = facts.get(id);
      if (target === undefined) continue;
      if (row.pool === "team") target.buried = true;
      else target.forgotten = true;
    }
    return;
  }
  const self = facts.get(entry.id);
  if (self) addOwn(self, row);
  if (entry.supersedes === undefined || entry.supersedes === entry.id) return;
  facts.get(entry.supersedes)?.correctors.push(row);
}

/** Adds a row with the id itself: the first, a repeat, or that of one more session. */
export function addOwn(facts: IdFacts, row: Row): void {
  const key = repeatKey(row.entry);
  if (facts.row === undefined) facts.row = row;
  else if (row.pool === "team") return;
  else if (key !== repeatKey(facts.row.entry) && !facts.others?.has(key)) {
    facts.others = (facts.others ?? new Map()).set(key, row);
  }
}

/** The rows that an id names, in log order, unless it is forgotten: the first is its own. */
export function rowsOf(found: Found | undefined): Row[] {
  return found?.row === undefined || found.forgotten ? [] : [found.row, ...found.others ?? []];
}

/** As `toNeedles`; undefined (read every row) when there are so many names that this is faster. */
export function toFewNeedles(names: ReadonlySet<string>): string[] | undefined {
  return names.size <= maxNeedles ? toNeedles([...names]) : undefined;
}

const maxNeedles = 50;

/** Names as they stand in a row; undefined (read every row) when one may be written with escapes. */
export function toNeedles(names: readonly string[]): string[] | undefined {
  return names.every((name) => /^[\w .:@+,;!?()#=~-]*$/.test(name))
    ? names.map((name) => JSON.stringify(name))
    : undefined;
}
