// The file that a web account gives out: `conversations.json`, a list of all conversations. It has no
// place of its own and no projects; it is read whole, once for all of its conversations.

import { findJson, type Json, toObjects } from "../loose_json.ts";
import type { ListOptions, Sink, Source, SourceSession } from "../source.ts";
import { findSmallText, walk } from "../walk.ts";

/** Larger files do not fit into one text. */
const maxExportBytes = 400 << 20;

/** How one account's exports differ from another's. */
export interface ExportShape {
  name: string;
  title: string;
  /** What a list tells of a conversation; undefined when it is not of this account. */
  describe(conversation: Json): Omit<SourceSession, "path"> | undefined;
  emit(session: SourceSession, conversation: Json, sink: Sink): Promise<void>;
}

/** Makes the source of an account's exports. */
export function makeExportSource(shape: ExportShape): Source {
  let last: { path: string; conversations: Map<string, Json> } | undefined;
  async function* list(root: string, { tally }: ListOptions): AsyncGenerator<SourceSession> {
    const accept = (name: string) => name.endsWith(".json");
    for (const { path, size } of walk(root, { tally, accept, maxDepth: 4, filled: true })) {
      if (size > maxExportBytes) {
        tally.problem(path, new Error(`it is larger than ${maxExportBytes >> 20} MiB`));
        continue;
      }
      const value = findJson(findSmallText(path, maxExportBytes) ?? "");
      if (value === undefined) {
        tally.bad_lines++;
        tally.problem(path, "it is no whole JSON document");
        continue;
      }
      const conversations = new Map<string, Json>();
      for (const conversation of toObjects(Array.isArray(value) ? value : [value])) {
        const session = shape.describe(conversation);
        if (session === undefined) tally.skip("other_json");
        else conversations.set(session.id, conversation);
      }
      last = { path, conversations };
      for (const conversation of conversations.values()) {
        const session = shape.describe(conversation);
        if (session) yield { ...session, path };
      }
    }
  }
  return {
    name: shape.name,
    title: shape.title,
    idScope: "conversation",
    locate: () => [],
    list,
    async read(session, sink) {
      sink.tally.files++;
      if (last?.path !== session.path || !last.conversations.has(session.id)) {
        const value = findJson(findSmallText(session.path, maxExportBytes) ?? "");
        const rows = toObjects(Array.isArray(value) ? value : [value]);
        const conversations = new Map(rows.map((row) => [shape.describe(row)?.id ?? "", row]));
        last = { path: session.path, conversations };
      }
      const conversation = last.conversations.get(session.id);
      if (conversation === undefined) sink.tally.bad_lines++;
      else await shape.emit(session, conversation, sink);
      return { signature: session.signature };
    },
  };
}
