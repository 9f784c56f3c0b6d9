// Cursor CLI's `store.db`: content-addressed blobs, of which the JSON leaves are messages. Their true
// order is in protobuf nodes; row order is the documented approximation. `meta` holds an encryption
// key beside the name: only the named fields are taken.

import { createHash } from "node:crypto";
import { modelOf } from "./cursor_bubbles.ts";
import { parseKeyValue } from "./cursor_value.ts";
import * as make from "../entries.ts";
import { findJson, type Json, toBlocks, toObject, toText, toTime } from "../loose_json.ts";
import { sendMessage } from "../send_message.ts";
import type {
  ListOptions,
  Place,
  ReadOptions,
  Sink,
  SourceEntry,
  SourceSession,
} from "../source.ts";
import { findUserQuery } from "./user_query.ts";
import { findObject, sessionFacts, type WalkedFile } from "../walk.ts";

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
  return [{
    id: toText(meta?.agentId) ?? folder,
    ...sessionFacts(file),
    key: `store:${modelOf(meta?.lastUsedModel) ?? ""}`,
    title: toText(meta?.name),
    cwd: toText(meta?.workspacePath) ?? folderOf(file.path, place),
    started: toTime(meta?.createdAt),
  }];
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

function toRow(role: string, part: Json, base: make.Base): SourceEntry | undefined {
  const text = toText(part.text);
  const name = toText(part.toolName) ?? "tool";
  const call_id = toText(part.toolCallId);
  switch (part.type) {
    case "text": {
      const said = role === "user" ? findUserQuery(text ?? "") : text;
      if (!said || role === "tool") return undefined;
      return make.turn(role === "user" ? "user" : "assistant", said, base);
    }
    case "reasoning":
      return text ? make.thinking(text, base) : undefined;
    case "tool-call":
      return make.toolCall({ name, input: part.args, call_id }, base);
    case "tool-result": {
      const output = typeof part.result === "string"
        ? part.result
        : JSON.stringify(part.result ?? "");
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
