// A session as a Codex rollout. Its turns have ids that say that ctx wrote them, so that importing
// knows the rows for copies; Codex gives its own ids to the turns that it adds. Pure.

import { makeRestoredUuid } from "../../core/restored_uuid.ts";
import { sessionUuid } from "./handed_ids.ts";
import type { HandedSession, HandoffPlace, Transcript } from "./transcript.ts";
import type { CallTurn } from "./turn.ts";
import { resumeCommands } from "./resume_commands.ts";

/** The version of the agent whose format this is. */
const formatVersion = "0.166.0";

/** Writes a rollout where Codex looks for it, by the day on which the session began. */
export function toCodexTranscript(session: HandedSession, place: HandoffPlace): Transcript {
  const id = sessionUuid(session, "codex");
  const { brief, turns } = session;
  const started = turns[0]?.ts ?? new Date(0).toISOString();
  const lines: string[] = [];
  let messages = 0;
  const put = (timestamp: string, type: string, payload: object): void => {
    lines.push(JSON.stringify({ timestamp, type, payload }) + "\n");
  };
  const say = (ts: string, role: "user" | "assistant", text: string): void => {
    const [part, event] = role === "user"
      ? ["input_text", { type: "user_message", message: text, images: [] }]
      : ["output_text", { type: "agent_message", message: text }];
    put(ts, "response_item", { type: "message", role, content: [{ type: part, text }] });
    put(ts, "event_msg", event);
    messages++;
  };
  let open: string | undefined;
  const begin = (of: string, ts: string): void => {
    end(ts);
    open = makeRestoredUuid(of);
    put(ts, "event_msg", { type: "task_started", turn_id: open, model_context_window: null });
  };
  const end = (ts: string): void => {
    if (open === undefined) return;
    put(ts, "event_msg", { type: "task_complete", turn_id: open, last_agent_message: null });
  };
  put(started, "session_meta", {
    id,
    timestamp: started,
    cwd: session.cwd,
    originator: "ctx",
    cli_version: formatVersion,
    source: "cli",
    ...(session.branch === undefined ? {} : { git: { branch: session.branch } }),
  });
  if (brief !== undefined) {
    begin(`${session.id}\0brief`, started);
    say(started, "user", brief);
  }
  for (const turn of turns) {
    if (turn.kind === "prompt" || open === undefined) begin(turn.id, turn.ts);
    if (turn.kind === "call") {
      for (const [ts, item] of callItems(turn)) put(ts, "response_item", item);
      messages += 2;
    } else say(turn.ts, turn.kind === "prompt" ? "user" : "assistant", turn.text);
  }
  end(turns.at(-1)?.ts ?? started);
  const root = place.env("CODEX_HOME") || `${place.home}/.codex`;
  const [day, time] = started.split("T");
  const name = `rollout-${day}T${time.slice(0, 8).replaceAll(":", "-")}-${id}.jsonl`;
  return {
    id,
    files: [{ path: `${root}/sessions/${day.replaceAll("-", "/")}/${name}`, text: lines.join("") }],
    messages,
    resume: [`${resumeCommands.codex} ${id}`],
  };
}

/** What Codex is given as text, such as patches, it calls custom. */
function callItems({ ts, call, call_id, result }: CallTurn): [string, object][] {
  const { text, error } = result;
  const output = error
    ? JSON.stringify({ output: text, metadata: { exit_code: 1, duration_seconds: 0 } })
    : text;
  if (typeof call.input === "string") {
    const { name, input } = call;
    return [
      [ts, { type: "custom_tool_call", status: "completed", call_id, name, input }],
      [result.ts, { type: "custom_tool_call_output", call_id, output }],
    ];
  }
  return [
    [ts, {
      type: "function_call",
      name: call.name,
      arguments: JSON.stringify(call.input),
      call_id,
    }],
    [result.ts, { type: "function_call_output", call_id, output }],
  ];
}
