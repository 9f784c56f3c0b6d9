// Puts the updates of a Grok Build session together: pieces of one text to one turn, a call and what
// came later of it to its rows. What is not finished may change, so rows carry revisions.

import { blocksText } from "../block_rows.ts";
import * as make from "../entries.ts";
import { type Json, toNumber, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import type { JsonRecord } from "../read_jsonl.ts";
import type { SourceEntry, SourceSession } from "../source.ts";
import type { Tally } from "../problem_tally.ts";
import { toProjectPath } from "../touched.ts";
import { findInBlock, withoutBlocks } from "../without_blocks.ts";

/** What the updates came to, in their order. */
interface Item {
  kind: string;
  base: make.Base;
  /** The pieces of a text. */
  parts: string[];
  /** A call as its last update left it, and when it ended. */
  call: Json;
  ended?: string;
}

/** The rows of a session. */
export function* foldGrok(
  session: SourceSession,
  records: Iterable<JsonRecord>,
  tally: Tally,
): Generator<SourceEntry> {
  for (const item of collect(session, records, tally)) {
    tally.messages++;
    const rows = [...rowsOf(item)];
    if (rows.length === 0) tally.skip("empty_message");
    for (const row of rows) yield make.revised(row);
  }
}

function collect(session: SourceSession, records: Iterable<JsonRecord>, tally: Tally): Item[] {
  const items: Item[] = [];
  const calls = new Map<string, Item>();
  let ts = session.started ?? "";
  let model = session.key;
  for (const { value, key } of records) {
    const params = toObject(value.params) ?? value;
    const update = toObject(params.update);
    if (update === undefined) continue;
    const [meta, about] = [toObject(params._meta), toObject(update._meta)];
    ts = toTime(meta?.agentTimestampMs) ?? toTime(value.timestamp) ?? ts;
    model = toText(about?.modelId) ?? model;
    const kind = String(update.sessionUpdate);
    const message = toText(meta?.eventId) ?? key;
    const base = { message, ts, cwd: session.cwd, branch: session.branch };
    if (kind === "tool_call" || kind === "tool_call_update") {
      const id = toText(update.toolCallId) ?? key;
      const call = calls.get(id) ??
        { kind: "tool_call", base: { ...base, message: id, model }, parts: [], call: {} };
      if (!calls.has(id)) items.push(call);
      calls.set(id, call);
      Object.assign(call.call, withoutNothing(update));
      if (update.status === "completed" || update.status === "failed") call.ended = ts;
    } else if (kinds.has(kind) && about?.hostTurn !== true) {
      const last = items.at(-1);
      const text = toText(toObject(update.content)?.text) ?? "";
      if (text === "" && kind !== "compaction_checkpoint") tally.skip("attachment");
      if (last?.kind === kind) last.parts.push(text);
      else {
        const of = kind === "user_message_chunk" ? base : { ...base, model };
        items.push({ kind, base: of, parts: [text], call: {} });
      }
    } else tally.skip(`type:${kind.slice(0, 40)}`);
  }
  return items;
}

const kinds = new Set([
  "user_message_chunk",
  "agent_message_chunk",
  "agent_thought_chunk",
  "compaction_checkpoint",
]);

/** An update says only what is new. */
function withoutNothing(update: Json): Json {
  return Object.fromEntries(
    Object.entries(update).filter(([, value]) => value !== null && value !== undefined),
  );
}

function* rowsOf(item: Item): Generator<SourceEntry> {
  const { kind, base, parts } = item;
  const text = parts.join("");
  switch (kind) {
    case "user_message_chunk": {
      const typed = typedText(parts.join("\n"));
      if (typed) yield make.turn("user", typed, base);
      return;
    }
    case "agent_message_chunk":
      if (text.trim()) yield make.turn("assistant", text, base);
      return;
    case "agent_thought_chunk":
      if (text.trim()) yield make.thinking(text, base);
      return;
    case "compaction_checkpoint":
      return yield make.notice("compaction", text || "Conversation compacted", base);
    default:
      yield* callRows(item);
  }
}

function* callRows({ base, call, ended }: Item): Generator<SourceEntry> {
  const title = toText(call.title) ?? "";
  const name = /^\w{1,60}$/.test(title) ? title : toText(call.kind) ?? "tool";
  const input = call.rawInput ?? { description: title };
  const call_id = base.message;
  yield make.toolCall({ name, input, call_id }, base);
  if (ended === undefined) return;
  const blocks = toObjects(call.content);
  const raw = toObject(call.rawOutput);
  const exit = toNumber(raw?.exit_code) ?? toNumber(raw?.exitCode);
  const files = blocks.filter((block) => block.type === "diff")
    .map((block) => toText(block.path)).filter((path) => path !== undefined);
  const said = blocksText(blocks.filter((block) => block.type !== "diff"));
  yield make.toolOutput({
    name: make.toolNameOf(name, input),
    call_id,
    output: said || outputOf(call.rawOutput),
    error: call.status === "failed" || (exit ?? 0) !== 0,
    exit,
    files: files.map((path) => toProjectPath(path, base.cwd)),
  }, { ...base, ts: ended, message: `${base.message}:output` });
}

function outputOf(value: unknown): string {
  if (value === undefined) return "";
  const object = toObject(value);
  const streams = [toText(object?.output) ?? toText(object?.stdout), toText(object?.stderr)];
  const text = toText(value) ?? streams.filter((stream) => stream !== undefined).join("\n");
  return text || JSON.stringify(value);
}

/** What was typed, without what Grok puts around it. */
function typedText(text: string): string {
  return (findInBlock(text, "user_query") ?? withoutBlocks(text, told)).trim();
}

const told = ["user_info", "git_status", "system-reminder", "agent_skills", "mcp_servers"];
