// What one question may see: collections, a session, a project. The limit is put on the stores and
// on the arguments of every tool; the model is only told of it.

import { docType, type Entry } from "../core/entry.ts";
import {
  getCollections,
  openCollectionStores,
  placeCollections,
} from "../intake/documents/collection_scope.ts";
import { matchesPath } from "../search/filter.ts";
import { ScopedStore, type StoreScope } from "../store/views/scoped_store.ts";
import type { Store } from "../store/store.ts";
import type { Context } from "../command/command.ts";
import { resolveSession } from "../command/session_scope.ts";

export interface AskScope {
  collections: string[];
  session?: string;
  project?: string;
  /** Whether the user's own collections may be read. */
  global: boolean;
}

/** The limits that a question names; unknown collections are an error, not an empty answer. */
export async function resolveScope(
  input: { collections: string[]; session: string; project?: string; global: boolean },
  context: Context,
): Promise<AskScope> {
  const store = await context.openStore();
  if (input.collections.length > 0) {
    const stores = await openCollectionStores(context, input);
    getCollections(placeCollections(stores), input.collections);
  }
  return {
    collections: input.collections,
    session: resolveSession(input.session, store, context),
    project: input.project,
    global: input.global,
  };
}

/** A context whose stores show only what the scope allows, and take no writes; dispose of it. */
export function limitContext(context: Context, scope: AskScope): Context & Disposable {
  const limits = toStoreScope(scope);
  let own: Store | undefined;
  let user: Store | undefined;
  return {
    ...context,
    async openStore() {
      return own ??= new ScopedStore(await context.openStore(), limits);
    },
    async openUserStore() {
      if (user || !scope.global) return user;
      const store = await context.openUserStore();
      return user = store && new ScopedStore(store, limits);
    },
    [Symbol.dispose]() {
      own?.[Symbol.dispose]();
      user?.[Symbol.dispose]();
    },
  };
}

export function isLimited(scope: AskScope): boolean {
  return scope.collections.length > 0 || scope.session !== undefined || scope.project !== undefined;
}

/** Whether history, documents or both can be seen. */
export function visibleParts(scope: AskScope): { history: boolean; documents: boolean } {
  const byHistory = scope.session !== undefined || scope.project !== undefined;
  return {
    history: byHistory || scope.collections.length === 0,
    documents: scope.collections.length > 0 || !byHistory,
  };
}

/** The arguments of a tool with the limits put over what the model said. */
export function limitInput(
  command: string,
  input: Record<string, unknown>,
  scope: AskScope,
): Record<string, unknown> {
  const limited = { ...input };
  if (command === "search") {
    // Answers cite rows; the quotes around a row may lie outside of the scope.
    if (input.unit !== "session") limited.unit = "row";
    if (input.scope === "chat") limited.scope = "all";
    const parts = visibleParts(scope);
    const asked = Array.isArray(input.collections) ? input.collections : [];
    const wantsDocs = input.scope === "docs" || asked.length > 0;
    if (scope.collections.length > 0 && (wantsDocs || !parts.history)) {
      const both = asked.filter((name) => scope.collections.includes(name));
      limited.collections = both.length > 0 ? both : scope.collections;
      limited.scope = "docs";
    } else {
      if (scope.session !== undefined) limited.session = scope.session;
      if (scope.project !== undefined) limited.project = scope.project;
    }
  }
  if (command === "sessions" && scope.project !== undefined) limited.project = scope.project;
  if (command.startsWith("docs ") || command === "search") limited.global = scope.global;
  return limited;
}

/** The limits in words, for the model. */
export function describeScope(scope: AskScope): string | undefined {
  const parts = [
    scope.collections.length > 0 ? `the collections ${scope.collections.join(", ")}` : "",
    scope.session ? `session ${scope.session}` : "",
    scope.project ? `project ${scope.project}` : "",
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(" and ") : undefined;
}

function toStoreScope(scope: AskScope): StoreScope {
  const parts = visibleParts(scope);
  const inProject = (project: unknown): boolean =>
    scope.project === undefined ||
    typeof project === "string" && matchesPath(project.toLowerCase(), scope.project.toLowerCase());
  return {
    allows(entry: Entry) {
      if (entry.type === docType) {
        if (!parts.documents) return false;
        return scope.collections.length === 0 ||
          scope.collections.includes(String(entry.collection));
      }
      if (!parts.history) return false;
      if (scope.session !== undefined && entry.session_id !== scope.session) return false;
      return inProject(entry.project);
    },
    allowsSession(session) {
      if (!parts.history) return false;
      if (scope.session !== undefined && session.session_id !== scope.session) return false;
      return inProject(session.project);
    },
  };
}
