// Filters: which rows a search may return, as Orama's `where` says it. They act on postings and
// columns while ranking, so that k rows come back whenever they exist and the total is true.

import type { WhereCondition } from "@orama/orama";
import { docType, type Pool, pools } from "../core/entry.ts";
import { CtxError } from "../core/errors.ts";
import { recallType } from "../core/rows/own_tool.ts";
import {
  filterFields,
  keyword,
  type KeywordField,
  keywordPrefix,
  keywordValue,
} from "../index/segment/keyword.ts";
import { rowFlags } from "../index/segment/segment_format.ts";
import type { Corpus } from "../index/segment/corpus.ts";
import { forEachRow } from "../index/segment/postings.ts";
import type { Segment } from "../index/segment/segment.ts";
import type { oramaSchema } from "./row_document.ts";
import type { Query } from "./query.ts";
import type { RowFilter } from "./rank/rank.ts";
import type { SearchRequest } from "./request.ts";

/** A filter in Orama's terms; `session_file` holds for all rows of a session that has such a file. */
export type Where = WhereCondition<typeof oramaSchema & { session_file: "string[]" }>;

/** Values of a field, of which rows must have one. */
export interface KeywordFilter {
  field: KeywordField;
  values: string[];
  not?: boolean;
  meant?: Record<string, string>;
}

/** What a search is limited to, merged from the request and the `field:value` parts of the query. */
export interface FilterPlan {
  pools: Record<Pool, boolean>;
  /** `meant` has other values that some of them stand for: rows may have either. */
  keywords: KeywordFilter[];
  /** Whether sections of documents are searched too, alone or not at all. */
  documents: "only" | "excluded" | "any";
  excludedSession?: string;
  /** Whether sessions are asked for: a file is then looked for in all of a session. */
  grouped: boolean;
  sinceMs?: number;
  untilMs?: number;
  thinking: boolean;
  /** Calls of ctx itself are found only when their type is asked for. */
  recalls: boolean;
}

/** The times that rows must lie between, both included. */
export type TimeBounds = Pick<FilterPlan, "sinceMs" | "untilMs">;

/** Merges the filters of a request and of its query; every one must hold. */
export function planFilters(
  request: SearchRequest,
  query: Query,
  bounds: TimeBounds = {},
): FilterPlan {
  const plan: FilterPlan = {
    pools: {
      archive: request.scope !== "hot",
      hot: request.scope !== "archive",
      team: request.scope !== "hot" && request.scope !== "archive",
    },
    keywords: [],
    documents: documentsIn[request.scope],
    excludedSession: request.exclude_session,
    grouped: request.unit === "session",
    thinking: request.include_thinking ?? false,
    recalls: false,
    ...bounds,
  };
  if (request.mine) plan.keywords.push({ field: "author", values: [ownAuthor] });
  for (const field of filterFields) {
    const value = request[field];
    const values = typeof value === "string" ? value.split(",") : value ?? [];
    if (values.length > 0) plan.keywords.push({ field, values });
  }
  for (const filter of query.filters) applyFilter(plan, filter);
  const wanted = plan.keywords.filter(({ not }) => !not);
  const naming = wanted.some(({ field, values }) =>
    field === "collection" || (field === "type" && values.includes(docType))
  );
  if (naming && plan.documents === "excluded") plan.documents = "any";
  plan.recalls = wanted.some(({ field, values }) =>
    field === "type" && values.includes(recallType)
  );
  return plan;
}

/** What stands for oneself among authors: rows of the own logs have none. */
export const ownAuthor = "";

/** Whether a value of a filter stands for oneself. */
export function isOwnAuthor(
  { field, value, meant }: { field: string; value: string; meant?: Record<string, string> },
): boolean {
  return field === "author" && (value === ownAuthor || meant?.[value] === ownAuthor);
}

/** What the scopes say of documents; a pool is one of history. */
const documentsIn: Record<string, FilterPlan["documents"]> = {
  all: "any",
  chat: "any",
  docs: "only",
  history: "excluded",
  hot: "excluded",
  archive: "excluded",
};

function applyFilter(plan: FilterPlan, { field, value, not }: Query["filters"][number]): void {
  if (field === "scope") {
    if (not) plan.documents = value === "docs" ? "excluded" : plan.documents;
    else if (plan.documents === "any" || value === "docs") plan.documents = documentsIn[value];
    plan.pools.archive &&= value !== (not ? "archive" : "hot");
    plan.pools.hot &&= value !== (not ? "hot" : "archive");
    plan.pools.team &&= not === true || value !== "hot" && value !== "archive";
  } else {
    const known = filterFields.find((name) => name === field);
    if (known !== undefined) plan.keywords.push({ field: known, values: value.split(","), not });
  }
}

/** The keyword terms a plan needs; a scan keeps only these. */
export function keepsKeyword(plan: FilterPlan): (term: string) => boolean {
  const prefixes = plan.keywords.map(({ field }) => keywordPrefix(field));
  // By it rows tell of their session.
  prefixes.push(keywordPrefix("session"));
  if (plan.documents !== "any") prefixes.push(keyword("type", docType));
  return (term) => prefixes.some((prefix) => term.startsWith(prefix));
}

/** Whether a value of its filters may be one that no row has: most are not, and are found at once. */
export function mayHoldStrangers(
  { segments, liveness }: Corpus,
  { keywords }: FilterPlan,
): boolean {
  return keywords.some(({ field, values, meant }) =>
    values.some((value) => {
      if (isOwnAuthor({ field, value, meant })) return false;
      const term = keyword(field, value.trim());
      // A list longer than the rows that are gone has one that is not.
      return !segments.some((segment, i) =>
        (segment.findPostings(term)?.count ?? 0) > (liveness.dead[i]?.size ?? 0)
      );
    })
  );
}

/** A plan as Orama takes it; undefined when every row may be returned. */
export function whereOf(plan: FilterPlan): Where | undefined {
  const { sinceMs, untilMs } = plan;
  const and: Where[] = [];
  const searched = pools.filter((pool) => plan.pools[pool]);
  if (searched.length < pools.length) and.push({ pool: searched });
  if (!plan.thinking) and.push({ thinking: false });
  if (!plan.recalls) and.push({ recall: false });
  if (plan.documents !== "any") and.push({ document: plan.documents === "only" });
  for (const { field, values: said, not, meant = {} } of plan.keywords) {
    const values = [...said, ...Object.values(meant)];
    const property = field === "file" && plan.grouped ? "session_file" : field;
    and.push(not ? { not: { [property]: values } } : { [property]: values });
  }
  if (plan.excludedSession !== undefined) and.push({ not: { session: plan.excludedSession } });
  if (sinceMs !== undefined) and.push({ ts: { gte: sinceMs } });
  if (untilMs !== undefined) and.push({ ts: { lte: untilMs } });
  return and.length > 0 ? { and } : undefined;
}

/** Makes the tests of a `where` over a corpus; those that every row passes are left out. */
export function makeFilters(corpus: Corpus, where: object): RowFilter[] {
  return Object.entries(where).flatMap(([property, wanted]: [string, unknown]) => {
    const clauses = [wanted].flat().filter((clause) => typeof clause === "object" && clause);
    const inner = (): RowFilter[][] => clauses.map((clause) => makeFilters(corpus, clause ?? {}));
    if (property === "and") return inner().flat();
    if (property === "or") return [anyOf(corpus, inner())];
    if (property === "not") return inner().map((group) => noneOf(corpus, group));
    if (property === "ts") {
      return Object.entries(clauses[0] ?? { eq: wanted }).map(timeFilter(corpus));
    }
    if (clauses.length === 0 || Array.isArray(wanted)) {
      return filterOf(corpus, property, [wanted].flat()) ?? [];
    }
    return Object.entries(wanted ?? {}).flatMap(([operator, value]: [string, unknown]) => {
      const values = [value].flat();
      const has = (some: unknown[]): RowFilter[] => makeFilters(corpus, { [property]: some });
      if (["eq", "in", "containsAny"].includes(operator)) return has(values);
      if (operator === "containsAll") return values.flatMap((one) => has([one]));
      if (operator === "nin") return [noneOf(corpus, has(values))];
      throw unknownFilter(`${property}.${operator}`);
    });
  });
}

function anyOf(corpus: Corpus, groups: RowFilter[][]): RowFilter {
  return rowsFilter(corpus, "or", (...at) => groups.some((group) => passesAll(group, at)));
}

function noneOf(corpus: Corpus, group: RowFilter[]): RowFilter {
  const [first, ...others] = group;
  const name = `exclude_${first?.name}`;
  const passes: RowFilter["passes"] = (...at) => !passesAll(group, at);
  const marks = others.length === 0 ? first?.marks : undefined;
  if (marks === undefined) return rowsFilter(corpus, name, passes);
  return {
    name,
    passes,
    marks: "flag" in marks
      ? { ...marks, wanted: !marks.wanted }
      : { ...marks, mark: 1 - marks.mark },
  };
}

function rowsFilter(corpus: Corpus, name: string, passes: RowFilter["passes"]): RowFilter {
  const rows = (segment: number): Uint8Array => {
    const passing = new Uint8Array(corpus.segments[segment].rows);
    for (let row = 0; row < passing.length; row++) passing[row] = passes(segment, row) ? 1 : 0;
    return passing;
  };
  return { name, passes, marks: { rows, mark: 1 } };
}

export function passesAll(filters: RowFilter[], at: [segmentNumber: number, row: number]): boolean {
  return filters.every((filter) => filter.passes(...at));
}

function timeFilter(corpus: Corpus): (bound: [string, unknown]) => RowFilter {
  return ([operator, bound]) => {
    const [least, most = least] = [bound].flat().map(Number);
    const test = comparisons[operator];
    if (!Object.hasOwn(comparisons, operator)) throw unknownFilter(`ts.${operator}`);
    const name = operator === "gte" ? "since" : operator === "lte" ? "until" : "ts";
    return rowsFilter(
      corpus,
      name,
      (segment, row) => test(corpus.segments[segment].time(row), least, most),
    );
  };
}

const comparisons: Record<string, (value: number, least: number, most: number) => boolean> = {
  gt: (value, least) => value > least,
  gte: (value, least) => value >= least,
  lt: (value, least) => value < least,
  lte: (value, least) => value <= least,
  eq: (value, least) => value === least,
  between: (value, least, most) => value >= least && value <= most,
};

function filterOf(corpus: Corpus, property: string, wanted: unknown[]): RowFilter | undefined {
  const { segments } = corpus;
  if (wanted.some((value) => value === undefined || typeof value === "object")) {
    throw new CtxError("USAGE", `Cannot filter by "${property}": its value is not text`);
  }
  if (property === "pool") {
    return rowsFilter(corpus, "scope", (segment) => wanted.includes(segments[segment].pool));
  }
  const [isWanted] = wanted;
  if (property === "thinking" || property === "recall") {
    const count = property === "thinking" ? corpus.thinking : corpus.recalls;
    if (isWanted === false && count === 0) return undefined;
    const hasFlag = (segment: number, row: number): boolean =>
      (segments[segment].flags(row) & rowFlags[property]) !== 0;
    if (typeof isWanted !== "boolean") return rowsFilter(corpus, property, () => false);
    const marks = { flag: rowFlags[property], wanted: isWanted };
    return { name: property, passes: (...at) => hasFlag(...at) === isWanted, marks };
  }
  if (property === "document") {
    const docs = keyword("type", docType);
    const holdsDocs = segments.some((segment) => segment.findPostings(docs) !== undefined);
    if (isWanted === false && !holdsDocs) return undefined;
    return hasKeyword(corpus, "type", { name: "docs", values: [docType], wanted: isWanted });
  }
  const isOfSession = property === "session_file";
  const field = isOfSession ? "file" : filterFields.find((name) => name === property);
  if (field === undefined) throw unknownFilter(property);
  return hasKeyword(corpus, field, { name: field, values: wanted.map(String), isOfSession });
}

function hasKeyword(
  corpus: Corpus,
  field: KeywordField,
  { name, values, wanted = true, isOfSession = false }: {
    name: string;
    values: string[];
    wanted?: unknown;
    isOfSession?: boolean;
  },
): RowFilter {
  const isOwn = field === "author" && values.includes(ownAuthor);
  const sets = corpus.segments.map((segment) =>
    isOwn && segment.pool !== "team"
      ? new Uint8Array(segment.rows).fill(1)
      : rowsWithKeyword(segment, field, values)
  );
  if (isOfSession) markSessions(corpus, sets);
  // Notes and records name no agent: theirs is that of their session.
  if (field === "source") {
    const named = corpus.segments.map((segment) => rowsWithKeyword(segment, field, ["*"]));
    markSessions(corpus, sets, (segment, row) => named[segment][row] === 0);
  }
  const mark = wanted ? 1 : 0;
  const rows = (segment: number): Uint8Array => sets[segment];
  return { name, passes: (segment, row) => sets[segment][row] === mark, marks: { rows, mark } };
}

/**
 * What one row of a session says can hold for all of its rows: marks every row of the sessions in which a
 * live row is marked. The marks are changed in place; rows
 * that `isOpen` refuses keep theirs.
 */
function markSessions(
  { segments, liveness }: Corpus,
  marks: readonly Uint8Array[],
  isOpen: (segmentNumber: number, row: number) => boolean = () => true,
): void {
  const sessions = new Set<number>();
  segments.forEach((segment, i) => {
    for (let row = 0; row < segment.rows; row++) {
      if (marks[i][row] === 1 && !liveness.dead[i]?.has(row)) sessions.add(segment.session(row));
    }
  });
  // Rows without a session have no others beside them.
  sessions.delete(0);
  if (sessions.size === 0) return;
  segments.forEach((segment, i) => {
    for (let row = 0; row < segment.rows; row++) {
      if (marks[i][row] === 0 && sessions.has(segment.session(row)) && isOpen(i, row)) {
        marks[i][row] = 1;
      }
    }
  });
}

function unknownFilter(property: string): CtxError {
  return new CtxError("USAGE", `Cannot filter by "${property}": no such filter`);
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
      wanted.some((value) => matchesValue(term.slice(prefix.length), value, field))
    );
  for (const term of terms) {
    const list = segment.findPostings(term);
    if (list) forEachRow(list.bytes, (row) => rows[row] = 1);
  }
  return rows;
}

export function matchesValue(value: string, wanted: string, field: KeywordField): boolean {
  if (field === "project" && !wanted.includes("*")) return value.includes(wanted);
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
