// One session as each of five agents writes it down by itself: a prompt, an answer, a command that fails,
// a file read and edited, a tool that only this agent has, thinking, an answer and a last prompt.

import { DatabaseSync } from "node:sqlite";

/** The agents that a session is handed between. */
export const nativeAgents = ["claude-code", "codex", "gemini", "opencode", "qwen"] as const;
export type NativeAgent = typeof nativeAgents[number];

export const cwd = "/work/app";
export const said = {
  first: "Make the retry count configurable, please.",
  plan: "I will look at the tests first.",
  command: "npm test",
  failure: "1 failing",
  path: `${cwd}/src/retry.ts`,
  content: "export const retries = 3;",
  old: "export const retries = 3;",
  now: "export const retries = config.retries;",
  edited: "The file was edited.",
  own: "Plan updated",
  done: "The retry count now comes from the configuration.",
  last: "Now the docs.",
};

const ids = {
  "claude-code": "0b7c7f0e-5a55-4a07-9d3f-1f4d5ab1c0de",
  codex: "01990000-aaaa-7bbb-8ccc-ddddeeee0001",
  gemini: "aaaa1111-0000-4000-8000-000000000001",
  opencode: "ses_69fec56b3ffeAbCdEfGhIjKlMn",
  qwen: "a1000000-0000-4000-8000-00000000000a",
};

/** Writes the session of an agent into a home; gives the root that its importer reads. */
export function writeNative(agent: NativeAgent, home: string): string {
  return writers[agent](home);
}

/** A time in the session, by its step. */
function at(step: number): string {
  return `2026-05-02T08:00:${String(step).padStart(2, "0")}.000Z`;
}

const writers: Record<NativeAgent, (home: string) => string> = {
  "claude-code": (home) => {
    const uuid = (n: number) => `9a1b7f0e-5a55-4a07-9d3f-1f4d5ab1c0${String(n).padStart(2, "0")}`;
    let n = 0;
    const line = (message: object, type: string) => ({
      parentUuid: n === 0 ? null : uuid(n - 1),
      uuid: uuid(n),
      timestamp: at(n++),
      sessionId: ids["claude-code"],
      cwd,
      gitBranch: "main",
      type,
      message,
    });
    const user = (content: unknown) => line({ role: "user", content }, "user");
    const model = (block: object) =>
      line(
        { id: `msg_${n}`, role: "assistant", model: "claude-opus", content: [block] },
        "assistant",
      );
    const call = (id: string, name: string, input: object, content: string, is_error = false) => [
      model({ type: "tool_use", id, name, input }),
      user([{ type: "tool_result", tool_use_id: id, content, ...(is_error ? { is_error } : {}) }]),
    ];
    const lines = [
      user(said.first),
      model({ type: "thinking", thinking: "Hm.", signature: "s" }),
      model({ type: "text", text: said.plan }),
      ...call("toolu_1", "Bash", { command: said.command, description: "Run" }, said.failure, true),
      ...call("toolu_2", "Read", { file_path: said.path, offset: 1, limit: 40 }, said.content),
      ...call("toolu_3", "Edit", edit("file_path", "old_string", "new_string"), said.edited),
      ...call("toolu_4", "TodoWrite", { todos: [{ content: "docs" }] }, said.own),
      model({ type: "text", text: said.done }),
      user(said.last),
    ];
    put(`${home}/.claude/projects/-work-app/${ids["claude-code"]}.jsonl`, lines);
    return `${home}/.claude`;
  },
  codex: (home) => {
    let n = 0;
    const item = (payload: object) => ({ timestamp: at(n++), type: "response_item", payload });
    const user = (text: string) =>
      item({ type: "message", role: "user", content: [{ type: "input_text", text }] });
    const model = (text: string) =>
      item({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
    const call = (call_id: string, name: string, input: object, output: string) => [
      item({ type: "function_call", name, arguments: JSON.stringify(input), call_id }),
      item({ type: "function_call_output", call_id, output }),
    ];
    const failed = JSON.stringify({ output: said.failure, metadata: { exit_code: 1 } });
    const patch =
      `*** Begin Patch\n*** Update File: ${said.path}\n@@\n-${said.old}\n+${said.now}\n*** End Patch`;
    const context = { turn_id: "turn-1", cwd, model: "gpt-sample" };
    const lines = [
      {
        timestamp: at(0),
        type: "session_meta",
        payload: { id: ids.codex, timestamp: at(0), cwd, git: { branch: "main" } },
      },
      { timestamp: at(0), type: "turn_context", payload: context },
      user(said.first),
      item({ type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] }),
      model(said.plan),
      ...call("call_a1", "exec_command", { cmd: said.command }, failed),
      ...call("call_a2", "shell", { command: ["cat", said.path] }, said.content),
      item({ type: "custom_tool_call", name: "apply_patch", input: patch, call_id: "call_a3" }),
      item({ type: "custom_tool_call_output", call_id: "call_a3", output: said.edited }),
      ...call("call_a4", "update_plan", { plan: [{ step: "docs" }] }, said.own),
      model(said.done),
      user(said.last),
    ];
    put(`${home}/.codex/sessions/2026/05/02/rollout-2026-05-02T08-00-00-${ids.codex}.jsonl`, lines);
    return `${home}/.codex`;
  },
  gemini: (home) => {
    let n = 0;
    const message = (type: string, more: object) => ({
      id: `g${n}`,
      timestamp: at(n++),
      type,
      ...more,
    });
    const model = (more: object) =>
      message("gemini", { content: "", model: "gemini-pro", ...more });
    const call = (id: string, name: string, args: object, response: object) => ({
      id,
      name,
      args,
      result: [{ functionResponse: { id, name, response } }],
      status: "error" in response ? "error" : "success",
      timestamp: at(n),
    });
    const shell = { command: said.command };
    const range = { file_path: said.path, start_line: 1, end_line: 40 };
    const lines = [
      {
        sessionId: ids.gemini,
        projectHash: "0",
        startTime: at(0),
        lastUpdated: at(9),
        kind: "main",
      },
      message("user", { content: [{ text: said.first }] }),
      model({
        content: said.plan,
        thoughts: [{ subject: "Plan", description: "Hm." }],
        toolCalls: [call("run-1", "run_shell_command", shell, { error: said.failure })],
      }),
      model({ toolCalls: [call("read-2", "read_file", range, { output: said.content })] }),
      model({
        toolCalls: [
          call("edit-3", "replace", edit("file_path", "old_string", "new_string"), {
            output: said.edited,
          }),
        ],
      }),
      model({ toolCalls: [call("todo-4", "write_todos", { todos: [] }, { output: said.own })] }),
      model({ content: said.done }),
      message("user", { content: [{ text: said.last }] }),
    ];
    const project = `${home}/.gemini/tmp/app`;
    put(`${project}/chats/session-2026-05-02T08-00-aaaa1111.jsonl`, lines);
    Deno.writeTextFileSync(`${project}/.project_root`, cwd);
    return `${home}/.gemini/tmp`;
  },
  opencode: (home) => {
    let n = 0;
    const sessionID = ids.opencode;
    const model = { providerID: "acme", modelID: "big" };
    const message = (info: object, ...parts: object[]) => {
      const id = `msg_${String(n).padStart(4, "0")}`;
      const time = { created: Date.parse(at(n++)) };
      return {
        info: { id, sessionID, time, ...info },
        parts: parts.map((part, i) => ({
          id: `prt_${id}_${i}`,
          sessionID,
          messageID: id,
          ...part,
        })),
      };
    };
    const user = (text: string) =>
      message({ role: "user", agent: "build", model }, { type: "text", text });
    const answer = (...parts: object[]) =>
      message({ role: "assistant", ...model, path: { cwd, root: cwd } }, ...parts);
    const tool = (callID: string, tool: string, input: object, result: object) => ({
      type: "tool",
      callID,
      tool,
      state: { status: "error" in result ? "error" : "completed", input, ...result },
    });
    const messages = [
      user(said.first),
      answer({ type: "reasoning", text: "Hm." }, { type: "text", text: said.plan }),
      answer(tool("call_o1", "bash", { command: said.command, description: "Run" }, {
        error: said.failure,
      })),
      answer(tool("call_o2", "read", { filePath: said.path, offset: 1, limit: 40 }, {
        output: said.content,
      })),
      answer(tool("call_o3", "edit", edit("filePath", "oldString", "newString"), {
        output: said.edited,
      })),
      answer(tool("call_o4", "todowrite", { todos: [] }, { output: said.own })),
      answer({ type: "text", text: said.done }),
      user(said.last),
    ];
    const time = { created: Date.parse(at(0)), updated: Date.parse(at(9)) };
    const path = `${home}/.local/share/opencode/opencode.db`;
    importOpencode(path, {
      info: { id: sessionID, directory: cwd, title: "Retries", time },
      messages,
    });
    return path;
  },
  qwen: (home) => {
    const uuid = (n: number) => `b1000000-0000-4000-8000-0000000000${String(n).padStart(2, "0")}`;
    let n = 0;
    const record = (type: string, parts: object[], more: object = {}) => ({
      uuid: uuid(n),
      parentUuid: n === 0 ? null : uuid(n - 1),
      sessionId: ids.qwen,
      timestamp: at(n++),
      type,
      cwd,
      gitBranch: "main",
      message: { role: type === "assistant" ? "model" : "user", parts },
      ...more,
    });
    const model = (part: object) => record("assistant", [part], { model: "qwen-coder" });
    const call = (id: string, name: string, args: object, response: object) => [
      model({ functionCall: { id, name, args } }),
      record("tool_result", [{ functionResponse: { id, name, response } }], {
        toolCallResult: { callId: id, status: "error" in response ? "error" : "success" },
      }),
    ];
    const lines = [
      record("user", [{ text: said.first }]),
      model({ text: "Hm.", thought: true }),
      model({ text: said.plan }),
      ...call("call-q1", "run_shell_command", { command: said.command, is_background: false }, {
        error: said.failure,
      }),
      ...call("call-q2", "read_file", { file_path: said.path, offset: 1, limit: 40 }, {
        output: said.content,
      }),
      ...call("call-q3", "edit", edit("file_path", "old_string", "new_string"), {
        output: said.edited,
      }),
      ...call("call-q4", "todo_write", { todos: [] }, { output: said.own }),
      model({ text: said.done }),
      record("user", [{ text: said.last }]),
    ];
    put(`${home}/.qwen/projects/-work-app/chats/${ids.qwen}.jsonl`, lines);
    return `${home}/.qwen/projects`;
  },
};

interface OpencodeExport {
  info: { id: string; directory: string; title: string; time: Record<string, number> };
  messages: {
    info: { id: string; sessionID: string; time: Record<string, number> };
    parts: { id: string; sessionID: string; messageID: string }[];
  }[];
}

/** What `opencode import FILE` does with a file, as far as our importer looks. */
export function importOpencode(path: string, { info, messages }: OpencodeExport): void {
  Deno.mkdirSync(path.replace(/\/[^/]+$/, ""), { recursive: true });
  using database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, title TEXT, time_created INTEGER,
      time_updated INTEGER);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);
  `);
  database.prepare("INSERT INTO session VALUES (?, ?, ?, ?, ?)")
    .run(info.id, info.directory, info.title, info.time.created, info.time.updated);
  for (const { info: { id, sessionID: _, ...data }, parts } of messages) {
    database.prepare("INSERT INTO message VALUES (?, ?, ?, ?)")
      .run(id, info.id, data.time.created, JSON.stringify(data));
    for (const { id: part, sessionID: _, messageID, ...rest } of parts) {
      database.prepare("INSERT INTO part VALUES (?, ?, ?, ?)")
        .run(part, messageID, info.id, JSON.stringify(rest));
    }
  }
}

function edit(path: string, old: string, now: string): Record<string, string> {
  return { [path]: said.path, [old]: said.old, [now]: said.now };
}

function put(path: string, lines: object[]): void {
  Deno.mkdirSync(path.replace(/\/[^/]+$/, ""), { recursive: true });
  Deno.writeTextFileSync(path, lines.map((line) => JSON.stringify(line) + "\n").join(""));
}
