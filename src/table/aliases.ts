// Other names for what we have: inputs as other tools call them. They are put in ours before anything
// is checked, on every surface; lists, help and completions do not show them. Loaded only when a name
// is not one of ours.

import { CtxError } from "../core/errors.ts";
import { isObject } from "../core/json.ts";
import { findNearest } from "../core/text.ts";
import type { TakesInput } from "./parse_input.ts";

/** By command (`*` is every one): a name, and what it may stand for; the first that is taken counts. */
const inputNames: Record<string, Record<string, readonly string[]>> = {
  "*": {
    count: ["k", "limit"],
    from: ["since"],
    k: ["limit"],
    l: ["k", "limit"],
    limit: ["k"],
    max: ["k", "limit"],
    max_results: ["k", "limit"],
    n: ["k", "limit"],
    num: ["k", "limit"],
    since: ["from", "after"],
    to: ["until"],
    top: ["k", "limit"],
    top_k: ["k", "limit"],
    until: ["to", "before"],
    after: ["since"],
    before: ["until"],
    agent: ["source", "sources"],
    agents: ["sources", "source"],
    source: ["sources"],
    sources: ["source"],
    collection: ["collections"],
    collections: ["collection"],
    tag: ["tags"],
    tags: ["tag"],
    kind: ["type"],
    session_id: ["session"],
    q: ["query"],
    text: ["query"],
  },
};

/** The input that a name stands for; undefined when the command has none of that name. */
export function findInput({ name, input }: TakesInput, said: string): string | undefined {
  const field = toFieldName(said);
  if (Object.hasOwn(input, field)) return field;
  for (const list of [name, "*"]) {
    const names = Object.hasOwn(inputNames, list) ? inputNames[list] : {};
    const meant = Object.hasOwn(names, field)
      ? names[field].find((one) => Object.hasOwn(input, one))
      : undefined;
    if (meant !== undefined) return meant;
  }
}

/** An input under our names; what is given twice, or that nobody knows, stays for the check to refuse. */
export function toOwnNames(command: TakesInput, given: unknown): unknown {
  if (!isObject(given)) return given;
  const own: [string, unknown][] = [];
  const taken = new Set(Object.keys(given));
  for (const [said, value] of Object.entries(given)) {
    const field = Object.hasOwn(command.input, said) ? said : findInput(command, said);
    const isFree = field === said || (field !== undefined && !taken.has(field));
    if (isFree) taken.add(field);
    own.push([isFree ? field : said, value]);
  }
  return Object.fromEntries(own);
}

/** `maxTokens` and `max-tokens` are `max_tokens`. */
function toFieldName(said: string): string {
  return said.replace(/([a-z\d])([A-Z])/g, "$1_$2").replaceAll("-", "_").toLowerCase();
}

/** The agents whose histories are read, by the names that rows have. */
export const agentNames: readonly string[] = [
  "aider",
  "claude-code",
  "cline",
  "codex",
  "copilot",
  "cursor",
  "gemini",
  "opencode",
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
  githubcopilot: "copilot",
  openaicodex: "codex",
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
  const near = findNearest(said.toLowerCase(), [...known, ...agentNames]);
  const guess = near === undefined ? "" : ` (did you mean "${near}"?)`;
  throw new CtxError(
    "USAGE",
    `Cannot look for agent "${said.slice(0, 80)}": there is none${guess}`,
    {
      hint: `agents here: ${
        known.filter((one) => /^[\w.:-]{1,40}$/.test(one)).join(", ") || "none"
      }`,
    },
  );
}
