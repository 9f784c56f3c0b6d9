// Factory's Droid: `~/.factory/sessions/<slug>/<session>.jsonl`, older ones right in `sessions`; the
// model is in a `.settings.json` beside it.

import { DroidConversation } from "./droid_conversation.ts";
import { toText, toTime } from "../loose_json.ts";
import { readHead } from "../read_head.ts";
import { readConversation } from "../read_jsonl.ts";
import type { ListOptions, Source, SourceSession } from "../source.ts";
import { existing, findObject, sessionFacts, walk } from "../walk.ts";

/** Droid's sessions. */
export const droid: Source = {
  name: "droid",
  title: "Factory Droid",
  idScope: "conversation",
  locate: ({ env, home }) =>
    existing([
      env("DROID_SESSIONS_DIR") || `${home}/.factory/sessions`,
      `${home}/.factory/projects`,
    ]),
  list: listDroid,
  read: (session, sink, options) =>
    readConversation(session.path, sink, {
      ...options,
      open: (state) => new DroidConversation(session, sink, state),
    }),
};

async function* listDroid(root: string, { tally }: ListOptions): AsyncGenerator<SourceSession> {
  const accept = (name: string) => name.endsWith(".jsonl");
  for (const file of walk(root, { tally, accept, maxDepth: 3, filled: true })) {
    const head = readHead(file.path, tally);
    if (head === undefined) continue;
    const facts = sessionFacts(file);
    const settings = findObject(file.path.replace(/\.jsonl$/, ".settings.json"));
    yield {
      id: file.name.slice(0, -".jsonl".length),
      ...facts,
      cwd: head.find("cwd"),
      started: toTime(head.find("timestamp")) ?? facts.updated,
      parent: head.find("callingSessionId"),
      key: toText(settings?.model),
    };
  }
}
