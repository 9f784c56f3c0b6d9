// The file that a web account gives out: `conversations.json`, a list of all conversations. It has no
// place of its own and no projects; it is read whole, once for all of its conversations.

import { findJson, type Json, toObjects } from "../loose_json.ts";
import { readValues, type RecordFormat } from "../reading.ts";
import type { ListOptions, Source, SourceSession } from "../source.ts";
import { findSmallText, walk } from "../walk.ts";

/** Larger files do not fit into one text. */
const maxExportBytes = 400 << 20;

/** How one account's exports differ from another's. */
export interface ExportShape {
  name: string;
  title: string;
  /** What a list tells of a conversation; undefined when it is not of this account. */
  describe(conversation: Json): Omit<SourceSession, "path"> | undefined;
  messages(conversation: Json): Json[];
  format: RecordFormat;
}

export function makeExportSource(shape: ExportShape): Source {
  let last: { path: string; conversations: Map<string, Json> } | undefined;
  const open = (path: string, onOther?: () => void): Map<string, Json> | undefined => {
    const value = findJson(findSmallText(path, maxExportBytes) ?? "");
    if (value === undefined) return undefined;
    const conversations = new Map<string, Json>();
    for (const conversation of toObjects(Array.isArray(value) ? value : [value])) {
      const session = shape.describe(conversation);
      if (session === undefined) onOther?.();
      else conversations.set(session.id, conversation);
    }
    last = { path, conversations };
    return conversations;
  };
  async function* list(root: string, { tally }: ListOptions): AsyncGenerator<SourceSession> {
    const accept = (name: string) => name.endsWith(".json");
    for (const { path, size } of walk(root, { tally, accept, maxDepth: 4, filled: true })) {
      if (size > maxExportBytes) {
        tally.problem(path, new Error(`it is larger than ${maxExportBytes >> 20} MiB`));
        continue;
      }
      const conversations = open(path, () => tally.skip("other_json"));
      if (conversations === undefined) {
        tally.bad_lines++;
        tally.problem(path, "not a valid JSON document");
        continue;
      }
      for (const conversation of conversations.values()) {
        const session = shape.describe(conversation);
        if (session) yield { ...session, path };
      }
    }
  }
  return {
    name: shape.name,
    title: shape.title,
    locate: () => [],
    list,
    async read(session, sink) {
      sink.tally.files++;
      const known = last?.path === session.path ? last.conversations.get(session.id) : undefined;
      const conversation = known ?? open(session.path)?.get(session.id);
      if (conversation === undefined) sink.tally.bad_lines++;
      const messages = conversation === undefined ? [] : shape.messages(conversation);
      await readValues(shape.format, session, sink, messages);
    },
  };
}
