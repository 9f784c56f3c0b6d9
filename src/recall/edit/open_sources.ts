// Opens what signals read from, and brings it up to date when that is asked for. A hook only opens:
// it must not walk, parse or rewrite.

import { CtxError } from "../../core/errors.ts";
import type { Store } from "../../store/store.ts";
import { graphPaths, openGraph } from "./graph/code_graph.ts";
import { openCommits, refreshCommits } from "./signals/commit_table.ts";
import { findFailures } from "./signals/find_reports.ts";
import { openMentions, refreshMentions } from "./signals/mention_table.ts";
import { type BudgetOptions, makeBudget } from "./graph/refresh_budget.ts";
import type { Sources } from "./signals/suggestion.ts";
import { mending } from "./tables/table_damage.ts";

/** What to open, and whether to refresh it. */
export interface OpenSourcesOptions {
  refresh: boolean;
  reports: string[];
  now: number;
  days: number;
  progress?: (message: string, done?: number, total?: number) => void;
  signal?: AbortSignal;
  /** What is asked about: brought up to date before all else. */
  path?: string;
  /** A clock: with it a refresh takes some seconds at most and goes on the next time. */
  ticks?: () => number;
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
  const unknown = options.refresh ? await refresh(store, options, notes) : undefined;
  if (unknown !== undefined) notes.push(unknown);
  using opened = new DisposableStack();
  const graph = openGraph(files, layout);
  if (graph !== undefined) opened.use(graph);
  const commits = unknown === undefined ? openCommits(files, layout) : undefined;
  if (commits !== undefined) opened.use(commits);
  const mentions = opened.use(openMentions(store));
  const failures = await findFailures(layout.workspace, options);
  const kept = opened.move();
  return {
    graph,
    commits,
    mentions,
    failures,
    notes,
    [Symbol.dispose]: () => kept.dispose(),
  };
}

/**
 * Brings derived data up to date as far as there is time; what is damaged is built anew. Returns how
 * many changed files are left.
 */
export async function refreshSources(
  store: Store,
  options: BudgetOptions & { signal: AbortSignal } & Pick<OpenSourcesOptions, "progress">,
): Promise<number> {
  const { files, layout } = store;
  return await mending(files, () => {}, async () => {
    // A signal would throw away what is done by then; a budget keeps it.
    const left = await refreshFiles(store, { budget: options, progress: options.progress });
    refreshMentions(store);
    await refreshCommits(files, layout, options.signal);
    return left;
  });
}

/** Brings up to date what is known of files; returns how many that changed are left. */
async function refreshFiles(
  { files, layout }: Store,
  { budget, progress, signal }: Pick<OpenSourcesOptions, "progress" | "signal"> & {
    budget?: BudgetOptions;
  },
): Promise<number> {
  const { refreshGraph } = await import("./graph/refresh_graph.ts");
  const isKnown = files.findSize(graphPaths(layout).table) !== undefined;
  const limit = budget && makeBudget(isKnown, budget);
  return (await refreshGraph({ files, layout, progress, signal, budget: limit })).left;
}

/**
 * Brings derived data up to date; returns why changes are unknown when they are. That it cannot be
 * written (a read-only place) is no reason to say nothing.
 */
async function refresh(
  store: Store,
  options: OpenSourcesOptions,
  notes: string[],
): Promise<string | undefined> {
  const { files, layout } = store;
  try {
    const { ticks, path: first, progress, signal } = options;
    const budget = ticks === undefined ? undefined : { ticks, first };
    const left = await refreshFiles(store, { budget, progress, signal });
    if (left > 0) {
      notes.push(`${left} changed files are not read yet: the next ctx suggest goes on`);
    }
    refreshMentions(store);
    return await refreshCommits(files, layout, signal);
  } catch (error) {
    const denied = error instanceof Deno.errors.NotCapable ||
      error instanceof Deno.errors.PermissionDenied ||
      (error instanceof CtxError && error.code === "DENIED");
    if (!denied) throw error;
    notes.push("the symbol graph could not be refreshed here: run ctx suggest on the command line");
    return undefined;
  }
}
