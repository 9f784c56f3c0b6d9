// Grok Build: `~/.grok/sessions/<cwd>/<session>/updates.jsonl`, every update that its screen got, with the
// session's facts in `summary.json`. The model's own history beside it has no times and is not read.
// Pieces of one text become one turn, a call and what came later of it its rows; what is not finished may
// change, so rows carry revisions.

import { toWholePath } from "../../../core/platform_path.ts";
import { blocksText } from "../block_rows.ts";
import * as make from "../entries.ts";
import { dig, type Json, toNumber, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import type { Tally } from "../problem_tally.ts";
import { JsonlReader, type JsonRecord } from "../read_jsonl.ts";
import type { SourceEntry, SourceSession } from "../source.ts";
import { fileSource } from "../source_kinds.ts";
import { otherType, sendMessage } from "../reading.ts";
import { toProjectPath } from "../touched.ts";
import { findObject } from "../walk.ts";
import { typedText } from "../without_blocks.ts";

export const grok = fileSource({
  name: "grok",
  title: "Grok Build",
  roots: ({ env, home }) => [`${env("GROK_HOME") || `${home}/.grok`}/sessions`],
  files: /^updates\.jsonl$/,
  maxDepth: 4,
  describe: () => ({ directory }) => {
    const summary: Json = findObject(`${directory}/summary.json`) ?? {};
    return {
      id: directory.slice(directory.lastIndexOf("/") + 1),
      cwd: toText(dig(summary, "info", "cwd")) ?? toText(summary.cwd) ?? placeOf(directory),
      branch: toText(summary.head_branch),
      title: toText(summary.generated_title) ?? toText(summary.session_summary),
      started: toTime(summary.created_at),
      parent: toText(summary.parent_session_id),
      key: toText(summary.current_model_id),
    };
  },
  async read(session, sink, { now }) {
    if (session.title) sink.describe({ title: session.title, title_from: "ai" });
    // Texts come in pieces and calls are completed later: a session is read as a whole.
    using reader = new JsonlReader(session.path, { tally: sink.tally, now });
    for (const item of collect(session, reader.records(), sink.tally)) {
      await sendMessage(sink, rowsOf(item));
    }
  },
});

/** The directory above is named after the place, in percents. */
function placeOf(directory: string): string | undefined {
  try {
    return toWholePath(decodeURIComponent(directory.split("/").at(-2) ?? ""));
  } catch {
    return undefined;
  }
}

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
      // An update says only what is new.
      const said = Object.entries(update).filter(([, value]) => value !== null);
      Object.assign(call.call, Object.fromEntries(said));
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
    } else tally.skip(otherType(kind));
  }
  return items;
}

const kinds = new Set([
  "user_message_chunk",
  "agent_message_chunk",
  "agent_thought_chunk",
  "compaction_checkpoint",
]);

function rowsOf(item: Item): SourceEntry[] {
  const { kind, base, parts } = item;
  const text = parts.join("");
  switch (kind) {
    case "user_message_chunk": {
      const typed = typedText(parts.join("\n"), "user_query", told);
      return typed ? [make.turn("user", typed, base)] : [];
    }
    case "agent_message_chunk":
      return text.trim() ? [make.turn("assistant", text, base)] : [];
    case "agent_thought_chunk":
      return text.trim() ? [make.thinking(text, base)] : [];
    case "compaction_checkpoint":
      return [make.notice("compaction", text || "Conversation compacted", base)];
    default:
      return callRows(item);
  }
}

/** What Grok puts around a prompt. */
const told = ["user_info", "git_status", "system-reminder", "agent_skills", "mcp_servers"];

function callRows({ base, call, ended }: Item): SourceEntry[] {
  const title = toText(call.title) ?? "";
  const name = /^\w{1,60}$/.test(title) ? title : toText(call.kind) ?? "tool";
  const input = call.rawInput ?? { description: title };
  const call_id = base.message;
  const row = make.toolCall({ name, input, call_id }, base);
  if (ended === undefined) return [row];
  const blocks = toObjects(call.content);
  const raw = toObject(call.rawOutput);
  const exit = toNumber(raw?.exit_code) ?? toNumber(raw?.exitCode);
  const files = blocks.filter((block) => block.type === "diff")
    .map((block) => toText(block.path)).filter((path) => path !== undefined);
  const said = blocksText(blocks.filter((block) => block.type !== "diff"));
  const output = make.toolOutput({
    name: make.toolNameOf(name, input),
    call_id,
    output: said || outputOf(call.rawOutput),
    error: call.status === "failed" || (exit ?? 0) !== 0,
    exit,
    files: files.map((path) => toProjectPath(path, base.cwd)),
  }, { ...make.under(base, "output"), ts: ended });
  return [row, output];
}

function outputOf(value: unknown): string {
  if (value === undefined) return "";
  const object = toObject(value);
  const streams = [toText(object?.output) ?? toText(object?.stdout), toText(object?.stderr)];
  const text = toText(value) ?? streams.filter((stream) => stream !== undefined).join("\n");
  return text || JSON.stringify(value);
}
