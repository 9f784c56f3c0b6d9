// After a command that wrote: lets the index follow the logs, when enough has come together. The
// index is loaded only then, so that a single save stays as quick as without one.

import { isIndexBehind } from "../store/index_lag.ts";
import type { Context } from "./command.ts";

/** Below this the unindexed tail is searched in memory. */
const sealBytes = 32_768;
/** What one command may index on the way; a store that was never indexed gets there step by step. */
const maxRows = 512;
const maxMergeRows = 4096;

/** Commands that write much at once, and may take the time to index all of it. */
const bulk: ReadonlySet<string> = new Set(["import", "restore", "compact", "purge", "gc", "sync"]);

/** Commands by which a workspace comes onto the user's list of projects. */
const registering: ReadonlySet<string> = new Set(["init", "import", "setup"]);

/** Seals the tail if it is long enough. Never fails a command whose work is done. */
export async function followWrite(context: Context, command: string): Promise<void> {
  // Looking must not mend: doctor tells of an index that is behind, and --fix builds it.
  if (command === "doctor") return;
  const store = await context.openStore().catch(() => undefined);
  if (store !== undefined && context.surface === "cli" && registering.has(command)) {
    const { keepProject } = await import("./project_list.ts");
    await keepProject(context, store.layout.workspace);
  }
  if (store === undefined || !isIndexBehind(store, sealBytes)) return;
  try {
    const { catchUp } = await import("../index/catch_up.ts");
    const { openEmbedder } = await import("./open_embedder.ts");
    const embedder = await openEmbedder(context, { remote: false });
    const bounds = bulk.has(command) ? {} : { maxRows, maxMergeRows };
    await catchUp(store, {
      sealBytes,
      ...bounds,
      embedder,
      warn: context.warn,
      signal: context.signal,
    });
    const { refreshLines } = await import("../index/lines/line_table.ts");
    await refreshLines(store, { full: bulk.has(command), signal: context.signal });
  } catch (error) {
    const reason = context.signal.aborted
      ? "it was interrupted"
      : error instanceof Error
      ? error.message
      : String(error);
    context.warn(`the index was not updated (${reason}); search still works`);
  }
}
