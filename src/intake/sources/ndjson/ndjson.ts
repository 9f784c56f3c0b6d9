// The generic import format (docs/IMPORT.md): one JSON object per line with at least `text`. For
// agents ctx does not know: write a small converter, not a new source.

import { listRowFile, readRows } from "./row_files.ts";
import type { ListOptions, Source, SourceSession } from "../source.ts";
import { walk } from "../walk.ts";

/** Files in the generic format; found only where `--root` points. */
export const ndjson: Source = {
  name: "ndjson",
  title: "NDJSON files",
  idScope: "conversation",
  locate: () => [],
  list: listNdjson,
  read: readRows,
};

async function* listNdjson(root: string, { tally }: ListOptions): AsyncGenerator<SourceSession> {
  const accept = (name: string, path: string) => path === root || /\.(?:ndjson|jsonl)$/.test(name);
  const enter = (name: string) => !name.startsWith(".") && name !== "node_modules";
  for (const file of walk(root, { tally, accept, enter, filled: true })) {
    yield* await tally.attempt(file.path, () => listRowFile(file.path, tally)) ?? [];
  }
}
