// After a command that wrote: lets the index follow the logs, when enough has come together. The
// index is loaded only then, so that a single save stays as quick as without one.

import { findIndexLag } from "../store/index_lag.ts";
import { sealBytes } from "../store/index_version.ts";
import type { Context } from "./command.ts";

/** A remote embedder is not asked on the way, and rows without vectors are searched by words only. */
const remoteSealBytes = 32_768;
/** Up to this, a few rows of the local embedder's table are read instead of all. */
const fewBytes = 32_768;
const fewRows = 64;
/** A shorter tail is searched as it is, with vectors, until another process seals it. */
const leftBytes = 512 << 10;
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
  "compact",
  "purge",
  "gc",
  "sync",
  followCommand,
]);

/** Those of them that add entries. */
const adding: ReadonlySet<string> = new Set(["import", "sync", followCommand]);

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

/**
 * Seals the tail if it is long enough, and after commands that add much makes vectors that are missing.
 * Where another process will do that (`isLeft`), only words are indexed, and only of a tail that is too
 * long to be searched without. Never fails a command whose work is done.
 */
export async function followWrite(
  context: Context,
  command: string,
  { isLeft = false }: { isLeft?: boolean } = {},
): Promise<void> {
  // Looking must not mend: doctor tells of an index that is behind, and --fix builds it.
  if (command === "doctor") return;
  const store = await context.openStore().catch(() => undefined);
  if (store !== undefined && context.surface === "cli" && registering.has(command)) {
    const { keepProject } = await import("./project_list.ts");
    await keepProject(context, store.layout.workspace);
  }
  // Searches read titles from the catalog, and do not bring it up to the logs.
  if (!isLeft && store !== undefined && adding.has(command) && !context.signal.aborted) {
    (await import("../store/session_catalog.ts")).keepSessionCatalog(store);
  }
  const lag = store === undefined ? 0 : findIndexLag(store);
  // Nobody waits for a process of its own: it leaves no tail, which each later search would index.
  const least = command === followCommand ? 1 : sealBytes;
  if (store === undefined || lag < least && !adding.has(command)) return;
  if (isLeft && lag < leftBytes) return;
  try {
    const kind = (await context.readConfig()).get("embedder.kind");
    if (kind === "http" && lag < remoteSealBytes) return;
    const completes = !isLeft && kind === "local" && adding.has(command);
    const vectors = completes ? await import("../index/complete_vectors.ts") : undefined;
    const unembedded = vectors?.countUnembedded(store) ?? 0;
    if (lag < least && unembedded === 0) return;
    const { catchUp } = await import("../index/catch_up.ts");
    const { openEmbedder } = await import("./open_embedder.ts");
    const isLittle = lag < fewBytes && unembedded < fewRows;
    const embedder = isLeft
      ? undefined
      : await openEmbedder(context, { remote: false, few: isLittle });
    const isSearch = command === "search";
    // Others that write are not waited for: one of them seals these rows too.
    const few = { maxRows: isSearch ? maxSearchedRows : maxRows, maxMergeRows, lockTimeoutMs: 0 };
    const bounds = bulk.has(command) ? {} : few;
    const { warn, signal } = context;
    const options = { sealBytes: least, ...bounds, embedder, mergesLater: isLeft, warn, signal };
    await catchUp(store, { ...options, publishes: command === followCommand });
    const made = embedder && await vectors?.completeVectors(store, embedder, { warn, signal });
    if (made) await catchUp(store, { ...options, tidies: true });
    if (isLeft) return;
    const { refreshLines } = await import("../index/lines/line_table.ts");
    await refreshLines(store, { full: bulk.has(command), signal: context.signal });
    if (!bulk.has(command)) return;
    (await import("../index/refresh_mentions.ts")).refreshMentions(store);
  } catch (error) {
    const reason = context.signal.aborted
      ? "it was interrupted"
      : error instanceof Error
      ? error.message
      : String(error);
    context.warn(`the index was not updated (${reason}); search still works`);
  }
}
