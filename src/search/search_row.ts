// From a ranked row to what is shown of it.

import type { Entry } from "../core/entry.ts";
import { summaryOf } from "../core/rows/entry_summary.ts";
import { withoutHeader } from "../core/text.ts";
import { contentOf } from "../core/rows/tool_content.ts";
import { countTokens } from "../core/tokens.ts";
import { type Corpus, locate } from "../index/segment/corpus.ts";
import type { explainRow } from "./explain_row.ts";
import type { RankedRow, Ranking } from "./rank/rank.ts";
import { roundScore } from "./rank/ranking.ts";
import type { SearchRow } from "./request.ts";
import { snippetOf } from "./snippet.ts";

/** What a row is shown from. */
export interface RowParts {
  corpus: Corpus;
  ranking: Ranking;
  /** What each term of the query weighs, for all rows together. */
  termWeights: ReadonlyMap<string, number>;
  entry: Entry;
  /** Given, the row says how its score came about. */
  explain?: typeof explainRow;
}

/** Makes one row of the answer; fields that an entry does not have are left out. */
export function toSearchRow(row: RankedRow, parts: RowParts): SearchRow {
  const { corpus, ranking, termWeights, entry, explain } = parts;
  const { segment, segmentNumber, row: number } = locate(corpus, row.global);
  const superseded = corpus.liveness.superseded[segmentNumber]?.has(number)
    ? corpus.findReplacement(row.global)?.id
    : undefined;
  return {
    id: entry.id,
    ts: entry.ts,
    type: entry.type,
    role: entry.role,
    ...(entry.session_id === undefined ? {} : { session_id: entry.session_id }),
    ...(entry.title === undefined ? {} : { title: entry.title }),
    summary: summaryOf(entry),
    snippet: snippetOf(shownText(entry), termWeights),
    ...(entry.source === undefined ? {} : { source: entry.source }),
    pool: segment.pool,
    rank_source: row.source,
    score_lex: roundScore(row.lexical),
    score_vec: row.cosine === undefined ? null : roundScore(row.cosine),
    score_final: row.final,
    ...(entry.index === undefined ? {} : { message_index: entry.index }),
    ...documentOf(entry),
    ...(superseded === undefined ? {} : { superseded_by: superseded }),
    ...(row.like ? { like: row.like } : {}),
    ...(row.more ? { more_in_session: row.more } : {}),
    estimated_tokens: countTokens(entry.text),
    ...(explain ? { explain: explain(entry, row, ranking) } : {}),
  };
}

/** What a snippet is cut from: what a call contains follows its text, an output has no header. */
function shownText(entry: Entry): string {
  const content = contentOf(entry);
  return content === "" ? withoutHeader(entry.text) : `${entry.text}\n${content}`;
}

/** Where a section of a document is; nothing for other entries. */
function documentOf(entry: Entry): Pick<SearchRow, "collection" | "document" | "section"> {
  const { collection, document, section } = entry;
  if (typeof collection !== "string" || typeof document !== "string") return {};
  return { collection, document, ...(typeof section === "string" ? { section } : {}) };
}
