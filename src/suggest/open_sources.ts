// Opens what signals read from, and brings it up to date when that is asked for. A hook only opens:
// it must not walk, parse or rewrite.

import { CtxError } from "../core/errors.ts";
import type { Store } from "../store/store.ts";
import { openGraph } from "./code_graph.ts";
import { openCommits, refreshCommits } from "./commit_table.ts";
import { findFailures } from "./find_reports.ts";
import { explainNoHistory } from "./git_repository.ts";
import { openMentions, refreshMentions } from "./mention_table.ts";
import type { Sources } from "./suggestion.ts";
import { mending } from "./table_damage.ts";
import { openWords } from "./word_table.ts";

/** What to open, and whether to refresh it. */
export interface OpenSourcesOptions {
  refresh: boolean;
  reports: string[];
  now: number;
  days: number;
  progress?: (message: string, done?: number, total?: number) => void;
  signal?: AbortSignal;
}

/** The sources and what is to be said about them; close it. */
export interface OpenedSources extends Sources, Disposable {
  notes: string[];
}

/**
 * Opens the sources of a store and does work with them. What turns out to be damaged is built anew
 * where refreshing is allowed; where it is not, TableDamage is thrown.
 */
export async function withSources<T>(
  store: Store,
  options: OpenSourcesOptions,
  work: (sources: OpenedSources) => T,
): Promise<T> {
  const warnings: string[] = [];
  const once = async (): Promise<T> => {
    using sources = await openSources(store, options);
    sources.notes.push(...warnings);
    return work(sources);
  };
  if (!options.refresh) return await once();
  return await mending(store.files, (message) => warnings.push(message), once);
}

/** Opens the sources of a store; throws TableDamage, and so do lookups. */
export async function openSources(
  store: Store,
  options: OpenSourcesOptions,
): Promise<OpenedSources> {
  const { files, layout } = store;
  const notes: string[] = [];
  const inRepository = options.refresh ? await refresh(store, options, notes) : true;
  if (!inRepository) notes.push(explainNoHistory(layout.workspace));
  using opened = new DisposableStack();
  const graph = openGraph(files, layout);
  if (graph !== undefined) opened.use(graph);
  const commits = inRepository ? openCommits(files, layout) : undefined;
  if (commits !== undefined) opened.use(commits);
  const words = openWords(files, layout);
  if (words !== undefined) opened.use(words);
  const mentions = opened.use(openMentions(store));
  const failures = findFailures(layout.workspace, options);
  const kept = opened.move();
  return {
    graph,
    commits,
    mentions,
    words,
    failures,
    notes,
    [Symbol.dispose]: () => kept.dispose(),
  };
}

/** Brings all derived data up to date; what is damaged is built anew. */
export async function refreshSources(store: Store, signal: AbortSignal): Promise<void> {
  const { files, layout } = store;
  await mending(files, () => {}, async () => {
    const { refreshGraph } = await import("./refresh_graph.ts");
    const { refreshWords } = await import("./refresh_words.ts");
    await refreshGraph({ files, layout, signal });
    await refreshWords({ files, layout, signal });
    refreshMentions(store);
    await refreshCommits(files, layout, signal);
  });
}

/** Derived data that cannot be written (a read-only place) is no reason to say nothing. */
async function refresh(
  store: Store,
  options: OpenSourcesOptions,
  notes: string[],
): Promise<boolean> {
  const { files, layout } = store;
  const { progress, signal } = options;
  try {
    const { refreshGraph } = await import("./refresh_graph.ts");
    const { refreshWords } = await import("./refresh_words.ts");
    await refreshGraph({ files, layout, progress, signal });
    await refreshWords({ files, layout, signal });
    refreshMentions(store);
    return await refreshCommits(files, layout, signal);
  } catch (error) {
    const denied = error instanceof Deno.errors.NotCapable ||
      error instanceof Deno.errors.PermissionDenied ||
      (error instanceof CtxError && error.code === "DENIED");
    if (!denied) throw error;
    notes.push("the symbol graph could not be refreshed here: run ctx suggest on the command line");
    return true;
  }
}
