// What could go into a pack: knowledge before recency. Pins, then what was saved or derived (standing
// preferences, decisions, what was left open, outcomes, fixes, notes, commands), the summary's lines,
// and recent turns where they are asked for. What was corrected never stands in it, and nothing twice.

import { authorOf, confirmType, docType, type Entry } from "../../core/entry.ts";
import { recordOf } from "../../core/rows/record.ts";
import { orderTime } from "../../core/time/known_time.ts";
import { isTelling } from "../../core/rows/telling_words.ts";
import { compareText } from "../../core/text.ts";
import { repeatKey } from "../../store/snapshot.ts";
import { readActs } from "../../store/logs/act_log.ts";
import { parsePins, readPinsText } from "../../store/logs/pins.ts";
import type { Store } from "../../store/store.ts";
import { readableSummary, readSummaryText } from "../../store/lifecycle/summary.ts";
import { findEntries } from "../../read/find_entries.ts";
import { type Surroundings, worthOf } from "../../read/knowledge_worth.ts";
import { findCorrected, withoutOutdated } from "../../read/outdated.ts";
import type { UnwrittenRecords } from "../distil/list_records.ts";
import { isOfTeam, lineChars, type PackItem, type PackSection } from "./pack_item.ts";
import { packLine, withTitle } from "./pack_line.ts";
import { SaidLines } from "../../read/same_line.ts";

/** What to gather. */
export interface PackScope extends Surroundings {
  /** Only this session. */
  session?: string;
  /** Recent turns too, this many to choose from. */
  turns?: number;
  /** Records of sessions that went on since, as a session start would write them first. */
  unwritten?: UnwrittenRecords;
}

/** What there is for a pack: items, the most valuable first in each section, and what is not among them. */
export interface PackItems {
  items: PackItem[];
  /** Turns that are older than those among the items. */
  olderTurns: number;
}

const chainLimit = 10;
const sectionOf: Record<string, PackSection> = {
  preference: "preferences",
  decision: "decisions",
  open: "open",
  outcome: "outcomes",
  digest: "outcomes",
  fix: "fixes",
  note: "notes",
  command: "commands",
};

/** Knowledge has the role of a note, or one of these types; a correction may have any. */
const knowledgeNeedles = ['"role":"note"', '"type":"preference"', '"type":"decision"'];

/** Gathers candidates, each once, of one session or all. */
export async function readPackItems(store: Store, scope: PackScope): Promise<PackItems> {
  const isWhole = scope.session === undefined;
  const pins = await readPins(store, scope);
  const { knowledge, corrected } = readKnowledge(store, scope);
  const summary = isWhole ? await readSummary(store, corrected) : [];
  const known = withoutRepeats([...pins, ...knowledge, ...summary]);
  if (scope.turns === undefined && (known.length > 0 || !isWhole)) {
    return { items: known, olderTurns: 0 };
  }
  const used = new Set(known.flatMap((item) => entryOf.get(item) ?? []));
  const limit = scope.turns ?? fallbackTurns;
  const { turns, older } = readTurns(store, { ...scope, corrected, used, limit });
  return { items: [...known, ...turns], olderTurns: older };
}

/** A store that knows nothing yet shows its last turns. */
const fallbackTurns = 20;

async function readPins(store: Store, scope: PackScope): Promise<PackItem[]> {
  const pins = parsePins(readPinsText(store));
  const entries = await findCurrent(store, pins.flatMap((pin) => pin.id ?? []));
  return pins.flatMap((pin): PackItem[] => {
    const found = pin.id === undefined ? undefined : entries.get(pin.id);
    if (found && isInScope(found.entry, scope)) {
      return [toItem("pins", found.entry, { ...found, label: "pin" })];
    }
    if (pin.id !== undefined || scope.session !== undefined) return [];
    return [{ section: "pins", label: "pin", ...packLine(pin.text, lineChars("pins")) }];
  });
}

/** What was saved or derived and still holds, the most valuable first; and all that was corrected. */
function readKnowledge(
  store: Store,
  scope: PackScope,
): { knowledge: PackItem[]; corrected: Set<string> } {
  const found: Entry[] = [];
  const compareEntries = byNewest(scope);
  const linked: Entry[] = [];
  const authors = new Map<Entry, string>();
  const needles = [...knowledgeNeedles, '"supersedes":', '"saved_by":'];
  const { written = [], removed = [] } = scope.unwritten ?? {};
  const unwanted = new Set([...removed, ...readPinnedTexts(store)]);
  const add = (entry: Entry, author?: string): void => {
    if (unwanted.has(entry.id)) return;
    if ((entry.supersedes ?? entry.saved_by) !== undefined) linked.push(entry);
    if (!isInScope(entry, scope) || findSection(entry) === undefined) return;
    if (author !== undefined && !isOfTeam(entry)) return;
    if (author !== undefined) authors.set(entry, author);
    found.push(entry);
  };
  for (const row of store.entries({ needles, isBrief: true })) add(row.entry, authorOf(row));
  for (const draft of written) add(draft);
  const corrected = new Set(findCorrected(linked).keys());
  const newest = newestOfSubject(withoutOutdated(found, corrected), compareEntries);
  const told = new Set(
    newest.flatMap((entry) => entry.type === "outcome" ? [entry.session_id] : []),
  );
  const knowledge = newest
    .filter((entry) => entry.type !== "digest" || !told.has(entry.session_id))
    .map((entry) => ({ entry, worth: worthOf(entry, scope) }))
    .sort((a, b) => b.worth - a.worth || compareEntries(a.entry, b.entry))
    .map(({ entry }) =>
      toItem(findSection(entry) ?? "notes", entry, {
        corrects: entry.supersedes,
        author: authors.get(entry),
      })
    );
  return { knowledge, corrected };
}

/** Texts that were saved only to be pinned: they are given as pins, or not at all. */
function readPinnedTexts(store: Store): string[] {
  return readActs(store).flatMap(({ act, ids }) => act === "pin" ? ids ?? [] : []);
}

function findSection(entry: Entry): PackSection | undefined {
  // Of what others than a note say, only these two are knowledge by their type alone.
  const isSaid = entry.type === "preference" || entry.type === "decision";
  if (entry.role !== "note" && !isSaid) return undefined;
  // Rules took some for one that say only yes, or ask.
  if (isSaid && recordOf(entry)?.by === "rules" && !isTelling(entry)) return undefined;
  return Object.hasOwn(sectionOf, entry.type) ? sectionOf[entry.type] : undefined;
}

/** Of what was derived about one subject the latest holds. */
function newestOfSubject(
  entries: Entry[],
  compareEntries: (a: Entry, b: Entry) => number,
): Entry[] {
  const newest = new Map<string, Entry>();
  for (const entry of entries) {
    const subject = recordOf(entry)?.subject;
    const key = subject === undefined ? repeatKey(entry) : `${entry.type}\0${subject}`;
    const known = newest.get(key);
    if (known === undefined || compareEntries(entry, known) < 0) newest.set(key, entry);
  }
  return [...newest.values()];
}

/** One item per line of the summary that still holds. */
async function readSummary(
  store: Store,
  corrected: ReadonlySet<string>,
): Promise<PackItem[]> {
  const text = readableSummary(readSummaryText(store)).replace(/^# Summary\n+/, "");
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const idOf = (line: string): string | undefined => /\[(H-[\w.:@+-]+)\]\s*$/.exec(line)?.[1];
  const found = await findEntries(store, lines.flatMap((line) => idOf(line) ?? []));
  return lines.flatMap((line): PackItem[] => {
    const id = idOf(line) ?? "";
    if (found.get(id)?.forgotten || corrected.has(id)) return [];
    return [{ section: "summary", label: "summary", ...packLine(line, lineChars("summary")) }];
  });
}

/** The newest hot turns that were not corrected, newest first; all others are counted. */
function readTurns(
  store: Store,
  options: PackScope & {
    corrected: ReadonlySet<string>;
    used: ReadonlySet<string>;
    limit: number;
  },
): { turns: PackItem[]; older: number } {
  const { corrected, used, limit } = options;
  const compareEntries = byNewest(options);
  const newest: Entry[] = [];
  let count = 0;
  for (const { entry } of store.entries({ pools: ["hot"], isBrief: true })) {
    if (!isTurn(entry) || !isInScope(entry, options)) continue;
    if (corrected.has(entry.id) || used.has(repeatKey(entry))) continue;
    count++;
    newest.push(entry);
    if (newest.length >= limit * 4) newest.sort(compareEntries).splice(limit);
  }
  const turns = newest.sort(compareEntries).slice(0, limit)
    .map((entry) => toItem("recent", entry, { label: entry.role, corrects: entry.supersedes }));
  return { turns, older: count - turns.length };
}

/** What somebody said; never what a tool printed, a document, or what was derived. */
function isTurn(entry: Entry): boolean {
  const said = entry.role === "user" || entry.role === "assistant" || entry.role === "note";
  return said && !unspoken.has(entry.type) && recordOf(entry) === undefined &&
    findSection(entry) === undefined;
}

const unspoken: ReadonlySet<string> = new Set([
  "tool_output",
  "tool_call",
  "thinking",
  "recall",
  confirmType,
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

/** Each entry once, and of lines that say the same the first. */
function withoutRepeats(items: PackItem[]): PackItem[] {
  const entries = new Set<string>();
  const said = new SaidLines();
  return items.filter((item) => {
    const entry = entryOf.get(item);
    if (entry !== undefined && entries.has(entry)) return false;
    if (!said.add(item.text)) return false;
    if (entry !== undefined) entries.add(entry);
    return true;
  });
}

function isInScope(entry: Entry, { session }: PackScope): boolean {
  return session === undefined || entry.session_id === session;
}

/** Newest first. */
function byNewest({ nowMs }: PackScope): (a: Entry, b: Entry) => number {
  return (a, b) =>
    compareText(orderTime(b.ts, nowMs), orderTime(a.ts, nowMs)) || compareText(b.id, a.id);
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
