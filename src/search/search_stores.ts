// One search over several stores: history is the workspace's alone; documents are searched in the
// user's own store too. Rows are merged by the order that every search has.

import { compareText } from "../core/text.ts";
import { isProviderError } from "../core/errors.ts";
import type { Embedder } from "../index/vectors/embedder.ts";
import { mergeFacets } from "./facets.ts";
import { parseQuery } from "./query.ts";
import type { SearchAnswer, SearchRequest, SearchRow } from "./request.ts";
import { search } from "./run_search.ts";
import { toWordsNote } from "./similarity.ts";
import type { Store } from "../store/store.ts";
import type { Context } from "../table/command.ts";
import { findHttpEmbedder } from "../table/open_embedder.ts";

/** Searches the workspace's store, and the user's own when documents are asked for. */
export async function searchStores(
  store: Store,
  context: Context,
  request: SearchRequest & { global: boolean },
): Promise<SearchAnswer> {
  const embedder = await findHttpEmbedder(context, request.mode).catch((error) => {
    if (isProviderError(error)) return error;
    throw error;
  });
  if (!isProviderError(embedder)) return await searchWith(embedder, store, context, request);
  // Half a configuration: words need none.
  const answer = await searchWith(undefined, store, context, request);
  return { ...answer, notes: [...answer.notes, toWordsNote(embedder)], provider_error: embedder };
}

async function searchWith(
  embedder: Embedder | undefined,
  store: Store,
  context: Context,
  request: SearchRequest & { global: boolean },
): Promise<SearchAnswer> {
  const { global, ...own } = request;
  const config = await context.readConfig();
  const options = {
    warn: context.warn,
    embedder,
    isLocal: config.get("embedder.kind") === "local",
    context,
  };
  const run = config.get("rerank.kind") === "none"
    ? search
    : (await import("./search_reranked.ts")).searchReranked;
  const filters = parseQuery(own.query).filters.filter(({ not }) => !not);
  const scopes = filters.filter(({ field }) => field === "scope").map(({ value }) => value);
  if (own.scope === "chat" || scopes.includes("chat")) {
    const { ChatStore } = await import("../store/chat_log.ts");
    return await search(new ChatStore(store), { ...own, scope: "all" });
  }
  const asksDocuments = own.scope === "docs" || scopes.includes("docs") ||
    filters.some(({ field }) => field === "collection");
  const user = global && asksDocuments ? await context.openUserStore() : undefined;
  if (user === undefined) return await run(store, own, options);
  const wide = { ...own, offset: 0, k: own.offset + own.k };
  const searchBoth = async (correctable: string[]): Promise<[SearchAnswer, SearchAnswer]> => [
    await run(store, { ...wide, correctable }, options),
    await run(user, { ...wide, correctable }, options),
  ];
  let [first, second] = await searchBoth([]);
  // A word occurs nowhere when neither store has it.
  const unknown = own.exact ? [] : mergeCoverage(first, second).unknown_terms;
  if (unknown.length > 0) [first, second] = await searchBoth(unknown);
  const rows = [...first.rows, ...second.rows].sort(compareRows)
    .slice(own.offset, own.offset + own.k);
  return {
    ...first,
    rows,
    hits: rows.length,
    total: first.total + second.total,
    copies: (first.copies ?? 0) + (second.copies ?? 0) || undefined,
    ...(own.group ? { matches: (first.matches ?? 0) + (second.matches ?? 0) } : {}),
    candidates: {
      lexical: first.candidates.lexical + second.candidates.lexical,
      vector: first.candidates.vector + second.candidates.vector,
      fused: first.candidates.fused + second.candidates.fused,
    },
    coverage: mergeCoverage(first, second),
    ...(first.corrected || second.corrected
      ? { corrected: { ...second.corrected, ...first.corrected } }
      : {}),
    notes: [...new Set([...first.notes, ...second.notes])],
    provider_error: first.provider_error ?? second.provider_error,
    ...(first.facets && second.facets ? { facets: mergeFacets(first.facets, second.facets) } : {}),
  };
}

/** Score first, then newer first, then id: the order of every search. */
function compareRows(a: SearchRow, b: SearchRow): number {
  return b.score_final - a.score_final || compareText(b.ts, a.ts) || compareText(a.id, b.id);
}

function mergeCoverage(first: SearchAnswer, second: SearchAnswer): SearchAnswer["coverage"] {
  const unknown = new Set(second.coverage.unknown_terms);
  const removed = { ...first.coverage.removed_by_filter };
  for (const [name, count] of Object.entries(second.coverage.removed_by_filter)) {
    removed[name] = (removed[name] ?? 0) + count;
  }
  return {
    ...first.coverage,
    entries: first.coverage.entries + second.coverage.entries,
    below_floor: first.coverage.below_floor + second.coverage.below_floor,
    removed_by_filter: removed,
    unknown_terms: first.coverage.unknown_terms.filter((term) => unknown.has(term)),
  };
}
