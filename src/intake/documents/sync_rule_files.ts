// Makes the files that agents load by themselves searchable, as a collection that ctx keeps: it is brought
// up to date when one of them changed, by its time. For work that nobody waits for.

import type { Context } from "../../command/command.ts";
import { mayVersion } from "../../disk/git_files.ts";
import { findInfo } from "../../disk/outside_files.ts";
import { readCollections, wasRemoved } from "../../store/logs/collections.ts";
import type { Store } from "../../store/store.ts";
import type { SyncResult } from "./sync.ts";
import { toDocumentName } from "./source_path.ts";
import { findAgentFiles } from "../agent_files/find_agent_files.ts";

/** The name of the collection. */
export const ruleFilesName = "rule-files";

/** Reads what changed; undefined where nothing did, or the user removed the collection. */
export async function syncRuleFiles(
  store: Store,
  context: Pick<Context, "env" | "now" | "signal" | "progress">,
  { isForced = false } = {},
): Promise<SyncResult | undefined> {
  const { files, layout } = store;
  const { workspace } = layout;
  if (wasRemoved(files, layout, ruleFilesName)) return undefined;
  // Others read a store that git versions: the user's own files stay out of it.
  const home = mayVersion(files, layout) ? undefined : context.env("HOME");
  const paths = findAgentFiles({ workspace, ...(home ? { home } : {}) }).map(({ path }) => path);
  const sources = paths.map((path) => toDocumentName(path, workspace)).sort();
  const known = readCollections(files, layout).get(ruleFilesName);
  const isSame = known === undefined
    ? sources.length === 0
    : sources.join("\n") === known.sources.toSorted().join("\n");
  const since = Date.parse(known?.synced ?? "");
  const isOld = (path: string): boolean => (findInfo(path)?.mtime?.getTime() ?? 0) < since;
  if (isSame && !isForced && paths.every(isOld)) return undefined;
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
  // Without the time of the last one: a new one is noted, also if no text changed.
  const collection = { name: ruleFilesName, sources, added: ts };
  const { now, signal, progress } = context;
  return await syncCollection(store, collection, { now, signal, progress, anywhere: true });
}
