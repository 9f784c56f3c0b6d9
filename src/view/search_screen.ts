// `ctx search` on a terminal: each row with how sure it is, where it stands and why it was found.

import { correctedBy } from "../core/rows/corrected_by.ts";
import { explainTable } from "./explain_view.ts";
import { renderFacets } from "../search/facets.ts";
import { type Confidence, confidences } from "../search/rank/row_confidence.ts";
import type { FacetCounts, RowExplanation } from "../search/request.ts";
import {
  type CodeChange,
  type FreshnessName,
  isStale,
  toldFreshness,
} from "../code/fresh/freshness.ts";
import { kindOf } from "../command/brief.ts";
import { countOf, type View } from "../command/view.ts";
import { termsToMark } from "../search/typing/find_marks.ts";
import { markMatches } from "./mark_matches.ts";
import { placeOf, readableColumns } from "./lists.ts";

/** A row as it is shown. */
export interface ShownRow {
  id: string;
  ts: string;
  type: string;
  role: string;
  snippet: string;
  confidence: Confidence;
  /** The project it is from, where several were searched. */
  workspace?: string;
  session_id?: string;
  message_index?: number;
  title?: string;
  collection?: string;
  document?: string;
  author?: string;
  superseded_by?: string;
  superseded_author?: string;
  freshness?: FreshnessName;
  changed?: CodeChange;
  more_in_session?: number;
  source?: { agent: string };
  like?: { count: number };
  explain?: RowExplanation;
}

/** What a search found. */
export interface ShownSearch {
  query: string;
  offset: number;
  total: number;
  matches?: number;
  copies?: number;
  results: ShownRow[];
  facets?: FacetCounts;
  retrieval: { corrected?: Record<string, string> };
}

/** The rows, best first, and how many there are. */
export function toSearchScreen(
  data: ShownSearch,
  { view, titles }: { view: View; titles: ReadonlyMap<string, string> },
): string {
  const terms = termsToMark(data.query, data.retrieval.corrected);
  const last = data.offset + data.results.length;
  const indent = " ".repeat(`${last}. `.length);
  const rows = data.results.map((row, i) =>
    toRow(row, { position: data.offset + i + 1, indent, view, titles, terms })
  );
  const counts = [...renderFacets(data.facets ?? {}), foundLine(data, view)];
  return `${rows.join("\n\n")}\n\n${counts.map((line) => view.wrap(view.dim(line))).join("\n")}\n`;
}

function toRow(
  row: ShownRow,
  { position, indent, view, titles, terms }: {
    position: number;
    indent: string;
    view: View;
    titles: ReadonlyMap<string, string>;
    terms: ReadonlySet<string>;
  },
): string {
  const kind = kindOf(row);
  const place = row.collection ? `${row.collection}: ${row.document}` : placeOf(row, titles);
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
    view.wrap(text, { width: columns + indent.length, indent, lines }),
    ...(where ? [indent + view.dim(view.cut(where, columns))] : []),
    ...(row.explain ? [explainTable(row.explain, view)] : []),
  ].join("\n");
}

/** How sure it is, as three dots. */
export function toBars(confidence: Confidence, view: View): string {
  const full = confidences.length - confidences.indexOf(confidence);
  const dots = "●".repeat(full) + view.dim("○".repeat(confidences.length - full));
  return confidence === "strong" ? view.good(dots) : dots;
}

function foundLine(data: ShownSearch, view: View): string {
  const { offset, total, matches, copies = 0, results } = data;
  const shown = offset + results.length;
  const more = shown < total - copies ? ` · more: --offset ${shown}` : "";
  if (matches !== undefined) {
    return `${countOf(total, "group")} of ${countOf(matches, "entry", "entries")}${more}`;
  }
  const good = results.filter(({ confidence }) => confidence !== "weak").length;
  const alike = copies > 0 ? `, ${countOf(copies, "copy", "copies")}` : "";
  // Rows come best first: behind one that is not good there is none that is.
  if (offset > 0 || good === results.length && shown < total - copies) {
    return `${countOf(total, "entry", "entries")} found${alike}${more}`;
  }
  const weaker = total - copies - good;
  const kinds = [
    good > 0 && `${view.count(good)} good`,
    weaker > 0 && `${view.count(weaker)} weaker`,
  ];
  return `${kinds.filter(Boolean).join(", ")}${alike}${more}`;
}
