// What every source must tell apart: a result that failed from one that did not, and what a person typed
// from what the agent hides and what its harness says in the person's name.

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { sourceTable } from "../../../src/intake/import/source_table.ts";
import { collect } from "../../support/collect.ts";
import { toOwnPath } from "../../../src/core/platform_path.ts";

const typed = "Typed words";
const hidden = "hidden words";
const harness = "harness words";
const worked = "it worked";
const failed = "it failed";
const at = "2026-05-05T08:00:00.000Z";
const cwd = "/work/app";
const shell = (command: string) => ({ command });

interface Case {
  source: string;
  /** Where it differs from the source's name. */
  name?: string;
  /** Files by their paths: lines, or one document. */
  files?: Record<string, object[] | object | string>;
  prepare?: (directory: string) => void;
  /** Agents that do not say whether a call failed. */
  tellsNoErrors?: true;
  /** Messages of which nothing is kept, and records beside them, by reason. */
  skipped: Record<string, number>;
}

const cases: Case[] = [
  {
    source: "claude-code",
    files: {
      "-work-app/s.jsonl": [
        claude("user", typed),
        { ...claude("user", hidden), isMeta: true },
        claude("user", `<system-reminder>${harness}</system-reminder>`),
        claude("assistant", [
          { type: "tool_use", id: "a", name: "Bash", input: shell("a") },
          { type: "tool_use", id: "b", name: "Bash", input: shell("b") },
        ]),
        claude("user", [
          { type: "tool_result", tool_use_id: "a", content: worked },
          { type: "tool_result", tool_use_id: "b", content: failed, is_error: true },
        ]),
      ],
    },
    skipped: { harness_text: 2 },
  },
  {
    source: "codex",
    files: {
      "sessions/rollout-s.jsonl": [
        { timestamp: at, type: "session_meta", payload: { id: "s", cwd } },
        codex({ type: "message", role: "user", content: [{ type: "input_text", text: typed }] }),
        codex({ type: "message", role: "developer", content: [{ type: "text", text: hidden }] }),
        codex({
          type: "message",
          role: "user",
          content: [{ text: `<environment_context>${harness}</environment_context>` }],
        }),
        codex({ type: "function_call", call_id: "a", name: "shell", arguments: "{}" }),
        codex({ type: "function_call_output", call_id: "a", output: worked }),
        codex({ type: "function_call", call_id: "b", name: "shell", arguments: "{}" }),
        codex({
          type: "function_call_output",
          call_id: "b",
          output: JSON.stringify({ output: failed, metadata: { exit_code: 1 } }),
        }),
      ],
    },
    skipped: { harness_text: 1, "type:message.developer": 1 },
  },
  {
    source: "opencode",
    files: {
      "storage/message/s/m1.json": { id: "m1", role: "user", time: { created: 1 } },
      "storage/part/m1/p1.json": { id: "p1", type: "text", text: typed },
      "storage/part/m1/p2.json": { id: "p2", type: "text", text: harness, synthetic: true },
      "storage/part/m1/p3.json": { id: "p3", type: "text", text: hidden, ignored: true },
      "storage/message/s/m2.json": { id: "m2", role: "assistant", time: { created: 2 } },
      "storage/part/m2/p4.json": opencode("p4", { status: "completed", output: worked }),
      "storage/part/m2/p5.json": opencode("p5", { status: "error", error: failed }),
    },
    skipped: { synthetic_text: 2 },
  },
  {
    source: "gemini",
    files: {
      "app/chats/session-s.jsonl": [
        { sessionId: "s", projectHash: "h", startTime: at },
        {
          id: "1",
          type: "user",
          content: `<session_context>${harness}</session_context>\n${typed}`,
        },
        { id: "2", type: "info", content: hidden },
        { id: "3", type: "user", content: `<hook_context>${harness}</hook_context>` },
        {
          id: "4",
          type: "gemini",
          toolCalls: [gemini("a", { output: worked }), gemini("b", { error: failed })],
        },
      ],
    },
    skipped: { harness_text: 1, notice: 1 },
  },
  {
    source: "copilot",
    files: {
      "s/events.jsonl": [
        copilot("session.start", { context: { cwd } }),
        copilot("user.message", { content: typed, transformedContent: harness }),
        copilot("system.message", { content: hidden }),
        copilot("tool.execution_start", { toolCallId: "a", toolName: "bash" }),
        copilot("tool.execution_complete", {
          toolCallId: "a",
          success: true,
          result: { content: worked },
        }),
        copilot("tool.execution_start", { toolCallId: "b", toolName: "bash" }),
        copilot("tool.execution_complete", {
          toolCallId: "b",
          success: false,
          error: { message: failed },
        }),
      ],
    },
    skipped: { "type:system.message": 1 },
  },
  {
    source: "cline",
    files: {
      "tasks/1780000000000/api_conversation_history.json": [
        {
          role: "user",
          content: [
            { type: "text", text: `<task>\n${typed}\n</task>` },
            { type: "text", text: `<environment_details>${hidden}</environment_details>` },
          ],
        },
        { role: "user", content: [{ type: "text", text: `[TASK RESUMPTION] ${harness}` }] },
        {
          role: "assistant",
          content: [
            { type: "tool_use", id: "a", name: "execute_command", input: shell("a") },
            { type: "tool_use", id: "b", name: "execute_command", input: shell("b") },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "a", content: worked },
            { type: "tool_result", tool_use_id: "b", content: failed, is_error: true },
          ],
        },
      ],
    },
    skipped: { harness_text: 1 },
  },
  {
    source: "crush",
    prepare(directory) {
      using database = open(`${directory}/crush.db`);
      database.exec(`
        CREATE TABLE sessions (id, parent_session_id, title, created_at, updated_at);
        CREATE TABLE messages (id, session_id, role, parts, created_at, updated_at);
        INSERT INTO sessions VALUES ('s', NULL, '', 1780000000, 1), ('title-s', 's', '', 1, 1);
      `);
      const put = database.prepare("INSERT INTO messages VALUES (?, ?, ?, ?, 1780000000, 1)");
      const add = (id: string, role: string, parts: object[], session = "s") =>
        put.run(id, session, role, JSON.stringify(parts));
      const part = (type: string, data: object) => ({ type, data });
      add("1", "user", [part("text", { text: typed })]);
      add("2", "system", [part("text", { text: harness })]);
      add("3", "user", [part("text", { text: hidden })], "title-s");
      add("4", "tool", [
        part("tool_result", { tool_call_id: "a", content: worked }),
        part("tool_result", { tool_call_id: "b", content: failed, is_error: true }),
      ]);
    },
    skipped: { empty_message: 1, title_session: 1, "type:message.system": 1 },
  },
  {
    source: "goose",
    prepare(directory) {
      using database = open(`${directory}/sessions.db`);
      database.exec(`
        CREATE TABLE sessions (id, session_type, working_dir, created_at);
        CREATE TABLE messages (id, session_id, role, content_json, created_timestamp, metadata_json);
        INSERT INTO sessions VALUES ('s', 'user', '${cwd}', '2026-05-05 08:00:00'),
          ('t', 'hidden', '${cwd}', '2026-05-05 08:00:00');
      `);
      const put = database.prepare(
        "INSERT INTO messages VALUES (?, ?, 'user', ?, 1780000000, NULL)",
      );
      const add = (id: number, parts: object[], session = "s") =>
        put.run(id, session, JSON.stringify(parts));
      add(1, [{ type: "text", text: typed }]);
      add(2, [{ type: "systemNotification", msg: harness }]);
      add(3, [{ type: "text", text: hidden }], "t");
      const result = (id: string, toolResult: object) => ({ type: "toolResponse", id, toolResult });
      add(4, [
        result("a", { status: "success", value: { content: [{ type: "text", text: worked }] } }),
        result("b", { status: "error", error: failed }),
      ]);
    },
    skipped: { empty_message: 1, hidden_session: 1, "type:content.systemNotification": 1 },
  },
  {
    source: "zed",
    prepare(directory) {
      using database = open(`${directory}/threads.db`);
      database.exec(
        "CREATE TABLE threads (id, summary, updated_at, folder_paths, data_type, data)",
      );
      const use = (id: string) => ({ ToolUse: { id, name: "terminal", input: shell(id) } });
      const thread = {
        messages: [
          { User: { id: "1", content: [{ Text: typed }, { Mention: { content: harness } }] } },
          { User: { id: "2", content: [{ Text: hidden }] }, is_hidden: true },
          {
            Agent: {
              content: [use("a"), use("b")],
              tool_results: {
                a: { content: { Text: worked }, is_error: false },
                b: { content: { Text: failed }, is_error: true },
              },
            },
          },
        ],
      };
      database.prepare("INSERT INTO threads VALUES ('s', '', ?, ?, 'json', ?)")
        .run(at, cwd, JSON.stringify(thread));
    },
    skipped: { harness_text: 1 },
  },
  {
    source: "kiro",
    files: {
      "cli/s.jsonl": [
        kiro({ type: "user", content: typed }),
        kiro({ type: "session_start", content: harness }),
        kiro({ type: "assistant", operationType: "Reasoning", content: "..." }),
        kiro({ type: "checkpoint", content: hidden }),
        kiro({ type: "tool_result", toolCallId: "a", content: worked, success: true }),
        kiro({ type: "tool_result", toolCallId: "b", content: failed, success: false }),
      ],
    },
    skipped: { empty_message: 1, "type:checkpoint": 1, "type:session_start": 1 },
  },
  {
    source: "kiro",
    name: "kiro (before 1.0)",
    files: {
      "cli/s.jsonl": [
        kiroBlocks("Prompt", [{ kind: "text", data: typed }]),
        kiroBlocks("Clear", [{ kind: "text", data: harness }]),
        kiroBlocks("ToolResults", [
          { kind: "toolResult", data: { toolUseId: "a", content: [{ data: worked }] } },
          {
            kind: "toolResult",
            data: { toolUseId: "b", content: [{ data: failed }], status: "error" },
          },
          { kind: "sealed", data: hidden },
        ]),
      ],
    },
    skipped: { "type:Clear": 1, "type:content.sealed": 1 },
  },
  {
    source: "qwen",
    files: {
      "app/chats/s.jsonl": [
        qwen("user", [{ text: `${typed} ${harness}` }], { systemPayload: { displayText: typed } }),
        qwen("user", [{ text: harness }], { provenance: "system" }),
        qwen("user", [{ text: hidden }], { subtype: "notification" }),
        qwen("tool_result", [qwenResult("a", { output: worked })]),
        qwen("tool_result", [qwenResult("b", { error: failed })]),
      ],
    },
    skipped: { harness_text: 2 },
  },
  {
    source: "antigravity",
    files: {
      "s/.system_generated/logs/transcript.jsonl": [
        antigravity(1, "USER_INPUT", "USER_EXPLICIT", {
          content: `<USER_REQUEST>\n${typed}\n</USER_REQUEST>\n<ADDITIONAL_METADATA>${harness}`,
        }),
        antigravity(2, "CONVERSATION_HISTORY", "SYSTEM", { content: hidden }),
        antigravity(3, "USER_INPUT", "USER_EXPLICIT", {
          content: `<EPHEMERAL_MESSAGE>${harness}</EPHEMERAL_MESSAGE>`,
        }),
        antigravity(4, "RUN_COMMAND", "MODEL", { content: worked }),
        antigravity(5, "RUN_COMMAND", "MODEL", { content: failed, status: "ERROR" }),
      ],
    },
    skipped: { empty_message: 1, "type:CONVERSATION_HISTORY": 1 },
  },
  {
    source: "openclaw",
    files: {
      "--work-app--/s.jsonl": [
        { type: "session", id: "s", timestamp: at, cwd },
        pi({ role: "user", content: `[Mon 2026-05-04 08:00 UTC] ${typed}` }),
        pi({ role: "user", content: `Read HEARTBEAT.md if it exists. ${harness}` }),
        pi({ role: "custom", content: hidden }),
        pi({ role: "toolResult", toolName: "bash", content: [{ type: "text", text: worked }] }),
        pi({
          role: "toolResult",
          toolName: "bash",
          content: [{ type: "text", text: failed }],
          isError: true,
        }),
      ],
    },
    skipped: { bookkeeping: 1, harness_text: 1 },
  },
  {
    source: "droid",
    files: {
      "s.jsonl": [
        droid([{ type: "text", text: typed }]),
        droid([{ type: "text", text: `<system-reminder>${harness}</system-reminder>` }]),
        { ...droid([{ type: "text", text: hidden }]), visibility: "llm_only" },
        droid([
          { type: "tool_result", tool_use_id: "a", content: worked },
          { type: "tool_result", tool_use_id: "b", content: failed, is_error: true },
        ]),
      ],
    },
    skipped: { harness_text: 2 },
  },
  {
    source: "grok",
    files: {
      "%2Fwork%2Fapp/s/updates.jsonl": [
        grok("user_message_chunk", {
          content: { text: `<git_status>${harness}</git_status>\n${typed}` },
        }),
        grok("agent_message_chunk", { content: { text: "Yes." } }),
        grok("user_message_chunk", { content: { text: hidden }, _meta: { hostTurn: true } }),
        grok("tool_call", { toolCallId: "a", kind: "execute", status: "completed" }),
        grok("tool_call_update", { toolCallId: "a", rawOutput: { stdout: worked, exit_code: 0 } }),
        grok("tool_call", { toolCallId: "b", kind: "execute", status: "completed" }),
        grok("tool_call_update", { toolCallId: "b", rawOutput: { stdout: failed, exit_code: 2 } }),
      ],
    },
    skipped: { "type:user_message_chunk": 1 },
  },
  {
    source: "kimi",
    files: {
      "p/s/wire.jsonl": [
        kimi("TurnBegin", { user_input: [{ type: "text", text: typed }, { type: "image_url" }] }),
        kimi("SystemReminder", { text: harness }),
        kimi("ContentPart", { type: "encrypted", text: hidden }),
        kimi("ToolResult", { tool_call_id: "a", return_value: { output: worked } }),
        kimi("ToolResult", {
          tool_call_id: "b",
          return_value: { is_error: true, output: "", message: failed },
        }),
      ],
    },
    skipped: { empty_message: 1, "type:SystemReminder": 1 },
  },
  {
    source: "continue",
    files: {
      "s.json": {
        history: [
          { message: { role: "user", content: typed }, contextItems: [{ content: harness }] },
          { message: { role: "system", content: hidden } },
          {
            message: { role: "assistant", content: "" },
            toolCallStates: [
              continueCall("a", { status: "done", output: [{ content: worked }] }),
              continueCall("b", { status: "errored", output: [{ content: failed }] }),
            ],
          },
        ],
      },
    },
    skipped: { empty_message: 1 },
  },
  {
    source: "openhands",
    files: {
      "s/events/event-00000-aaaaaaaa.json": openhands("MessageEvent", "user", {
        llm_message: { content: [{ type: "text", text: typed }] },
      }),
      "s/events/event-00001-aaaaaaaa.json": openhands("MessageEvent", "hook", {
        llm_message: { content: [{ type: "text", text: harness }] },
      }),
      "s/events/event-00002-aaaaaaaa.json": openhands("SystemPromptEvent", "agent", {
        system_prompt: { text: hidden },
      }),
      "s/events/event-00003-aaaaaaaa.json": openhands("ObservationEvent", "environment", {
        tool_call_id: "a",
        observation: { content: [{ type: "text", text: worked }], exit_code: 0 },
      }),
      "s/events/event-00004-aaaaaaaa.json": openhands("AgentErrorEvent", "agent", {
        tool_call_id: "b",
        error: failed,
      }),
    },
    skipped: { harness_text: 1, "type:SystemPromptEvent": 1 },
  },
  {
    source: "cursor",
    prepare(directory) {
      using database = open(`${directory}/store.db`);
      const meta = JSON.stringify({ agentId: "s", createdAt: 1778054400000 });
      const hex = [...new TextEncoder().encode(meta)].map((byte) => byte.toString(16)).join("");
      database.exec(`CREATE TABLE meta (key, value); CREATE TABLE blobs (id, data);
        INSERT INTO meta VALUES ('0', '${hex}')`);
      const put = database.prepare("INSERT INTO blobs VALUES (?, ?)");
      const add = (id: string, role: string, content: unknown) =>
        put.run(id, new TextEncoder().encode(JSON.stringify({ role, content })));
      add("1", "user", `<user_info>${harness}</user_info>\n${typed}`);
      add("2", "user", `<rules>${harness}</rules>`);
      add("3", "system", hidden);
      add("4", "tool", [
        { type: "tool-result", toolName: "run", result: worked },
        { type: "tool-result", toolName: "run", result: failed, isError: true },
      ]);
    },
    skipped: { harness_text: 1 },
  },
  {
    source: "specstory",
    files: {
      ".specstory/history/s.md": [
        "<!-- Generated by SpecStory -->",
        `_**User (${at})**_\n\n<system-reminder>${hidden}</system-reminder>\n${typed}`,
        `_**User (${at})**_\n\n<task-notification>${harness}</task-notification>`,
        `_**Agent (${at})**_\n\n<tool-use data-tool-name="Bash">\n\`a\`\n\n${worked}\n</tool-use>`,
        '<tool-use data-tool-name="Bash">\n`b`\n\n**Error:**\n\n' + failed + "\n</tool-use>",
      ].join("\n\n"),
    },
    skipped: { harness_text: 1 },
  },
  {
    source: "chatgpt",
    tellsNoErrors: true,
    files: {
      "conversations.json": [{
        id: "s",
        create_time: 1778054400,
        mapping: {
          1: chatgpt("user", typed),
          2: chatgpt("system", harness),
          3: chatgpt("user", hidden, { is_visually_hidden_from_conversation: true }),
          4: chatgpt("tool", worked),
        },
      }],
    },
    skipped: { harness_text: 2 },
  },
  {
    source: "claude-web",
    files: {
      "conversations.json": [{
        uuid: "s",
        created_at: at,
        chat_messages: [
          {
            uuid: "1",
            sender: "human",
            text: typed,
            attachments: [{ extracted_content: harness }],
          },
          {
            uuid: "2",
            sender: "assistant",
            content: [
              { type: "token_budget", text: hidden },
              { type: "tool_result", tool_use_id: "a", content: worked },
              { type: "tool_result", tool_use_id: "b", content: failed, is_error: true },
            ],
          },
        ],
      }],
    },
    skipped: { attachment: 1, "type:content.token_budget": 1 },
  },
];

for (const { source: name, name: label = name, files = {}, prepare, ...expected } of cases) {
  Deno.test(`${label} tells a failure, what is hidden and what its harness says`, async () => {
    const root = toOwnPath(Deno.makeTempDirSync({ prefix: "ctx-told-" }));
    try {
      for (const [path, content] of Object.entries(files)) write(`${root}/${path}`, content);
      prepare?.(root);
      const source = await sourceTable[name]();
      const { entries, tally } = await collect(source, root, { now: Date.parse("2100-01-01") });
      const text = JSON.stringify(entries);
      assert.ok(!text.includes(hidden), "what is hidden came in");
      assert.ok(!text.includes(harness), "what the harness says came in");
      const said = entries.filter(({ role, type }) => role === "user" && type === "turn");
      assert.deepEqual(said.map((entry) => entry.text.trim()), [typed]);
      const results = entries.filter(({ type }) => type === "tool_output")
        .map(({ text, tool }) => [text.includes(failed), tool?.error !== undefined]);
      const wanted = [[false, false], [true, true]];
      assert.deepEqual(results, expected.tellsNoErrors ? wanted.slice(0, 1) : wanted);
      assert.deepEqual(tally.skipped, expected.skipped);
      assert.equal(tally.problem_count, 0);
    } finally {
      Deno.removeSync(root, { recursive: true });
    }
  });
}

function write(path: string, content: object[] | object | string): void {
  Deno.mkdirSync(path.replace(/\/[^/]+$/, ""), { recursive: true });
  const isLines = path.endsWith(".jsonl") && Array.isArray(content);
  const text = isLines
    ? content.map((line) => `${JSON.stringify(line)}\n`).join("")
    : typeof content === "string"
    ? content
    : JSON.stringify(content);
  Deno.writeTextFileSync(path, text);
}

function open(path: string): DatabaseSync & Disposable {
  const database = new DatabaseSync(path);
  return Object.assign(database, { [Symbol.dispose]: () => database.close() });
}

function claude(type: string, content: unknown): object {
  return { type, uuid: crypto.randomUUID(), timestamp: at, cwd, message: { role: type, content } };
}

function codex(payload: object): object {
  return { timestamp: at, type: "response_item", payload };
}

function opencode(id: string, state: object): object {
  return { id, type: "tool", tool: "bash", callID: id, state: { input: shell(id), ...state } };
}

function gemini(id: string, response: object): object {
  return { id, name: "run", args: shell(id), result: [{ functionResponse: { response } }] };
}

function copilot(type: string, data: object): object {
  return { type, timestamp: at, data };
}

function kiro(payload: object): object {
  return { timestamp: at, payload };
}

function kiroBlocks(kind: string, content: object[]): object {
  return { version: "v1", kind, data: { content, meta: { timestamp: at } } };
}

function qwen(type: string, parts: object[], more: object = {}): object {
  const uuid = crypto.randomUUID();
  return { uuid, sessionId: "s", timestamp: at, type, cwd, message: { parts }, ...more };
}

function qwenResult(id: string, response: object): object {
  return { functionResponse: { id, name: "run", response } };
}

function antigravity(step_index: number, type: string, source: string, more: object): object {
  return { step_index, type, source, created_at: at, ...more };
}

function pi(message: object): object {
  return { type: "message", timestamp: at, message };
}

function droid(content: object[]): object {
  return { type: "message", timestamp: at, message: { role: "user", content } };
}

function grok(sessionUpdate: string, update: object): object {
  return { timestamp: 1778054400, params: { update: { sessionUpdate, ...update } } };
}

function kimi(type: string, payload: object): object {
  return { timestamp: 1778054400, message: { type, payload } };
}

function continueCall(id: string, state: object): object {
  return { toolCall: { id, function: { name: "run", arguments: "{}" } }, ...state };
}

function openhands(kind: string, source: string, more: object): object {
  return { kind, source, id: crypto.randomUUID(), timestamp: at, ...more };
}

function chatgpt(role: string, text: string, metadata: object = {}): object {
  const content = { parts: [text] };
  return { message: { author: { role }, create_time: 1778054400, content, metadata } };
}
