// Continue, its extension and its command line `cn`: `~/.continue/sessions/<session>.json`, rewritten
// whole, with a list of all in `sessions.json`. Messages are not dated: all have the session's time.

import { emitContinue } from "./continue_history.ts";
import { findJson, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import { readDocument } from "../read_document.ts";
import { readHead } from "../read_head.ts";
import type { ListOptions, Source, SourceSession } from "../source.ts";
import { existing, findSmallText, sessionFacts, walk } from "../walk.ts";
import { toProjectPath } from "../touched.ts";

const maxDocumentBytes = 64 << 20;

/** Continue's sessions. */
export const continueDev: Source = {
  name: "continue",
  title: "Continue",
  idScope: "conversation",
  locate: ({ env, home }) =>
    existing([`${env("CONTINUE_GLOBAL_DIR") || `${home}/.continue`}/sessions`]),
  list: listContinue,
  async read(session, sink) {
    const { tally } = sink;
    const document = readDocument(session.path, { tally, maxBytes: maxDocumentBytes });
    await emitContinue(session, toObject(document) ?? {}, sink);
    return { signature: session.signature };
  },
};

async function* listContinue(root: string, { tally }: ListOptions): AsyncGenerator<SourceSession> {
  const listed = new Map(
    toObjects(findJson(findSmallText(`${root}/sessions.json`, maxDocumentBytes) ?? ""))
      .map((row) => [toText(row.sessionId), row]),
  );
  const accept = (name: string) => name.endsWith(".json") && name !== "sessions.json";
  for (const file of walk(root, { tally, accept, maxDepth: 1, filled: true })) {
    const head = readHead(file.path, tally);
    if (head === undefined) continue;
    if (!head.text.includes('"history"')) {
      tally.skip("other_file");
      continue;
    }
    const id = file.name.slice(0, -".json".length);
    const facts = sessionFacts(file);
    const place = toText(listed.get(id)?.workspaceDirectory) ?? head.find("workspaceDirectory");
    yield {
      id,
      ...facts,
      cwd: place && toProjectPath(place),
      title: head.find("title"),
      started: toTime(listed.get(id)?.dateCreated) ?? facts.updated,
    };
  }
}
