// The file of the retrieval agent in a client's own form. The last line has a fingerprint of the rest,
// so that a file which nobody touched is renewed and removed, and one that the user changed is not.

import { hashHex } from "../core/hash.ts";
import { toShellWord } from "../core/text.ts";
import type { PlannedEdit, SetupWish } from "./client_edits.ts";
import { retrievalDescription, retrievalName, retrievalWorkflow } from "./retrieval_agent.ts";

/** The clients that have agents in files, and where. */
const places: Record<string, { user: string; project: string; head?: string[]; isToml?: true }> = {
  "claude-code": { user: ".claude/agents", project: ".claude/agents" },
  "opencode": {
    user: ".config/opencode/agent",
    project: ".opencode/agent",
    head: ["mode: subagent"],
  },
  "gemini": { user: ".gemini/agents", project: ".gemini/agents", head: ["kind: local"] },
  "qwen": { user: ".qwen/agents", project: ".qwen/agents" },
  "cursor": { user: ".cursor/agents", project: ".cursor/agents" },
  "codex": { user: ".codex/agents", project: ".codex/agents", isToml: true },
};

/** Plans the file of a client; none for clients without agents. */
export function agentFiles(client: string, wish: SetupWish): PlannedEdit[] {
  const place = places[client];
  if (place === undefined) return [];
  const base = wish.scope === "user"
    ? `${wish.home}/${place.user}`
    : `${wish.workspace}/${place.project}`;
  const path = `${base}/${retrievalName}.${place.isToml ? "toml" : "md"}`;
  const ctx = wish.program.map(toShellWord).join(" ");
  const ours = withMark(
    place.isToml ? toToml(ctx) : toMarkdown(ctx, place.head ?? []),
    place.isToml,
  );
  return [{
    path,
    edit(text, say) {
      if (wish.remove) {
        if (text === undefined || isUnchanged(text)) return undefined;
        if (text.trim() !== "") say(`${path} was kept: it has changed since ctx setup wrote it`);
        return text;
      }
      if (wish.noRetrieval) return text;
      if (text === undefined || text.trim() === "" || isUnchanged(text)) return ours;
      if (wish.overwrites) return ours;
      say(`${path} was kept with your changes; delete it to have setup write it again`);
      return text;
    },
    isOurs: isUnchanged,
    asks: (text) =>
      wish.remove || wish.noRetrieval || text.trim() === "" || isUnchanged(text)
        ? undefined
        : `You changed ${path}. Overwrite it? Your version is kept as .ctx-backup.`,
  }];
}

function toMarkdown(ctx: string, head: readonly string[]): string {
  return [
    "---",
    `name: ${retrievalName}`,
    `description: ${JSON.stringify(retrievalDescription)}`,
    ...head,
    "---",
    "",
    retrievalWorkflow(ctx),
  ].join("\n");
}

/** A literal string takes everything as it is but its own three quotes, which no path has. */
function toToml(ctx: string): string {
  return `name = "${retrievalName}"
description = ${JSON.stringify(retrievalDescription)}
developer_instructions = '''
${retrievalWorkflow(ctx)}'''
`;
}

function withMark(text: string, isToml = false): string {
  const mark = `ctx setup wrote this: ${hashHex(text)}`;
  return `${text}${isToml ? `# ${mark}` : `\n<!-- ${mark} -->`}\n`;
}

/** Whether a text is one that setup wrote, now or in an earlier version, and nobody touched since. */
function isUnchanged(text: string): boolean {
  const found = /\n?(?:# |<!-- )ctx setup wrote this: ([0-9a-f]{16})(?: -->)?\n$/.exec(text);
  if (found === null) return false;
  const isToml = found[0].includes("# ctx");
  const body = text.slice(0, found.index + (isToml && found[0].startsWith("\n") ? 1 : 0));
  return hashHex(body) === found[1];
}
