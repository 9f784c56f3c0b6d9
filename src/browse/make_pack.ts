// The pack: the block of memory that an agent is handed when it starts, never larger than its
// budget. Recalled text is data: fenced, labelled with its source, and the fence's own marks are
// escaped inside it, so that no entry can pass for an instruction or end the fence. Pure.

import { escapeFence, fenceMemory, memoryNotice, toAttribute } from "../core/rows/fence.ts";
import { pageOf } from "../core/text.ts";
import { countTokens } from "../core/tokens.ts";
import { type PackItem, type PackSection, packSections } from "./pack_items.ts";

/** The forms of a pack. */
export const packFormats = ["text", "json"] as const;

/** What to make. */
export interface PackOptions {
  budgetTokens: number;
  format: typeof packFormats[number];
  /** The name shown in the fence. */
  workspace: string;
  /** Turns that are not among the items, and are left out with them. */
  olderTurns?: number;
}

/** A pack, what is in it and what is not. */
export interface Pack {
  text: string;
  estimated_tokens: number;
  packed: (PackItem & { truncated_chars: number })[];
  left_out: Record<PackSection, number>;
}

type Packed = Pack["packed"][number];

/** The least budget that the frame itself fits into. */
export const minBudgetTokens = 128;

/** The share of the budget a section may take before the others had their turn. */
const shares: Record<PackSection, number> = { pins: 0.5, summary: 0.25, recent: 0.7, results: 1 };
/** The longest text of one entry; the rest is one `ctx get` away. */
const maxChars: Record<PackSection, number> = {
  pins: 2000,
  summary: 2000,
  recent: 1200,
  results: 800,
};

/** The length an entry is cut to when more of it does not fit. */
const shortChars = 300;

/** Chooses items in the order of their worth and renders them within the budget. */
export function makePack(items: PackItem[], options: PackOptions): Pack {
  const forms = items.map((item) => cutItem(item, maxChars[item.section]));
  const chosen = new Set<number>();
  let spent = countTokens(render([], countAll(items, options), options));
  const take = (form: Packed, i: number, limit: number): number => {
    const cost = countTokens(renderItem(form, options.format)) + 2;
    if (spent + cost > options.budgetTokens || cost > limit) return 0;
    forms[i] = form;
    chosen.add(i);
    spent += cost;
    return cost;
  };
  for (const capped of [true, false]) {
    for (const section of packSections) {
      let limit = capped ? options.budgetTokens * shares[section] : options.budgetTokens;
      items.forEach((item, i) => {
        if (item.section !== section || chosen.has(i)) return;
        limit -= take(forms[i], i, limit);
        if (!capped && !chosen.has(i)) limit -= take(cutItem(item, shortChars), i, limit);
      });
    }
  }
  return fit(forms, chosen, options);
}

/** The estimate of the whole is what counts: drops the least valuable until it holds. */
function fit(items: Packed[], chosen: Set<number>, options: PackOptions): Pack {
  while (true) {
    const packed = items.filter((_, i) => chosen.has(i));
    const left_out = countAll(items.filter((_, i) => !chosen.has(i)), options);
    const text = render(packed, left_out, options);
    const estimated_tokens = countTokens(text);
    if (estimated_tokens <= options.budgetTokens || chosen.size === 0) {
      return { text, estimated_tokens, packed, left_out };
    }
    chosen.delete(Math.max(...chosen));
  }
}

function cutItem(item: PackItem, size: number): Packed {
  const page = pageOf(item.text, 0, size);
  return { ...item, text: page.text, truncated_chars: item.text.length - page.text.length };
}

function countAll(items: PackItem[], { olderTurns = 0 }: PackOptions): Record<PackSection, number> {
  const counts = { pins: 0, summary: 0, recent: olderTurns, results: 0 };
  for (const item of items) counts[item.section]++;
  return counts;
}

function render(
  packed: Packed[],
  leftOut: Record<PackSection, number>,
  options: PackOptions,
): string {
  if (options.format === "json") {
    const rows = inReadingOrder(packed).map(toRow);
    return JSON.stringify({ notice: memoryNotice, items: rows, left_out: leftOut }) + "\n";
  }
  const lines: string[] = [];
  for (const section of packSections) {
    const items = inReadingOrder(packed).filter((item) => item.section === section);
    if (items.length === 0) continue;
    lines.push(`<${section}>`, ...items.map((item) => renderItem(item, "text")), `</${section}>`);
  }
  lines.push(renderLeftOut(leftOut));
  return fenceMemory(lines, { attributes: { workspace: options.workspace } });
}

/** Recent turns read forwards, though the newest is worth most. */
function inReadingOrder(packed: Packed[]): Packed[] {
  const recent = packed.filter((item) => item.section === "recent").reverse();
  return packSections.flatMap((section) =>
    section === "recent" ? recent : packed.filter((item) => item.section === section)
  );
}

function renderItem(item: Packed, format: PackOptions["format"]): string {
  if (format === "json") return JSON.stringify(toRow(item));
  const { id, ts, role, type, source, title, corrects } = item;
  const attributes = Object.entries({ id, ts, role, type, source, title, corrects })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${toAttribute(String(value))}"`).join("");
  return `<entry${attributes}>\n${escapeFence(item.text.trimEnd())}${cutMark(item)}\n</entry>`;
}

function toRow(item: Packed): object {
  const { truncated_chars, ...row } = item;
  return truncated_chars > 0 ? { ...row, text: row.text + cutMark(item) } : row;
}

function cutMark({ id, text, truncated_chars }: Packed): string {
  if (truncated_chars === 0) return "";
  const how = id === undefined ? "" : `: ctx get ${id} --offset ${text.length}`;
  return `\n[+${truncated_chars} chars${how}]`;
}

function renderLeftOut(leftOut: Record<PackSection, number>): string {
  const parts = packSections.filter((section) => leftOut[section] > 0)
    .map((section) => `${leftOut[section]} of ${section}`);
  const what = parts.length === 0 ? "nothing" : `${parts.join(", ")} (ctx search, ctx ls)`;
  return `<left_out>${what}</left_out>`;
}
