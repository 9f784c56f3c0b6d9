// What Cursor's agent keeps outside of VS Code's databases. The CLI's `store.db` has content-addressed
// blobs, of which the JSON leaves are messages; their true order is in protobuf nodes, and row order is the
// documented approximation. Its `meta` holds an encryption key beside the name: only the named fields are
// taken. Transcripts are JSONL without times, ids or tool results: a fallback for what no database holds,
// rewritten when a session is resumed.

import { toSystemPath } from "../../../core/platform_path.ts";
import { createHash } from "node:crypto";
import { findMarked } from "../../../core/voice/find_marked.ts";
import type * as make from "../entries.ts";
import { findJson, type Json, toBlocks, toObject, toText, toTime } from "../loose_json.ts";
import { JsonlReader } from "../read_jsonl.ts";
import type { ListOptions, Place, ReadOptions, Sink, SourceSession } from "../source.ts";
import { sessionOf } from "../source_kinds.ts";
import { otherType, type Reading, readValues, type RecordFormat } from "../reading.ts";
import { findObject, walk, type WalkedFile } from "../walk.ts";
import { skipBlocks } from "../without_blocks.ts";
import { modelOf } from "./cursor_bubbles.ts";
import type { CursorProjects } from "./cursor_projects.ts";
import { parseKeyValue } from "./cursor_workspace.ts";

/** The session of one store; none when it is another program's. */
export async function listStore(
  file: WalkedFile,
  { databases, place }: ListOptions,
): Promise<SourceSession[]> {
  const value = await databases.read(file.path, async (database) => {
    const isStore = (await database.columns("meta")).has("value") &&
      (await database.columns("blobs")).has("data");
    if (!isStore) return undefined;
    const [row] = await database.rows("SELECT value FROM meta WHERE key = '0'");
    return String(row?.value ?? "");
  });
  if (value === undefined) return [];
  const meta = toObject(findJson(fromHex(value)));
  const folder = file.path.replace(/\/[^/]+$/, "").replace(/^.*\//, "");
  return [
    sessionOf(file, {
      id: toText(meta?.agentId) ?? folder,
      key: `store:${modelOf(meta?.lastUsedModel) ?? ""}`,
      title: toText(meta?.name),
      cwd: toText(meta?.workspacePath) ?? folderOf(file.path, place),
      started: toTime(meta?.createdAt),
    }),
  ];
}

export async function readStore(
  session: SourceSession,
  sink: Sink,
  { databases }: ReadOptions,
): Promise<void> {
  const sql = "SELECT id, data FROM blobs WHERE substr(data, 1, 1) = x'7b' ORDER BY rowid";
  const rows = await databases.read(session.path, (database) => database.rows(sql));
  const leaves = rows.map(({ id, data }) => ({ ...parseKeyValue(data), id: String(id) }));
  const messages = leaves.filter(({ role }: Json) => speakers.includes(role));
  const model = session.key?.slice("store:".length) || undefined;
  const rowsOf: RecordFormat["rows"] = (message, base, reading) => {
    const rows = agentRows(message, { ...base, model }, reading);
    return rows.length === 0 && message.role === "user" ? "harness_text" : rows;
  };
  await readValues({ ...agentMessages, rows: rowsOf }, session, sink, messages);
}

const speakers: unknown[] = ["user", "assistant", "tool"];
/** Messages have no times; they are named by their ids in a store, and by their places in a transcript. */
const agentMessages = { isRevised: true, timeOf: () => undefined };

function agentRows({ role, message, content }: Json, base: make.Base, { blocks }: Reading) {
  const parts = toBlocks(toObject(message)?.content ?? message ?? content) ?? [];
  return parts.flatMap((part, i) => {
    const at = { ...base, message: `${base.message}.${i}` };
    // Other ids than `toolCallId` are not unique in a conversation.
    const block = { ...part, id: undefined, tool_use_id: undefined };
    if (part.type !== "text") return blocks.row(block, "assistant", at);
    const text = role === "user" ? findUserQuery(toText(part.text) ?? "") : part.text;
    if (role === "tool" || text === "[REDACTED]") return [];
    return blocks.row({ ...block, text }, role === "user" ? "user" : "assistant", at);
  });
}

/** `meta.json` beside the store names the folder; the directory above is a hash of it. */
function folderOf(path: string, { workspace, os }: Place): string | undefined {
  const directory = path.replace(/\/[^/]+$/, "");
  const hash = directory.replace(/\/[^/]+$/, "").replace(/^.*\//, "");
  const isOurs = [workspace, toSystemPath(workspace, os)]
    .some((name) => hash === createHash("md5").update(name).digest("hex"));
  return toText(findObject(`${directory}/meta.json`)?.cwd) ?? (isOurs ? workspace : undefined);
}

function fromHex(hex: string): string {
  const bytes = Uint8Array.from(hex.match(/[0-9a-f]{2}/gi) ?? [], (pair) => parseInt(pair, 16));
  return new TextDecoder().decode(bytes);
}

export function listTranscript(
  file: WalkedFile,
  { tally, projects }: ListOptions & { projects: CursorProjects },
): SourceSession {
  const meta = findChatMeta(file.path, file.name.slice(0, -".jsonl".length), tally);
  return sessionOf(file, {
    key: "transcript",
    title: toText(meta?.title),
    cwd: toText(meta?.cwd) ?? projects.findFolder(file.path),
    started: toTime(meta?.createdAtMs),
    updated: toTime(meta?.updatedAtMs),
    parent: /\/([^/]+)\/subagents\/[^/]+$/.exec(file.path)?.[1],
  });
}

/** Reads one transcript; lines are numbered, because nothing in them is an id. */
export async function readTranscript(
  session: SourceSession,
  sink: Sink,
  { now }: ReadOptions,
): Promise<void> {
  using reader = new JsonlReader(session.path, { tally: sink.tally, now });
  const rows: RecordFormat["rows"] = (line, base, reading) =>
    line.role === "user" || line.role === "assistant"
      ? agentRows(line, base, reading)
      : otherType(line.type);
  const idOf = () => undefined;
  const lines = reader.records().map(({ value }) => value);
  await readValues({ ...agentMessages, idOf, rows }, session, sink, lines);
}

/** `chats/<hash>/<id>/meta.json` beside the projects has the folder and the times. */
function findChatMeta(path: string, id: string, tally: ListOptions["tally"]): Json | undefined {
  const root = /^(.*)\/projects\/[^/]+\/agent-transcripts\//.exec(path)?.[1];
  if (root === undefined) return undefined;
  const accept = (name: string, path: string) =>
    name === "meta.json" && path.endsWith(`/${id}/meta.json`);
  const [file] = walk(`${root}/chats`, { tally, accept, maxDepth: 2 });
  return file && findObject(file.path);
}

/** What Cursor puts around it: the machine, open and attached files, rules, the time. */
const harness = /\s*<([a-z]+_[a-z_]+|rules|timestamp)>/y;

/** The words of a user's message, or undefined when it has only what Cursor added. */
function findUserQuery(text: string): string | undefined {
  const marked = findMarked(text, "user_query");
  const typed = marked === undefined
    ? text.slice(skipBlocks(text, harness))
    : marked === "unsure"
    ? text
    : text.slice(marked.from, marked.to).trim();
  return typed.trim() === "" ? undefined : typed;
}
