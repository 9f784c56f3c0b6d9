// Cursor's agent transcripts: JSONL without times, ids or tool results. A fallback for what the
// databases do not hold; the file is rewritten when a session is resumed.

import * as make from "../entries.ts";
import { type Json, toBlocks, toObject, toText, toTime } from "../loose_json.ts";
import type { CursorProjects } from "./cursor_projects.ts";
import { JsonlReader } from "../read_jsonl.ts";
import { sendMessage } from "../send_message.ts";
import type {
  ListOptions,
  ReadOptions,
  ResumePoint,
  Sink,
  SourceEntry,
  SourceSession,
} from "../source.ts";
import { findUserQuery } from "./user_query.ts";
import { findObject, sessionFacts, walk, type WalkedFile } from "../walk.ts";

/** The session of one transcript file, or undefined when it is empty. */
export function listTranscript(
  file: WalkedFile,
  { tally, projects }: ListOptions & { projects: CursorProjects },
): SourceSession | undefined {
  if (file.size === 0) {
    tally.skip("empty_file");
    return undefined;
  }
  const id = file.name.slice(0, -".jsonl".length);
  const meta = findChatMeta(file.path, id, tally);
  const facts = sessionFacts(file);
  return {
    id,
    ...facts,
    key: "transcript",
    title: toText(meta?.title),
    cwd: toText(meta?.cwd) ?? projects.findFolder(file.path),
    started: toTime(meta?.createdAtMs) ?? facts.updated,
    updated: toTime(meta?.updatedAtMs) ?? facts.updated,
    parent: /\/([^/]+)\/subagents\/[^/]+$/.exec(file.path)?.[1],
  };
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
    if (value.role !== "user" && value.role !== "assistant") {
      sink.tally.skip(`type:${String(value.type).slice(0, 40)}`);
      continue;
    }
    const blocks = toBlocks(toObject(value.message)?.content ?? value.message ?? value.content) ??
      [];
    const { role } = value;
    const rows = blocks.flatMap((block, i) => {
      const base = { message: `${number}.${i}`, ts: session.started ?? "", cwd: session.cwd };
      return toRow(role, block, base) ?? [];
    });
    await sendMessage(sink, rows);
  }
  return { signature: session.signature };
}

function toRow(role: "user" | "assistant", block: Json, base: make.Base): SourceEntry | undefined {
  const text = toText(block.text) ?? toText(block.thinking);
  const name = toText(block.name);
  switch (block.type) {
    case "text": {
      const said = role === "user" ? findUserQuery(text ?? "") : text;
      return !said || said === "[REDACTED]" ? undefined : make.turn(role, said, base);
    }
    case "thinking":
      return text ? make.thinking(text, base) : undefined;
    case "tool_use":
    case "tool_call":
      return name ? make.toolCall({ name, input: block.input }, base) : undefined;
    case "tool_result":
    case "tool-result": {
      const parts = toBlocks(block.content) ?? [];
      const output = parts.map((part) => toText(part.text) ?? "").join("\n");
      return make.toolOutput({ name: name ?? "tool", output }, base);
    }
    default:
      return undefined;
  }
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
