// The rules that the user accepted or saved, as a block of Markdown for the files that agents read.

import { toLine } from "../../core/text.ts";
import { verdictNeedle, verdictOf } from "../../core/rows/verdict.ts";
import { findQuarantine } from "../../store/quarantined_sessions.ts";
import type { Store } from "../../store/store.ts";
import { listRecords } from "../distil/list_records.ts";

/** What marks the block in a file. */
export const rulesMarks = {
  begin: "<!-- ctx: written by ctx review write; --remove takes it out -->",
  end: "<!-- /ctx review -->",
};

/** The lines that count, rules first, each once: what was accepted, and preferences that the user saved. */
export function readAccepted(store: Store): string[] {
  const quarantine = findQuarantine(store);
  const known = listRecords(store, {
    types: [],
    withSuperseded: true,
    ownOnly: true,
    shownOnly: true,
  });
  const superseded = new Map(known.map(({ id, superseded_by }) => [id, superseded_by]));
  const saved = known
    .filter(({ type, by, saved_by, superseded_by }) =>
      type === "preference" && by === "saved" && (saved_by ?? superseded_by) === undefined
    ).toReversed().map(({ id, text }) => ({ id, text, isRule: true }));
  const accepted = store.entries({ needles: [verdictNeedle] })
    .filter(({ entry, pool }) => pool !== "team" && verdictOf(entry)?.said === "accept")
    .filter(({ entry }) => superseded.get(entry.id) === undefined && !quarantine?.holds(entry))
    .map(({ entry }) => ({ ...entry, isRule: entry.type === "preference" })).toArray();
  const lines = new Map([...saved, ...accepted].map((line) => [line.id, line]));
  const items = [...lines.values()].toSorted((a, b) => Number(b.isRule) - Number(a.isRule))
    .map(({ text }) => toItem(text)).filter((text) => text !== "");
  return [...new Set(items)];
}

/** The lines as a list under a heading. */
export function toRulesBlock(lines: readonly string[]): string {
  return `## Rules\n\n${lines.map((line) => `- ${line}`).join("\n")}`;
}

/** A line as an item: without what could end the block or begin a comment. */
function toItem(text: string): string {
  const line = toLine(text.replace(/<!--|-->/g, " "), 300)
    .replace(opening, "").trim();
  return line.replace(/^\p{Ll}(?=\p{Ll}*[\s,])/u, (letter) => letter.toUpperCase());
}

/** Words before a rule that add nothing to it. "No" is one only before a comma: "No tabs" is a rule. */
const opening =
  /^(?:(?:please|note that)[\s,:]+|no,\s*|(?:yes|yeah|ok(?:ay)?|also|and|but|so|again)[,:]\s*)+/i;
