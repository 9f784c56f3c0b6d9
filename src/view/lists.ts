// Lists on a terminal: one row a line where there is room for its text, else the text below its facts.

import { countOf, type View } from "../command/view.ts";

/** A row of a list: short facts in columns, and what it is about, which is cut. */
export interface ListRow {
  facts: string[];
  text: string;
  /** What belongs to the row but comes last: beside the text or below it. */
  where?: string;
  /** What is left out where there is no room beside the text. */
  aside?: string;
}

/** Texts are read, not measured: wider lines than this are hard to follow. */
export const readableColumns = 110;

/** A list of rows, in lines that fit. */
export function toList(
  rows: ListRow[],
  { view, right }: { view: View; right?: readonly number[] },
): string {
  if (rows.length === 0) return "";
  const facts = rows.map((row) => row.facts);
  const widths = facts[0].map((_, i) => Math.max(...facts.map((row) => view.widthOf(row[i]))));
  const taken = widths.filter((width) => width > 0).reduce((sum, width) => sum + width + 2, 0);
  const room = view.width - taken;
  const beside = Math.min(mostWhere, room - leastText);
  // A pipe has room for everything.
  const isWhole = !view.terminal;
  const side = (isWhole || beside >= leastWhere) && rows.some(({ where, aside }) => where || aside);
  // Where a row stands is told at every width: below it, where there is no room beside.
  if (isWhole || room >= leastText && (side || !rows.some(({ where }) => where))) {
    return view.table(
      rows.map((row) => [
        ...row.facts,
        side ? view.cut(row.text, room - beside - 2) : row.text,
        ...(side ? [view.dim(view.cut(row.where ?? row.aside ?? "", beside))] : []),
      ]),
      { right, gives: facts[0].length },
    );
  }
  const heads = view.table(facts, { right }).split("\n");
  return rows.map(({ text, where }, i) => {
    const lines = [heads[i], `    ${view.cut(text, view.width - 4)}`];
    if (where) lines.push(`    ${view.dim(view.cut(where, view.width - 4))}`);
    return lines.join("\n");
  }).join("\n");
}

const leastText = 48;
const mostWhere = 34;
const leastWhere = 16;

/** Names on the left, what they amount to on the right; what is empty is left out. */
export function toFacts(
  rows: readonly [name: string, value: string | false][],
  { view, left }: { view: View; left: number },
): string[] {
  return rows.flatMap(([name, value]) =>
    value
      ? [view.wrap(value, { first: view.dim(name.padEnd(left)), indent: " ".repeat(left) })]
      : []
  );
}

/** How many there are, and how to see the rest of them: `20 sessions · more: --offset 20`. */
export function toCount(
  { total, offset, shown }: { total: number; offset: number; shown: number },
  one: string,
): string {
  return countOf(total, one) + toMore({ total, offset, shown });
}

/** How to see what follows a page; nothing after the last. */
export function toMore(
  { total, offset, shown }: { total: number; offset: number; shown: number },
): string {
  const last = offset + shown;
  return last < total ? ` · more: --offset ${last}` : "";
}

/** The titles of the sessions of some rows. */
export async function readTitles(
  view: View,
  rows: readonly { session_id?: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  const store = await view.openStore?.();
  const ids = new Set(rows.flatMap((row) => row.session_id || []));
  if (!store || ids.size === 0) return new Map();
  const { findSessionTitles } = await import("../read/session_titles.ts");
  return await findSessionTitles(store, [...ids]);
}

/** Where an entry stands: its session's title and its number there. */
export function placeOf(
  row: { session_id?: string; message_index?: number },
  titles: ReadonlyMap<string, string>,
): string {
  const title = row.session_id && (titles.get(row.session_id) || row.session_id);
  // The number first: it is short, and titles are cut.
  const number = title && row.message_index ? `#${row.message_index}` : "";
  return [number, title].filter(Boolean).join(" ");
}
