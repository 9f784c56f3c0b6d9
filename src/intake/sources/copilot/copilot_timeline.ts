// Copilot CLI's documents of 2025: `history-session-state/<id>.json` with a timeline.

import * as make from "../entries.ts";
import { type Json, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";

/** Sends the rows of a timeline into the sink. */
export async function emitTimeline(
  session: SourceSession,
  document: Json,
  sink: Sink,
): Promise<void> {
  let ts = toTime(document.startTime) ?? session.started ?? session.updated ?? "";
  for (const [i, item] of toObjects(document.timeline).entries()) {
    ts = toTime(item.timestamp) ?? ts;
    const base = { message: toText(item.id) ?? String(i), ts, cwd: session.cwd };
    const rows = toRows(item, base);
    if (rows === undefined) sink.tally.skip(`type:${String(item.type).slice(0, 40)}`);
    else if (item.type === "user" || item.type === "copilot") sink.tally.messages++;
    for (const row of rows ?? []) await sink.entry(make.revised(row));
  }
}

function toRows(item: Json, base: make.Base): SourceEntry[] | undefined {
  const text = toText(item.text);
  if (item.type === "user" && text) return [make.turn("user", text, base)];
  if (item.type === "copilot" && text) return [make.turn("assistant", text, base)];
  if (item.type !== "tool_call_completed") return undefined;
  const name = toText(item.name) ?? "tool";
  const call_id = toText(item.callId);
  const input = item.arguments;
  const result = toObject(item.result);
  const output = toText(result?.log) ?? "";
  return [
    make.toolCall({ name, input, call_id }, { ...base, message: `${base.message}:call` }),
    make.toolOutput({ name, output, call_id, error: result?.type === "failure" }, base),
  ];
}
