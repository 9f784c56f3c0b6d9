// Every configuration key: its kind, default and meaning. The one table behind `config list`,
// validation and the documentation. Imports nothing.

/** What a key accepts. */
export type ConfigKind =
  | { kind: "boolean"; default: boolean }
  | { kind: "integer"; default: number; min: number; max: number; offAt?: 0 }
  | { kind: "number"; default: number; min: number; max: number }
  | { kind: "choice"; default: string; choices: readonly string[] }
  | { kind: "text"; default: string }
  | { kind: "url"; default: string };

/** A key's kind, what it does, and whether a workspace may set it at all. */
export type ConfigKey = ConfigKind & {
  about: string;
  /** Only the user's own file may hold it: a cloned workspace must not. */
  userOnly?: boolean;
  /** Never shown in full. */
  secret?: boolean;
  /** What of ctx was removed with it: files may still name the key, which is then ignored. */
  removed?: string;
};

function integer(initial: number, min: number, max: number) {
  return { kind: "integer", default: initial, min, max } as const;
}

function number(initial: number, min: number, max: number) {
  return { kind: "number", default: initial, min, max } as const;
}

function removed(what: string) {
  return { kind: "text", default: "", about: "", removed: what } as const;
}

/** The keys by name; dots are nesting in the file. */
export const configKeys = {
  redact: {
    kind: "boolean",
    default: true,
    about: "Redact secrets before every write; false allows `save --no-redact`.",
  },
  durability: {
    kind: "choice",
    default: "sync",
    choices: ["sync", "fast"],
    about: "`sync` waits for the disk after every write; `fast` leaves that to the system.",
  },
  lock_timeout_ms: {
    ...integer(10_000, 0, 600_000),
    about: "How long a writer waits for another before giving up.",
  },
  registry: {
    kind: "boolean",
    default: true,
    about: "Include this workspace in `--all-projects`.",
  },
  "distil.daily_tokens": removed("`ctx distil --model`"),
  "distil.ask_agent": {
    kind: "boolean",
    default: false,
    userOnly: true,
    about:
      "Ask an agent, at most once per session, to save notes for next time; costs its tokens, counted by `ctx context worth`.",
  },
  "inject.start": {
    kind: "boolean",
    default: true,
    about: "Send the pack when a session starts, resumes, or loses its context.",
  },
  "inject.start_tokens": {
    ...integer(1200, 128, 20_000),
    about: "Token limit of that pack; also the default of `ctx context pack`.",
  },
  "inject.compact_tokens": {
    ...integer(600, 128, 20_000),
    about:
      "Token limit of what a session is sent after a compaction: rules, and what the summary lacks.",
  },
  "inject.prompt": {
    kind: "boolean",
    default: true,
    about: "Add strongly relevant lines to prompts.",
  },
  "inject.trial": {
    ...integer(0, 2, 10),
    offAt: 0,
    userOnly: true,
    about:
      "Send no context to one in this many sessions (2 to 10), to measure whether context helps; `ctx context worth --trial` shows the result. 0 turns the trial off.",
  },
  "suggest.enabled": {
    kind: "boolean",
    default: true,
    about: "Make suggestions.",
  },
  "suggest.max_suggestions": {
    ...integer(5, 1, 50),
    about: "Maximum items per suggestion.",
  },
  "suggest.min_relevance_score": {
    ...number(0.5, 0, 1),
    about: "Leave out items below this probability of being relevant.",
  },
  "suggest.recent_change_days": {
    ...integer(7, 1, 365),
    about: "For how many days a git change or test report counts as recent.",
  },
  "suggest.decisions": { kind: "boolean", default: true, about: "Suggest decisions." },
  "suggest.changes": { kind: "boolean", default: true, about: "Suggest recent changes." },
  "suggest.docs": { kind: "boolean", default: true, about: "Suggest document sections." },
  "suggest.related_code": {
    kind: "boolean",
    default: true,
    about: "Suggest callers, callees, importers and tests.",
  },
  "suggest.warnings": {
    kind: "boolean",
    default: true,
    about: "Warn about failing tests and calls to deprecated code.",
  },
  "suggest.collisions": {
    kind: "boolean",
    default: true,
    about: "Block an edit once and tell the agent if another live session changed the same lines.",
  },
  "suggest.cooldown_ms": {
    ...integer(5000, 0, 86_400_000),
    about: "Minimum time between suggestions for the same file or symbol.",
  },
  "suggest.min_precision": {
    ...number(0.5, 0, 1),
    about:
      "Pause a type of suggestion when the share marked as used falls below this (needs at least 8 recent ratings).",
  },
  "suggest.webhook_secret": {
    kind: "text",
    default: "",
    about: "Signs webhook deliveries (HMAC-SHA256); CTX_WEBHOOK_SECRET takes precedence.",
    userOnly: true,
    secret: true,
  },
  "suggest.webhook_private": {
    kind: "boolean",
    default: false,
    about: "Allow webhooks to private addresses (10/8, 192.168/16, …); loopback is always allowed.",
    userOnly: true,
  },
  "llm.provider": {
    kind: "url",
    default: "https://api.openai.com/v1",
    userOnly: true,
    about: "Base URL of an OpenAI-compatible provider.",
  },
  "llm.model": {
    kind: "text",
    default: "",
    about: "The model for `ask` and `chat`; if empty, answers quote your history.",
  },
  "llm.api_key": {
    kind: "text",
    default: "",
    userOnly: true,
    secret: true,
    about:
      "The provider's API key; `config set --user llm.api_key -` reads it from standard input.",
  },
  "llm.temperature": {
    ...number(0, 0, 2),
    about: "The model's temperature.",
  },
  "llm.max_tokens": {
    ...integer(4096, 16, 131_072),
    about: "Maximum tokens per reply.",
  },
  "llm.timeout_ms": {
    ...integer(60_000, 100, 600_000),
    about: "Timeout of one model call.",
  },
  "llm.max_iterations": {
    ...integer(10, 1, 50),
    about: "Maximum model calls per question.",
  },
  "llm.context_tokens": {
    ...integer(32_000, 2000, 2_000_000),
    about: "Maximum tokens of conversation sent to the model; the oldest turns are dropped first.",
  },
  "llm.daily_token_cap": {
    ...integer(0, 0, 1_000_000_000),
    userOnly: true,
    about: "Daily token limit (UTC) across all workspaces; 0 means no limit.",
  },
  "search.unit": {
    kind: "choice",
    default: "exchange",
    choices: ["row", "exchange", "session"],
    about: "What `ctx search` shows as one result (`--unit` overrides this).",
  },
  "embedder.kind": {
    kind: "choice",
    default: "local",
    choices: ["local", "http", "none"],
    about:
      "How vectors are made: `local` is built in and offline, `http` calls an endpoint, `none` searches by words only.",
  },
  "embedder.url": {
    kind: "text",
    default: "",
    about: "Base URL of an OpenAI-compatible endpoint; `/embeddings` is added.",
    userOnly: true,
  },
  "embedder.model": {
    kind: "text",
    default: "",
    about: "The endpoint's model name.",
    userOnly: true,
  },
  "embedder.dimensions": {
    ...integer(256, 16, 4096),
    about: "Length of the endpoint's vectors.",
    userOnly: true,
  },
  "rerank.kind": removed("the reranker"),
  "rerank.cache_mb": removed("the reranker"),
  "share.policy": {
    kind: "choice",
    default: "decisions",
    // From narrow to wide: a workspace's file may only narrow it (trusted.ts).
    choices: ["sessions", "decisions", "all"],
    about:
      "What `ctx sync` shares: `sessions` only what you share with `ctx team share`, `decisions` also decisions, notes, digests and pins, `all` every entry. A workspace's file can only narrow it.",
  },
  "share.tool_output": {
    kind: "boolean",
    default: false,
    about: "Also share tool output of shared sessions; a workspace's file can only turn it off.",
  },
  "share.thinking": {
    kind: "boolean",
    default: false,
    about:
      "Also share agents' thinking in shared sessions; a workspace's file can only turn it off.",
  },
  "mcp.guide_tool_name": {
    kind: "choice",
    default: "auto",
    choices: ["auto", "__IMPORTANT", "workflow_guide"],
    about: "The guide's tool name; auto chooses by client.",
  },
} as const satisfies Record<string, ConfigKey>;

export type ConfigName = keyof typeof configKeys;

export type ConfigValue<N extends ConfigName> = (typeof configKeys)[N] extends { kind: "boolean" }
  ? boolean
  : (typeof configKeys)[N] extends { kind: "integer" | "number" } ? number
  : string;

/** The names that people are shown: not of what was removed. */
export function listConfigNames(): ConfigName[] {
  const keys: [string, ConfigKey][] = Object.entries(configKeys);
  return keys.filter(([, key]) => !key.removed).map(([name]) => name as ConfigName);
}

/** What is said of a key whose feature was removed. */
export function removedNote(name: string, what: string): string {
  return `"${name}" is ignored: ${what} was removed`;
}

export function isConfigName(name: string): name is ConfigName {
  return Object.hasOwn(configKeys, name);
}

/** The key of that name, or undefined. */
export function findConfigKey(name: string): ConfigKey | undefined {
  return isConfigName(name) ? configKeys[name] : undefined;
}

/** Why a value does not fit a key, or undefined when it does. */
export function findConfigFault(key: ConfigKey, value: unknown): string | undefined {
  switch (key.kind) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "integer":
      return Number.isInteger(value) && isWithin(key, value) || value === key.offAt
        ? undefined
        : `must be ${
          key.offAt === undefined ? "" : `${key.offAt} or `
        }a whole number from ${key.min} to ${key.max}`;
    case "number":
      return isWithin(key, value) ? undefined : `must be a number from ${key.min} to ${key.max}`;
    case "choice":
      return typeof value === "string" && key.choices.includes(value)
        ? undefined
        : `must be one of ${key.choices.join(", ")}`;
    case "url":
      return findUrlFault(value);
    case "text":
      return typeof value === "string" ? undefined : "must be a text";
  }
}

function isWithin({ min, max }: { min: number; max: number }, value: unknown): boolean {
  return typeof value === "number" && value >= min && value <= max;
}

/** Reads a value from the command line in the way its key wants it. */
export function parseConfigValue(key: ConfigKey, text: string): unknown {
  if (key.kind === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (key.kind === "integer" || key.kind === "number") return text.trim() === "" ? text : +text;
  return text;
}

/** The environment variable that overrides a key: `llm.api_key` is CTX_LLM_API_KEY. */
export function environmentNameOf(name: string): string {
  return `CTX_${name.toUpperCase().replaceAll(".", "_")}`;
}

/** Why a text is no address that a key may be sent to, or undefined when it is one. */
function findUrlFault(value: unknown): string | undefined {
  const url = typeof value === "string" ? URL.parse(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return "must be an http or https URL";
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return "must be a URL without user, password, query or fragment";
  }
  if (url.protocol === "http:" && !isNearby(url.hostname)) {
    return "must use https, except for this machine and private networks";
  }
  return undefined;
}

/** Hosts that plain http may reach: this machine, and addresses that are not routed. */
function isNearby(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|.+\.(?:local|localhost|internal))$/.test(host) ||
    /^(?:10\.\d+|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d+\.\d+$/.test(host);
}
