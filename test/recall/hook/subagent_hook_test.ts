// Sub-agents: a lean start, of rules and what concerns their task, and their findings when they end.

import assert from "node:assert/strict";
import { countTokens } from "../../../src/core/tokens.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

Deno.test("a sub-agent starts with the rules and what concerns its task, within 300 tokens", async () => {
  await using t = await tempStore({
    entries: [
      {
        id: "H-dec",
        type: "decision",
        text: "Rotate refresh tokens on every use and revoke the whole family when one is reused",
      },
      ...Array.from({ length: 30 }, (_, i) => ({
        id: `H-other${i}`,
        type: "decision",
        text: `Paint wall number ${i} in the colour that the architect chose for floor ${i}`,
      })),
    ],
  });
  t.write("pins.md", "- Never push to main\n- Run deno task ok before every commit\n");
  const task = "Find where refresh tokens are rotated and how a reused token revokes its family";
  const transcript_path = `${t.home}/parent.jsonl`;
  const calls = ["Explore", "Plan"].map((subagent_type, i) => ({
    type: "tool_use",
    id: `c${i}`,
    name: i === 0 ? "Agent" : "Task",
    input: { subagent_type, prompt: i === 0 ? task : "Write a poem", description: "x" },
  }));
  const row = { type: "assistant", message: { role: "assistant", content: calls } };
  Deno.writeTextFileSync(transcript_path, `${JSON.stringify(row)}\n`);
  const start = {
    hook_event_name: "SubagentStart",
    session_id: "parent",
    transcript_path,
    cwd: t.workspace,
    agent_id: "a1",
    agent_type: "Explore",
  };
  const { hookEventName, additionalContext } = await told(t, start);
  assert.equal(hookEventName, "SubagentStart");
  assert.match(additionalContext, /Never push to main/);
  assert.match(additionalContext, /revoke the whole family/);
  assert.doesNotMatch(additionalContext, /Paint wall/);
  assert.ok(countTokens(additionalContext) <= 300, additionalContext);
  // The task of another sub-agent of the same session brings nothing of it.
  const other = await told(t, { ...start, agent_id: "a2", agent_type: "Plan" });
  assert.match(other.additionalContext, /Never push to main/);
  assert.doesNotMatch(other.additionalContext, /revoke the whole family/);
});

Deno.test("a sub-agent of Codex, whose hook names its own transcript, is told of its task too", async () => {
  await using t = await tempStore({
    entries: [
      {
        type: "decision",
        text: "Refunds wait two days, because the bank books them back until then",
      },
      ...Array.from({ length: 30 }, (_, i) => ({
        type: "decision",
        text: `Paint wall number ${i} in the colour that the architect chose for floor ${i}`,
      })),
    ],
  });
  const message = "Find out why refunds wait two days before the bank books them.";
  const call = { type: "function_call", name: "spawn_agent", namespace: "multi_agent_v1" };
  const payload = { ...call, arguments: JSON.stringify({ message }) };
  const row = JSON.stringify({ type: "response_item", payload });
  const began = Date.UTC(2026, 10, 12, 12);
  const parent = `${
    began.toString(16).padStart(12, "0").replace(/.{8}/, "$&-")
  }-7000-8000-0123456789ab`;
  for (const [agent_id, day] of [["a1", "2026/11/19"], ["a2", "2026/11/12"]]) {
    const folder = `${t.home}/${parent}/${day}`;
    Deno.mkdirSync(folder, { recursive: true });
    const path = `${folder}/rollout-${day.replaceAll("/", "-")}T12-00-00-${parent}.jsonl`;
    Deno.writeTextFileSync(path, `${row}\n`);
    const { additionalContext } = await told(t, {
      hook_event_name: "SubagentStart",
      session_id: parent,
      transcript_path:
        `${t.home}/${parent}/2026/11/19/rollout-2026-11-19T13-00-05-${agent_id}.jsonl`,
      cwd: t.workspace,
      agent_id,
      agent_type: "default",
    }, "codex");
    assert.match(additionalContext, /the bank books them back until then/, day);
    Deno.removeSync(path);
  }
});

Deno.test("of long lines about its task a sub-agent is given those that fit beside the rules", async () => {
  const long = [
    "Refresh tokens are rotated on every use and a reused one revokes its family; the old one stays valid for ten seconds, because two tabs of one browser logged each other out and support heard of it every week",
    "When a reused refresh token revokes its rotated family, the mail to its owner names the device, the town and the hour, as the auditors asked after the incident of last March in the Osaka office",
    "Two instances rotated refresh tokens of one family under load and each revoked what the other gave out, so a reused token is looked up inside one transaction, on the row of its family",
  ];
  await using t = await tempStore({
    entries: [
      ...long.map((text) => ({ type: "decision", text })),
      ...Array.from({ length: 30 }, (_, i) => ({
        type: "decision",
        text: `Paint wall number ${i} in the colour that the architect chose for floor ${i}`,
      })),
    ],
  });
  const rules = [
    "Never push to main before the tests of the whole table pass",
    "Always ask the owner of a migration before you drop or rename a column",
    "Always write what a customer reads in the words of the glossary, in plain English",
  ];
  t.write("pins.md", rules.map((rule) => `- ${rule}\n`).join(""));
  const transcript_path = `${t.home}/parent.jsonl`;
  const prompt = "Find where refresh tokens are rotated and how a reused token revokes its family";
  const content = [{ type: "tool_use", name: "Agent", input: { prompt } }];
  Deno.writeTextFileSync(transcript_path, `${JSON.stringify({ message: { content } })}\n`);
  const { additionalContext } = await told(t, {
    hook_event_name: "SubagentStart",
    session_id: "parent",
    transcript_path,
    cwd: t.workspace,
    agent_id: "a1",
  });
  assert.deepEqual(rules.filter((rule) => !additionalContext.includes(rule)), []);
  assert.ok(long.some((text) => additionalContext.includes(text)), additionalContext);
  assert.ok(countTokens(additionalContext) <= 300, additionalContext);
});

Deno.test("what a sub-agent found comes in when it ends, and it is asked for nothing", async () => {
  await using t = await tempStore();
  const agent_transcript_path = `${t.home}/.claude/projects/p/parent/subagents/agent-a1.jsonl`;
  Deno.mkdirSync(agent_transcript_path.replace(/\/[^/]*$/, ""), { recursive: true });
  const rows = ["Where is the cache?", "The cache is in src/cache.ts and never evicts."].map((
    text,
    i,
  ) => ({
    type: i === 0 ? "user" : "assistant",
    uuid: `m${i}`,
    parentUuid: i === 0 ? null : "m0",
    sessionId: "parent",
    agentId: "a1",
    isSidechain: true,
    cwd: t.workspace,
    timestamp: new Date(Date.UTC(2026, 0, 1, 10, i)).toISOString(),
    message: { role: i === 0 ? "user" : "assistant", content: [{ type: "text", text }] },
  }));
  Deno.writeTextFileSync(
    agent_transcript_path,
    rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
  );
  const answer = await hook(t, {
    hook_event_name: "SubagentStop",
    session_id: "parent",
    transcript_path: `${t.home}/.claude/projects/p/parent.jsonl`,
    agent_transcript_path,
    cwd: t.workspace,
    agent_id: "a1",
    agent_type: "Explore",
    stop_hook_active: false,
    last_assistant_message: "The cache is in src/cache.ts and never evicts.",
  });
  assert.equal(answer, "");
  assert.match(t.read("history.ndjson"), /The cache is in src\/cache\.ts and never evicts/);
});

async function told(
  t: TempStore,
  message: object,
  agent?: string,
): Promise<{ hookEventName: string; additionalContext: string }> {
  return JSON.parse(await hook(t, message, agent)).hookSpecificOutput;
}

async function hook(t: TempStore, message: object, agent = "claude-code"): Promise<string> {
  const stdin = JSON.stringify(message);
  const { code, stdout, stderr } = await t.ctx(["hook", agent], { stdin });
  assert.deepEqual([code, stderr], [0, ""]);
  return stdout;
}
