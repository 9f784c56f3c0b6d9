// Claude Code: `<root>/projects/<slug>/<session>.jsonl`, sub-agents in files of their own. The
// format is internal to its vendor and drifts: unknown line types are counted and passed over.

import { toText, toTime } from "../loose_json.ts";
import { readHead } from "../read_head.ts";
import type { Source } from "../source.ts";
import { sessionOf } from "../source_kinds.ts";
import { existing, findFileInfo, findObject, walk } from "../walk.ts";

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
    const history = root.replace(/\/projects\/?$/, "/history.jsonl");
    if (history === root || findFileInfo(history) === undefined) return;
    const { listTyped } = await import("./claude_history.ts");
    yield* listTyped(history, options);
  },
  // Loaded when there is something to read: hooks list at every start, and mostly find nothing new.
  read: async (session, sink, options) => {
    const { readClaude } = await import("./read_claude.ts");
    return await readClaude(session, sink, options);
  },
};

/** A sub-agent's parent: the directory it lies in, or in the flat layout the session its lines name. */
function parentOf(path: string, id: string, sessionId: string | undefined): string | undefined {
  const nested = /\/([^/]+)\/subagents\//.exec(path);
  if (nested) return nested[1];
  return id.startsWith("agent-") && sessionId !== id ? sessionId : undefined;
}
