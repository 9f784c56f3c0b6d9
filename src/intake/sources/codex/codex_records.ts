// Reads one line of a Codex rollout as a step of its conversation, whichever of the five eras wrote
// it: envelope or bare, response item or event. Pure; knows nothing of the lines before.

import { type Channel, contentText, parseCodexOutput } from "./codex_text.ts";
import { type Json, parseArguments, toNumber, toObject, toText } from "../loose_json.ts";

/** What a line does to the conversation. */
export type CodexStep =
  | { kind: "meta"; payload: Json }
  | { kind: "context"; cwd?: string; model?: string; turn?: string }
  | { kind: "say"; role: "user" | "assistant"; text: string; channel: Channel }
  | { kind: "think"; text: string; channel: Channel }
  | { kind: "call"; name: string; input: unknown; call_id?: string }
  | {
    kind: "result";
    call_id?: string;
    name?: string;
    output: string;
    error?: boolean;
    files?: string[];
    exit?: number;
    /** Diffs by the paths of their files. */
    patches?: [path: string, diff: string][];
  }
  | { kind: "notice"; type: string; text: string }
  /** A compaction, told twice: with the text that replaced the earlier turns, and as an event. */
  | { kind: "compacted"; channel: Channel; summary?: string }
  | { kind: "usage"; totals: unknown; last: Json }
  | { kind: "title"; title: string }
  | { kind: "skip"; reason: string };

/** The step that a line is. */
export function parseCodexRecord(line: Json): CodexStep {
  const payload = toObject(line.payload);
  switch (line.type) {
    case "session_meta":
      return { kind: "meta", payload: payload ?? {} };
    case "turn_context":
      return {
        kind: "context",
        cwd: toText(payload?.cwd),
        model: toText(payload?.model),
        turn: toText(payload?.turn_id),
      };
    case "response_item":
      return parseItem(payload ?? {});
    case "event_msg":
      return parseEvent(payload ?? {});
    case "compacted":
      // `replacement_history` has copies of earlier items: never read.
      return { kind: "compacted", channel: "item", summary: toText(payload?.message) };
    case "inter_agent_communication":
      return say("assistant", toText(payload?.content), "event");
    default:
      return payload === undefined ? parseItem(line) : skip(line.type);
  }
}

function parseItem(item: Json): CodexStep {
  const role = toText(item.role);
  const call_id = toText(item.call_id);
  if (item.type === "message" || (item.type === undefined && role !== undefined)) {
    if (role === "assistant" || role === "user") {
      return say(role, contentText(item.content), "item");
    }
    return skip(`message.${role}`);
  }
  switch (item.type) {
    case "reasoning":
      return think(contentText(item.summary) || contentText(item.content), "item");
    case "function_call":
      return call(item, nameOf(item), parseArguments(item.arguments));
    case "custom_tool_call":
      return call(item, toText(item.name), item.input);
    case "local_shell_call":
      return call(item, "local_shell", toObject(item.action));
    case "web_search_call":
      return call(item, "web_search", toObject(item.action));
    case "tool_search_call":
      return call(item, "tool_search", item.arguments ?? item.query);
    case "tool_call":
      return call(item, toText(toObject(item.function)?.name), parseArguments(item.arguments));
    case "tool_result":
      return { kind: "result", name: toText(item.name), output: String(item.result ?? "") };
    case "function_call_output":
    case "custom_tool_call_output":
    case "tool_search_output":
      return { kind: "result", call_id, ...parseCodexOutput(item.output) };
    case "agent_message":
      return say("assistant", contentText(item.content), "item");
    default:
      return skip(item.type ?? item.record_type);
  }
}

function parseEvent(event: Json): CodexStep {
  switch (event.type) {
    case "user_message":
      return say("user", toText(event.message), "event");
    case "agent_message":
      return say("assistant", toText(event.message), "event");
    case "agent_reasoning":
    case "agent_reasoning_raw_content":
      return think(toText(event.text) ?? toText(event.message), "event");
    case "exec_command_end":
    case "patch_apply_end":
    case "mcp_tool_call_end":
      return parseEnd(event);
    case "token_count": {
      const info = toObject(event.info);
      const last = toObject(info?.last_token_usage);
      if (last === undefined) return { kind: "skip", reason: "type:event.token_count" };
      return { kind: "usage", totals: info?.total_token_usage ?? last, last };
    }
    case "task_complete":
    case "turn_complete":
      return say("assistant", toText(event.last_agent_message), "end");
    case "task_started":
    case "turn_started":
      return { kind: "context", turn: toText(event.turn_id) };
    case "context_compacted":
      return { kind: "compacted", channel: "event" };
    case "thread_rolled_back":
      return notice("rollback", `The last ${toNumber(event.num_turns) ?? 1} turns were undone`);
    case "thread_name_updated": {
      const title = toText(event.thread_name) ?? toText(event.name);
      return title ? { kind: "title", title } : skip("event.thread_name_updated");
    }
    case "item_completed":
      return parseCompleted(toObject(event.item) ?? {});
    default:
      return skip(`event.${event.type}`);
  }
}

/** Events that tell a tool's result, richer than the response item of the same call. */
function parseEnd(event: Json): CodexStep {
  const call_id = toText(event.call_id);
  const printed = [toText(event.stdout), toText(event.stderr)].filter((part) => part).join("\n");
  if (event.type === "exec_command_end") {
    const exit = toNumber(event.exit_code);
    const output = toText(event.aggregated_output) ?? printed;
    return { kind: "result", call_id, output, exit, error: exit !== undefined && exit !== 0 };
  }
  if (event.type === "patch_apply_end") {
    const changes = Object.entries(toObject(event.changes) ?? {});
    const files = changes.map(([path]) => path);
    const patches = changes.flatMap(([path, change]): [string, string][] => {
      const diff = toText(toObject(change)?.unified_diff);
      return diff === undefined ? [] : [[path, diff]];
    });
    const error = event.success === false;
    return { kind: "result", call_id, output: printed, error, files, patches };
  }
  const result = toObject(event.result);
  const output = contentText(toObject(result?.Ok)?.content) || JSON.stringify(event.result ?? "");
  return { kind: "result", call_id, output, error: result?.Err !== undefined };
}

/** Items of the paginated format; all but the texts repeat response items. */
function parseCompleted(item: Json): CodexStep {
  const text = toText(item.text) ?? contentText(item.content);
  if (item.type === "UserMessage") return say("user", text, "event");
  if (item.type === "AgentMessage" || item.type === "Plan") return say("assistant", text, "event");
  return skip(`item.${item.type}`);
}

/** Tools of a server come as its namespace and their own name. */
function nameOf(item: Json): string | undefined {
  const [space, name] = [toText(item.namespace), toText(item.name)];
  return space === undefined || name === undefined ? name : `${space.replace(/_*$/, "__")}${name}`;
}

function say(role: "user" | "assistant", text = "", channel: Channel): CodexStep {
  return { kind: "say", role, text, channel };
}

function think(text = "", channel: Channel): CodexStep {
  return { kind: "think", text, channel };
}

function call(item: Json, name = "tool", input: unknown): CodexStep {
  return { kind: "call", name, input, call_id: toText(item.call_id) ?? toText(item.id) };
}

function notice(type: string, text: string): CodexStep {
  return { kind: "notice", type, text };
}

function skip(type: unknown): CodexStep {
  return { kind: "skip", reason: `type:${String(type).slice(0, 40)}` };
}
