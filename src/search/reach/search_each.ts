// The same search in several stores, as one answer: rows merged by the order that every search has,
// counts added up. Loaded only where there is more than one store.

import { addCounts } from "../../core/add_counts.ts";
import { compareText } from "../../core/text.ts";
import type { Store } from "../../store/store.ts";
import { mergeFacets } from "../facets.ts";
import { mergeEmptyTimes } from "../query_notes.ts";
import type { Coverage, SearchAnswer, SearchRequest, UnknownWords } from "../request.ts";
import type { SearchRow } from "../row_shape.ts";

type Run = (store: Store, request: SearchRequest) => Promise<SearchAnswer>;

/** Searches the stores one after the other and merges what they answer. */
export async function searchEach(
  stores: readonly Store[],
  request: SearchRequest,
  run: Run,
): Promise<SearchAnswer> {
  const { offset, k } = request;
  const searchAll = async (correctable: UnknownWords): Promise<SearchAnswer[]> => {
    const answers: SearchAnswer[] = [];
    for (const store of stores) {
      answers.push(
        await run(store, { ...request, offset: 0, k: Math.max(2, offset + k), correctable }),
      );
    }
    return answers;
  };
  let answers = await searchAll({ terms: [] });
  const unknown = mergeUnknown(answers);
  if (unknown.terms.length > 0 && !request.exact) answers = await searchAll(unknown);
  return mergeAnswers(answers, request);
}

/** What no store has; a search is in vain when it is in every store. */
function mergeUnknown(answers: SearchAnswer[]): UnknownWords {
  const unseen = answers.map((answer) => answer.unseen).filter((words) => words !== undefined);
  if (unseen.length < answers.length) return { terms: mergeCoverage(answers).unknown_terms };
  return unseen.reduce((one, { terms }) => ({
    ...one,
    terms: one.terms.filter((term) => terms.includes(term)),
  }));
}

function mergeAnswers(answers: SearchAnswer[], { offset, k, unit }: SearchRequest): SearchAnswer {
  const [first] = answers;
  const found = answers.flatMap((answer) => answer.rows);
  // One entry may be in several stores, as when one of them was copied.
  const keyOf = ({ id, session_id }: SearchRow): string => JSON.stringify([id, session_id]);
  const once = [...new Map(found.toReversed().map((row) => [keyOf(row), row])).values()];
  const ordered = once.sort(compareRows);
  const rows = ordered.slice(offset, offset + k);
  const top = ordered.slice(0, 2).map(({ score_final }) => score_final);
  const sum = (count: (answer: SearchAnswer) => number | undefined): number =>
    answers.reduce((total, answer) => total + (count(answer) ?? 0), 0);
  const corrected = Object.assign({}, ...answers.map((answer) => answer.corrected).reverse());
  const facets = answers.map((answer) => answer.facets).filter((counts) => counts !== undefined);
  return {
    ...first,
    rows,
    top,
    hits: rows.length,
    total: sum(({ total }) => total),
    copies: sum(({ copies }) => copies) + found.length - once.length || undefined,
    joined: sum(({ joined }) => joined) || undefined,
    ...(unit === "session" ? { matches: sum(({ matches }) => matches) } : {}),
    candidates: {
      lexical: sum(({ candidates }) => candidates.lexical),
      vector: sum(({ candidates }) => candidates.vector),
      fused: sum(({ candidates }) => candidates.fused),
    },
    coverage: mergeCoverage(answers),
    unseen: undefined,
    ...(Object.keys(corrected).length > 0 ? { corrected } : {}),
    strangers: mergeStrangers(answers),
    empty_time: first.empty_time && mergeEmptyTimes(answers),
    notes: [...new Set(answers.flatMap(({ notes }) => notes))],
    provider_error: answers.find((answer) => answer.provider_error)?.provider_error,
    ...(facets.length > 0 ? { facets: facets.reduce(mergeFacets) } : {}),
  };
}

/** What no store has; with the values of all. */
function mergeStrangers(answers: SearchAnswer[]): SearchAnswer["strangers"] {
  const lists = answers.map(({ strangers = [] }) => strangers);
  const merged = lists[0].flatMap(({ field, value }) => {
    const same = lists.map((list) => list.find((one) => one.field === field && one.value === value))
      .filter((one) => one !== undefined);
    if (same.length < lists.length) return [];
    return [{ field, value, known: [...new Set(same.flatMap(({ known }) => known))] }];
  });
  return merged.length > 0 ? merged : undefined;
}

/** Score first, then newer first, then id: the order of every search. */
function compareRows(a: SearchRow, b: SearchRow): number {
  return b.score_final - a.score_final || compareText(b.ts, a.ts) || compareText(a.id, b.id) ||
    compareText(a.workspace ?? "", b.workspace ?? "") ||
    compareText(a.session_id ?? "", b.session_id ?? "");
}

function mergeCoverage(answers: SearchAnswer[]): Coverage {
  const [first, ...others] = answers.map(({ coverage }) => coverage);
  return others.reduce(addCoverage, first);
}

function addCoverage(one: Coverage, other: Coverage): Coverage {
  const [firstTs] = [one.first_ts, other.first_ts].filter((ts) => ts !== undefined).sort();
  const lastTs = [one.last_ts, other.last_ts].filter((ts) => ts !== undefined).sort().at(-1);
  return {
    ...one,
    pools: [...new Set([...one.pools, ...other.pools])],
    searched: addCounts(one.searched, other.searched),
    entries: one.entries + other.entries,
    ...(one.sessions === undefined && other.sessions === undefined
      ? {}
      : { sessions: (one.sessions ?? 0) + (other.sessions ?? 0) }),
    ...(firstTs === undefined ? {} : { first_ts: firstTs }),
    ...(lastTs === undefined ? {} : { last_ts: lastTs }),
    below_floor: one.below_floor + other.below_floor,
    removed_by_filter: addCounts(one.removed_by_filter, other.removed_by_filter),
    unknown_terms: one.unknown_terms.filter((term) => other.unknown_terms.includes(term)),
  };
}
