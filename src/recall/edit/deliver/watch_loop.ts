// The watcher's loop: when to look at the workspace again. A round walks all of it, so what happens in
// ignored files (packages, build output) starts none.

import type { Layout } from "../../../disk/layout.ts";
import { type IgnoreRules, loadIgnoreRules } from "../graph/walk_workspace.ts";
import type { WatchRound } from "./watcher.ts";

const debounceMs = 200;
const maxWaitMs = 2000;
const restMs = 5000;
const tickMs = 100;

export interface WatchLoopOptions {
  layout: Pick<Layout, "workspace" | "root">;
  /** What happens in the workspace; ends when the loop is told to stop. */
  events: AsyncIterable<Pick<Deno.FsEvent, "kind" | "paths">>;
  round: () => Promise<Pick<WatchRound, "due_ms">>;
  /** Called after the first round. */
  ready: () => void;
  /** Waits; over at once when it is told to stop. */
  pause: (ms: number) => Promise<void>;
  signal: AbortSignal;
  /** A clock for durations other than the machine's own. */
  ticks?: () => number;
}

/** Runs rounds when files settle, when something that cooled down is due, and now and then. */
export async function runWatchLoop(options: WatchLoopOptions): Promise<void> {
  const { layout: { workspace }, events, pause, signal } = options;
  const ticks = options.ticks ?? (() => performance.now());
  let rules = await loadIgnoreRules(workspace);
  let lastEvent = 0;
  /** The first change since the last round; undefined when there is none. */
  let firstEvent: number | undefined;
  const reading = (async () => {
    for await (const { kind, paths } of events) {
      if (kind === "access") continue;
      if (paths.every((path) => isIgnored(path, options.layout, rules))) continue;
      lastEvent = ticks();
      firstEvent ??= lastEvent;
    }
  })();
  const round = async (): Promise<number> => {
    // A change of the rules is a change like any other, so it leads here.
    rules = await loadIgnoreRules(workspace);
    const { due_ms = restMs } = await options.round();
    return ticks() + due_ms;
  };
  await round();
  options.ready();
  let due = ticks();
  while (!signal.aborted) {
    await pause(tickMs);
    const now = ticks();
    const isSettled = firstEvent !== undefined &&
      (now - lastEvent >= debounceMs || now - firstEvent >= maxWaitMs);
    if (!isSettled && now < due) continue;
    firstEvent = undefined;
    due = await round();
  }
  await reading;
}

/** Whether a path is the store's or git's own, or ignored. */
function isIgnored(
  path: string,
  { workspace, root }: WatchLoopOptions["layout"],
  rules: IgnoreRules,
): boolean {
  if (path.startsWith(`${root}/`) || path.startsWith(`${workspace}/.git/`)) return true;
  return path.startsWith(`${workspace}/`) && rules.ignores(path.slice(workspace.length + 1), false);
}
