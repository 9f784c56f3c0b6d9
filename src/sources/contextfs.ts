// Another workspace's store: its history becomes part of this one. Ids stay, so that references
// between rows still hold.

import { listRowFile, readRows } from "./row_files.ts";
import { parseJson, toObject, toText } from "./json.ts";
import type { ListOptions, Source, SourceSession } from "./source.ts";
import { existing, findFileInfo, findSmallText } from "./walk.ts";

const logs = ["history.archive.ndjson", "history.ndjson"];

/** Stores of ctx itself; found only where `--root` points. */
export const contextfs: Source = {
  name: "contextfs",
  title: "another ctx store",
  idScope: "conversation",
  locate: () => [],
  list: listContextfs,
  read: async (session, sink, options) => {
    if (session.title) sink.describe({ title: session.title, title_from: "custom" });
    return await readRows(session, sink, options);
  },
};

async function* listContextfs(root: string, options: ListOptions): AsyncGenerator<SourceSession> {
  const store = findFileInfo(`${root}/.contextfs`)?.isDirectory ? `${root}/.contextfs` : root;
  const cwd = store.endsWith("/.contextfs") ? store.slice(0, -"/.contextfs".length) : undefined;
  if (cwd === options.place.workspace) {
    options.tally.skip("own_store");
    return;
  }
  const titles = readTitles(store);
  for (const path of existing(logs.map((log) => `${store}/${log}`))) {
    try {
      for (const session of listRowFile(path, options.tally)) {
        yield {
          ...session,
          cwd: session.cwd ?? cwd,
          title: titles.get(session.id),
        };
      }
    } catch (error) {
      options.tally.problem(path, error);
    }
  }
}

function readTitles(store: string): Map<string, string> {
  const titles = new Map<string, string>();
  for (const line of (findSmallText(`${store}/sessions.ndjson`, 64 << 20) ?? "").split("\n")) {
    const event = toObject(parseJson(line));
    const [id, title] = [toText(event?.session_id), toText(event?.title)];
    if (id && title) titles.set(id, title);
  }
  return titles;
}
