// What could go into a pack: knowledge before recency. Pins, then what was saved or derived (standing
// preferences, decisions, what was left open, outcomes, fixes, notes, commands), the summary's lines,
// and recent turns where they are asked for. What was corrected never stands in it, and nothing twice.

import {
  authorOf,
  confirmType,
  docType,
  type Entry,
  isImportedMemory,
  verdictType,
} from "../../core/entry.ts";
import { isCandidate, recordOf } from "../../core/rows/record.ts";
import { toWholePath } from "../../core/platform_path.ts";
import { repeatKey } from "../../store/snapshot.ts";
import { readActs } from "../../store/logs/act_log.ts";
import { parsePins, readPinsText } from "../../store/logs/pins.ts";
import type { Found, Store } from "../../store/store.ts";
import { readableSummary, readSummaryText } from "../../store/summary.ts";
import { findEntries } from "../../read/find_entries.ts";
import { type Known, type KnownScope, readKnown } from "./known.ts";
import type { More } from "./known_base.ts";
import { byNewest, findSection, type KnownRow, rank } from "./known_row.ts";
import { branchNote, findEarlier, findLastWork, isBeside } from "./last_work.ts";
import type { LastWork, Looked } from "./find_stale_ids.ts";
import { lineChars, type PackItem, type PackSection, packSections } from "./pack_item.ts";
import { packLine, withTitle } from "./pack_line.ts";
import { SaidLines } from "../../read/same_line.ts";

/** What to gather. */
export interface PackScope extends KnownScope {
  /** Recent turns too, this many to choose from; without a number a few where nothing is known. */
  turns?: number;
  /** Sessions of which nothing is told: the agent still has them. */
  held?: ReadonlySet<string>;
  /** So many lines of each kind are compared with the others: no more could fit. */
  most: number;
}

/** What there is for a pack: items, the most valuable first in each section, and what is not among them. */
export interface PackItems {
  items: PackItem[];
  /** Turns that are older than those among the items. */
  olderTurns: number;
  /** How many of each kind were not looked at. */
  more: More;
  /** Whether all sessions are distilled. */
  isSettled: boolean;
  /** What a look at code told before. */
  looked?: Looked;
  lastWork: LastWork;
}

const chainLimit = 10;
/** Gathers candidates, each once, of one session or all. */
export async function readPackItems(store: Store, scope: PackScope): Promise<PackItems> {
  const isWhole = scope.session === undefined;
  const quarantine = await store.findQuarantine();
  const { rows, corrected, more, ...known } = readKnown(store, { ...scope, quarantine });
  const hiding = { ...scope, corrected, quarantine };
  const pins = await readPins(store, hiding);
  const unwanted = new Set(readPinnedTexts(store));
  const wanted = rows.filter((row) => {
    const narrow = recordOf(row)?.narrow;
    if (narrow === "silent" || (narrow === true && isBeside(row, scope))) return false;
    return !unwanted.has(row.id);
  });
  const last = findLastWork(wanted, scope);
  const note = last === undefined ? "" : branchNote(last, scope);
  const knowledge = withoutOlderWork(rank(wanted, scope), last)
    .filter(({ session_id = "" }) => !scope.held?.has(session_id))
    .map((row) => toKnownItem(row, row === last ? note : ""));
  const lastWork: LastWork = isWhole && last !== undefined
    ? {
      edited: editedIn(last, scope),
      earlier: findEarlier(wanted, last).flatMap((row) => editedIn(row, scope)),
      ts: last.ts,
      ...(recordOf(last)?.grade === "derived" ? { line: last.text } : {}),
      ...(note === "" ? {} : { elsewhere: last.branch }),
    }
    : { edited: [] };
  const told = { ...known, lastWork };
  const summary = isWhole ? await readSummary(store, hiding) : [];
  const { items, passed } = withoutRepeats([...pins, ...knowledge, ...summary], scope);
  const left = addMore(more, passed);
  if (scope.turns === undefined && (items.length > 0 || !isWhole)) {
    return { items, olderTurns: 0, more: left, ...told };
  }
  const used = new Set(items.flatMap((item) => entryOf.get(item) ?? []));
  const limit = scope.turns ?? fallbackTurns;
  if (limit === 0) return { items, olderTurns: 0, more: left, ...told };
  const { turns, older } = await readTurns(store, { ...hiding, used, limit });
  return { items: [...items, ...turns], olderTurns: older, more: left, ...told };
}

/**
 * Only the last session: earlier work was continued in it. Its outcome, if there is one, tells it already;
 * where its line is not sure, none is told.
 */
function withoutOlderWork(rows: readonly KnownRow[], last: KnownRow | undefined): KnownRow[] {
  const isTold = (last !== undefined && isCandidate(last)) ||
    rows.some(({ type, session_id }) =>
      type === "outcome" && session_id !== undefined && session_id === last?.session_id
    );
  return rows.filter((row) => findSection(row) !== "last" || (row === last && !isTold));
}

function editedIn({ project, files = [] }: KnownRow, { workspace }: PackScope): string[] {
  const root = toWholePath(project) ?? workspace;
  return [...new Set(files.map((path) => toWholePath(path) ?? `${root}/${path}`))];
}

/** A store that knows nothing yet shows its last turns. */
const fallbackTurns = 20;

/** What is not told, of what may be. */
type Hiding = Pick<Known, "corrected"> & Pick<KnownScope, "quarantine">;

async function readPins(store: Store, scope: PackScope & Hiding): Promise<PackItem[]> {
  const pins = parsePins(readPinsText(store));
  const entries = await findCurrent(store, pins.flatMap((pin) => pin.id ?? []));
  return pins.flatMap((pin): PackItem[] => {
    const found = pin.id === undefined ? undefined : entries.get(pin.id);
    if (found && scope.quarantine?.holds(found.entry)) return [];
    if (found && isInScope(found.entry, scope)) {
      return [toItem("pins", found.entry, { ...found, label: "pin" })];
    }
    if (pin.id !== undefined || scope.session !== undefined) return [];
    return [{ section: "pins", label: "pin", ...packLine(pin.text, lineChars("pins")) }];
  });
}

/** Texts that were saved only to be pinned: they are given as pins, or not at all. */
function readPinnedTexts(store: Store): string[] {
  return readActs(store).flatMap(({ act, ids }) => act === "pin" ? ids ?? [] : []);
}

/** One item per line of the summary that still holds. */
async function readSummary(
  store: Store,
  { corrected, quarantine }: Hiding,
): Promise<PackItem[]> {
  const text = readableSummary(readSummaryText(store)).replace(/^# Summary\n+/, "");
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const idOf = (line: string): string | undefined => /\[(H-[\w.:@+-]+)\]\s*$/.exec(line)?.[1];
  const ids = lines.flatMap((line) => idOf(line) ?? []);
  const found = ids.length === 0 ? new Map<string, Found>() : await findEntries(store, ids);
  return lines.flatMap((line): PackItem[] => {
    const id = idOf(line) ?? "";
    const { row, forgotten } = found.get(id) ?? {};
    if (forgotten || corrected.has(id)) return [];
    // A line that names no entry may be of any session.
    if (quarantine && (row === undefined || quarantine.holds(row.entry))) return [];
    return [{ section: "summary", label: "summary", ...packLine(line, lineChars("summary")) }];
  });
}

/**
 * The newest hot turns that were not corrected, newest first; all others are counted. What was pasted or put
 * there by a client is not told as somebody's words.
 */
async function readTurns(
  store: Store,
  options: PackScope & Hiding & {
    used: ReadonlySet<string>;
    limit: number;
  },
): Promise<{ turns: PackItem[]; older: number }> {
  const { corrected, quarantine, used, limit } = options;
  const { ownWords } = await import("../../core/voice/spans_of.ts");
  const compareEntries = byNewest(options.nowMs);
  const newest: Entry[] = [];
  let count = 0;
  for (const { entry } of store.entries({ pools: ["hot"], isBrief: true })) {
    if (!isTurn(entry) || !isInScope(entry, options)) continue;
    // An agent's answer may repeat a poisoned page, so it is sent only on request.
    if (options.turns === undefined && entry.role === "assistant") continue;
    if (corrected.has(entry.id) || used.has(repeatKey(entry))) continue;
    if (quarantine?.holds(entry)) continue;
    count++;
    newest.push(entry);
    if (newest.length >= limit * 4) newest.sort(compareEntries).splice(limit);
  }
  const turns = newest.sort(compareEntries).slice(0, limit)
    .map((entry) => entry.role === "note" ? entry : { ...entry, text: ownWords(entry) })
    .filter(({ text }) => text !== "")
    .map((entry) => toItem("recent", entry, { label: entry.role, corrects: entry.supersedes }));
  return { turns, older: count - turns.length };
}

/** What somebody said; never what a tool printed, a document, or what was derived. */
function isTurn(entry: Entry): boolean {
  const said = entry.role === "user" || entry.role === "assistant" || entry.role === "note";
  return said && !unspoken.has(entry.type) && !isImportedMemory(entry) &&
    recordOf(entry) === undefined &&
    findSection(entry) === undefined;
}

const unspoken: ReadonlySet<string> = new Set([
  "tool_output",
  "tool_call",
  "thinking",
  "recall",
  confirmType,
  verdictType,
  docType,
]);

/** Entries by id; a corrected one is replaced by what corrects it last. */
async function findCurrent(
  store: Store,
  ids: string[],
): Promise<Map<string, { entry: Entry; author?: string; corrects?: string }>> {
  const current = new Map<string, { entry: Entry; author?: string; corrects?: string }>();
  let wanted = new Map(ids.map((id) => [id, id]));
  for (let turn = 0; turn < chainLimit && wanted.size > 0; turn++) {
    const found = await findEntries(store, [...new Set(wanted.values())]);
    const next = new Map<string, string>();
    for (const [first, id] of wanted) {
      const hit = found.get(id);
      if (!hit?.row || hit.forgotten) continue;
      const { entry } = hit.row;
      const author = authorOf(hit.row);
      // A pin keeps the words that the user accepted: a correction by an agent, or by another member
      // than the entry's own, is told apart from it.
      const isOthers = author !== undefined && author !== current.get(first)?.author;
      if (id !== first && (entry.saved_by !== undefined || isOthers)) continue;
      current.set(first, { entry, author, ...(id === first ? {} : { corrects: first }) });
      if (hit.superseded_by !== undefined && hit.superseded_by !== first) {
        next.set(first, hit.superseded_by);
      }
    }
    wanted = next;
  }
  return current;
}

/**
 * Each entry once, and of lines that say the same the first. Of each kind the first ones only; so the
 * time that it takes does not grow with the store.
 */
function withoutRepeats(
  candidates: PackItem[],
  { most }: Pick<PackScope, "most">,
): { items: PackItem[]; passed: More } {
  const entries = new Set<string>();
  const said = new Map<PackSection, SaidLines>();
  const pins: string[] = [];
  const words = new Set<string>();
  /**
   * A line is told once in its section, and not where a pin says it: a wish is no repeat of what came of it.
   * The very same words are told once in all.
   */
  const isNew = ({ section, text }: PackItem): boolean => {
    const own = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
    if (words.has(own)) return false;
    words.add(own);
    if (section === "pins") pins.push(text);
    const lines = said.get(section) ?? new SaidLines();
    if (!said.has(section) && section !== "pins") { for (const pin of pins) lines.add(pin); }
    said.set(section, lines);
    return lines.add(text);
  };
  const kept: More = {};
  const seen: More = {};
  const passed: More = {};
  let derived = 0;
  const items = candidates.filter((item) => {
    const { section } = item;
    const entry = entryOf.get(item);
    if (entry !== undefined && entries.has(entry)) return false;
    const isGuess = item.grade === "derived" && section !== "last";
    const isPast = (kept[section] ?? 0) >= most || (seen[section] ?? 0) >= most * 4 ||
      (isGuess && derived >= mostDerived);
    if (isPast && section !== "pins") {
      passed[section] = (passed[section] ?? 0) + 1;
      return false;
    }
    seen[section] = (seen[section] ?? 0) + 1;
    if (!isNew(item)) return false;
    if (entry !== undefined) entries.add(entry);
    kept[section] = (kept[section] ?? 0) + 1;
    if (isGuess) derived++;
    return true;
  });
  return { items, passed };
}

/** The most derived lines in a pack: with more, fewer are right, and they add little that matters. */
const mostDerived = 4;

function addMore(one: More, other: More): More {
  const sum = { ...one };
  for (const section of packSections) {
    const count = (one[section] ?? 0) + (other[section] ?? 0);
    if (count > 0) sum[section] = count;
  }
  return sum;
}

function isInScope(entry: Entry, { session }: PackScope): boolean {
  return session === undefined || entry.session_id === session;
}

/** The entry that an item is of, as repeats are told: an id may name entries of several sessions. */
const entryOf = new WeakMap<PackItem, string>();

function toItem(
  section: PackSection,
  entry: Entry,
  { label = entry.type, corrects, author }: { label?: string; corrects?: string; author?: string },
): PackItem {
  const { id, ts, title, text, saved_by } = entry;
  const item = {
    section,
    label,
    ...packLine(withTitle(title, text), lineChars(section)),
    id,
    ts,
    ...(corrects === undefined ? {} : { corrects }),
    ...(author === undefined ? {} : { author }),
    ...(saved_by === undefined ? {} : { saved_by }),
  };
  entryOf.set(item, repeatKey(entry));
  return item;
}

function toKnownItem(row: KnownRow, note: string): PackItem {
  const { id, ts, type, text, truncated_chars, supersedes, author, saved_by, isDraft } = row;
  const { grade, narrow } = recordOf(row) ?? {};
  const item = {
    section: findSection(row) ?? "notes",
    label: type === "digest" ? "where you left off" : type,
    text: note + text,
    truncated_chars,
    ...(isDraft ? {} : { id }),
    ts,
    ...(supersedes === undefined ? {} : { corrects: supersedes }),
    ...(author === undefined ? {} : { author }),
    ...(saved_by === undefined ? {} : { saved_by }),
    ...(grade === "derived" ? { grade: "derived" as const } : {}),
    ...(narrow === undefined ? {} : { narrow }),
  };
  entryOf.set(item, repeatKey(row));
  return item;
}
