// What ctx told an agent, and what harnesses write around prompts, does not come back as memory.

import assert from "node:assert/strict";
import { fenceHints, fenceMemory, shortNotice } from "../../../src/core/rows/fence.ts";
import { homeOf } from "../../support/processes/run_ctx.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const echo = "weekly rotation";
const pack = fenceMemory([`- H-1 ${echo}`], { attributes: { workspace: "app" } });
const lines = fenceMemory([`- H-1 ${echo}`], { attributes: {}, notice: shortNotice });
const hints = fenceHints([`1. ${echo}`], "src/a.ts");

Deno.test("claude-code: recalled text, calls of ctx and reminders leave no echo", async () => {
  await using t = await tempStore();
  const text = (said: string) => [{ type: "text", text: said }];
  const use = (id: string, name: string, input: object) => [{ type: "tool_use", id, name, input }];
  const result = (
    id: string,
    content: string,
  ) => [{ type: "tool_result", tool_use_id: id, content }];
  write(
    t,
    ".claude/projects/-app/c-1.jsonl",
    [
      ["user", `${pack}\nWhat now?\n<system-reminder>\n${hints}</system-reminder>`],
      [
        "user",
        text(
          `<system-reminder>UserPromptSubmit hook additional context: ${lines}</system-reminder>`,
        ),
      ],
      ["user", pack],
      ["assistant", use("t1", "mcp__ctx__search", { query: "rotation" })],
      ["user", result("t1", `H-1 ${echo}`)],
      ["assistant", use("t2", "Bash", { command: "ctx get H-1" })],
      ["user", result("t2", echo)],
      [
        "assistant",
        use("t3", "Task", { description: "Look", prompt: `${pack}\nFind the callers` }),
      ],
      ["user", result("t3", `${lines}\nThere are two`)],
      ["assistant", use("t4", "Read", { file_path: "a.ts" })],
      ["user", result("t4", `code\n${hints}`)],
      ["assistant", text("<ctx_memory>\nnot ours\n</ctx_memory>")],
    ].map(([type, content], i) => ({
      type,
      uuid: `u-${i}`,
      sessionId: "c-1",
      cwd: t.workspace,
      timestamp: `2026-11-01T10:00:${10 + i}.000Z`,
      message: { id: `m-${i}`, role: type, content },
    })),
  );
  const { stdout } = await t.ctx(["import", "claude-code", "--json"]);
  const [receipt] = JSON.parse(stdout).sources;
  assert.deepEqual(rowsOf(t), [
    ["user", "turn", "What now?"],
    ["tool", "recall", "ctx search: rotation"],
    ["tool", "recall", "ctx get: H-1"],
    ["assistant", "tool_call", "Task: Look"],
    ["tool", "tool_output", "There are two"],
    ["assistant", "tool_call", "Read: a.ts"],
    ["tool", "tool_output", "code"],
    ["assistant", "turn", "<ctx_memory>\nnot ours\n</ctx_memory>"],
  ]);
  assert.ok(!t.read("history.ndjson").includes(echo));
  assert.deepEqual([receipt.skipped.recalled_answers, receipt.skipped.recalled_passages], [2, 5]);
  const again = await t.ctx(["import", "claude-code", "--json"]);
  assert.equal(JSON.parse(again.stdout).entries, 0);
});

Deno.test("five sessions that search for one thing do not hide what was decided", async () => {
  await using t = await tempStore();
  const decision = "We rotate refresh tokens weekly because of the audit";
  await t.ctx(["save", decision, "--type", "decision"]);
  const calls = [
    ["mcp__ctx__search", { query: "why rotate refresh tokens weekly" }],
    ["ctx_search", { query: "refresh tokens weekly audit" }],
    ["mcp_ctx_pack", { query: "rotate refresh tokens" }],
    ["Bash", { command: "ctx search 'rotate|renew refresh tokens' | grep -i 'audit|weekly'" }],
    ["Bash", { command: "cd /app && ctx search refresh tokens; echo ---; ctx pack --json" }],
  ] as const;
  for (const [i, [name, input]] of calls.entries()) {
    const id = `t-${i}`;
    const lines = [
      ["assistant", [{ type: "tool_use", id, name, input }]],
      ["user", [{ type: "tool_result", tool_use_id: id, content: `${echo}: ${decision}` }]],
    ].map(([type, content], n) => ({
      type,
      uuid: `${id}-${n}`,
      cwd: t.workspace,
      timestamp: `2026-11-0${i + 1}T10:00:0${n}.000Z`,
      message: { id: `m-${i}`, role: type, content },
    }));
    write(t, `.claude/projects/-app/c-${i}.jsonl`, lines);
  }
  assert.equal((await t.ctx(["import", "claude-code", "--wait"])).code, 0);
  assert.deepEqual(rowsOf(t).map(([, type]) => type), calls.map(() => "recall"));
  assert.ok(!t.read("history.ndjson").includes(echo));
  const found = JSON.parse((await t.ctx(["search", "refresh tokens weekly", "--json"])).stdout);
  assert.deepEqual(
    found.results.map(({ type }: { type: string }) => type),
    ["decision"],
  );
  for (const argv of [["pack"], ["suggest", "--recent", "src/tokens.ts"]]) {
    const { stdout, code } = await t.ctx(argv);
    assert.equal(code, 0);
    assert.doesNotMatch(stdout, /ctx (?:search|pack)\b.*(?:tokens|---)/);
  }
});

Deno.test("gemini: what the harness and hooks say is no turn and no title", async () => {
  await using t = await tempStore();
  const directory = ".gemini/tmp/app";
  write(t, `${directory}/chats/session-1.jsonl`, [
    { sessionId: "g-1", startTime: "2026-11-01T10:00:00.000Z" },
    ...[
      ["user", "<session_context>\nYou are in /app\n</session_context>"],
      ["user", `What now?\n<hook_context>&lt;ctx_memory&gt; ${echo}</hook_context>`],
      ["gemini", "Rotate."],
    ].map(([type, content], i) => ({
      id: `m-${i}`,
      timestamp: `2026-11-01T10:00:0${i}.000Z`,
      type,
      content,
    })),
  ]);
  Deno.writeTextFileSync(`${homeOf(t.workspace)}/${directory}/.project_root`, t.workspace);
  assert.equal((await t.ctx(["import", "gemini"])).code, 0);
  assert.deepEqual(rowsOf(t), [["user", "turn", "What now?"], ["assistant", "turn", "Rotate."]]);
  assert.match((await t.ctx(["sessions"])).stdout, /What now\?/);
});

Deno.test("codex: tools of a namespace are ctx's own, injected context is no turn", async () => {
  await using t = await tempStore();
  const item = (payload: object) => ({ type: "response_item", payload });
  const said = (role: string, text: string) =>
    item({ type: "message", role, content: [{ type: "input_text", text }] });
  write(
    t,
    ".codex/sessions/2026/11/01/rollout-2026-11-01T10-00-00-x-1.jsonl",
    [
      { type: "session_meta", payload: { id: "x-1", cwd: t.workspace } },
      said("user", "<environment_context>\n<cwd>/app</cwd>\n</environment_context>"),
      said("developer", pack),
      said("user", "What now?"),
      item({
        type: "function_call",
        namespace: "mcp__ctx",
        name: "search",
        arguments: '{"query":"rotation"}',
        call_id: "c1",
      }),
      item({ type: "function_call_output", call_id: "c1", output: echo }),
      said("assistant", "Rotate."),
    ].map((line, i) => ({ timestamp: `2026-11-01T10:00:0${i}.000Z`, ...line })),
  );
  assert.equal((await t.ctx(["import", "codex"])).code, 0);
  assert.deepEqual(rowsOf(t), [
    ["user", "turn", "What now?"],
    ["tool", "recall", "ctx search: rotation"],
    ["assistant", "turn", "Rotate."],
  ]);
  assert.ok(!t.read("history.ndjson").includes(echo));
});

/** Writes lines into a file of the agents' home. */
function write(t: TempStore, path: string, lines: object[]): void {
  const file = `${homeOf(t.workspace)}/${path}`;
  Deno.mkdirSync(file.replace(/\/[^/]+$/, ""), { recursive: true });
  Deno.writeTextFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

/** What agents said and did; records that were derived from it stand apart. */
function rowsOf(t: TempStore): string[][] {
  return t.read("history.ndjson").split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line)).filter(({ source }) => source !== undefined)
    .map(({ role, type, text }) => [role, type, text]);
}
