// Filters: which rows a search may return. They act on postings and columns while ranking, so
// that k rows come back whenever they exist and the total is true.

import { docType } from "../core/entry.ts";
import { parseUntil, parseWhen } from "../core/time.ts";
import {
  filterFields,
  keyword,
  type KeywordField,
  keywordPrefix,
  keywordValue,
} from "../index/segment/keyword.ts";
import { rowFlags } from "../index/segment/search_fields.ts";
import type { Corpus } from "../index/segment/corpus.ts";
import { forEachRow } from "../index/segment/postings.ts";
import type { Segment } from "../index/segment/segment.ts";
import type { Query } from "./query.ts";
import type { SearchRequest } from "./request.ts";

/** What a search is limited to, merged from the request and the `field:value` parts of the query. */
export interface FilterPlan {
  pools: { archive: boolean; hot: boolean };
  keywords: { field: KeywordField; values: string[] }[];
  /** Documents are searched alone or not at all, unless a filter names their type. */
  documents: "only" | "excluded" | "any";
  excludedSession?: string;
  sinceMs?: number;
  untilMs?: number;
  thinking: boolean;
}

/** A named test of a row, by segment. */
export interface RowFilter {
  name: string;
  passes(segmentNumber: number, row: number): boolean;
}

/** Merges the filters of a request and of its query; every one must hold. */
export function planFilters(request: SearchRequest, query: Query): FilterPlan {
  const plan: FilterPlan = {
    pools: { archive: request.scope !== "hot", hot: request.scope !== "archive" },
    keywords: [],
    documents: request.scope === "docs" ? "only" : "excluded",
    excludedSession: request.exclude_session,
    thinking: request.include_thinking ?? false,
  };
  for (const field of filterFields) {
    const value = request[field];
    const values = typeof value === "string" ? value.split(",") : value ?? [];
    if (values.length > 0) plan.keywords.push({ field, values });
  }
  const times = (["since", "until"] as const).flatMap((field) => {
    const value = request[field];
    return value === undefined ? [] : [{ field, value }];
  });
  const at = { nowMs: request.now_ms ?? Date.now() };
  for (const filter of [...times, ...query.filters]) applyFilter(plan, filter, at);
  const naming = plan.keywords.some(({ field, values }) =>
    field === "collection" || (field === "type" && values.includes(docType))
  );
  if (naming && plan.documents === "excluded") plan.documents = "any";
  return plan;
}

function applyFilter(
  plan: FilterPlan,
  { field, value }: Query["filters"][number],
  { nowMs }: { nowMs: number },
): void {
  if (field === "since") {
    plan.sinceMs = Math.max(plan.sinceMs ?? -Infinity, Date.parse(parseWhen(value, nowMs)));
  } else if (field === "until") {
    plan.untilMs = Math.min(plan.untilMs ?? Infinity, Date.parse(parseUntil(value, nowMs)));
  } else if (field === "scope") {
    if (value === "docs") plan.documents = "only";
    plan.pools.archive &&= value !== "hot";
    plan.pools.hot &&= value !== "archive";
  } else {
    const known = filterFields.find((name) => name === field);
    if (known !== undefined) plan.keywords.push({ field: known, values: value.split(",") });
  }
}

/** The keyword terms a plan needs; a scan keeps only these. */
export function keepsKeyword(plan: FilterPlan): (term: string) => boolean {
  const prefixes = plan.keywords.map(({ field }) => keywordPrefix(field));
  if (plan.excludedSession !== undefined) prefixes.push(keywordPrefix("session"));
  if (plan.documents !== "any") prefixes.push(keyword("type", docType));
  return (term) => prefixes.some((prefix) => term.startsWith(prefix));
}

/** Makes the tests of a plan over a corpus. */
export function makeFilters(corpus: Corpus, plan: FilterPlan): RowFilter[] {
  const filters: RowFilter[] = [];
  if (!plan.pools.archive || !plan.pools.hot) {
    const allowed = corpus.segments.map((segment) => plan.pools[segment.pool]);
    filters.push({ name: "scope", passes: (segment) => allowed[segment] });
  }
  if (!plan.thinking && corpus.thinking > 0) {
    filters.push({
      name: "thinking",
      passes: (segment, row) => (corpus.segments[segment].flags(row) & rowFlags.thinking) === 0,
    });
  }
  const docs = keyword("type", docType);
  const holdsDocs = corpus.segments.some((segment) => segment.findPostings(docs) !== undefined);
  if (plan.documents === "only" || (plan.documents === "excluded" && holdsDocs)) {
    const wanted = plan.documents === "only" ? 1 : 0;
    const sets = corpus.segments.map((segment) => rowsWithKeyword(segment, "type", [docType]));
    filters.push({ name: "docs", passes: (segment, row) => sets[segment][row] === wanted });
  }
  for (const { field, values } of plan.keywords) {
    const sets = corpus.segments.map((segment) => rowsWithKeyword(segment, field, values));
    filters.push({ name: field, passes: (segment, row) => sets[segment][row] === 1 });
  }
  if (plan.excludedSession !== undefined) {
    const own = [plan.excludedSession];
    const sets = corpus.segments.map((segment) => rowsWithKeyword(segment, "session", own));
    filters.push({ name: "exclude_session", passes: (segment, row) => sets[segment][row] === 0 });
  }
  const { sinceMs, untilMs } = plan;
  if (sinceMs !== undefined) {
    filters.push({
      name: "since",
      passes: (segment, row) => corpus.segments[segment].time(row) >= sinceMs,
    });
  }
  if (untilMs !== undefined) {
    filters.push({
      name: "until",
      passes: (segment, row) => corpus.segments[segment].time(row) <= untilMs,
    });
  }
  return filters;
}

/** A 1 for each row of a segment that has one of some values in a keyword field. */
export function rowsWithKeyword(
  segment: Segment,
  field: KeywordField,
  values: string[],
): Uint8Array {
  const rows = new Uint8Array(segment.rows);
  const prefix = keywordPrefix(field);
  const wanted = values.map((value) => keywordValue(field, value.trim()));
  const exact = !pathFields.has(field) && !wanted.some((value) => value.includes("*"));
  const terms = exact
    ? wanted.map((value) => prefix + value)
    : [...segment.terms(prefix)].filter((term) =>
      wanted.some((value) => matches(term.slice(prefix.length), value, field))
    );
  for (const term of terms) {
    const list = segment.findPostings(term);
    if (list) forEachRow(list.bytes, (row) => rows[row] = 1);
  }
  return rows;
}

function matches(value: string, wanted: string, field: KeywordField): boolean {
  return pathFields.has(field) ? matchesPath(value, wanted) : matchesGlob(value, wanted);
}

const pathFields: ReadonlySet<KeywordField> = new Set(["file", "project"]);

/** `auth.ts` and `src/` match `src/auth.ts`; `*` stands for any characters. */
export function matchesPath(path: string, pattern: string): boolean {
  const wanted = pattern.replace(/^\.\//, "").replace(/(.)\/+$/, "$1");
  if (wanted.includes("*")) return matchesGlob(path, wanted) || matchesGlob(path, "*/" + wanted);
  return path === wanted || path.endsWith("/" + wanted) || path.startsWith(wanted + "/") ||
    path.includes("/" + wanted + "/");
}

/** Compares with `*` as a wildcard; linear, whatever the pattern. */
function matchesGlob(text: string, pattern: string): boolean {
  const parts = pattern.split("*");
  if (parts.length === 1) return text === pattern;
  const last = parts[parts.length - 1];
  if (!text.startsWith(parts[0]) || !text.endsWith(last)) return false;
  let at = parts[0].length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
