// Other names for what we have: commands, MCP tools and inputs as the documents that ctx grew from and
// other tools call them. They are put in ours before anything is checked, on every surface; lists, help
// and completions do not show them (docs/FROM.md does). Loaded only when a name is not one of ours.
// Other names of settings are in src/config/other_keys.ts, of agents in src/core/rows/agent_names.ts.

import { isObject } from "../core/json.ts";
import type { TakesInput } from "./parse_input.ts";

/** A command of ours, and what its other name says beside it. */
export interface MeantCommand {
  name: string;
  input?: Readonly<Record<string, unknown>>;
}

/** Commands and tools by other names. Our own tools stand here too: a server lists few of them. */
export const otherCommands: Readonly<Record<string, MeantCommand>> = {
  ask_documents: { name: "ask" },
  context_pause: { name: "subscriptions pause" },
  context_poll: { name: "poll" },
  context_resume: { name: "subscriptions resume" },
  context_subscribe: { name: "subscribe" },
  context_subscriptions: { name: "subscriptions" },
  context_suggest: { name: "suggest" },
  context_suggestions: { name: "suggestions" },
  context_unsubscribe: { name: "unsubscribe" },
  docs_get: { name: "docs get" },
  docs_list: { name: "docs list" },
  docs_outline: { name: "docs outline" },
  docs_section: { name: "docs section" },
  save_memory: { name: "save" },
  suggestion_feedback: { name: "feedback" },

  dex_get: { name: "get", input: { head: 0 } },
  dex_list: { name: "sessions" },
  // Its rows are sessions.
  dex_search: { name: "search", input: { k: 10, unit: "session" } },
  dex_stats: { name: "stats" },
  "extract-rules": { name: "rules" },
  extract_rules: { name: "rules" },

  documents_get_document: { name: "docs get" },
  documents_get_outline: { name: "docs outline" },
  documents_get_section: { name: "docs section" },
  documents_list_documents: { name: "docs list" },
  documents_search: { name: "search", input: { scope: "docs" } },
};

/** What an input's other name stands for: the first of these that is taken, or what is made of it. */
type InputRule = readonly string[] | ((value: unknown) => Record<string, unknown>);

const nothing: InputRule = () => ({});

/** By command (`*` is every one), in the form that `toFieldName` gives. */
export const otherInputs: Readonly<Record<string, Readonly<Record<string, InputRule>>>> = {
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
    to: ["until"],
    top: ["k", "limit"],
    top_k: ["k", "limit"],
    after: ["since"],
    before: ["until"],
    agent: ["source", "sources"],
    agents: ["sources", "source"],
    s: ["source"],
    source: ["sources"],
    sources: ["source"],
    f: ["file"],
    m: ["model"],
    collection: ["collections"],
    collections: ["collection"],
    tag: ["tags"],
    tags: ["tag"],
    kind: ["type"],
    project_id: ["project"],
    session_id: ["session"],
    subscription_id: ["subscription"],
    q: ["query"],
    text: ["query"],
  },
  get: { id: ["ids"], expand: toWindow },
  search: { group: ["unit"] },
  forget: { id: ["ids"], until: ["before"] },
  timeline: { anchor: ["id"], anchor_id: ["id"] },
  trace: { trace_id: ["id"] },
  scan: { id: ["session"] },
  read: { id: ["session"], indices: ["ranges"] },
  show: {
    id: ["sessions"],
    ids: ["sessions"],
    expand: toWindow,
  },
  suggest: {
    current_file: ["file"],
    current_symbol: ["symbol"],
    recent_files: ["recent"],
    max_suggestions: ["limit"],
    min_relevance_score: ["min_score"],
    // A line is enough: what stands in it is known.
    cursor_position: (value) => ({ line: isObject(value) ? value.line : value }),
    // The workspace is the project.
    project_id: nothing,
  },
  subscribe: {
    watch_patterns: (value) => ({ patterns: Array.isArray(value) ? value.map(toPattern) : value }),
    callback_type: ["via"],
    callback_url: ["url"],
    max_suggestions: ["max"],
    max_suggestions_per_trigger: ["max"],
    min_relevance_score: ["min_score"],
    enabled: (value) =>
      typeof value === "boolean" || value === "true" || value === "false"
        ? { paused: `${value}` === "false" }
        : { enabled: value },
    project_id: nothing,
  },
  feedback: {
    suggestion_id: ["suggestion"],
    action: ["verdict"],
    // Counted from 0 there, from 1 here.
    item_index: (value) => ({
      item: typeof value !== "object" && /^\d+$/.test(`${value}`) ? Number(value) + 1 : value,
    }),
  },
  "docs section": { section: ["heading"] },
  chat: { query: ["question"] },
};

/** `{ message_index: 5, before: 2, after: 2 }` is three inputs here. */
function toWindow(value: unknown): Record<string, unknown> {
  if (!isObject(value)) return { expand: value };
  const { message_index: expand, ...others } = value;
  return { expand, ...others };
}

/** `{ type: "file", pattern: "src/**", priority: 2 }` is `file@2:src/**`; what is not so stays. */
function toPattern(value: unknown): unknown {
  if (!isObject(value) || Object.values(value).some((one) => typeof one === "object")) return value;
  const { type, pattern, priority, ...strange } = value;
  if (type === undefined || pattern === undefined || Object.keys(strange).length > 0) return value;
  return `${type}${priority === undefined ? "" : `@${priority}`}:${pattern}`;
}

/** The command that another name stands for. */
export function findMeant(said: string): MeantCommand | undefined {
  return Object.hasOwn(otherCommands, said) ? otherCommands[said] : undefined;
}

/** An input under our names, over what the command's other name says. */
export function toMeantInput(
  { input }: MeantCommand,
  { command, given }: { command: TakesInput; given: unknown },
): unknown {
  const own = toOwnNames(command, given);
  return isObject(own) ? { ...input, ...own } : own;
}

/**
 * The input that a name stands for; undefined when the command has none of that name. A name of which
 * more is to be made stays as it is said.
 */
export function findInput(command: TakesInput, said: string): string | undefined {
  const field = toFieldName(said);
  if (Object.hasOwn(command.input, field)) return field;
  const rule = findRule(command, field);
  return typeof rule === "function" ? said : rule?.find((one) => Object.hasOwn(command.input, one));
}

/** An input under our names; what is given twice, or that nobody knows, stays for the check to refuse. */
export function toOwnNames(command: TakesInput, given: unknown): unknown {
  if (!isObject(given)) return given;
  const own: [string, unknown][] = [];
  const taken = new Set(Object.keys(given));
  for (const [name, value] of Object.entries(given)) {
    const fields = toFields(command, { name, value });
    const isFree = fields.every(([field]) => field === name || !taken.has(field));
    for (const [field] of isFree ? fields : []) taken.add(field);
    own.push(...(isFree ? fields : [[name, value] satisfies [string, unknown]]));
  }
  return Object.fromEntries(own);
}

/** One input as ours: under its own name, another, several, or none. */
function toFields(
  command: TakesInput,
  { name, value }: { name: string; value: unknown },
): [string, unknown][] {
  const rule = findRule(command, toFieldName(name));
  if (typeof rule === "function") {
    return Object.entries(rule(value)).filter(([, one]) => one !== undefined);
  }
  const isOwn = Object.hasOwn(command.input, name);
  return [[isOwn ? name : findInput(command, name) ?? name, value]];
}

/** The command's own rule before that of all. */
function findRule({ name }: TakesInput, field: string): InputRule | undefined {
  const list = [name, "*"].find((one) =>
    Object.hasOwn(otherInputs, one) && Object.hasOwn(otherInputs[one], field)
  );
  return list === undefined ? undefined : otherInputs[list][field];
}

/** `maxTokens` and `max-tokens` are `max_tokens`. */
function toFieldName(said: string): string {
  return said.replace(/([a-z\d])([A-Z])/g, "$1_$2").replaceAll("-", "_").toLowerCase();
}
