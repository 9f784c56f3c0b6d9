// Tells a conversation what a line of a Codex rollout is, whichever of the five eras wrote it: envelope
// or bare, response item or event.

import type * as make from "../entries.ts";
import {
  dig,
  type Json,
  parseArguments,
  partsText,
  toNumber,
  toObject,
  toText,
} from "../loose_json.ts";
import type { SourceEntry } from "../source.ts";
import type { CodexConversation } from "./codex_conversation.ts";
import { parseCodexOutput } from "./codex_text.ts";

type Row = SourceEntry | undefined;

/** The row that a line gives by itself. */
export function takeRecord(line: Json, to: CodexConversation): Row {
  const payload = toObject(line.payload);
  const inner = payload ?? {};
  switch (line.type) {
    case "session_meta":
      return to.describe(inner);
    case "turn_context":
      return to.setContext(inner);
    case "response_item":
      return takeItem(inner, to);
    case "event_msg":
      return takeEvent(inner, to);
    case "compacted":
      // `replacement_history` has copies of earlier items: never read.
      return to.compact("item", toText(inner.message));
    case "inter_agent_communication":
      return to.say("assistant", toText(inner.content), "event");
    default:
      return payload === undefined ? takeItem(line, to) : to.skip(line.type);
  }
}

function takeItem(item: Json, to: CodexConversation): Row {
  const role = toText(item.role);
  if (item.type === "message" || (item.type === undefined && role !== undefined)) {
    if (role !== "assistant" && role !== "user") return to.skip(`message.${role}`);
    return to.say(role, partsText(item.content), "item");
  }
  switch (item.type) {
    case "reasoning":
      return to.think(partsText(item.summary) || partsText(item.content), "item");
    case "function_call":
      return to.call(item, nameOf(item), parseArguments(item.arguments));
    case "custom_tool_call":
      return to.call(item, item.name, item.input);
    case "local_shell_call":
      return to.call(item, "local_shell", toObject(item.action));
    case "web_search_call":
      return to.call(item, "web_search", toObject(item.action));
    case "tool_search_call":
      return to.call(item, "tool_search", item.arguments ?? item.query);
    case "tool_call":
      return to.call(item, dig(item, "function", "name"), parseArguments(item.arguments));
    case "tool_result":
      return to.finish({ name: toText(item.name), output: String(item.result ?? "") });
    case "function_call_output":
    case "custom_tool_call_output":
    case "tool_search_output":
      return to.finish({ call_id: item.call_id, ...parseCodexOutput(item.output) });
    case "agent_message":
      return to.say("assistant", partsText(item.content), "item");
    default:
      return to.skip(item.type ?? item.record_type);
  }
}

function takeEvent(event: Json, to: CodexConversation): Row {
  switch (event.type) {
    case "user_message":
      return to.say("user", toText(event.message), "event");
    case "agent_message":
      return to.say("assistant", toText(event.message), "event");
    case "agent_reasoning":
    case "agent_reasoning_raw_content":
      return to.think(toText(event.text) ?? toText(event.message), "event");
    case "exec_command_end":
    case "patch_apply_end":
    case "mcp_tool_call_end":
      return to.finish({ call_id: event.call_id, ...resultOf(event) });
    case "token_count": {
      const info = toObject(event.info);
      const last = toObject(info?.last_token_usage);
      if (last === undefined) return to.skip("event.token_count");
      return to.noteUsage(info?.total_token_usage ?? last, last);
    }
    case "task_complete":
    case "turn_complete":
      return to.say("assistant", toText(event.last_agent_message), "end");
    case "task_started":
    case "turn_started":
      return to.setContext({ turn_id: event.turn_id });
    case "context_compacted":
      return to.compact("event");
    case "thread_rolled_back":
      return to.notice("rollback", `The last ${toNumber(event.num_turns) ?? 1} turns were undone`);
    case "thread_name_updated": {
      const title = toText(event.thread_name) ?? toText(event.name);
      return title ? to.entitle(title) : to.skip("event.thread_name_updated");
    }
    case "item_completed": {
      // Items of the paginated format; all but the texts repeat response items.
      const item = toObject(event.item) ?? {};
      const text = toText(item.text) ?? partsText(item.content);
      if (item.type === "UserMessage") return to.say("user", text, "event");
      const isSaid = item.type === "AgentMessage" || item.type === "Plan";
      return isSaid ? to.say("assistant", text, "event") : to.skip(`item.${item.type}`);
    }
    default:
      return to.skip(`event.${event.type}`);
  }
}

/** Events that tell a tool's result, richer than the response item of the same call. */
function resultOf(event: Json): make.Result & { diffs?: [path: string, diff: unknown][] } {
  const printed = [toText(event.stdout), toText(event.stderr)].filter((part) => part).join("\n");
  if (event.type === "exec_command_end") {
    const exit = toNumber(event.exit_code);
    const output = toText(event.aggregated_output) ?? printed;
    return { output, exit, error: exit !== undefined && exit !== 0 };
  }
  if (event.type === "patch_apply_end") {
    const diffs = Object.entries(toObject(event.changes) ?? {})
      .map(([path, change]): [string, unknown] => [path, toObject(change)?.unified_diff]);
    return { output: printed, error: event.success === false, diffs };
  }
  const result = toObject(event.result);
  const output = partsText(dig(result, "Ok", "content")) || JSON.stringify(event.result ?? "");
  return { output, error: result?.Err !== undefined };
}

/** Tools of a server come as its namespace and their own name. */
function nameOf(item: Json): string | undefined {
  const [space, name] = [toText(item.namespace), toText(item.name)];
  return space === undefined || name === undefined ? name : `${space.replace(/_*$/, "__")}${name}`;
}
