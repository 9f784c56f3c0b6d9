// Results in the words of other tools: where a tool is called by a name of a document that ctx grew
// from, its answer has the fields which that document names. Loaded with the other names. Pure.

import { isObject } from "../json.ts";

/** A field of the answer: a path in the result, or others in its place, or what is made of rows. */
type Field = string | { rows: string; fields: Fields } | { rows: string; of: string };
type Fields = Readonly<Record<string, Field>>;

const conversation = { id: "id", title: "title", project: "project", source: "source" };

/** The answers by the names of tools. */
export const otherAnswers: Readonly<Record<string, Fields>> = {
  dex_stats: {
    total_conversations: "total_conversations",
    total_messages: "total_messages",
    date_range: "date_range",
    sources: "sessions_by_source",
    projects: { rows: "projects", of: "project" },
    avg_tokens_per_conversation: "avg_tokens_per_conversation",
  },
  dex_list: {
    conversations: {
      rows: "sessions",
      fields: {
        ...conversation,
        date: "started",
        message_count: "message_count",
        estimated_tokens: "estimated_tokens",
      },
    },
    total: "total",
    notes: "notes",
  },
  dex_search: {
    results: {
      rows: "results",
      fields: {
        id: "session_id|id",
        title: "session_title|title|summary",
        project: "project",
        source: "source.agent",
        date: "ts",
        snippet: "snippet",
        message_index: "message_index",
        estimated_tokens: "session_tokens|estimated_tokens",
        caution: "caution",
      },
    },
    total: "total",
    notes: "retrieval.notes",
  },
  dex_get: {
    conversations: {
      rows: "sessions",
      fields: {
        ...conversation,
        messages: {
          rows: "messages",
          fields: { index: "index", role: "role", content: "content", tokens: "tokens" },
        },
        files: "files",
        total_tokens: "total_tokens",
        has_more_before: "has_more_before",
        has_more_after: "has_more_after",
      },
    },
    entries: {
      rows: "results",
      fields: { id: "id", title: "title", date: "ts", role: "role", content: "text" },
    },
    missing: "missing",
    skipped_ids: "skipped_ids",
  },
};

/** A result as an answer. */
export function toOtherAnswer(fields: Fields, data: object): Record<string, unknown> {
  const told = Object.entries(fields).map(([name, field]) => [name, valueOf(field, data)]);
  return Object.fromEntries(told.filter(([, value]) => value !== undefined));
}

function valueOf(field: Field, data: object): unknown {
  if (typeof field !== "string") {
    const rows = find(field.rows, data);
    if (!Array.isArray(rows)) return undefined;
    const one = (row: object): unknown =>
      "of" in field ? find(field.of, row) : toOtherAnswer(field.fields, row);
    return rows.filter(isObject).map(one);
  }
  return field.split("|").map((path) => find(path, data)).find((value) =>
    value !== undefined && value !== ""
  );
}

function find(path: string, data: object): unknown {
  return path.split(".").reduce<unknown>(
    (value, name) => isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined,
    data,
  );
}
