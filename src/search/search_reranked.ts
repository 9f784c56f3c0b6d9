// A search whose best rows are ranked once more by a model, where `rerank.kind` asks for it and the
// process is one that lives long (a server) or may be slow (ask, chat). What it says of itself: how many
// rows had a vector, or why nothing was reranked.

import { endWith, useReranker } from "./rerank/reranker.ts";
import type { Store } from "../store/store.ts";
import type { Context } from "../command/command.ts";
import { parseQuery } from "./query.ts";
import type { RerankCounts } from "./rank/rank.ts";
import { rerankBy } from "./rank/rerank_rows.ts";
import type { SearchAnswer, SearchRequest } from "./request.ts";
import { search, type SearchOptions } from "./run_search.ts";

/** Searches a store and reranks. */
export async function searchReranked(
  store: Store,
  request: SearchRequest,
  options: SearchOptions & { context: Context },
): Promise<SearchAnswer> {
  const { context, ...rest } = options;
  const { text } = parseQuery(request.query);
  if (request.mode === "lexical" || text === "") return await search(store, request, rest);
  const reason = reasonAgainst(store, context);
  if (reason !== undefined) {
    const answer = await search(store, request, rest);
    // Known to whoever configured it: told where it is asked how rows came about.
    return request.explain || store.files.isScoped ? withNote(answer, reason) : answer;
  }
  const cacheMb = (await context.readConfig()).get("rerank.cache_mb");
  const wait = context.isPatient === true;
  if (context.onClose) endWith(context.onClose);
  const reranker = useReranker(store, { cacheMb });
  let question = await reranker.ask(text, { wait });
  const run = () => search(store, request, { ...rest, rerank: rerankBy(question.cosineOf) });
  let answer = await run();
  if (answer.corrected) {
    question = await reranker.ask(withWords(text, answer.corrected), { wait });
    answer = await run();
  }
  if (wait && await question.now(context.signal)) answer = await run();
  question.later();
  return answer.rerank ? withNote(answer, toNote(answer.rerank, question.reason)) : answer;
}

/** A text with other words in place of some. */
function withWords(text: string, corrected: Record<string, string>): string {
  const words = new Map(Object.entries(corrected));
  return text.replace(/\p{L}+/gu, (word) => words.get(word) ?? word);
}

function reasonAgainst(store: Store, { surface, isPatient }: Context): string | undefined {
  if (store.files.isScoped) return "not reranked: this server shows one session only";
  if (isPatient || surface === "mcp" || surface === "http") return undefined;
  return "not reranked: the model is for ctx mcp, serve, ask and chat";
}

function toNote({ rows, with_vectors: known }: RerankCounts, reason: string | undefined): string {
  if (reason !== undefined) return `not reranked: ${reason}`;
  return `${known === 0 ? "not reranked yet" : "reranked"}: ${known} of ${rows} rows had vectors`;
}

function withNote(answer: SearchAnswer, note: string): SearchAnswer {
  return { ...answer, notes: [...answer.notes, note] };
}
