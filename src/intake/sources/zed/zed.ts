// Zed's own agent: one database of all threads, each a document, mostly packed with zstd. External
// agents that run in Zed keep their histories themselves. Messages have no time of their own, and all of a
// thread is written anew with each change: rows have the thread's first time and a revision without it.

import type { Database, DatabaseRow } from "../database/databases.ts";
import * as make from "../entries.ts";
import { findJson, type Json, toList, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import type { Tally } from "../problem_tally.ts";
import { sendAll } from "../read_jsonl.ts";
import type { ListOptions, Sink, SourceEntry, SourceSession } from "../source.ts";
import { columnsOf, databaseSource } from "../source_kinds.ts";
import { otherType, Reading, type RecordFormat } from "../reading.ts";
import { toProjectPath } from "../touched.ts";

/** The most that a thread may unpack to. */
const maxThreadBytes = 256 << 20;

export const zed = databaseSource({
  name: "zed",
  title: "Zed",
  roots({ env, home, os }) {
    const data = {
      darwin: `${home}/Library/Application Support/Zed`,
      windows: `${env("LOCALAPPDATA") ?? `${home}/AppData/Local`}/Zed`,
      linux: `${env("XDG_DATA_HOME") || `${home}/.local/share`}/zed`,
    }[os];
    const flatpak = `${home}/.var/app/dev.zed.Zed/data/zed`;
    return [data, flatpak].map((directory) => `${directory}/threads`);
  },
  files: (name, path, root) => path === root || name === "threads.db",
  maxDepth: 2,
  async sessions(database) {
    const names = "id summary updated_at created_at parent_id folder_paths folder_paths_order data";
    const wanted = await columnsOf(database, "threads", names);
    if (wanted.pop() !== "data") throw new Error('it has no table "threads"');
    return await database.rows(
      `SELECT ${wanted.join(", ")}, length(data) AS size FROM threads ORDER BY rowid`,
    );
  },
  describe: async (row, options) => ({
    signature: `${row.updated_at}:${row.size}`,
    cwd: await cwdOf(row, options),
    title: row.summary === "New Thread" ? undefined : toText(row.summary),
    started: toTime(row.created_at) ?? toTime(row.updated_at),
    updated: toTime(row.updated_at),
    parent: toText(row.parent_id),
  }),
  messages: (database, { id }) => readThread(database, id),
  async emit(session, [row], sink) {
    const thread = row && await sink.tally.attempt(session.path, () => parseThread(row));
    if (thread) await emitThread(session, thread, sink);
  },
});

async function readThread(database: Database, id: string): Promise<DatabaseRow[]> {
  return await database.rows("SELECT data_type, data FROM threads WHERE id = ?", id);
}

/** The first folder of the thread's window; threads from before 2026 say it in their document. */
async function cwdOf(
  row: DatabaseRow,
  { tally, databases, path }: ListOptions & { path: string },
): Promise<string | undefined> {
  const folders = toText(row.folder_paths)?.split("\n") ?? [];
  const first = Number((toText(row.folder_paths_order) ?? "0").split(",")[0]);
  if (folders.length > 0) return folders[first] ?? folders[0];
  const thread = await tally.attempt(path, async () => {
    const take = (database: Database) => readThread(database, String(row.id));
    const [found] = await databases.read(path, take);
    return found && await parseThread(found);
  });
  const snapshot = toObject(thread?.initial_project_snapshot);
  return toText(toObjects(snapshot?.worktree_snapshots)[0]?.worktree_path);
}

/** The document of a thread; throws when it is none. */
async function parseThread({ data_type, data }: DatabaseRow): Promise<Json> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  if (!(bytes instanceof Uint8Array)) throw new Error("a thread in it has no content");
  const { zstdDecompressSync } = await import("node:zlib");
  const plain = data_type === "zstd"
    ? zstdDecompressSync(bytes, { maxOutputLength: maxThreadBytes })
    : bytes;
  const thread = toObject(findJson(new TextDecoder().decode(plain)));
  if (thread === undefined) throw new Error("a thread in it is not JSON");
  return thread;
}

async function emitThread(session: SourceSession, thread: Json, sink: Sink): Promise<void> {
  const given = toObject(thread.model);
  const model = make.modelName(toText(given?.model), toText(given?.provider));
  const branch = branchOf(thread);
  const format: RecordFormat = {
    isRevised: "timeless",
    timeOf: () => undefined,
    idOf: () => undefined,
    rows: (message, base) =>
      message.is_hidden === true
        ? "harness_text"
        : [...fromMessage(message, { ...base, branch, model }, sink.tally)],
  };
  sink.describe({ branch });
  const records = toList(thread.messages).map((value, i) => ({ value, key: String(i) }))
    // A mark that the user let the agent go on.
    .filter(({ value }) => value !== "Resume")
    .map(({ value, key }) => ({ value: toObject(value) ?? {}, key }));
  await sendAll(new Reading(format, session, sink), records, sink);
}

function branchOf(thread: Json): string | undefined {
  const [tree] = toObjects(toObject(thread.initial_project_snapshot)?.worktree_snapshots);
  return toText(toObject(tree?.git_state)?.current_branch);
}

function* fromMessage(message: Json, base: make.Base, tally: Tally): Generator<SourceEntry> {
  const [user, agent] = [toObject(message.User), toObject(message.Agent)];
  if (user) return yield* fromUser(user, base, tally);
  if (agent) return yield* fromAgent(agent, base, tally);
  if (message.Compaction !== undefined) {
    const summary = toText(toObject(message.Compaction)?.Summary);
    return yield summary === undefined
      ? make.notice("compaction", "Context compacted", base)
      : make.notice("summary", summary, base);
  }
  if (message.role === undefined) {
    return tally.skip(otherType(Object.keys(message).join(), "message."));
  }
  yield* fromLegacy(message, base, tally);
}

/** A prompt: its text, and the names of what it mentions; the content that Zed put in goes. */
function* fromUser(user: Json, base: make.Base, tally: Tally): Generator<SourceEntry> {
  const files: string[] = [];
  const said = toObjects(user.content).map((part) => {
    const mention = toObject(part.Mention);
    const found = mention && findPath(mention.uri);
    const path = found && toProjectPath(found, base.cwd);
    if (part.Image !== undefined) tally.skip("attachment");
    if (path) files.push(path);
    return toText(part.Text) ?? path ?? "";
  }).join("");
  const message = toText(user.id) ?? base.message;
  if (said !== "") yield make.withFiles(make.turn("user", said, { ...base, message }), files);
}

/** The path in a mention, whatever kind of thing is mentioned. */
function findPath(uri: unknown): string | undefined {
  const object = toObject(uri);
  if (object === undefined) {
    const text = toText(uri);
    return text?.startsWith("file://") ? text.slice("file://".length) : undefined;
  }
  const inner = toObject(Object.values(object)[0]);
  return toText(object.abs_path) ?? toText(inner?.abs_path) ?? toText(inner?.path);
}

function* fromAgent(agent: Json, base: make.Base, tally: Tally): Generator<SourceEntry> {
  const results = toObject(agent.tool_results) ?? {};
  for (const [i, part] of toObjects(agent.content).entries()) {
    const at = { ...base, message: `${base.message}:${i}` };
    const [text, thought] = [toText(part.Text), toText(toObject(part.Thinking)?.text)];
    const use = toObject(part.ToolUse);
    if (text) yield make.turn("assistant", text, at);
    else if (thought) yield make.thinking(thought, at);
    else if (use) {
      const id = String(use.id);
      yield* fromTool(use, Object.hasOwn(results, id) ? toObject(results[id]) : undefined, at);
    }
    if (part.RedactedThinking !== undefined) tally.skip("redacted_thinking");
  }
}

function fromTool(use: Json, result: Json | undefined, base: make.Base): SourceEntry[] {
  // Since 2026 the input says what it is: `{"type": "json", "value": …}`.
  const typed = toObject(use.input);
  const input = typed?.type === "json" && "value" in typed ? typed.value : use.input;
  const given = result &&
    { output: resultText(result.content), error: result.is_error === true };
  return make.callRows({ name: use.name, input, call_id: use.id }, given, base);
}

/** Text as it is, in an object under one of several names, or a list of such. */
function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(resultText).join("");
  const object = toObject(content);
  return toText(object?.Text) ?? toText(object?.text) ?? (object === undefined ? "" : "[image]");
}

/** Messages before version 0.3.0: segments, and calls and results in lists beside them. */
function* fromLegacy(message: Json, base: make.Base, tally: Tally): Generator<SourceEntry> {
  const segments = Array.isArray(message.segments)
    ? toObjects(message.segments)
    : [{ type: "text", text: message.text }];
  if (message.role === "user") {
    const content = segments.map(({ text }) => ({ Text: text }));
    return yield* fromUser({ content }, base, tally);
  }
  if (message.role !== "assistant") return tally.skip(`type:message.${String(message.role)}`);
  const content = [
    ...segments.map((segment) =>
      segment.type === "thinking" ? { Thinking: segment } : { Text: segment.text }
    ),
    ...toObjects(message.tool_uses).map((use) => ({ ToolUse: use })),
  ];
  const results = toObjects(message.tool_results).map((result) => [result.tool_use_id, result]);
  yield* fromAgent({ content, tool_results: Object.fromEntries(results) }, base, tally);
}
