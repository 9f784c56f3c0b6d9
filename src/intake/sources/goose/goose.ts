// Goose: one database of all sessions, `sessions.db`. The JSONL files beside it are from before 1.10;
// Goose itself took them over. Recipes, extension data and the usage ledger are not read. A compaction
// writes all messages anew under their ids and hides the earlier ones from the model, so every row
// carries a revision.

import type { BlockRows } from "../block_rows.ts";
import type { DatabaseRow } from "../database/databases.ts";
import * as make from "../entries.ts";
import { findJson, type Json, toList, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import type { SourceEntry } from "../source.ts";
import { columnsOf, databaseSource } from "../source_kinds.ts";
import { readValues, type RecordFormat } from "../reading.ts";

export const goose = databaseSource({
  name: "goose",
  title: "Goose",
  // The same directories on Linux and macOS.
  roots({ env, home, os }) {
    const root = env("GOOSE_PATH_ROOT");
    const data = os === "windows"
      ? `${env("APPDATA") ?? `${home}/AppData/Roaming`}/Block/goose/data`
      : `${env("XDG_DATA_HOME") || `${home}/.local/share`}/goose`;
    return [`${root ? `${root}/data` : data}/sessions`];
  },
  files: (name, path, root) => path === root || name === "sessions.db",
  maxDepth: 2,
  async sessions(database) {
    const names = "id name description session_type working_dir created_at updated_at " +
      "provider_name model_config_json parent_session_id";
    const wanted = await columnsOf(database, "sessions", names);
    const messages = await columnsOf(database, "messages", "content_json");
    if (!wanted.includes("id") || messages.length === 0) {
      throw new Error('it has no table "messages"');
    }
    return await database.rows(
      `SELECT ${wanted.map((column) => `s.${column}`).join(", ")}, count(*) AS n,
        max(m.id) AS last, sum(length(m.content_json)) AS size
        FROM sessions AS s JOIN messages AS m ON m.session_id = s.id GROUP BY s.id ORDER BY s.rowid`,
    );
  },
  describe: (row) =>
    // Goose asks a model for names and the like in sessions that nobody sees.
    row.session_type === "hidden" ? "hidden_session" : {
      signature: `${row.n}:${row.last}:${row.size}`,
      key: modelOf(row),
      cwd: toText(row.working_dir),
      title: titleOf(row),
      started: toUtc(row.created_at),
      updated: toUtc(row.updated_at),
      parent: toText(row.parent_session_id),
    },
  async messages(database, { id }) {
    const names = "id message_id role content_json created_timestamp metadata_json";
    const wanted = await columnsOf(database, "messages", names);
    const sql = `SELECT ${wanted.join(", ")} FROM messages WHERE session_id = ? ORDER BY id`;
    return await database.rows(sql, id);
  },
  emit: (session, messages, sink) => readValues(gooseMessages, session, sink, messages),
});

/** What Goose or its user called a session; what it calls all of them at first is no title. */
function titleOf(row: DatabaseRow): string | undefined {
  const title = toText(row.name) ?? toText(row.description);
  return title === undefined || /^(?:New (?:chat|session)|CLI Session)/i.test(title)
    ? undefined
    : title;
}

function modelOf(row: DatabaseRow): string | undefined {
  const config = toObject(findJson(toText(row.model_config_json) ?? ""));
  return make.modelName(toText(config?.model_name), toText(row.provider_name));
}

/** SQLite's own times are UTC without saying so. */
function toUtc(value: unknown): string | undefined {
  const text = toText(value);
  return toTime(text && /^[\d-]+ [\d:.]+$/.test(text) ? `${text.replace(" ", "T")}Z` : value);
}

const gooseMessages: RecordFormat = {
  isRevised: true,
  timeOf: ({ created_timestamp }) => created_timestamp,
  idOf: ({ message_id, id }) => toText(message_id) ?? String(id),
  rows(message, base, { blocks, session, sink: { tally } }) {
    const content = findJson(String(message.content_json));
    if (!Array.isArray(content)) tally.bad_lines++;
    const metadata = toObject(findJson(toText(message.metadata_json) ?? "")) ?? {};
    const inference = toObject(metadata.inference);
    const name = toText(inference?.resolvedModel) ?? toText(inference?.requestedModel);
    const model = message.role === "assistant"
      ? make.modelName(name, toText(inference?.provider)) ?? session.key
      : undefined;
    // What only the model sees is Goose's own: the summary that takes the place of earlier turns.
    const role = metadata.userVisible === false ? "goose" : message.role;
    return toObjects(content).flatMap((part, i) =>
      partRows(part, role, { base: make.under({ ...base, model }, i), blocks })
    );
  },
};

function partRows(
  part: Json,
  role: unknown,
  { base, blocks }: { base: make.Base; blocks: BlockRows },
): SourceEntry[] {
  const text = toText(part.text);
  switch (part.type) {
    case "toolRequest":
    case "frontendToolRequest": {
      const call = toObject(part.toolCall);
      const value = toObject(call?.value) ?? {};
      // Goose's own tools are `developer__shell` and the like; what other servers give keeps its name.
      const name = toText(value.name)?.replace(/^developer__/, "");
      const input = value.arguments ?? toText(call?.error);
      return [blocks.tools.call({ name, input, call_id: part.id }, base)];
    }
    case "toolResponse": {
      const result = toObject(part.toolResult);
      const value = toObject(result?.value);
      // Before 2026 the value was the list of blocks itself.
      const given = toObjects(value?.content ?? toList(result?.value));
      const said = [...audible(given).map(blockText), toText(result?.error)];
      const output = said.filter((text) => text).join("\n");
      const error = result?.status === "error" || value?.isError === true;
      return [blocks.tools.output({ output, error, call_id: part.id }, base)];
    }
    case "conversationCompacted":
      return [make.notice("compaction", toText(part.msg) ?? "Conversation compacted", base)];
  }
  if (part.type === "text" && role === "goose") {
    return text ? [make.notice("summary", text, base)] : [];
  }
  return blocks.row(part, role === "user" ? "user" : "assistant", base);
}

/** Some tools answer twice, once for the model and once for people: what the model got counts. */
function audible(blocks: Json[]): Json[] {
  const heard = blocks.filter((block) => {
    const audience = toList(toObject(block.annotations)?.audience);
    return audience.length === 0 || audience.includes("assistant");
  });
  return heard.length > 0 ? heard : blocks;
}

function blockText(block: Json): string {
  const resource = toObject(block.resource);
  const name = toText(block.mimeType) ?? toText(block.uri) ?? toText(resource?.uri);
  return toText(block.text) ?? toText(resource?.text) ?? `[${name ?? String(block.type)}]`;
}
