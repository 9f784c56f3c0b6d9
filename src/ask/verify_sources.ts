// Believes a source only when its entry was really shown in this run and the quote really stands
// in it. Pure.

import type { Entry } from "../core/entry.ts";
import type { ClaimedSource } from "./parse_answer.ts";

type ShownEntry = Pick<Entry, "text" | "title" | "summary">;

/** The claims that hold, with the entry of that id, and those that do not with the reason. */
export interface Verdict<E = Entry> {
  kept: { entry: E; entry_id: string; quote?: string }[];
  dropped: { entry_id: string; reason: "not_read" | "quote_not_found" }[];
}

/** Checks claims; `findShown` gives the entries of an id that a tool returned and nothing else. */
export function verifySources<E extends ShownEntry>(
  claims: ClaimedSource[],
  findShown: (id: string) => readonly E[],
): Verdict<E> {
  const verdict: Verdict<E> = { kept: [], dropped: [] };
  const keys = new Set<string>();
  for (const { entry_id, quote } of claims) {
    const key = `${entry_id}\0${quote ?? ""}`;
    if (keys.has(key)) continue;
    keys.add(key);
    const shown = findShown(entry_id);
    const words = quote?.trim() ?? "";
    const entry = shown.find((one) => words === "" || holdsQuote(one, words));
    if (shown.length === 0) verdict.dropped.push({ entry_id, reason: "not_read" });
    else if (entry === undefined) verdict.dropped.push({ entry_id, reason: "quote_not_found" });
    else verdict.kept.push({ entry, entry_id, ...(words === "" ? {} : { quote: words }) });
  }
  return verdict;
}

/** Whether a quote stands in an entry; spacing, case and kinds of quotation marks do not matter. */
export function holdsQuote(entry: ShownEntry, quote: string): boolean {
  const haystack = normalize([entry.title, entry.summary, entry.text].filter(Boolean).join("\n"));
  let at = 0;
  for (const part of quote.split(/\s*(?:…|\.\.\.|\[…\])\s*/)) {
    const wanted = normalize(part).trim();
    if (wanted === "") continue;
    const found = haystack.indexOf(wanted, at);
    if (found < 0) return false;
    at = found + wanted.length;
  }
  return at > 0;
}

function normalize(text: string): string {
  return text.normalize("NFKC").toLowerCase()
    .replace(/[\u2018\u2019\u201a\u201b`´]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f«»]/g, '"')
    .replace(/[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}/g, "")
    .replace(/\s+/g, " ");
}
