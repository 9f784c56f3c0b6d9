// Grok Build: `~/.grok/sessions/<cwd>/<session>/updates.jsonl`, every update that its screen got, with the
// session's facts in `summary.json`. The model's own history beside it has no times and is not read.

import { foldGrok } from "./grok_updates.ts";
import { type Json, toObject, toText, toTime } from "../loose_json.ts";
import { JsonlReader } from "../read_jsonl.ts";
import type { ListOptions, Source, SourceSession } from "../source.ts";
import { existing, findObject, sessionFacts, walk } from "../walk.ts";

/** Grok Build's sessions. */
export const grok: Source = {
  name: "grok",
  title: "Grok Build",
  idScope: "conversation",
  locate: ({ env, home }) => existing([`${env("GROK_HOME") || `${home}/.grok`}/sessions`]),
  list: listGrok,
  async read(session, sink, { now }) {
    if (session.title) sink.describe({ title: session.title, title_from: "ai" });
    // Texts come in pieces and calls are completed later: a session is read as a whole.
    using reader = new JsonlReader(session.path, { tally: sink.tally, now });
    for (const row of foldGrok(session, reader.records(), sink.tally)) await sink.entry(row);
    return { signature: session.signature };
  },
};

async function* listGrok(root: string, { tally }: ListOptions): AsyncGenerator<SourceSession> {
  const accept = (name: string) => name === "updates.jsonl";
  for (const file of walk(root, { tally, accept, maxDepth: 4, filled: true })) {
    const directory = file.path.slice(0, -"/updates.jsonl".length);
    const summary: Json = findObject(`${directory}/summary.json`) ?? {};
    const facts = sessionFacts(file);
    const info = toObject(summary.info);
    yield {
      id: directory.slice(directory.lastIndexOf("/") + 1),
      ...facts,
      cwd: toText(info?.cwd) ?? toText(summary.cwd) ?? placeOf(directory),
      branch: toText(summary.head_branch),
      title: toText(summary.generated_title) ?? toText(summary.session_summary),
      started: toTime(summary.created_at) ?? facts.updated,
      parent: toText(summary.parent_session_id),
      key: toText(summary.current_model_id),
    };
  }
}

/** The directory above is named after the place, in percents. */
function placeOf(directory: string): string | undefined {
  const name = directory.split("/").at(-2) ?? "";
  try {
    const path = decodeURIComponent(name);
    return path.startsWith("/") ? path : undefined;
  } catch {
    return undefined;
  }
}
