// Opens what signals read from, and brings it up to date when that is asked for. A hook only opens:
// it must not walk, parse or rewrite.

import { CtxError } from "../../core/errors.ts";
import type { Store } from "../../store/store.ts";
import { graphPaths, openGraph } from "./graph/code_graph.ts";
import { findFailures } from "./signals/failing_tests.ts";
import { openFileHistory } from "./signals/file_history.ts";
import { MentionIndex } from "./signals/mention_index.ts";
import type { Sources } from "./signals/suggestion.ts";
import { mending } from "./tables/table_damage.ts";

/** What a refresh is given: how long it may take, and who is told. */
export interface RefreshSourcesOptions {
  progress?: (message: string, done?: number, total?: number) => void;
  signal?: AbortSignal;
  /** What is asked about: brought up to date before all else. */
  path?: string;
  /** A clock: with it a refresh takes some seconds at most and goes on the next time. */
  ticks?: () => number;
  /** How long that is, if not as long as usual. */
  limitMs?: number;
}

/** What to open, and whether to refresh it. */
export interface OpenSourcesOptions extends RefreshSourcesOptions {
  refresh: boolean;
  reports: string[];
  now: number;
  days: number;
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

/** What a call spends on reading sources where something is known already, and where nothing is. */
const usualMs = { known: 4000, unknown: 10_000 };

/**
 * Brings derived data up to date as far as there is time; what is damaged is built anew. Returns how
 * many changed files are left, and why changes are unknown when they are.
 */
export async function refreshSources(
  { files, layout }: Store,
  { progress, signal, path, ticks, limitMs, warn = () => {} }: RefreshSourcesOptions & {
    warn?: (message: string) => void;
  },
): Promise<{ left: number; unknown?: string }> {
  const [{ refreshGraph }, { refreshFileHistory }] = await Promise.all([
    import("./graph/refresh_graph.ts"),
    import("./signals/refresh_file_history.ts"),
  ]);
  const isKnown = files.findSize(graphPaths(layout).table) !== undefined;
  const end = (ticks?.() ?? 0) + (limitMs ?? (isKnown ? usualMs.known : usualMs.unknown));
  // A signal would throw away what is done by then; a limit keeps it.
  const until = ticks === undefined ? { signal } : { hasTime: () => ticks() < end };
  const { left } = await mending(
    files,
    warn,
    () => refreshGraph({ files, layout, progress, first: path, ...until }),
  );
  return { left, unknown: await refreshFileHistory(files, layout, signal) };
}

/**
 * Brings derived data up to date; returns what is to be said about it. That it cannot be written (a
 * read-only place) is no reason to say nothing.
 */
async function refresh(store: Store, options: OpenSourcesOptions): Promise<string[]> {
  const notes: string[] = [];
  try {
    const warn = (message: string): unknown => notes.push(message);
    const { left, unknown } = await refreshSources(store, { ...options, warn });
    if (left > 0) {
      notes.push(`${left} changed files have not been read yet: the next ctx suggest continues`);
    }
    return unknown === undefined ? notes : [...notes, unknown];
  } catch (error) {
    const denied = error instanceof Deno.errors.NotCapable ||
      error instanceof Deno.errors.PermissionDenied ||
      (error instanceof CtxError && error.code === "DENIED");
    if (!denied) throw error;
    return ["the symbol graph could not be refreshed here: run ctx suggest on the command line"];
  }
}
