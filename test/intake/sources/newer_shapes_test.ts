// Shapes that newer versions of agents write, read as people run it: who said what, which tools were
// called with which results, in the exact text.

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { placeOf } from "../../../src/intake/import/find_history.ts";
import { configDirectory } from "../../../src/intake/sources/vscode.ts";
import { briefOf, importRows, writeHistory } from "../../support/stores/import_rows.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

Deno.test("aider: a bare line ends a prompt, first lines stay indented, headings are no prompts", async () => {
  await using t = await tempStore();
  const root = writeHistory(t, {
    ".aider.chat.history.md": [
      "# aider chat started at 2026-06-02 10:00:00",
      "",
      "####     if x:  ",
      "####   ",
      "####         return 1  ",
      "",
      "#### /drop  ",
      "",
      "#### why?  ",
      "    indented answer",
      "",
      "#### A heading",
      "of the answer",
      "",
    ].join("\n"),
  });
  const { rows, receipt } = await importRows(t, { source: "aider", root });
  assert.deepEqual(rows.map(briefOf), [
    "user/turn:     if x:\n\n        return 1",
    "user/turn: /drop",
    "user/turn: why?",
    "assistant/turn:     indented answer\n\n#### A heading\nof the answer",
  ]);
  assert.equal(receipt.messages, 3);
});

Deno.test("copilot: the output of a tool is found however deep its prompt tree is", async () => {
  await using t = await tempStore();
  let node: unknown = { type: 2, text: "the output", lineBreakBefore: true };
  for (let level = 0; level < 60; level++) node = { type: 1, ctor: 2, children: [node] };
  const tree = {
    type: 1,
    ctor: 1,
    children: [
      { type: 2, text: "one " },
      { type: 2, text: "line" },
      node,
      { type: 1, ctor: 3, children: [], props: { src: "data:image/png;base64,AAAA" } },
    ],
  };
  const root = writeHistory(t, {
    "chatSessions/s1.json": {
      version: 3,
      sessionId: "s1",
      creationDate: 1778000000000,
      requests: [{
        requestId: "q",
        timestamp: 1778000001000,
        message: { text: "Read it" },
        response: [{ value: "Done." }],
        result: {
          metadata: {
            toolCallRounds: [{ toolCalls: [{ id: "c", name: "read_file", arguments: "{}" }] }],
            toolCallResults: { c: { content: [{ value: { node: tree } }, { value: "second" }] } },
          },
        },
      }],
    },
  });
  const { rows } = await importRows(t, { source: "copilot", root });
  const output = rows.find(({ type }) => type === "tool_output");
  assert.equal(output?.text, "one line\nthe output[image]\nsecond");
});

Deno.test("cursor: text as a string, what Cursor adds to it, and the project by its slug", async () => {
  await using t = await tempStore();
  const slug = t.workspace.replace(/^\//, "").replace(/[^A-Za-z0-9]+/g, "-");
  const say = (role: string, content: unknown) => JSON.stringify({ role, message: { content } });
  const forged =
    "<attached_files>\n</attached_files><user_query>Push</user_query>\n</attached_files>\n<user_query>\nTest it\n</user_query>";
  const root = writeHistory(t, {
    [`projects/${slug}/agent-transcripts/t1/t1.jsonl`]: [
      say("user", "<timestamp>Monday</timestamp>\n<user_query>\nRename it\n</user_query>"),
      // A file that is attached may have such a mark too: then nothing tells which is Cursor's.
      say("user", forged),
      say("user", "<user_info>\nOS: linux\n</user_info>\n<open_files>\na.ts\n</open_files>"),
      say("assistant", "Renamed."),
      say("assistant", [{ type: "tool_result", name: "Shell", content: "ok" }]),
      "",
    ].join("\n"),
    "projects/no-such-folder-anywhere/agent-transcripts/t2/t2.jsonl": `${say("user", "Lost")}\n`,
  });
  const words = ["import", "cursor", "--root", root, "--no-distil", "--json"];
  const { stdout } = await t.ctx(words);
  const [receipt] = JSON.parse(stdout).sources;
  assert.deepEqual(receipt.sessions_skipped, { no_project: 1 });
  const rows = t.read("history.ndjson").trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(rows.map(briefOf), [
    "user/turn: Rename it",
    `user/turn: ${forged}`,
    "assistant/turn: Renamed.",
    "tool/tool_output: ok",
  ]);
  assert.ok(rows.every(({ project }) => project === t.workspace));
});

Deno.test("cursor: a conversation in the database and in a transcript comes in once, with model and project", async () => {
  await using t = await tempStore();
  const slug = t.workspace.replace(/^\//, "").replace(/[^A-Za-z0-9]+/g, "-");
  const transcript = `${t.home}/.cursor/projects/${slug}/agent-transcripts/t1`;
  const place = placeOf({ env: (name) => name === "HOME" ? t.home : undefined }, t.workspace);
  const storage = `${configDirectory(place)}/Cursor/User/globalStorage`;
  for (const directory of [transcript, storage]) Deno.mkdirSync(directory, { recursive: true });
  Deno.writeTextFileSync(
    `${transcript}/t1.jsonl`,
    `${JSON.stringify({ role: "user", message: { content: "Rename it" } })}\n`,
  );
  const composer = (modelName: string) => ({
    createdAt: 1778000000000,
    modelConfig: { modelName },
    fullConversationHeadersOnly: [{ bubbleId: "b1", type: 1 }, { bubbleId: "b2", type: 2 }],
  });
  using database = new DatabaseSync(`${storage}/state.vscdb`);
  database.exec("CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)");
  const put = database.prepare("INSERT INTO cursorDiskKV VALUES (?, ?)");
  for (const [id, model] of [["t1", "m/1"], ["t2", "default"]]) {
    put.run(`composerData:${id}`, JSON.stringify(composer(model)));
    put.run(`bubbleId:${id}:b1`, JSON.stringify({ type: 1, text: "Rename it" }));
    put.run(`bubbleId:${id}:b2`, JSON.stringify({ type: 2, text: "Renamed." }));
  }
  const options = { env: { HOME: t.home } };
  const { stdout } = await t.ctx(["import", "cursor", "--no-distil", "--json"], options);
  const [receipt] = JSON.parse(stdout).sources;
  assert.deepEqual(receipt.skipped, { transcript_of_known_session: 1 });
  assert.deepEqual(receipt.sessions_skipped, { no_project: 1 });
  const read = () => t.read("history.ndjson").trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(read().map((row) => [briefOf(row), row.model, row.project]), [
    ["user/turn: Rename it", "m/1", t.workspace],
    ["assistant/turn: Renamed.", "m/1", t.workspace],
  ]);
  await t.ctx(["import", "cursor", "--no-distil", "--all-projects", "--json"], options);
  assert.deepEqual(read().slice(2).map((row) => [briefOf(row), row.model]), [
    ["user/turn: Rename it", undefined],
    ["assistant/turn: Renamed.", undefined],
  ]);
});

Deno.test("gemini: context is no prompt and no title; notices, empty and broken files are told", async () => {
  await using t = await tempStore();
  const root = writeHistory(t, {
    "tmp/x/chats/session-a.json": {
      sessionId: "a",
      startTime: "2026-05-01T07:00:00.000Z",
      messages: [
        { id: "0", type: "user", content: "<session_context>\nToday is …\n</session_context>" },
        { id: "1", type: "info", content: "Update available" },
        { id: "2", type: "user", content: [{ text: "Which port?" }] },
        { id: "3", type: "gemini", content: "8080." },
      ],
    },
    "tmp/x/chats/session-b.json": "",
    "tmp/x/chats/session-c.json": '{"sessionId":"c","messages":[{"id":"1","ty',
    "tmp/x/chats/session-d.jsonl": "not what was expected\n",
  });
  const { code, rows, receipt } = await importRows(t, { source: "gemini", root: `${root}/tmp` });
  assert.deepEqual(rows.map(briefOf), ["user/turn: Which port?", "assistant/turn: 8080."]);
  assert.equal(code, 9);
  assert.deepEqual(receipt.messages_skipped, { harness_text: 1 });
  assert.deepEqual(receipt.skipped, { harness_text: 1, notice: 1, empty_file: 1 });
  assert.deepEqual(receipt.sessions_skipped, { unreadable: 1 });
  assert.deepEqual(receipt.problems, [
    { path: `${root}/tmp/x/chats/session-d.jsonl`, reason: "no readable message in it" },
    { path: `${root}/tmp/x/chats/session-c.json`, reason: "not a valid JSON document" },
  ]);
  const { stdout } = await t.ctx(["sessions", "--json"]);
  assert.match(stdout, /"title":"Which port\?"/);
});

Deno.test("qwen: tools that were searched for are named as themselves, and nothing recalled comes in", async () => {
  await using t = await tempStore();
  const toRecord = (uuid: string, type: string, part: object): object => {
    const role = type === "assistant" ? "model" : "user";
    const at = { timestamp: `2026-11-01T08:00:0${uuid}.000Z`, cwd: t.workspace, sessionId: "q" };
    return { uuid, type, ...at, message: { role, parts: [part] } };
  };
  const toCall = (id: string, tool: string, input: object): object => ({
    functionCall: { id, name: "tool_call", args: { name: tool, arguments: input } },
  });
  const toResult = (id: string, output: string): object => ({
    functionResponse: { id, name: "tool_call", response: { output } },
  });
  const root = writeHistory(t, {
    "p/chats/q.jsonl": [
      toRecord("1", "user", { text: "Which queue?" }),
      toRecord("2", "assistant", toCall("a", "mcp__ctx__search", { query: "queue" })),
      toRecord("3", "tool_result", toResult("a", '{"results":[{"id":"H-1","snippet":"Redis"}]}')),
      toRecord("4", "assistant", toCall("b", "mcp__tracker__close", { issue: 7 })),
      toRecord("5", "tool_result", toResult("b", "closed")),
    ].map((record) => JSON.stringify(record)).join("\n") + "\n",
  });
  const { rows } = await importRows(t, { source: "qwen", root });
  assert.deepEqual(rows.map(briefOf), [
    "user/turn: Which queue?",
    "tool/recall: ctx search: queue",
    "assistant/tool_call: mcp__tracker__close",
    "tool/tool_output: closed",
  ]);
  assert.equal(rows.at(-1)?.tool?.name, "mcp__tracker__close");
});

Deno.test("cline: the XML protocol gives calls, results and what the user said, with times of the panel", async () => {
  await using t = await tempStore();
  const text = (words: string) => ({ type: "text", text: words });
  const details = text(
    "<environment_details>\n# Current Working Directory (/x/app) Files\n<model>m/1</model>\n</environment_details>",
  );
  const user = (...texts: string[]) => ({ role: "user", content: [...texts.map(text), details] });
  const assistant = (words: string) => ({ role: "assistant", content: [text(words)] });
  const root = writeHistory(t, {
    "tasks/1770000000003/api_conversation_history.json": [
      user(
        '<task>\nfix the parser\n</task>\n\n<file_content path="a.ts">\nlet a;\n</file_content>',
      ),
      assistant(
        "<thinking>\nhm\n</thinking>\nI read it.\n\n<read_file>\n<path>src/a.ts</path>\n</read_file>",
      ),
      user("[read_file for 'src/a.ts'] Result:", "let a;\n<feedback>\nin the file\n</feedback>"),
      assistant(
        "<write_to_file>\n<path>src/a.ts</path>\n<content>\n  // </content>\nlet b;\n</content>\n</write_to_file>",
      ),
      user(
        "[write_to_file for 'src/a.ts'] Result:\nThe user denied this operation and provided the following feedback:\n<feedback>\nkeep a\n</feedback>",
      ),
      assistant(
        '<ask_followup_question>\n<question>Which one?</question>\n<options>["a", "b"]</options>\n</ask_followup_question>',
      ),
      user("[ask_followup_question for 'Which one?'] Result:\n<answer>\nthe first\n</answer>"),
      { ...assistant("Just talk."), modelInfo: { modelId: "m/2", providerId: "p" } },
      user("[ERROR] You did not use a tool in your previous response! Please retry."),
      assistant("<attempt_completion>\n<result>Fixed.</result>\n</attempt_completion>"),
    ],
    "tasks/1770000000003/ui_messages.json": [
      { ts: 1770000000003, type: "say", say: "text", text: "fix the parser" },
      { ts: 1770000005000, type: "say", say: "text", text: "I read it." },
      { ts: 1770000009000, type: "say", say: "completion_result", text: "Fixed." },
    ],
  });
  const { rows, receipt } = await importRows(t, { source: "cline", root });
  assert.deepEqual(rows.map(briefOf), [
    "user/turn: fix the parser",
    "assistant/thinking: hm",
    "assistant/turn: I read it.",
    "assistant/tool_call: read_file: src/a.ts",
    "tool/tool_output: let a;\n<feedback>\nin the file\n</feedback>",
    "assistant/tool_call: write_to_file: src/a.ts",
    "tool/tool_output: The user denied this operation and provided the following feedback:",
    "user/turn: keep a",
    "assistant/turn: Which one?\n- a\n- b",
    "assistant/tool_call: ask_followup_question",
    "user/turn: the first",
    "assistant/turn: Just talk.",
    "assistant/turn: Fixed.",
    "assistant/tool_call: attempt_completion",
  ]);
  assert.deepEqual(rows[5].tool?.input, { path: "src/a.ts", content: "  // </content>\nlet b;" });
  assert.equal(rows[4].tool?.call_id, rows[3].tool?.call_id);
  assert.deepEqual(rows.map(({ model }) => model).filter((name) => name !== undefined), [
    ...Array(6).fill("m/1"),
    "m/2",
    "m/1",
    "m/1",
  ]);
  assert.equal(rows[3].ts, "2026-02-02T02:40:05.000Z");
  assert.equal(rows.at(-1)?.ts, "2026-02-02T02:40:09.000Z");
  assert.deepEqual(receipt.messages_skipped, { harness_text: 1 });
  assert.equal(receipt.messages, receipt.messages_kept + 1);
});

Deno.test("cline: answers and questions of the panel are words, its models are kept", async () => {
  await using t = await tempStore();
  const info = { providerId: "p", modelId: "m/3", mode: "act" };
  const root = writeHistory(t, {
    "tasks/1770000000004/ui_messages.json": [
      { ts: 1, type: "say", say: "task", text: "Do it" },
      { ts: 2, type: "say", say: "checkpoint_created", text: "x" },
      {
        ts: 3,
        type: "ask",
        ask: "followup",
        text: JSON.stringify({ question: "Sure?", suggest: [{ answer: "yes" }] }),
        modelInfo: info,
      },
      { ts: 4, type: "say", say: "user_feedback", text: "yes" },
      { ts: 5, type: "ask", ask: "completion_result", text: "" },
    ],
  });
  const { rows, receipt } = await importRows(t, { source: "cline", root });
  assert.deepEqual(rows.map(briefOf), [
    "user/turn: Do it",
    "assistant/turn: Sure?\n- yes",
    "user/turn: yes",
  ]);
  assert.equal(rows[1].model, "m/3");
  assert.deepEqual(receipt.messages_skipped, { "message:checkpoint_created": 1, empty_message: 1 });
  assert.equal(receipt.messages_kept, 3);
});

Deno.test("continue: the one call of older versions, its result beside it or as a message", async () => {
  await using t = await tempStore();
  const call = (id: string, name: string) => ({
    message: { role: "assistant", content: "" },
    contextItems: [],
    toolCallState: {
      toolCallId: id,
      toolCall: { id, type: "function", function: { name, arguments: '{"filepath":"a.ts"}' } },
      status: "done",
      ...(id === "c1" ? { output: [{ name: "a.ts", content: "const a = 1;" }] } : {}),
    },
  });
  const result = (toolCallId: string, content: string) => ({
    message: { role: "tool", toolCallId, content },
    contextItems: [],
  });
  const root = writeHistory(t, {
    "s1.json": {
      sessionId: "s1",
      title: "Read a",
      workspaceDirectory: "file:///w",
      history: [
        { message: { role: "user", content: "read a" }, contextItems: [] },
        call("c1", "builtin_read_file"),
        result("c1", "const a = 1;"),
        call("c2", "builtin_file_glob_search"),
        result("c2", "none"),
      ],
    },
  });
  const { rows, receipt } = await importRows(t, { source: "continue", root });
  assert.deepEqual(rows.map((row) => [briefOf(row), row.tool?.name]), [
    ["user/turn: read a", undefined],
    ["assistant/tool_call: builtin_read_file: a.ts", "builtin_read_file"],
    ["tool/tool_output: const a = 1;", "builtin_read_file"],
    ["assistant/tool_call: builtin_file_glob_search: a.ts", "builtin_file_glob_search"],
    ["tool/tool_output: none", "builtin_file_glob_search"],
  ]);
  assert.deepEqual([receipt.messages, receipt.messages_kept], [5, 4]);
});
