// Claude Code: `<root>/projects/<slug>/<session>.jsonl`, sub-agents in files of their own. The
// format is internal to its vendor and drifts: unknown line types are counted and passed over.

import { ClaudeConversation } from "./claude_conversation.ts";
import { listTyped, readTyped } from "./claude_history.ts";
import { toText, toTime } from "../loose_json.ts";
import { readConversation } from "../read_jsonl.ts";
import { readHead } from "../read_head.ts";
import type { Source } from "../source.ts";
import { sessionOf } from "../source_kinds.ts";
import { existing, findObject, walk } from "../walk.ts";

/** Claude Code's transcripts. */
export const claudeCode: Source = {
  name: "claude-code",
  title: "Claude Code",
  idScope: "agent",
  locate({ env, home }) {
    const chosen = env("CLAUDE_CONFIG_DIR");
    const roots = chosen ? chosen.split(",") : [`${home}/.config/claude`, `${home}/.claude`];
    return existing(roots.map((root) => `${root.trim()}/projects`));
  },
  async *list(root, options) {
    const { tally } = options;
    const wanted = {
      tally,
      accept: (name: string) => name.endsWith(".jsonl") && name !== "journal.jsonl",
      enter: (name: string) => name !== "tool-results" && name !== "memory",
      filled: true,
    };
    // One transcript alone, such as a hook names, comes with the sub-agents in the directory beside it.
    const beside = root.endsWith(".jsonl") ? walk(root.slice(0, -".jsonl".length), wanted) : [];
    for (const file of [...walk(root, wanted), ...beside]) {
      const head = readHead(file.path, tally);
      if (head === undefined) continue;
      const id = file.name.slice(0, -".jsonl".length);
      const meta = findObject(file.path.replace(/\.jsonl$/, ".meta.json"));
      yield sessionOf(file, {
        cwd: head.find("cwd"),
        branch: head.find("gitBranch"),
        started: toTime(head.find("timestamp")),
        title: toText(meta?.description),
        parent: parentOf(file.path, id, head.find("sessionId")),
      });
    }
    yield* listTyped(root, options);
  },
  read: (session, sink, options) =>
    session.isRemnant ? readTyped(session, sink) : readConversation(session.path, sink, {
      ...options,
      open: (state) => new ClaudeConversation(session, sink, state),
    }),
};

/** A sub-agent's parent: the directory it lies in, or in the flat layout the session its lines name. */
function parentOf(path: string, id: string, sessionId: string | undefined): string | undefined {
  const nested = /\/([^/]+)\/subagents\//.exec(path);
  if (nested) return nested[1];
  return id.startsWith("agent-") && sessionId !== id ? sessionId : undefined;
}
