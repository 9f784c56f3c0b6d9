// Exact values as terms that no word can equal, for filters and for finding rows.

import { confirmType } from "../../core/entry.ts";
import { fold, normalize } from "../text/fold.ts";

/** The exact values that filters test. */
export const filterFields = [
  "session",
  "role",
  "type",
  "source",
  "project",
  "branch",
  "file",
  "tag",
  "collection",
  "author",
] as const;
/** A field with exact values: those of filters, two for what speaks of an entry, one for odd ids. */
export type KeywordField = typeof filterFields[number] | "supersedes" | "forgets" | "id";

/** The term of one keyword; ids keep their case, everything else is folded. */
export function keyword(field: KeywordField, value: string): string {
  const known = last.get(field);
  if (known?.value === value) return known.term;
  const term = keywordPrefix(field) + keywordValue(field, value);
  last.set(field, { value, term });
  return term;
}

/** The last value of each field: the rows of a session have most of them in common. */
const last = new Map<KeywordField, { value: string; term: string }>();

export function keywordPrefix(field: KeywordField): string {
  return `\u0001${field}\u0001`;
}

export function keywordValue(field: KeywordField, value: string): string {
  const sound = value.toWellFormed();
  return exactFields.has(field) ? sound : fold(normalize(sound));
}

const exactFields: ReadonlySet<KeywordField> = new Set([
  "session",
  "supersedes",
  "forgets",
  "id",
]);

/** The term of the rows by which somebody confirms an entry. */
export const confirmTerm = keyword("type", confirmType);
