// Opens what signals read from. A hook reads what entries and test reports say of the file; only who
// asks for it waits until the sources and the history of the workspace are read.

import type { Store } from "../../store/store.ts";
import type { CodeGraph } from "./graph/code_graph.ts";
import { findFailures } from "./signals/failing_tests.ts";
import { findReadyMentions } from "./signals/ready_mentions.ts";
import type { Sources } from "./signals/suggestion.ts";

export interface OpenSourcesOptions {
  /** Whether to read the code of the workspace, or the code as it was read before. */
  code: boolean | CodeGraph;
  reports: string[];
  now: number;
  days: number;
  /** Whether the kept table turned out not to be of these logs. */
  isAnew?: boolean;
  signal?: AbortSignal;
}

/** The sources and what is to be said about them; close it. */
export interface OpenedSources extends Sources, Disposable {
  notes: string[];
}

export async function openSources(
  store: Store,
  { code, reports, now, days, isAnew = false, signal }: OpenSourcesOptions,
): Promise<OpenedSources> {
  const { files, layout } = store;
  const { workspace } = layout;
  using opened = new DisposableStack();
  // The index is loaded only where the table is behind the logs.
  const mentions = opened.use(
    (isAnew ? undefined : findReadyMentions(store)) ??
      new (await import("./signals/mention_index.ts")).MentionIndex(store),
  );
  const failures = findFailures(workspace, { reports, now, days });
  const notes: string[] = [];
  let graph: CodeGraph | undefined;
  let history: Sources["history"];
  if (code !== false) {
    const [{ readGraph }, { openFileHistory, refreshFileHistory }] = await Promise.all([
      import("./graph/code_graph.ts"),
      import("./signals/file_history.ts"),
    ]);
    graph = code === true ? await readGraph(workspace, signal) : code;
    if (graph.left > 0) notes.push(`${graph.left} source files were not read: there are too many`);
    const unknown = await refreshFileHistory(files, layout, signal);
    if (unknown !== undefined) notes.push(unknown);
    history = opened.use(openFileHistory(files, layout));
  }
  const kept = opened.move();
  return {
    workspace,
    graph,
    history,
    mentions,
    failures,
    notes,
    [Symbol.dispose]: () => kept.dispose(),
  };
}
