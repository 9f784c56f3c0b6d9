// What could go into a pack, most valuable first: pins, the summary's lines, recent turns, the
// last results that were read. A corrected entry gives way to what corrects it.

import { compareText } from "../core/text.ts";
import { docType, type Entry } from "../core/entry.ts";
import { decodeLossy } from "../core/utf8.ts";
import { IdTable } from "../store/id_table.ts";
import { parsePins } from "../store/logs/pins.ts";
import type { Store } from "../store/store.ts";
import { findEntries } from "./find_entries.ts";
import { readableSummary, readSummaryText } from "../store/lifecycle/summary.ts";

/** The parts of a pack, in the order of their worth. */
export const packSections = ["pins", "summary", "recent", "results"] as const;
/** One of `packSections`. */
export type PackSection = typeof packSections[number];

/** One thing that could be packed. */
export interface PackItem {
  section: PackSection;
  /** Where the text comes from: an agent, or a file of the store. */
  source: string;
  text: string;
  id?: string;
  ts?: string;
  role?: string;
  type?: string;
  title?: string;
  /** The entry that this one corrects. */
  corrects?: string;
}

/** Of recent turns this many are kept to choose from: no more could fit, about. */
const minRecent = 60;
const maxRecent = 2000;
const tokensPerEntry = 40;
const resultLimit = 10;
const tracesBytes = 1 << 18;
const chainLimit = 10;

/** Gathers candidates, each entry once, of one session or all; and counts the older turns. */
export async function readPackItems(
  store: Store,
  { budgetTokens, session }: { budgetTokens: number; session?: string },
): Promise<{ items: PackItem[]; olderTurns: number }> {
  const inScope = (entry: Entry): boolean => session === undefined || entry.session_id === session;
  const pins = await readPins(store, inScope, session === undefined);
  const used = new Set(pins.flatMap((item) => item.id ?? []));
  const limit = Math.min(maxRecent, Math.max(minRecent, Math.ceil(budgetTokens / tokensPerEntry)));
  const { recent, older, isTurn } = readRecent(store, { inScope, used, limit });
  for (const item of recent) used.add(item.id ?? "");
  const results = await readResults(store, inScope, used);
  const summary = session === undefined ? await readSummary(store) : [];
  const olderTurns = older - results.filter((item) => isTurn(item.id ?? "")).length;
  return { items: [...pins, ...summary, ...recent, ...results], olderTurns };
}

async function readPins(
  store: Store,
  inScope: (entry: Entry) => boolean,
  byHand: boolean,
): Promise<PackItem[]> {
  const bytes = store.files.findBytes(store.layout.pins);
  const pins = bytes === undefined ? [] : parsePins(decodeLossy(bytes));
  const entries = await findCurrent(store, pins.flatMap((pin) => pin.id ?? []));
  const items: PackItem[] = [];
  for (const pin of pins) {
    const found = pin.id === undefined ? undefined : entries.get(pin.id);
    if (found && inScope(found.entry)) items.push(toItem("pins", found.entry, found.corrects));
    if (pin.id === undefined && byHand) {
      items.push({ section: "pins", source: "pins.md", text: pin.text });
    }
  }
  return items.filter((item, i) =>
    item.id === undefined || items.findIndex((other) => other.id === item.id) === i
  );
}

/** One item per block of lines, so that the end of a long summary can be left out. */
async function readSummary(store: Store): Promise<PackItem[]> {
  const text = readableSummary(readSummaryText(store)).replace(/^# Summary\n+/, "");
  if (text === "") return [];
  const blocks = (await withoutCorrected(store, text)).split(/\n(?=#)|\n{2,}/);
  return blocks.map((block) => block.trim()).filter((block) => block !== "")
    .map((block) => ({ section: "summary", source: "summary.md", text: block }));
}

/** A line about an entry that was corrected or forgotten since gives way to what replaced it. */
async function withoutCorrected(store: Store, summary: string): Promise<string> {
  const lines = summary.split("\n");
  const idOf = (line: string): string | undefined => /\[(H-[\w.:@+-]+)\]\s*$/.exec(line)?.[1];
  const found = await findEntries(store, lines.flatMap((line) => idOf(line) ?? []));
  return lines.filter((line) => {
    const entry = found.get(idOf(line) ?? "");
    return entry === undefined || !(entry.forgotten || entry.superseded_by !== undefined);
  }).join("\n");
}

/** The newest hot entries that were not corrected, newest first; all others are counted. */
function readRecent(
  store: Store,
  options: { inScope: (entry: Entry) => boolean; used: ReadonlySet<string>; limit: number },
): { recent: PackItem[]; older: number; isTurn: (id: string) => boolean } {
  const { inScope, used, limit } = options;
  const newest: Entry[] = [];
  const eligible = new IdTable();
  const corrected = new Set<string>();
  for (const { entry } of store.entries({ pools: ["hot"] })) {
    if (entry.supersedes !== undefined) corrected.add(entry.supersedes);
    if (entry.role === "tool" || entry.type === "tool_output" || entry.type === docType) continue;
    if (!inScope(entry) || used.has(entry.id)) continue;
    eligible.add(entry.id, 0);
    newest.push(entry);
    if (newest.length >= limit * 4) keepNewest(newest, limit);
  }
  keepNewest(newest, limit);
  const recent = newest.filter((entry) => !corrected.has(entry.id)).slice(0, limit)
    .map((entry) => toItem("recent", entry, entry.supersedes));
  const isTurn = (id: string): boolean => eligible.find(id) !== undefined && !corrected.has(id);
  return { recent, older: eligible.size - recent.length, isTurn };
}

function keepNewest(entries: Entry[], limit: number): void {
  entries.sort((a, b) => compareText(b.ts, a.ts) || compareText(b.id, a.id));
  entries.splice(limit * 2);
}

/** What the last retrievals ranked first, from the end of the traces. */
async function readResults(
  store: Store,
  inScope: (entry: Entry) => boolean,
  used: ReadonlySet<string>,
): Promise<PackItem[]> {
  const ids: string[] = [];
  for (const trace of readLastTraces(store).reverse()) {
    for (const id of rankedIds(trace)) {
      if (!used.has(id) && !ids.includes(id)) ids.push(id);
    }
    if (ids.length >= resultLimit) break;
  }
  const entries = await findCurrent(store, ids.slice(0, resultLimit));
  const items = [...entries.values()].filter(({ entry }) => inScope(entry) && !used.has(entry.id))
    .map(({ entry, corrects }) => toItem("results", entry, corrects));
  return items.filter((item, i) => items.findIndex((other) => other.id === item.id) === i);
}

function readLastTraces({ files, layout }: Store): unknown[] {
  using reader = files.openReader(layout.traces);
  if (reader === undefined) return [];
  const from = Math.max(0, reader.size - tracesBytes);
  const bytes = new Uint8Array(reader.size - from);
  reader.readAt(from, bytes);
  return decodeLossy(bytes).split("\n").slice(from > 0 ? 1 : 0).flatMap(parseTrace);
}

function parseTrace(line: string): unknown[] {
  try {
    const trace = JSON.parse(line);
    const useful = ["get", "search", "timeline"].includes(trace?.command) && trace.ok !== false;
    return useful ? [trace] : [];
  } catch {
    return [];
  }
}

function rankedIds(trace: unknown): string[] {
  const { ranking } = trace as { ranking?: unknown };
  if (!Array.isArray(ranking)) return [];
  const ids = ranking.slice(0, 3).map((row) => typeof row === "string" ? row : row?.id);
  return ids.filter((id) => typeof id === "string");
}

/** Entries by id; a corrected one is replaced by what corrects it last. */
async function findCurrent(
  store: Store,
  ids: string[],
): Promise<Map<string, { entry: Entry; corrects?: string }>> {
  const current = new Map<string, { entry: Entry; corrects?: string }>();
  let wanted = new Map(ids.map((id) => [id, id]));
  for (let turn = 0; turn < chainLimit && wanted.size > 0; turn++) {
    const found = await findEntries(store, [...new Set(wanted.values())]);
    const next = new Map<string, string>();
    for (const [first, id] of wanted) {
      const hit = found.get(id);
      if (!hit?.row || hit.forgotten) continue;
      const { entry } = hit.row;
      current.set(first, { entry, ...(id === first ? {} : { corrects: first }) });
      if (hit.superseded_by !== undefined && hit.superseded_by !== first) {
        next.set(first, hit.superseded_by);
      }
    }
    wanted = next;
  }
  return new Map(ids.filter((id) => current.has(id)).map((id) => [id, current.get(id)!]));
}

function toItem(section: PackSection, entry: Entry, corrects?: string): PackItem {
  return {
    section,
    source: entry.source?.agent ?? "ctx",
    text: entry.text,
    id: entry.id,
    ts: entry.ts,
    role: entry.role,
    type: entry.type,
    ...(entry.title === undefined ? {} : { title: entry.title }),
    ...(corrects === undefined ? {} : { corrects }),
  };
}
