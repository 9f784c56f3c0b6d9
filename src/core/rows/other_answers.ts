// Results in the words of other tools: where a tool is called by a name of a document that ctx grew
// from, or with inputs in camelCase as one of them writes, its answer has the fields which that
// document names. Loaded with the other names. Pure.

import { isObject } from "../json.ts";

/**
 * A field of the answer: a path in the result, or others in its place, or what is made of one; `or`
 * where the document has it always.
 */
type Field =
  | string
  | { rows: string; fields: Fields }
  | { rows: string; of: string }
  | { from: string; make: (value: unknown) => unknown; or?: unknown };
type Fields = Readonly<Record<string, Field>>;

const notes: Field = { from: "notes|retrieval.notes", make: unlessEmpty };

const conversation: Fields = {
  id: "id",
  title: textAt("title"),
  project: textAt("project"),
  // As in `sources` of dex_stats: what no agent recorded is ours.
  source: { from: "source.agent|source", make: toOtherName, or: "ctx" },
};

/** An entry that is read by itself. */
const entry: Fields = { id: "id", title: "title", date: "ts", role: "role", content: "text" };

const otherAnswers: Readonly<Record<string, Fields>> = {
  dex_stats: {
    total_conversations: "total_conversations",
    total_messages: "total_messages",
    date_range: "date_range",
    sources: { from: "sessions_by_source", make: withOtherNames },
    projects: { rows: "projects", of: "project" },
    avg_tokens_per_conversation: "avg_tokens_per_conversation",
  },
  dex_list: {
    conversations: {
      rows: "sessions",
      fields: {
        ...conversation,
        date: textAt("started"),
        message_count: "message_count",
        estimated_tokens: "estimated_tokens",
      },
    },
    total: "total",
    notes,
  },
  dex_search: {
    results: {
      rows: "results",
      fields: {
        ...conversation,
        id: "session_id|id",
        title: textAt("session_title|title|summary"),
        date: "ts",
        snippet: textAt("snippet"),
        message_index: "message_index",
        estimated_tokens: "session_tokens|estimated_tokens",
        caution: "caution",
      },
    },
    total: "total",
    notes,
  },
  dex_get: {
    conversations: {
      rows: "sessions",
      fields: {
        ...conversation,
        messages: {
          rows: "messages",
          fields: { index: "index", role: "role", content: textAt("content"), tokens: "tokens" },
        },
        files: { from: "files", make: unlessEmpty },
        total_tokens: "total_tokens",
        has_more_before: { from: "has_more_before", make: onlyTrue },
        has_more_after: { from: "has_more_after", make: onlyTrue },
      },
    },
    entries: {
      from: "results",
      make: (rows) => unlessEmpty(valueOf({ rows: "rows", fields: entry }, { rows })),
    },
    missing: { from: "missing", make: unlessEmpty },
    skipped_ids: { from: "skipped_ids", make: unlessEmpty },
  },
};

const suggestion: Fields = {
  id: "id",
  sessionId: "session_id",
  createdAt: "created_at",
  trigger: { from: "trigger", make: toOtherTrigger },
  suggestions: {
    rows: "suggestions",
    fields: {
      type: "type",
      title: "title",
      summary: "summary",
      relevanceScore: "relevance_score",
      entityId: "entity_id",
      actionUrl: "action_url",
      reason: "reason",
    },
  },
  status: "status",
  usedItemIndex: "used_item_index",
};

const subscription: Fields = {
  id: "id",
  sessionId: "session_id",
  watchPatterns: "patterns",
  callbackType: "via",
  callbackUrl: "url",
  minRelevanceScore: "min_score",
  maxSuggestionsPerTrigger: "max",
  cooldownMs: "cooldown_ms",
  lastTriggeredAt: "last_triggered_at",
  enabled: "enabled",
  approved: "approved",
};

/** The answers of our own tools to whoever asks in camelCase. */
const camelAnswers: Readonly<Record<string, Fields>> = {
  context_suggest: { ...suggestion, notes },
  context_suggestions: { total: "total", suggestions: { rows: "suggestions", fields: suggestion } },
  context_poll: { deliveries: { rows: "deliveries", fields: suggestion }, cursor: "cursor" },
  context_subscribe: { ...subscription, notes },
  context_subscriptions: { subscriptions: { rows: "subscriptions", fields: subscription }, notes },
  suggestion_feedback: {
    suggestionId: "suggestion_id",
    action: "verdict",
    status: "status",
    usedItemIndex: "used_item_index",
    changed: "changed",
  },
};

/** Whether a call is written as ctx-sys writes it. */
export function isInCamelCase(names: readonly string[]): boolean {
  return names.some((name) => /[a-z][A-Z]/.test(name));
}

/** The form of an answer, by the name that the tool was called by and the names of its inputs. */
export function findAnswer(said: string, given: unknown): Fields | undefined {
  if (Object.hasOwn(otherAnswers, said)) return otherAnswers[said];
  if (!isObject(given) || !isInCamelCase(Object.keys(given))) return undefined;
  return Object.hasOwn(camelAnswers, said) ? camelAnswers[said] : undefined;
}

/** A result in the words of the tool of that name; as it is, where it has none of its own. */
export function toAnswerOf(said: string, data: object): object {
  const answers = [otherAnswers, camelAnswers].find((one) => Object.hasOwn(one, said));
  return answers === undefined ? data : toOtherAnswer(answers[said], data);
}

export function toOtherAnswer(fields: Fields, data: object): Record<string, unknown> {
  const told = Object.entries(fields).map(([name, field]) => [name, valueOf(field, data)]);
  return Object.fromEntries(told.filter(([, value]) => value !== undefined && value !== null));
}

function valueOf(field: Field, data: object): unknown {
  if (typeof field === "string") return findFirst(field, data);
  if ("make" in field) {
    const value = findFirst(field.from, data);
    return value === undefined ? field.or : field.make(value);
  }
  const rows = find(field.rows, data);
  if (!Array.isArray(rows)) return undefined;
  const one = (row: object): unknown =>
    "of" in field ? find(field.of, row) : toOtherAnswer(field.fields, row);
  return rows.filter(isObject).map(one);
}

function findFirst(paths: string, data: object): unknown {
  return paths.split("|").map((path) => find(path, data)).find((value) =>
    value !== undefined && value !== ""
  );
}

function find(path: string, data: object): unknown {
  return path.split(".").reduce<unknown>(
    (value, name) => isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined,
    data,
  );
}

/** A text that the document always has: it may be empty. */
function textAt(from: string): Field {
  return { from, make: (value) => value, or: "" };
}

/** What the document does not know of is told only where it says something. */
function unlessEmpty(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

/** What there is only with a part of a conversation. */
function onlyTrue(value: unknown): true | undefined {
  return value === true ? true : undefined;
}

/** `claude_code` for `claude-code`. */
function toOtherName(agent: unknown): unknown {
  return typeof agent === "string" ? agent.replaceAll("-", "_") : agent;
}

function withOtherNames(counts: unknown): unknown {
  if (!isObject(counts)) return counts;
  return Object.fromEntries(Object.entries(counts).map(([agent, n]) => [toOtherName(agent), n]));
}

function toOtherTrigger(trigger: unknown): unknown {
  if (!isObject(trigger)) return trigger;
  const { type } = trigger;
  const other = type === "file" ? "file_change" : type === "symbol" ? "symbol_focus" : type;
  return { ...trigger, type: other };
}
