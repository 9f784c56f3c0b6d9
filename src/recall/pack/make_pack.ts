// The pack: the block of memory that an agent is handed when it starts, one line each, never larger
// than its budget. Recalled text is data: fenced, and the fence's own marks are escaped inside it, so
// that no entry can pass for an instruction or end the fence; what reads like an instruction is left
// out altogether. Pure.

import { isInstructionLike } from "../../core/instruction_like.ts";
import { escapeFence, fenceMemory, memoryNotice } from "../../core/rows/fence.ts";
import { ageOf } from "../../core/time/age_of.ts";
import { countTokens, roomWithin } from "../../core/tokens.ts";
import { type PackItem, type PackSection, packSections } from "./pack_item.ts";
import { packLine } from "./pack_line.ts";

export const packFormats = ["text", "json"] as const;

/** What to make. */
export interface PackOptions {
  budgetTokens: number;
  format: typeof packFormats[number];
  /** The name shown in the fence. */
  workspace: string;
  /** What ages count back from. */
  nowMs: number;
  /** Turns that are not among the items, and are left out with them. */
  olderTurns?: number;
  /** The same of other kinds. */
  more?: Partial<Record<PackSection, number>>;
}

/** What is not in a pack, by section; `withheld` read like instructions. */
export type LeftOut = Record<PackSection | "withheld", number>;

/** A pack, what is in it and what is not. */
export interface Pack {
  text: string;
  estimated_tokens: number;
  packed: PackItem[];
  left_out: LeftOut;
  /** What the counts are of: items without room, and those that read like instructions. */
  left: LeftItem[];
}

/** An item that is not in a pack. */
export interface LeftItem {
  item: PackItem;
  why: "no room" | "reads like an instruction";
}

/** The least budget that the frame itself fits into. */
export const minBudgetTokens = 128;

/** The share of the budget a section may take before the others had their turn. */
const shares: Record<PackSection, number> = {
  last: 0.2,
  pins: 0.4,
  preferences: 0.2,
  decisions: 0.35,
  open: 0.15,
  outcomes: 0.15,
  fixes: 0.1,
  notes: 0.15,
  commands: 0.08,
  summary: 0.15,
  recent: 1,
};

/** The share of the budget that one other member of the team may take, whatever else there is. */
const authorShare = 0.25;

/** Chooses items in the order of their worth and renders them within the budget. */
export function makePack(items: PackItem[], options: PackOptions): Pack {
  const { safe = [], unsafe = [] } = Object.groupBy(
    items,
    ({ text }) => isInstructionLike(text) ? "unsafe" : "safe",
  );
  const withheld = unsafe.length;
  const chosen = new Set<PackItem>();
  const byAuthor = new Map<string, number>();
  const frame = render([], countAll(items, { ...options, withheld }), options);
  let spent = countTokens(frame);
  const costs = new Map(
    safe.map((item) => [item, countTokens(renderItem(item, options)) + 2]),
  );
  const budget = roomWithin(options.budgetTokens);
  for (const capped of [true, false]) {
    for (const section of packSections) {
      let limit = capped ? budget * shares[section] : budget;
      for (const item of safe) {
        if (item.section !== section || chosen.has(item)) continue;
        const cost = costs.get(item) ?? Infinity;
        if (spent + cost > budget || cost > limit) continue;
        if (item.author !== undefined) {
          const sum = (byAuthor.get(item.author) ?? 0) + cost;
          if (sum > budget * authorShare) continue;
          byAuthor.set(item.author, sum);
        }
        chosen.add(item);
        spent += cost;
        limit -= cost;
      }
    }
  }
  const made = fit(safe, chosen, { ...options, withheld });
  const withoutRoom = safe.filter((item) => !chosen.has(item));
  return {
    ...made,
    left: [
      ...withoutRoom.map((item): LeftItem => ({ item, why: "no room" })),
      ...unsafe.map((item): LeftItem => ({ item, why: "reads like an instruction" })),
    ],
  };
}

/** The line of an item, as an agent reads it. */
export function toPackLine(
  { id, ts, label, text, stale, author, saved_by }: Pick<
    PackItem,
    "id" | "ts" | "label" | "text" | "stale" | "author" | "saved_by"
  >,
  nowMs: number,
): string {
  // Ids and types of other products may be anything, line breaks included.
  const where = id === undefined ? "" : `[${escapeFence(packLine(id, maxIdChars).text)}] `;
  const age = ts === undefined ? "" : `, ${ageOf(ts, nowMs)}`;
  const kind = escapeFence(packLine(label, maxLabelChars).text);
  const since = stale ? " (code changed since)" : "";
  const by = author === undefined
    ? ""
    : ` by ${escapeFence(packLine(author, maxLabelChars).text)}, a member of the team`;
  const saved = saved_by === undefined ? "" : ", saved by an agent";
  return `- ${where}${kind}${by}${saved}${age}${since}: ${escapeFence(text)}`;
}

const maxIdChars = 128;
const maxLabelChars = 40;

type FitOptions = PackOptions & { withheld: number };

/** The whole is what counts: drops the least valuable until it fits into the budget. */
function fit(
  items: PackItem[],
  chosen: Set<PackItem>,
  options: FitOptions,
): Omit<Pack, "left"> {
  while (true) {
    const packed = inReadingOrder(items.filter((item) => chosen.has(item)));
    const left_out = countAll(items.filter((item) => !chosen.has(item)), options);
    const text = render(packed, left_out, options);
    const estimated_tokens = countTokens(text);
    if (estimated_tokens <= roomWithin(options.budgetTokens) || chosen.size === 0) {
      return { text, estimated_tokens, packed, left_out };
    }
    const last = items.findLast((item) => chosen.has(item));
    if (last !== undefined) chosen.delete(last);
  }
}

function countAll(items: PackItem[], { olderTurns = 0, more, withheld }: FitOptions): LeftOut {
  const counts = countSections(items);
  for (const section of packSections) counts[section] += more?.[section] ?? 0;
  counts.recent += olderTurns;
  return { ...counts, withheld };
}

export function countSections(items: PackItem[]): Record<PackSection, number> {
  const counts = { ...shares };
  for (const section of packSections) {
    counts[section] = items.filter((item) => item.section === section).length;
  }
  return counts;
}

function render(packed: PackItem[], leftOut: LeftOut, options: PackOptions): string {
  if (options.format === "json") {
    return JSON.stringify({ notice: memoryNotice, items: packed, left_out: leftOut }) + "\n";
  }
  const lines = packed.map((item) => toPackLine(item, options.nowMs));
  return fenceMemory([...lines, ...renderLeftOut(leftOut)], {
    attributes: { workspace: options.workspace },
  });
}

/** Recent turns read forwards, though the newest is worth most. */
function inReadingOrder(packed: PackItem[]): PackItem[] {
  const turns = packed.filter((item) => item.section === "recent").reverse();
  return packSections.flatMap((section) =>
    section === "recent" ? turns : packed.filter((item) => item.section === section)
  );
}

function renderItem(item: PackItem, { format, nowMs }: PackOptions): string {
  return format === "json" ? JSON.stringify(item) : toPackLine(item, nowMs);
}

function renderLeftOut(leftOut: LeftOut): string[] {
  const parts = Object.entries(leftOut).filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`);
  return parts.length === 0 ? [] : [`Left out: ${parts.join(", ")} (ctx search, ctx get ID).`];
}
