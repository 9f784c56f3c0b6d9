// What Cursor's agent keeps outside of VS Code's databases. The CLI's `store.db` has content-addressed
// blobs, of which the JSON leaves are messages; their true order is in protobuf nodes, and row order is the
// documented approximation. Its `meta` holds an encryption key beside the name: only the named fields are
// taken. Transcripts are JSONL without times, ids or tool results: a fallback for what no database holds,
// rewritten when a session is resumed.

import { createHash } from "node:crypto";
import * as make from "../entries.ts";
import { findJson, type Json, toBlocks, toObject, toText, toTime } from "../loose_json.ts";
import { JsonlReader } from "../read_jsonl.ts";
import type {
  ListOptions,
  Place,
  ReadOptions,
  ResumePoint,
  Sink,
  SourceEntry,
  SourceSession,
} from "../source.ts";
import { sessionOf } from "../source_kinds.ts";
import { otherType, sendMessage } from "../reading.ts";
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

/** Reads the JSON leaves of one store. */
export async function readStore(
  session: SourceSession,
  sink: Sink,
  { databases }: ReadOptions,
): Promise<void> {
  if (session.title !== undefined) sink.describe({ title: session.title, title_from: "ai" });
  const model = session.key?.slice("store:".length) || undefined;
  const sql = "SELECT id, data FROM blobs WHERE substr(data, 1, 1) = x'7b' ORDER BY rowid";
  const rows = await databases.read(session.path, (database) => database.rows(sql));
  for (const { id, data } of rows) {
    if (!(data instanceof Uint8Array)) continue;
    const message = parseKeyValue(data);
    const role = message?.role;
    if (role !== "user" && role !== "assistant" && role !== "tool") continue;
    const rows = (toBlocks(message?.content) ?? []).flatMap((part, i) => {
      const base = { message: `${id}.${i}`, ts: session.started ?? "", cwd: session.cwd, model };
      return toRow(role, part, base) ?? [];
    });
    await sendMessage(sink, rows, role === "user" ? "harness_text" : undefined);
  }
}

/** A part of a message, under the names that either has for it. */
function toRow(role: string, part: Json, base: make.Base): SourceEntry | undefined {
  const text = toText(part.text) ?? toText(part.thinking);
  const { toolCallId: call_id, result } = part;
  const name = part.toolName ?? part.name;
  switch (part.type) {
    case "text": {
      const said = role === "user" ? findUserQuery(text ?? "") : text;
      if (!said || role === "tool" || said === "[REDACTED]") return undefined;
      return make.turn(role === "user" ? "user" : "assistant", said, base);
    }
    case "reasoning":
    case "thinking":
      return text ? make.thinking(text, base) : undefined;
    case "tool-call":
    case "tool_call":
    case "tool_use":
      return make.toolCall({ name, input: part.args ?? part.input, call_id }, base);
    case "tool-result":
    case "tool_result": {
      const blocks = toBlocks(part.content) ?? [];
      const output = result === undefined
        ? blocks.map((block) => toText(block.text) ?? "").join("\n")
        : toText(result) ?? JSON.stringify(result);
      return make.toolOutput({ name, output, call_id, error: part.isError === true }, base);
    }
    default:
      return undefined;
  }
}

/** `meta.json` beside the store names the folder; the directory above is a hash of it. */
function folderOf(path: string, { workspace }: Place): string | undefined {
  const directory = path.replace(/\/[^/]+$/, "");
  const hash = directory.replace(/\/[^/]+$/, "").replace(/^.*\//, "");
  const isOurs = hash === createHash("md5").update(workspace).digest("hex");
  return toText(findObject(`${directory}/meta.json`)?.cwd) ?? (isOurs ? workspace : undefined);
}

function fromHex(hex: string): string {
  const bytes = Uint8Array.from(hex.match(/[0-9a-f]{2}/gi) ?? [], (pair) => parseInt(pair, 16));
  return new TextDecoder().decode(bytes);
}

/** The session of one transcript file. */
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
): Promise<ResumePoint> {
  using reader = new JsonlReader(session.path, { tally: sink.tally, now });
  if (session.title !== undefined) sink.describe({ title: session.title, title_from: "ai" });
  let line = 0;
  for (const { value } of reader.records()) {
    const number = line++;
    const { role, message, content } = value;
    if (role !== "user" && role !== "assistant") {
      sink.tally.skip(otherType(value.type));
      continue;
    }
    const blocks = toBlocks(toObject(message)?.content ?? message ?? content) ?? [];
    const rows = blocks.flatMap((block, i) => {
      const base = { message: `${number}.${i}`, ts: session.started ?? "", cwd: session.cwd };
      return toRow(role, block, base) ?? [];
    });
    await sendMessage(sink, rows);
  }
  return { signature: session.signature };
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

const [opening, closing] = ["<user_query>", "</user_query>"];
/** What Cursor puts around it: the machine, open and attached files, rules, the time. */
const harness = /\s*<([a-z]+_[a-z_]+|rules|timestamp)>/y;

/** The words of a user's message, or undefined when it has only what Cursor added. */
function findUserQuery(text: string): string | undefined {
  const start = text.indexOf(opening);
  const end = text.lastIndexOf(closing);
  const typed = start >= 0 && end > start
    ? text.slice(start + opening.length, end).trim()
    : text.slice(skipBlocks(text, harness));
  return typed.trim() === "" ? undefined : typed;
}
