// Opens what signals read from, and brings it up to date when that is asked for. A hook only opens:
// it must not walk, parse or rewrite.

import { CtxError } from "../../core/errors.ts";
import type { Store } from "../../store/store.ts";
import { graphPaths, openGraph } from "./graph/code_graph.ts";
import { type BudgetOptions, makeBudget } from "./graph/refresh_budget.ts";
import { findFailures } from "./signals/failing_tests.ts";
import { openFileHistory } from "./signals/file_history.ts";
import { MentionIndex } from "./signals/mention_index.ts";
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
  const notes = options.refresh ? await refresh(store, options) : [];
  using opened = new DisposableStack();
  const graph = opened.use(openGraph(files, layout));
  const history = opened.use(openFileHistory(files, layout));
  const mentions = opened.use(new MentionIndex(store));
  const failures = findFailures(layout.workspace, options);
  const kept = opened.move();
  return { graph, history, mentions, failures, notes, [Symbol.dispose]: () => kept.dispose() };
}

/** What a refresh is given: how long it may take, and who is told. */
type RefreshSourcesOptions = Pick<OpenSourcesOptions, "progress" | "signal"> & {
  budget?: BudgetOptions;
};

/**
 * Brings derived data up to date as far as there is time; what is damaged is built anew. Returns how
 * many changed files are left.
 */
export async function refreshSources(
  store: Store,
  { progress, signal, ...budget }: BudgetOptions & { signal: AbortSignal } & RefreshSourcesOptions,
): Promise<number> {
  const { left } = await mending(
    store.files,
    () => {},
    () => refreshAll(store, { budget, progress, signal }),
  );
  return left;
}

/** Refreshes what there is; returns how many changed files are left, and why changes are unknown. */
async function refreshAll(
  { files, layout }: Store,
  { budget, progress, signal }: RefreshSourcesOptions,
): Promise<{ left: number; unknown?: string }> {
  const [{ refreshGraph }, { refreshFileHistory }] = await Promise.all([
    import("./graph/refresh_graph.ts"),
    import("./signals/refresh_file_history.ts"),
  ]);
  const isKnown = files.findSize(graphPaths(layout).table) !== undefined;
  const limit = budget && makeBudget(isKnown, budget);
  // A signal would throw away what is done by then; a budget keeps it.
  const until = budget === undefined ? signal : undefined;
  const { left } = await refreshGraph({ files, layout, progress, signal: until, budget: limit });
  return { left, unknown: await refreshFileHistory(files, layout, signal) };
}

/**
 * Brings derived data up to date; returns what is to be said about it. That it cannot be written (a
 * read-only place) is no reason to say nothing.
 */
async function refresh(store: Store, options: OpenSourcesOptions): Promise<string[]> {
  const { ticks, path: first, progress, signal } = options;
  try {
    const budget = ticks === undefined ? undefined : { ticks, first };
    const { left, unknown } = await refreshAll(store, { budget, progress, signal });
    const note = `${left} changed files are not read yet: the next ctx suggest goes on`;
    return [...(left > 0 ? [note] : []), ...(unknown === undefined ? [] : [unknown])];
  } catch (error) {
    const denied = error instanceof Deno.errors.NotCapable ||
      error instanceof Deno.errors.PermissionDenied ||
      (error instanceof CtxError && error.code === "DENIED");
    if (!denied) throw error;
    return ["the symbol graph could not be refreshed here: run ctx suggest on the command line"];
  }
}
