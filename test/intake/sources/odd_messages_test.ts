// What every agent writes besides the conversation: calls that failed, text that only the model sees,
// and words of the harness under a person's name. Each sample is continued with all three; what comes in
// is held against it to the word.

import assert from "node:assert/strict";
import { sourceTable } from "../../../src/intake/import/source_table.ts";
import { collect } from "../../support/collect.ts";
import { copyTree, listTree } from "../../support/stores/tree.ts";
import { fromFileUrl } from "../../../src/core/platform_path.ts";
import { toOwnPath } from "../../../src/core/platform_path.ts";

/** How a sample goes on, and which rows that makes: `user/turn: text`, with a mark where it failed. */
interface OddCase {
  agent: string;
  /** The sample's directory, where it is not called like the agent. */
  sample?: string;
  /** The end of the path of the file that goes on. */
  file: string;
  lines?: object[];
  /** For documents: changes the parsed one. */
  // deno-lint-ignore no-explicit-any
  edit?: (document: any) => void;
  rows: string[];
  /** How many more messages are left out, by reason. */
  skipped: Record<string, number>;
}

const samples = fromFileUrl(new URL("../../samples", import.meta.url));
const text = (text: string) => ({ type: "text", text });

const cases: OddCase[] = [
  {
    agent: "qwen",
    file: "00000000000a.jsonl",
    lines: [
      {
        uuid: "x1",
        type: "user",
        subtype: "notification",
        message: { parts: [text("task done")] },
      },
      { uuid: "x2", type: "user", provenance: "system", message: { parts: [text("timer")] } },
      {
        uuid: "x3",
        type: "user",
        subtype: "mid_turn_user_message",
        provenance: "real_user",
        systemPayload: { displayText: "Go on" },
        message: { parts: [text("Go on\nhidden context of a hook")] },
      },
      {
        uuid: "x4",
        type: "assistant",
        message: {
          parts: [
            { functionCall: { id: "c8", name: "read_file", args: { path: "a" } } },
            { functionCall: { id: "c9", name: "edit", args: { file_path: "/work/app/a" } } },
          ],
        },
      },
      {
        uuid: "x5",
        type: "tool_result",
        message: { parts: [{ functionResponse: { id: "c8", response: { error: "no file" } } }] },
      },
      {
        uuid: "x6",
        type: "tool_result",
        message: { parts: [{ functionResponse: { id: "c9", response: { output: "denied" } } }] },
        toolCallResult: { callId: "c9", status: "error" },
      },
    ],
    rows: [
      "user/turn: Go on",
      "assistant/tool_call: read_file: a",
      "assistant/tool_call: edit: /work/app/a",
      "tool/tool_output (failed): no file",
      "tool/tool_output (failed): denied",
    ],
    skipped: { harness_text: 2 },
  },
  {
    agent: "grok",
    file: "updates.jsonl",
    lines: [
      update("user_message_chunk", {
        content: text("Woken by a timer"),
        _meta: { hostTurn: true },
      }),
      update("user_message_chunk", {
        content: text("<system-reminder>be brief</system-reminder>"),
      }),
      update("agent_message_chunk", { content: text("Yes.") }),
      update("tool_call", { toolCallId: "c8", title: "shell", rawInput: { command: "make" } }),
      update("tool_call_update", {
        toolCallId: "c8",
        status: "completed",
        rawOutput: { exit_code: 2, output: "no rule" },
      }),
      update("tool_call", { toolCallId: "c9", title: "read_file", rawInput: { path: "b" } }),
      update("tool_call_update", {
        toolCallId: "c9",
        status: "failed",
        content: [{ type: "content", content: text("no file") }],
      }),
    ],
    rows: [
      "assistant/turn: Yes.",
      "assistant/tool_call: shell: make",
      "tool/tool_output (failed): no rule",
      "assistant/tool_call: read_file: b",
      "tool/tool_output (failed): no file",
    ],
    skipped: { empty_message: 1, "type:user_message_chunk": 1 },
  },
  {
    agent: "kimi",
    file: "old-1/wire.jsonl",
    lines: [
      kimi("ToolCall", { id: "c8", function: { name: "Shell", arguments: '{"command":"make"}' } }),
      kimi("ToolResult", {
        tool_call_id: "c8",
        return_value: { is_error: true, output: "no rule" },
      }),
      kimi("ToolCall", { id: "c9", function: { name: "Shell", arguments: '{"command":"ls"}' } }),
      kimi("ToolResult", {
        tool_call_id: "c9",
        return_value: { is_error: true, output: "", message: "rejected" },
      }),
      kimi("StatusUpdate", { context_usage: 0.5 }),
      kimi("TurnBegin", { user_input: [{ type: "image_url" }] }),
      kimi("ContentPart", { type: "think", think: "hm" }),
    ],
    rows: [
      "assistant/tool_call: Shell: make",
      "tool/tool_output (failed): no rule",
      "assistant/tool_call: Shell: ls",
      "tool/tool_output (failed): rejected",
      "assistant/thinking: hm",
    ],
    skipped: { "type:StatusUpdate": 1, empty_message: 1 },
  },
  {
    agent: "droid",
    file: "00000000000d.jsonl",
    lines: [
      message("x1", "user", [text("for the model only")], { visibility: "llm_only" }),
      message("x2", "user", [text("<system-reminder>be brief</system-reminder>")]),
      message("x3", "user", [text("<system-reminder>now</system-reminder>\nGo on")]),
      message("x4", "assistant", [{ type: "tool_use", id: "c9", name: "Read", input: "a" }]),
      message("x5", "user", [
        { type: "tool_result", tool_use_id: "c9", is_error: true, content: "no file" },
      ]),
    ],
    rows: [
      "user/turn: Go on",
      "assistant/tool_call: Read: a",
      "tool/tool_output (failed): no file",
    ],
    skipped: { harness_text: 2 },
  },
  {
    agent: "pi",
    file: "00000000000c.jsonl",
    lines: [
      message("x1", "assistant", [{ type: "toolCall", id: "c9", name: "read", arguments: "a" }]),
      {
        type: "message",
        id: "x2",
        message: {
          role: "toolResult",
          toolCallId: "c9",
          isError: true,
          content: [text("no file")],
        },
      },
      {
        type: "message",
        id: "x3",
        message: { role: "bashExecution", command: "make", output: "no rule", exitCode: 2 },
      },
      message("x4", "custom", [text("of an extension")]),
      { type: "model_change", id: "x5", modelId: "m" },
      message("x6", "assistant", [{ type: "thinking", thinking: "hm" }]),
    ],
    rows: [
      "assistant/tool_call: read: a",
      "tool/tool_output (failed): no file",
      "assistant/tool_call: bash: make",
      "tool/tool_output (failed): no rule",
      "assistant/thinking: hm",
    ],
    skipped: { bookkeeping: 1, "type:model_change": 1 },
  },
  {
    agent: "antigravity",
    file: "transcript_full.jsonl",
    lines: [
      step(20, "USER_INPUT", { content: "<EPHEMERAL_MESSAGE>open: a.ts</EPHEMERAL_MESSAGE>" }),
      step(21, "EPHEMERAL_MESSAGE", { source: "SYSTEM", content: "be brief" }),
      step(22, "PLANNER_RESPONSE", { tool_calls: [{ name: "run", args: { command: "make" } }] }),
      step(23, "RUN_COMMAND", { status: "ERROR", content: "no rule" }),
      step(24, "PLANNER_RESPONSE", { tool_calls: [{ name: "view", args: { path: "a" } }] }),
      step(25, "VIEW_FILE", { error: "no file" }),
    ],
    rows: [
      "assistant/tool_call: run: make",
      "tool/tool_output (failed): no rule",
      "assistant/tool_call: view: a",
      "tool/tool_output (failed): no file",
    ],
    skipped: { empty_message: 1, "type:EPHEMERAL_MESSAGE": 1 },
  },
  {
    agent: "kiro",
    file: "cli/f0000000-0000-4000-8000-00000000000f.jsonl",
    lines: [
      kiro("AssistantMessage", [{
        kind: "toolUse",
        data: { toolUseId: "c9", name: "shell", input: { command: "make" } },
      }]),
      kiro("ToolResults", [{
        kind: "toolResult",
        data: { toolUseId: "c9", status: "error", content: [{ kind: "text", data: "no rule" }] },
      }]),
      kiro("Compaction", [{ kind: "text", data: "of the harness" }]),
      kiro("AssistantMessage", [{ kind: "thinking", data: { text: "hm" } }]),
    ],
    rows: [
      "assistant/tool_call: shell: make",
      "tool/tool_output (failed): no rule",
      "assistant/thinking: hm",
    ],
    skipped: { "type:Compaction": 1 },
  },
  {
    agent: "copilot",
    file: "events.jsonl",
    lines: [
      event("tool.execution_start", { toolCallId: "c9", toolName: "bash", arguments: "make" }),
      event("tool.execution_complete", {
        toolCallId: "c9",
        success: false,
        error: { message: "no rule" },
      }),
      event("system.message", { content: "You are Copilot" }),
      event("user.message", { content: "" }),
      event("assistant.reasoning", { content: "hm" }),
    ],
    rows: [
      "assistant/tool_call: bash: make",
      "tool/tool_output (failed): no rule",
      "assistant/thinking: hm",
    ],
    skipped: { "type:system.message": 1, empty_message: 1 },
  },
  {
    agent: "codex",
    file: "ddddeeee0001.jsonl",
    lines: [
      item({ type: "message", role: "user", content: [text("<environment_context>x")] }),
      item({ type: "message", role: "developer", content: [text("be brief")] }),
      item({
        type: "function_call",
        name: "shell",
        call_id: "c9",
        arguments: '{"command":"make"}',
      }),
      item({
        type: "function_call_output",
        call_id: "c9",
        output: '{"output":"no rule","metadata":{"exit_code":2}}',
      }),
    ],
    rows: ["assistant/tool_call: shell: make", "tool/tool_output (failed): no rule"],
    skipped: { harness_text: 1, "type:message.developer": 1 },
  },
  {
    agent: "claude-code",
    file: "555555555555.jsonl",
    lines: [
      { uuid: "x1", type: "user", isMeta: true, message: { content: "be brief" } },
      { uuid: "x2", type: "user", message: { content: "<local-command-stdout>x" } },
      {
        uuid: "x3",
        type: "assistant",
        message: {
          id: "m9",
          content: [{ type: "tool_use", id: "c9", name: "Bash", input: { command: "make" } }],
        },
      },
      {
        uuid: "x4",
        type: "user",
        message: {
          content: [{ type: "tool_result", tool_use_id: "c9", is_error: true, content: "no rule" }],
        },
      },
    ],
    rows: ["assistant/tool_call: Bash: make", "tool/tool_output (failed): no rule"],
    skipped: { harness_text: 2 },
  },
  {
    agent: "gemini",
    file: "aaaa1111.jsonl",
    lines: [
      { id: "x1", type: "info", content: "update available" },
      { id: "x2", type: "user", content: "<session_context>today</session_context>" },
      {
        id: "x3",
        type: "gemini",
        content: "",
        thoughts: [{ subject: "Doubt", description: "hm" }],
        toolCalls: [{
          id: "c9",
          name: "shell",
          args: { command: "make" },
          status: "error",
          resultDisplay: "no rule",
        }],
      },
    ],
    rows: [
      "assistant/thinking: Doubt: hm",
      "assistant/tool_call: shell: make",
      "tool/tool_output (failed): no rule",
    ],
    skipped: { notice: 1, harness_text: 1 },
  },
  {
    agent: "continue",
    file: "00000000000a.json",
    edit({ history }) {
      history.push(
        { message: { role: "system", content: "be brief" } },
        {
          message: { role: "assistant", content: "" },
          reasoning: { text: "hm" },
          toolCallStates: [{
            status: "errored",
            toolCall: { id: "c9", function: { name: "run", arguments: '{"command":"make"}' } },
            output: [{ content: "no rule" }],
          }],
        },
      );
    },
    rows: [
      "assistant/thinking: hm",
      "assistant/tool_call: run: make",
      "tool/tool_output (failed): no rule",
    ],
    skipped: { empty_message: 1 },
  },
  {
    agent: "cline",
    file: "api_conversation_history.json",
    edit(messages) {
      messages.push(
        { role: "user", content: [text("<environment_details>open: a.ts</environment_details>")] },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm" },
            { type: "tool_use", id: "c9", name: "execute_command", input: { command: "make" } },
          ],
        },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "c9", is_error: true, content: "no rule" }],
        },
      );
    },
    rows: [
      "assistant/thinking: hm",
      "assistant/tool_call: execute_command: make",
      "tool/tool_output (failed): no rule",
    ],
    skipped: { harness_text: 1 },
  },
  {
    agent: "chatgpt",
    file: "conversations.json",
    edit([{ mapping }]) {
      const say = (id: string, role: string, metadata: object) => ({
        message: { id, author: { role }, content: { parts: [id] }, create_time: 2e9, metadata },
      });
      mapping.x1 = say("x1", "system", {});
      mapping.x2 = say("x2", "user", { is_visually_hidden_from_conversation: true });
      mapping.x3 = say("x3", "user", {});
    },
    rows: ["user/turn: x3"],
    skipped: { harness_text: 2 },
  },
  {
    agent: "claude-web",
    file: "conversations.json",
    edit([{ chat_messages }]) {
      chat_messages.push({
        uuid: "x1",
        sender: "assistant",
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "tool_use", id: "c9", name: "web_search", input: { query: "rule" } },
          { type: "tool_result", tool_use_id: "c9", is_error: true, content: "offline" },
          { type: "token_budget" },
        ],
      });
    },
    rows: [
      "assistant/thinking: hm",
      "assistant/tool_call: web_search: rule",
      "tool/tool_output (failed): offline",
    ],
    skipped: { "type:content.token_budget": 1 },
  },
];

for (const odd of cases) {
  Deno.test(`${odd.agent}: failures, hidden text and words of the harness`, async () => {
    const copy = toOwnPath(Deno.makeTempDirSync({ prefix: "ctx-source-" }));
    try {
      copyTree(`${samples}/${odd.sample ?? odd.agent}`, copy);
      const [file] = listTree(copy).filter((path) => path.endsWith(odd.file));
      const source = await sourceTable[odd.agent]();
      const before = await collect(source, copy, { now: quietTime });
      goOn(file, odd);
      const after = await collect(source, copy, { now: quietTime });
      const known = new Set(before.entries.map(({ message }) => message));
      const rows = after.entries.filter(({ message }) => !known.has(message)).map((row) => {
        const failed = row.tool?.error === true ? " (failed)" : "";
        return `${row.role}/${row.type}${failed}: ${row.text}`;
      });
      assert.deepEqual(rows, odd.rows);
      const more = Object.entries(after.tally.skipped)
        .map(([reason, count]) => [reason, count - (before.tally.skipped[reason] ?? 0)])
        .filter(([, count]) => count !== 0);
      assert.deepEqual(Object.fromEntries(more), odd.skipped);
    } finally {
      Deno.removeSync(copy, { recursive: true });
    }
  });
}

const quietTime = Date.parse("2100-01-01T00:00:00Z");

function goOn(file: string, { lines = [], edit }: OddCase): void {
  if (edit) {
    const document = JSON.parse(Deno.readTextFileSync(file));
    edit(document);
    Deno.writeTextFileSync(file, JSON.stringify(document));
  }
  const more = lines.map((line) => JSON.stringify(line) + "\n").join("");
  Deno.writeTextFileSync(file, more, { append: true });
}

function update(sessionUpdate: string, fields: object): object {
  return { method: "session/update", params: { update: { sessionUpdate, ...fields } } };
}

function kimi(type: string, payload: object): object {
  return { timestamp: 1778054409.5, message: { type, payload } };
}

function message(id: string, role: string, content: object[], more: object = {}): object {
  return { type: "message", id, message: { role, content }, ...more };
}

function step(step_index: number, type: string, fields: object): object {
  return { step_index, source: type === "USER_INPUT" ? "USER_EXPLICIT" : "MODEL", type, ...fields };
}

function kiro(kind: string, content: object[]): object {
  return { version: "v1", kind, data: { content } };
}

function event(type: string, data: object): object {
  return { type, data };
}

function item(payload: object): object {
  return { timestamp: "2026-04-02T08:03:00.000Z", type: "response_item", payload };
}
