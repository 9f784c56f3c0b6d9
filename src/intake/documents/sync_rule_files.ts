// Makes the rule files of a workspace searchable, as a collection that ctx keeps and updates when a file's
// time or size changed. The store may be committed, so nothing gets in that git would not commit itself:
// no file of the home directory, no ignored file, no link. For background work.

import type { Context } from "../../command/command.ts";
import { homeOf } from "../../core/platform_path.ts";
import { findInfo, findRealPath } from "../../disk/outside_files.ts";
import { readCollections, wasRemoved } from "../../store/logs/collections.ts";
import type { Store } from "../../store/store.ts";
import { findAgentFiles, isRuleFile } from "../agent_files/find_agent_files.ts";
import { listFiles } from "../agent_files/list_files.ts";
import { isGlob } from "./glob_base.ts";
import type { SyncResult } from "./sync.ts";

export const ruleFilesName = "rule-files";

/** Reads what changed; undefined where nothing did, or the user removed the collection. */
export async function syncRuleFiles(
  store: Store,
  context: Pick<Context, "env" | "now" | "signal" | "progress">,
  { isForced = false } = {},
): Promise<SyncResult | undefined> {
  const { files, layout } = store;
  if (wasRemoved(files, layout, ruleFilesName)) return undefined;
  const sources = await findRuleFiles(layout.workspace, homeOf(context.env));
  const known = readCollections(files, layout).get(ruleFilesName);
  const isSame = known === undefined
    ? sources.length === 0
    : sources.join("\n") === known.sources.toSorted().join("\n");
  // Taken before the files are read: a change during the sync is found by the next one.
  const versions = sources.map((name) => versionOf(`${layout.workspace}/${name}`)).join(" ");
  const isRead = versions === (store.readState().rule_files ?? "");
  if (isSame && isRead && !isForced) return undefined;
  const ts = new Date(context.now()).toISOString();
  if (!isSame) {
    const event = { collection: ruleFilesName, ts };
    await store.write("docs add", (writer) =>
      writer.appendRows(layout.collections, [
        ...(known === undefined ? [] : [{ ...event, event: "removed" }]),
        { ...event, event: "added", sources },
      ]));
  }
  const { syncCollection } = await import("./sync.ts");
  const synced = isSame ? known?.synced : undefined;
  const collection = { name: ruleFilesName, sources, added: ts, ...(synced ? { synced } : {}) };
  const { now, signal, progress } = context;
  const result = await syncCollection(store, collection, {
    now,
    signal,
    progress,
    anywhere: false,
  });
  if (!isRead) {
    await store.write("docs sync", (writer) => {
      writer.state.rule_files = versions;
    });
  }
  return result;
}

/**
 * The rule files that may get into the store, and in git what they import, relative to the workspace:
 * what git tracks. Without git nobody has said what is private, so imports stay out.
 */
async function findRuleFiles(workspace: string, home: string | undefined): Promise<string[]> {
  const root = findRealPath(workspace) ?? workspace;
  const rules = listFiles(workspace).filter(isRuleFile);
  const allowed = new Set(await findTrackedFiles(workspace) ?? rules);
  const isReal = (name: string): boolean =>
    findRealPath(`${workspace}/${name}`) === `${root}/${name}`;
  const files = rules.filter((name) => allowed.has(name) && isReal(name));
  // A workspace may be the home directory, or hold it.
  const realHome = home && findRealPath(home);
  const isHome = (path: string): boolean =>
    realHome !== undefined && `${realHome}/`.startsWith(`${root}/`) &&
    path.startsWith(`${realHome}/`);
  return findAgentFiles({ workspace, files }).filter(({ path }) => !isHome(path))
    .map(({ path }) => path.slice(root.length + 1))
    // A name that reads as a pattern would also bring in other files.
    .filter((name) => allowed.has(name) && !isGlob(name)).sort();
}

/** What git tracks in a workspace; nothing if git's files cannot be read, undefined without git. */
async function findTrackedFiles(workspace: string): Promise<string[] | undefined> {
  const { explainNoRepository, findRepository } = await import(
    "../../code/git/git_repository.ts"
  );
  const { findTracked } = await import("../../code/git/tracked_files.ts");
  if (findRepository(workspace) !== undefined) return findTracked(workspace, "");
  return explainNoRepository(workspace) === undefined ? undefined : [];
}

/** Time and size of a file: if both are the same, it was not changed. */
function versionOf(path: string): string {
  const info = findInfo(path);
  return `${info?.mtime?.getTime() ?? 0}:${info?.size ?? 0}`;
}
