// `ctx search` on a terminal: each row with how sure it is, where it stands and why it was found.

import { correctedBy } from "../core/rows/corrected_by.ts";
import { toBars } from "./confidence_bars.ts";
import { explainTable } from "./explain_view.ts";
import { renderFacets } from "../search/facets.ts";
import { termsOf } from "../search/rank/terms_of.ts";
import type { FacetCounts, SearchAnswer } from "../search/request.ts";
import type { FoundRow } from "../search/row_shape.ts";
import { isStale, toldFreshness } from "../code/fresh/freshness.ts";
import { kindOf } from "../command/brief.ts";
import { countOf, type View } from "../command/view.ts";
import { findMarks, termsToMark } from "../search/typing/find_marks.ts";
import { placeOf, readableColumns, readTitles, toMore } from "./lists.ts";

export interface ShownSearch {
  query: string;
  offset: number;
  total: number;
  matches?: number;
  copies?: number;
  joined?: number;
  results: FoundRow[];
  facets?: FacetCounts;
  retrieval: Pick<SearchAnswer, "coverage" | "corrected">;
}

/** The rows, best first, and how many there are. */
export async function toSearchScreen(data: ShownSearch, view: View): Promise<string> {
  if (data.results.length === 0) return nothingFound(data, view);
  const titles = await readTitles(view, data.results);
  const terms = termsToMark(data.query, data.retrieval.corrected);
  const last = data.offset + data.results.length;
  const indent = " ".repeat(`${last}. `.length);
  const rows = data.results.map((row, i) =>
    toRow(row, { position: data.offset + i + 1, indent, view, titles, terms })
  );
  const counts = [...renderFacets(data.facets ?? {}), foundLine(data, view)];
  const hint = " · read one: ctx get ID";
  if (view.widthOf(counts[counts.length - 1] + hint) <= view.width) {
    counts[counts.length - 1] += hint;
  }
  return `${rows.join("\n\n")}\n\n${counts.map((line) => view.wrap(view.dim(line))).join("\n")}\n`;
}

function toRow(
  row: FoundRow,
  { position, indent, view, titles, terms }: {
    position: number;
    indent: string;
    view: View;
    titles: ReadonlyMap<string, string>;
    terms: ReadonlySet<string>;
  },
): string {
  const kind = kindOf(row);
  const place = row.collection
    ? `${row.collection}: ${row.document}${row.line === undefined ? "" : `:${row.line}`}`
    : placeOf(row, titles);
  const where = [row.workspace && view.path(row.workspace), place].filter(Boolean).join(" · ");
  const corrected = correctedBy(row);
  const facts = [
    view.time(row.ts),
    row.source ? `${kind} (${row.source.agent})` : kind,
    row.author && `by ${row.author}`,
    row.like && `+${row.like.count} like it`,
    row.more_in_session && `+${row.more_in_session} in this session`,
    corrected && view.warning(corrected),
    isStale(row.freshness) && view.warning(toldFreshness(row) ?? ""),
  ].filter(Boolean).join(" · ");
  const number = `${position}.`.padEnd(indent.length);
  const head = `${view.number(number)}${toBars(row.confidence, view)}  ${view.id(row.id)}  `;
  const room = view.width - view.widthOf(head);
  const heads = view.widthOf(facts) <= room
    ? [head + facts]
    : [head.trimEnd(), indent + view.cut(facts, view.width - indent.length)];
  const columns = Math.min(view.width, readableColumns) - indent.length;
  const lines = view.width < 70 ? 3 : 2;
  const text = markMatches(row.snippet, { terms, view, columns: columns * lines });
  const titleLine = row.title && !row.snippet.startsWith(row.title)
    ? [indent + view.title(view.cut(row.title, columns))]
    : [];
  return [
    ...heads,
    ...titleLine,
    view.wrap(text, { width: columns + indent.length, first: indent, indent, lines }),
    ...(row.quotes ?? []).map((quote) => indent + toQuoteLine(quote, { view, columns, terms })),
    ...(where ? [indent + view.dim(view.cut(where, columns))] : []),
    ...(row.explain ? [explainTable(row.explain, view)] : []),
  ].join("\n");
}

/** Another row of the exchange, on one line. */
function toQuoteLine(
  quote: NonNullable<FoundRow["quotes"]>[number],
  { view, columns, terms }: { view: View; columns: number; terms: ReadonlySet<string> },
): string {
  const kind = kindOf(quote);
  const room = Math.max(20, columns - view.widthOf(`${kind} ${quote.id}  `));
  const text = markMatches(quote.snippet, { terms, view, columns: room });
  return view.cut(`${view.dim(kind)} ${view.id(quote.id)}  ${text}`, columns);
}

function foundLine(data: ShownSearch, view: View): string {
  const { offset, total, matches, copies = 0, joined = 0, results } = data;
  const shown = offset + results.length;
  const left = total - copies - joined;
  const more = toMore({ total: left, offset, shown: results.length });
  if (matches !== undefined) {
    return `${countOf(total, "group")} of ${countOf(matches, "entry", "entries")}${more}`;
  }
  const good = results.filter(({ confidence }) => confidence !== "weak").length;
  const alike = copies > 0 ? `, ${countOf(copies, "copy", "copies")}` : "";
  // Rows come best first: behind one that is not good there is none that is.
  if (offset > 0 || good === results.length && shown < left) {
    return `${countOf(total, "entry", "entries")} found${alike}${more}`;
  }
  const weaker = left - good;
  const kinds = [
    good > 0 && `${view.count(good)} good`,
    weaker > 0 && `${view.count(weaker)} weaker`,
  ];
  return `${kinds.filter(Boolean).join(", ")}${alike}${more}`;
}

/** Zero rows say what was searched, so that "nothing" can be believed. */
function nothingFound({ query, total, matches, retrieval }: ShownSearch, view: View): string {
  const { coverage } = retrieval;
  if (total > 0) {
    const groups = matches === undefined ? "" : `${countOf(total, "group")} of `;
    const found = countOf(matches ?? total, "entry", "entries");
    return `No results on this page; ${groups}${found} found.\n`;
  }
  const dayOf = (ts: string): string => view.terminal ? view.time(ts) : ts.slice(0, 10);
  const span = coverage.first_ts && coverage.last_ts
    ? `, ${dayOf(coverage.first_ts)} to ${dayOf(coverage.last_ts)}`
    : "";
  const sessions = coverage.sessions ? ` of ${countOf(coverage.sessions, "session")}` : "";
  const entries = countOf(coverage.entries, "entry", "entries");
  const lines = [`No results for "${query}".`, `Searched ${entries}${sessions}${span}.`];
  const removed = Object.entries(coverage.removed_by_filter).filter(([, count]) => count > 0)
    .map(([name, count]) => `${view.count(count)} by ${name}`);
  if (removed.length > 0) lines.push(`Filters removed ${removed.join(", ")}.`);
  for (const [term, near] of Object.entries(coverage.nearest_terms ?? {})) {
    const others = near.length > 0 ? `; similar words: ${near.join(", ")}` : "";
    // Of words without any near ones the first line has said enough.
    if (others || term.includes(":")) {
      lines.push(`No results for "${asWritten(term, query)}"${others}.`);
    }
  }
  return view.wrap(lines.join("\n")) + "\n";
}

function asWritten(term: string, query: string): string {
  const words = query.match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];
  return words.find((word) => termsOf(word).some((made) => made.term === term)) ?? term;
}

/** A text in one line, cut around what matches, with that marked. */
function markMatches(
  text: string,
  { terms, view, columns }: { terms: ReadonlySet<string>; view: View; columns: number },
): string {
  const line = text.replace(/\s+/g, " ").trim();
  const places = findMarks(line, terms).map(([from, to]) => ({ from, to }));
  const start = startOf(line, { places, view, columns });
  let shown = start > 0 ? "…" : "";
  let at = start;
  for (const { from, to } of places) {
    if (from < start) continue;
    shown += line.slice(at, from) + view.match(line.slice(from, to));
    at = to;
  }
  return shown + line.slice(at);
}

/** Where to begin, so that the part with the most matches is in view; at a word. */
function startOf(
  line: string,
  { places, view, columns }: {
    places: { from: number; to: number }[];
    view: View;
    columns: number;
  },
): number {
  if (places.length === 0 || view.widthOf(line) <= columns) return 0;
  const inView = (from: number): number =>
    places.filter((place) => place.from >= from && place.to - from < columns).length;
  let best = 0;
  for (const place of places) {
    if (inView(place.from) > inView(best)) best = place.from;
  }
  if (inView(0) >= inView(best)) return 0;
  const back = Math.max(0, best - Math.floor(columns / 6));
  const space = line.indexOf(" ", back);
  return space >= 0 && space < best ? space + 1 : best;
}
