// After a command that wrote: lets the index follow the logs, when enough has come together. The
// index is loaded only then, so that a single save stays as quick as without one.

import { findIndexLag } from "../store/index_lag.ts";
import { sealBytes } from "../store/index_version.ts";
import type { Context } from "./command.ts";

/** A remote embedder is not asked on the way, and rows without vectors are searched by words only. */
const remoteSealBytes = 32_768;
/** Up to this, a few rows of the local embedder's table are read instead of all. */
const fewBytes = 32_768;
/** What one command may index on the way; a store that was never indexed gets there step by step. */
const maxRows = 512;
const maxMergeRows = 4096;
/** What a search indexed in memory, it may seal. */
const maxSearchedRows = 2048;

/** What hooks left for later, in a process that is ended when it takes too long. */
const followCommand = "follow";

/** Commands that write much at once, and may take the time to index all of it. */
const bulk: ReadonlySet<string> = new Set([
  "import",
  "restore",
  "compact",
  "purge",
  "gc",
  "sync",
  followCommand,
]);

/** Commands by which a workspace comes onto the user's list of projects. */
const registering: ReadonlySet<string> = new Set(["init", "import", "setup"]);

/**
 * Seals a tail that a search had to index in memory, which every later one would do again. Nobody asked
 * for it: others are not waited for, and a store that cannot be written stays as it is.
 */
export async function sealAfterSearch(context: Context): Promise<void> {
  if (context.scopedSession !== undefined) return;
  await followWrite({ ...context, warn() {} }, "search");
}

/** Seals the tail if it is long enough. Never fails a command whose work is done. */
export async function followWrite(context: Context, command: string): Promise<void> {
  // Looking must not mend: doctor tells of an index that is behind, and --fix builds it.
  if (command === "doctor") return;
  const store = await context.openStore().catch(() => undefined);
  if (store !== undefined && context.surface === "cli" && registering.has(command)) {
    const { keepProject } = await import("./project_list.ts");
    await keepProject(context, store.layout.workspace);
  }
  const lag = store === undefined ? 0 : findIndexLag(store);
  if (store === undefined || lag < sealBytes) return;
  try {
    const isRemote = (await context.readConfig()).get("embedder.kind") === "http";
    if (isRemote && lag < remoteSealBytes) return;
    const { catchUp } = await import("../index/catch_up.ts");
    const { openEmbedder } = await import("./open_embedder.ts");
    const embedder = await openEmbedder(context, { remote: false, few: lag < fewBytes });
    const isSearch = command === "search";
    // Others that write are not waited for: one of them seals these rows too.
    const few = { maxRows: isSearch ? maxSearchedRows : maxRows, maxMergeRows, lockTimeoutMs: 0 };
    const bounds = bulk.has(command) ? {} : few;
    await catchUp(store, {
      sealBytes,
      ...bounds,
      publishes: command === followCommand,
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
