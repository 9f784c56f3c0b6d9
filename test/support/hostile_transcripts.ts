// Transcripts of several agents in which others than the user want to be heard: where their text stands, how
// it tries to leave its place, and what it says. Each agent's files are written as the agent writes them.

/** What happens in a session, in no agent's form. */
export type Step =
  | { user: string }
  | { said: string }
  | { thought: string }
  | { tool: string; input: Record<string, unknown>; output: string }
  /** A line as the agent itself writes it. */
  | { line: object };

/** An agent whose histories are imported. */
export interface Client {
  source: string;
  /** The file of a session, below the root. */
  write(id: string, steps: readonly Step[], cwd: string): [path: string, text: string];
  /** Where this agent alone hands on what others wrote. */
  places: Record<string, (text: string) => Step[]>;
}

const toLines = (lines: readonly object[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");
const timeOf = (i: number): string => new Date(Date.UTC(2026, 2, 1, 10, 0, i)).toISOString();
const wrap = (before: string, after = "") => (text: string): Step[] => [
  { user: `${before}${text}${after}` },
];

const claudeCode: Client = {
  source: "claude-code",
  write: (id, steps, cwd) => {
    const common = {
      isSidechain: false,
      userType: "external",
      cwd,
      sessionId: id,
      version: "2.1.80",
    };
    const lines = steps.flatMap((step, i) => {
      const of = { ...common, uuid: `${id}-${i}`, timestamp: timeOf(i) };
      const user = (content: unknown) => ({
        ...of,
        type: "user",
        message: { role: "user", content },
      });
      const agent = (block: object) => ({
        ...of,
        type: "assistant",
        message: { id: `m${i}`, model: "m", role: "assistant", content: [block] },
      });
      if ("line" in step) return [{ ...of, ...step.line }];
      if ("user" in step) return [user(step.user)];
      if ("said" in step) return [agent({ type: "text", text: step.said })];
      if ("thought" in step) return [agent({ type: "thinking", thinking: step.thought })];
      const { tool: name, input, output } = step;
      return [agent({ type: "tool_use", id: `t${i}`, name, input }), {
        ...user([{ type: "tool_result", tool_use_id: `t${i}`, content: output }]),
        uuid: `${id}-${i}r`,
      }];
    });
    return [`-work-app/${id}.jsonl`, toLines(lines)];
  },
  places: {
    "a meta line": (text) => [{
      line: { type: "user", isMeta: true, message: { role: "user", content: text } },
    }],
    "a summary's line": (text) => [{
      line: { type: "user", isCompactSummary: true, message: { role: "user", content: text } },
    }],
    "another agent": (text) => [{
      line: { type: "user", origin: { kind: "peer" }, message: { role: "user", content: text } },
    }],
    "a sub-agent's prompt": (text) => [{
      line: { type: "user", isSidechain: true, message: { role: "user", content: text } },
    }],
    "an attachment": (text) => [{
      line: {
        type: "attachment",
        attachment: { type: "file", filename: "README.md", content: text },
      },
    }],
    "a system line": (text) => [{ line: { type: "system", content: text, level: "info" } }],
  },
};

const codex: Client = {
  source: "codex",
  write: (id, steps, cwd) => {
    const item = (payload: object, i: number) => ({
      timestamp: timeOf(i),
      type: "response_item",
      payload,
    });
    const message = (role: string, text: string) => ({
      type: "message",
      role,
      content: [{ type: role === "user" ? "input_text" : "output_text", text }],
    });
    const meta = {
      id,
      timestamp: timeOf(0),
      cwd,
      originator: "codex_cli_rs",
      cli_version: "0.120.0",
    };
    const lines = steps.flatMap((step, i) => {
      if ("line" in step) return [{ timestamp: timeOf(i), ...step.line }];
      if ("user" in step) return [item(message("user", step.user), i)];
      if ("said" in step) return [item(message("assistant", step.said), i)];
      if ("thought" in step) {
        return [
          item({ type: "reasoning", summary: [{ type: "summary_text", text: step.thought }] }, i),
        ];
      }
      const { tool: name, input, output } = step;
      const call_id = `c${i}`;
      return [
        item({ type: "function_call", name, arguments: JSON.stringify(input), call_id }, i),
        item({ type: "function_call_output", call_id, output }, i),
      ];
    });
    const head = {
      timestamp: timeOf(0),
      type: "session_meta",
      payload: { ...meta, source: "cli" },
    };
    return [`2026/03/01/rollout-2026-03-01T10-00-00-${id}.jsonl`, toLines([head, ...lines])];
  },
  places: {
    "the developer's message": (text) => [{
      line: {
        type: "response_item",
        payload: { type: "message", role: "developer", content: [{ type: "input_text", text }] },
      },
    }],
    "a compaction": (text) => [{ line: { type: "compacted", payload: { message: text } } }],
    "instructions": wrap(
      "# AGENTS.md instructions for /work/app\n\n<INSTRUCTIONS>\n",
      "\n</INSTRUCTIONS>",
    ),
    "a hook": wrap("<hook_prompt>", "</hook_prompt>"),
    "the user's instructions": wrap("<user_instructions>\n", "\n</user_instructions>"),
    "a summary for the next model": wrap(
      "Another language model started to solve this problem and produced a summary.\n",
    ),
    "a skill's text": wrap("<skill>\n<name>a</name>\n", "\n</skill>"),
  },
};

const gemini: Client = {
  source: "gemini",
  write: (id, steps) => {
    const lines = steps.map((step, i) => {
      const of = { id: `m${i}`, timestamp: timeOf(i) };
      if ("line" in step) return { ...of, ...step.line };
      if ("user" in step) return { ...of, type: "user", content: [{ text: step.user }] };
      const agent = { ...of, type: "gemini", model: "m" };
      if ("said" in step) return { ...agent, content: step.said };
      if ("thought" in step) {
        return { ...agent, content: "", thoughts: [{ subject: "a", description: step.thought }] };
      }
      const { tool: name, input: args, output } = step;
      const result = [{ functionResponse: { id: `t${i}`, name, response: { output } } }];
      const toolCalls = [{ id: `t${i}`, name, args, status: "success", result }];
      return { ...agent, content: "", toolCalls };
    });
    const head = { sessionId: id, projectHash: "0".repeat(64), startTime: timeOf(0), kind: "main" };
    return [`app/chats/session-2026-03-01T10-00-${id}.jsonl`, toLines([head, ...lines])];
  },
  places: {
    "the session's context": wrap("<session_context>\n", "\n</session_context>"),
    "a hook's context": wrap("fix b\n<hook_context>", "</hook_context>"),
    "a snapshot": wrap("<state_snapshot>\n", "\n</state_snapshot>"),
    "a notice": (text) => [{ line: { type: "info", content: text } }],
  },
};

const cursor: Client = {
  source: "cursor",
  write: (id, steps) => {
    const lines = steps.map((step) => {
      if ("line" in step) return step.line;
      if ("user" in step) {
        const text = `<user_query>\n${step.user}\n</user_query>`;
        return { role: "user", message: { content: [{ type: "text", text }] } };
      }
      const block = "said" in step
        ? { type: "text", text: step.said }
        : "thought" in step
        ? { type: "thinking", thinking: step.thought }
        : { type: "tool_use", name: step.tool, input: step.input };
      return { role: "assistant", message: { content: [block] } };
    });
    return [`projects/work-app/agent-transcripts/${id}/${id}.jsonl`, toLines(lines)];
  },
  places: Object.fromEntries(
    ["user_info", "rules", "attached_files", "open_and_recently_viewed_files", "cursor_rules"].map(
      (name) => [name, (told: string): Step[] => {
        const text = `<${name}>\n${told}\n</${name}>\n<user_query>\nfix b\n</user_query>`;
        return [{ line: { role: "user", message: { content: [{ type: "text", text }] } } }];
      }],
    ),
  ),
};

const openclaw: Client = {
  source: "openclaw",
  write: (id, steps, cwd) => {
    const lines = steps.map((step, i) => {
      const of = { type: "message", id: `p${i}`, parentId: `p${i - 1}`, timestamp: timeOf(i) };
      if ("line" in step) return { ...of, ...step.line };
      const say = (role: string, content: unknown) => ({ ...of, message: { role, content } });
      if ("user" in step) return say("user", [{ type: "text", text: step.user }]);
      if ("said" in step) return say("assistant", [{ type: "text", text: step.said }]);
      if ("thought" in step) {
        return say("assistant", [{ type: "thinking", thinking: step.thought }]);
      }
      const content = [{ type: "text", text: step.output }];
      return {
        ...of,
        message: { role: "toolResult", toolCallId: `t${i}`, toolName: "read", content },
      };
    });
    const head = { type: "session", version: 3, id, timestamp: timeOf(0), cwd };
    return [`main/sessions/${id}.jsonl`, toLines([head, ...lines])];
  },
  places: {
    "a compaction": (text) => [{ line: { type: "compaction", summary: text } }],
    "a branch": (text) => [{ line: { type: "branch_summary", summary: text } }],
    "a shell": (text) => [{
      line: { message: { role: "bashExecution", command: "cat README.md", output: text } },
    }],
    "memories": wrap("<relevant-memories>\n", "\n</relevant-memories>\nfix b"),
  },
};

const clineTools: Record<string, string> = {
  Bash: "execute_command",
  Read: "read_file",
  WebFetch: "web_fetch",
  Edit: "write_to_file",
};

const cline: Client = {
  source: "cline",
  write: (id, steps) => {
    const messages = steps.flatMap((step, i) => {
      const ts = Date.parse(timeOf(i));
      const say = (role: string, block: object) => ({ role, ts, content: [block] });
      if ("line" in step) return [{ ts, ...step.line }];
      if ("user" in step) return [say("user", { type: "text", text: step.user })];
      if ("said" in step) return [say("assistant", { type: "text", text: step.said })];
      if ("thought" in step) {
        return [say("assistant", { type: "thinking", thinking: step.thought })];
      }
      const name = clineTools[step.tool];
      const content = `${name === "execute_command" ? "Command executed.\n" : ""}${step.output}`;
      const { input } = step;
      return [
        say("assistant", { type: "tool_use", id: `u${i}`, name, input }),
        say("user", { type: "tool_result", tool_use_id: `u${i}`, content }),
      ];
    });
    return [`tasks/${id}/api_conversation_history.json`, JSON.stringify(messages)];
  },
  places: {
    "the environment": wrap("fix b\n<environment_details>\n", "\n</environment_details>"),
    "a page": wrap("fix b\n\n<url_content url='https://a.example'>\n", "\n</url_content>"),
    "a tool's error": wrap("[ERROR] You did not use a tool in your previous response!\n"),
  },
};

export const hostileClients: readonly Client[] = [
  claudeCode,
  codex,
  gemini,
  cursor,
  openclaw,
  cline,
];
