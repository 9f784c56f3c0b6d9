// Kimi Code: `~/.kimi-code/sessions/<place>/<session>/agents/<agent>/wire.jsonl`, and before it Kimi CLI:
// `~/.kimi/sessions/<hash of the place>/<session>/wire.jsonl`.

import { createHash } from "node:crypto";
import { KimiConversation } from "./kimi_conversation.ts";
import { toObjects, toText, toTime } from "../loose_json.ts";
import { readHead } from "../read_head.ts";
import { readConversation } from "../read_jsonl.ts";
import type { ListOptions, Place, Source, SourceSession } from "../source.ts";
import { existing, findObject, sessionFacts, walk } from "../walk.ts";

/** Kimi Code's sessions. */
export const kimi: Source = {
  name: "kimi",
  title: "Kimi Code",
  idScope: "conversation",
  locate: locateKimi,
  list: listKimi,
  read: (session, sink, options) =>
    readConversation(session.path, sink, {
      ...options,
      open: (state) => new KimiConversation(session, sink, state),
    }),
};

function locateKimi({ env, home }: Place): string[] {
  return existing([
    `${env("KIMI_CODE_HOME") || `${home}/.kimi-code`}/sessions`,
    `${env("KIMI_SHARE_DIR") || `${home}/.kimi`}/sessions`,
  ]);
}

async function* listKimi(
  root: string,
  { tally, place }: ListOptions,
): AsyncGenerator<SourceSession> {
  const places = placesOf(root, place.workspace);
  const accept = (name: string) => name === "wire.jsonl";
  for (const file of walk(root, { tally, accept, maxDepth: 5, filled: true })) {
    const head = readHead(file.path, tally);
    if (head === undefined) continue;
    const [, above, id, agent] =
      /([^/]+)\/([^/]+?)(?:\/agents\/([^/]+))?\/wire\.jsonl$/.exec(file.path) ?? [];
    const directory = file.path.replace(/(?:\/agents\/[^/]+)?\/wire\.jsonl$/, "");
    const state = findObject(`${directory}/state.json`) ?? {};
    const facts = sessionFacts(file);
    const isChild = agent !== undefined && agent !== "main";
    yield {
      id: isChild ? `${id}:${agent}` : id ?? file.path,
      ...facts,
      cwd: head.find("cwd") ?? toText(state.workDir) ?? toText(state.cwd) ??
        places.get(above ?? ""),
      title: isChild ? undefined : toText(state.custom_title) ?? toText(state.title),
      started: startIn(head.text) ?? facts.updated,
      parent: isChild ? id : undefined,
    };
  }
}

/** Kimi CLI names directories after a hash of the place, and lists the places. */
function placesOf(root: string, workspace: string): Map<string, string> {
  const listed = toObjects(findObject(`${root}/../kimi.json`)?.work_dirs)
    .map((row) => toText(row.path)).filter((path) => path !== undefined);
  return new Map(
    [...listed, workspace].map((path) => [createHash("md5").update(path).digest("hex"), path]),
  );
}

function startIn(text: string): string | undefined {
  const found = /"(?:timestamp|time|created_at)"\s*:\s*([\d.]{10,20})/.exec(text)?.[1];
  return toTime(Number(found));
}
