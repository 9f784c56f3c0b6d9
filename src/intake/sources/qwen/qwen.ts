// Qwen Code: `projects/<slug>/chats/<session>.jsonl`, a record per line. What it wrote in 2025, when it
// kept chats as Gemini CLI does, is not read.

import { QwenConversation } from "./qwen_conversation.ts";
import { toTime } from "../loose_json.ts";
import { readHead } from "../read_head.ts";
import { readConversation } from "../read_jsonl.ts";
import type { ListOptions, Place, Source, SourceSession } from "../source.ts";
import { existing, sessionFacts, walk } from "../walk.ts";

/** Qwen Code's chats. */
export const qwen: Source = {
  name: "qwen",
  title: "Qwen Code",
  idScope: "agent",
  locate: locateQwen,
  list: listQwen,
  read: (session, sink, options) =>
    readConversation(session.path, sink, {
      ...options,
      open: (state) => new QwenConversation(session, sink, state),
    }),
};

function locateQwen({ env, home }: Place): string[] {
  const root = env("QWEN_RUNTIME_DIR")?.trim() || env("QWEN_HOME")?.trim() || `${home}/.qwen`;
  return existing([`${root}/projects`]);
}

async function* listQwen(root: string, { tally }: ListOptions): AsyncGenerator<SourceSession> {
  // Sub-agents have files of their own beside the chats; `runs` and the like are bookkeeping.
  const accept = (name: string, path: string) =>
    name.endsWith(".jsonl") && (path === root || /\/(?:chats|subagents)\//.test(path));
  for (const file of walk(root, { tally, accept, filled: true })) {
    const head = readHead(file.path, tally);
    if (head === undefined) continue;
    const facts = sessionFacts(file);
    const id = file.name.slice(0, -".jsonl".length);
    const named = head.find("sessionId");
    yield {
      id,
      ...facts,
      cwd: head.find("cwd"),
      branch: head.find("gitBranch"),
      started: toTime(head.find("timestamp")) ?? facts.updated,
      parent: head.find("parentSessionId") ??
        (file.path.includes("/subagents/") && named !== id ? named : undefined),
    };
  }
}
