// An entry as a suggestion calls it: one title and summary, wherever it is shown. Pure.

import { type Entry, isImportedMemory } from "../../../core/entry.ts";
import { isCandidate } from "../../../core/rows/record.ts";
import { firstLine, toLine } from "../../../core/text.ts";

/** A decision or a section of a document in words. */
export interface DescribedEntry {
  kind: "decision" | "doc";
  title: string;
  summary: string;
}

/** What an entry is worth telling as: a decision, a section or a note about files, or undefined. */
export function describeEntry(entry: Entry, author?: string): DescribedEntry | undefined {
  if (isCandidate(entry) || isImportedMemory(entry)) return undefined;
  const by = author === undefined ? "" : ` by ${author}`;
  const title = entry.title ?? firstLine(entry.text, 80);
  const summary = entry.summary ?? toLine(entry.text, 240);
  if (entry.type === "decision") {
    return { kind: "decision", title: `Decision${by}: ${title}`, summary };
  }
  if (entry.type === "doc") {
    return { kind: "doc", title: `Doc: ${sectionTitle(entry) || title}`, summary };
  }
  if (entry.type !== "note" || (entry.files ?? []).length === 0) return undefined;
  return { kind: "decision", title: `Note${by}: ${title}`, summary };
}

/** Where a section is. Its own title says already which one it is. */
function sectionTitle({ document, section, title }: Entry): string {
  const parts = typeof document === "string" && title !== undefined
    ? [document, title]
    : [title ?? document, section];
  const said = parts.filter((part) => typeof part === "string" && part !== "");
  return toLine(said.join(": "), 100);
}
