// The agents whose histories are read, by the names that rows have, and what else they are called.

import { CtxError } from "../errors.ts";
import { guessAt } from "../text.ts";

/** The agents whose histories are read, by the names that rows have. */
export const agentNames: readonly string[] = [
  "aider",
  "antigravity",
  "beads",
  "chatgpt",
  "claude-code",
  "claude-mem",
  "claude-web",
  "cline",
  "codex",
  "continue",
  "copilot",
  "crush",
  "cursor",
  "droid",
  "gemini",
  "goose",
  "grok",
  "kilo",
  "kimi",
  "kiro",
  "mem0",
  "omp",
  "openclaw",
  "opencode",
  "openhands",
  "pi",
  "qwen",
  "server-memory",
  "specstory",
  "zed",
];

/** Other names of agents, without anything between their words. */
const otherAgents: Record<string, string> = {
  claude: "claude-code",
  claudecodecli: "claude-code",
  clinecli: "cline",
  codexcli: "codex",
  copilotchat: "copilot",
  copilotcli: "copilot",
  cursoragent: "cursor",
  cursorcli: "cursor",
  geminicli: "gemini",
  openmemory: "mem0",
  githubcopilot: "copilot",
  kilocli: "kilo",
  kilocode: "kilo",
  openaicodex: "codex",
  claudedesktop: "claude-web",
  claudeai: "claude-web",
  continuedev: "continue",
  kirocli: "kiro",
  kiroide: "kiro",
  opendevin: "openhands",
  openhandscli: "openhands",
  kimicode: "kimi",
  kimicli: "kimi",
  grokcli: "grok",
  grokbuild: "grok",
  factorydroid: "droid",
  factory: "droid",
  moltbot: "openclaw",
  clawdbot: "openclaw",
  ohmypi: "omp",
  piagent: "pi",
  picodingagent: "pi",
  agy: "antigravity",
  qwencli: "qwen",
  qwencode: "qwen",
  roocode: "cline",
};

/** The agent that a name stands for, however it is spelt (`Claude Code`, `claude_code`, `claude`). */
export function toAgentName(said: string): string {
  const plain = said.toLowerCase().replace(/[^a-z\d]/g, "");
  if (Object.hasOwn(otherAgents, plain)) return otherAgents[plain];
  return agentNames.find((name) => name.replace("-", "") === plain) ?? said;
}

/** The same; throws when it is neither an agent that we read nor one of those that are there. */
export function getAgent(said: string, there: Iterable<string>): string {
  const known = [...there].sort();
  const name = toAgentName(said);
  if (known.includes(name) || agentNames.includes(name)) return name;
  const guess = guessAt(said.toLowerCase(), [...known, ...agentNames]);
  throw new CtxError(
    "USAGE",
    `Cannot find agent "${said.slice(0, 80)}": no such agent${guess}`,
    {
      hint: `agents here: ${
        known.filter((one) => /^[\w.:-]{1,40}$/.test(one)).join(", ") || "none"
      }`,
    },
  );
}
