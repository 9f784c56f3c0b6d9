// One search over several stores: history is the workspace's alone, unless other projects are asked
// for; documents are searched in the user's own store too. What is not asked for is not opened.

import { docType } from "../../core/entry.ts";
import { type CtxError, isProviderError } from "../../core/errors.ts";
import type { Embedder } from "../../index/vectors/embedder.ts";
import type { Store } from "../../store/store.ts";
import type { Context } from "../../command/command.ts";
import { parseQuery, type Query } from "../query.ts";
import type { SearchAnswer, SearchRequest } from "../request.ts";
import { search } from "../run_search.ts";
import { toWordsNote } from "../similarity.ts";

export interface ReachingRequest extends SearchRequest {
  /** The user's own documents too. */
  global: boolean;
  /** The stores of other projects too; rows then name theirs. */
  projects?: readonly Store[];
}

/** Searches the workspace's store, and the user's own for documents. */
export async function searchStores(
  store: Store,
  context: Context,
  request: ReachingRequest,
): Promise<SearchAnswer> {
  const kind = (await context.readConfig()).get("embedder.kind");
  const embedder = kind === "http" && request.mode !== "lexical"
    ? await openRemote(context)
    : undefined;
  const [failure, sound] = isProviderError(embedder) ? [embedder] : [undefined, embedder];
  // Vectors that are there from before are not wanted any more.
  const wantsNone = kind === "none";
  const asked = wantsNone ? { ...request, mode: "lexical" as const } : request;
  const found = await searchWith(sound, store, context, asked);
  const { empty_time, ...answer } = found.strangers
    ? (await import("../strangers.ts")).settleStrangers(found)
    : found;
  const { mode } = request;
  return {
    ...answer,
    notes: [
      ...answer.notes,
      ...(empty_time && answer.coverage.entries > 0
        ? [(await import("../query_notes.ts")).emptyTimeNote(empty_time)]
        : []),
      ...(wantsNone && (mode === "vector" || mode === "hybrid") ? [noEmbedderNote] : []),
      // Half a configuration: words need none.
      ...(failure ? [toWordsNote(failure)] : []),
    ],
    ...(failure ? { provider_error: failure } : {}),
  };
}

/** The remote embedder, or why there is none. */
async function openRemote(context: Context): Promise<Embedder | CtxError> {
  const { openSearchEmbedder } = await import("../../command/open_embedder.ts");
  try {
    return await openSearchEmbedder(context);
  } catch (error) {
    if (isProviderError(error)) return error;
    throw error;
  }
}

const noEmbedderNote =
  "embedder.kind is none: searched by words only; for vectors: ctx config set embedder.kind local";

async function searchWith(
  embedder: Embedder | undefined,
  store: Store,
  context: Context,
  request: ReachingRequest,
): Promise<SearchAnswer> {
  const { global, projects, ...own } = request;
  const config = await context.readConfig();
  const options = {
    warn: context.warn,
    embedder,
    isLocal: config.get("embedder.kind") === "local",
  };
  const filters = parseQuery(own.query).filters.filter(({ not }) => !not);
  const scopes = filters.filter(({ field }) => field === "scope").map(({ value }) => value);
  if (own.scope === "chat" || scopes.includes("chat")) {
    const { ChatStore } = await import("../../store/chat_log.ts");
    return await search(new ChatStore(store), { ...own, scope: "all" });
  }
  const user = global && mayBeDocuments(own, filters) ? await context.openUserStore() : undefined;
  const isEmpty = user?.files.findSize(user.layout.collections) === undefined;
  const stores = [store, ...projects ?? [], ...(user === undefined || isEmpty ? [] : [user])];
  if (projects === undefined && stores.length === 1) return await search(store, own, options);
  const { searchEach } = await import("./search_each.ts");
  return await searchEach(stores, own, async (one, asked) => {
    const answer = await search(one, asked, options);
    if (projects === undefined || one === user) return answer;
    const { workspace } = one.layout;
    return { ...answer, rows: answer.rows.map((row) => ({ ...row, workspace })) };
  });
}

/** Whether sections of documents can be among the rows: they have no session, agent or branch. */
function mayBeDocuments(request: SearchRequest, filters: Query["filters"]): boolean {
  const named = new Map<string, string>(filters.map(({ field, value }) => [field, value]));
  for (const field of ["session", "type", "source", "project", "branch"] as const) {
    const value = request[field];
    if (value !== undefined) named.set(field, String(value));
  }
  if (["session", "source", "project", "branch"].some((field) => named.has(field))) return false;
  const type = named.get("type");
  if (type !== undefined && !type.split(",").includes(docType)) return false;
  const scope = named.get("scope") ?? request.scope;
  return scope === "all" || scope === "docs" || named.has("collection") || type !== undefined;
}
