// `ctx hook`: takes over finished turns, prints nothing, never stops the agent.

import assert from "node:assert/strict";
import { parseHookCall } from "../../../src/recall/hook/hook_call.ts";
import { TempWorkspace } from "../../serve/mcp/support.ts";
import { runCtx } from "../../support/processes/run_ctx.ts";

Deno.test("hook imports a Claude Code transcript and adds only what is new", async () => {
  using workspace = new TempWorkspace([]);
  const transcript = `${workspace.path}/3c07f08f-e544-47b9-898a-f169f651788c.jsonl`;
  const line = (n: number, type: string, text: string): string =>
    JSON.stringify({
      parentUuid: n === 1 ? null : `u-${n - 1}`,
      isSidechain: false,
      type,
      uuid: `u-${n}`,
      sessionId: "3c07f08f-e544-47b9-898a-f169f651788c",
      cwd: workspace.path,
      timestamp: `2026-11-01T10:00:0${n}.000Z`,
      message: { role: type, content: type === "user" ? text : [{ type: "text", text }] },
    }) + "\n";
  const message = JSON.stringify({
    session_id: "3c07f08f-e544-47b9-898a-f169f651788c",
    transcript_path: transcript,
    cwd: workspace.path,
    hook_event_name: "Stop",
  });
  const hook = async (): Promise<string> => {
    const { code, stdout, stderr } = await runCtx(["hook", "claude-code"], {
      cwd: workspace.path,
      stdin: message,
      env: { CTX_DEBUG: "1" },
    });
    assert.deepEqual([code, stdout], [0, ""]);
    return stderr;
  };
  assert.match(await hook(), /nothing to save in \S+: there is no "\S+" yet/);
  Deno.writeTextFileSync(
    transcript,
    line(1, "user", "How do we rotate?") + line(2, "assistant", "On every use."),
  );
  assert.match(await hook(), /2 entries imported/);
  assert.match(await hook(), /nothing new/);
  Deno.writeTextFileSync(transcript, line(3, "user", "And the family?"), { append: true });
  assert.match(await hook(), /1 entries imported/);
  const texts = workspace.read("history.ndjson").trim().split("\n").map((l) => JSON.parse(l).text);
  assert.deepEqual(texts, ["How do we rotate?", "On every use.", "And the family?"]);
});

Deno.test("hook is silent where there is nothing to do, and tells what went wrong without stopping the agent", async () => {
  using workspace = new TempWorkspace([]);
  const hook = async (agent: string, input: string, cwd: string, said = ""): Promise<void> => {
    const { code, stdout, stderr } = await runCtx(["hook", agent], { cwd, stdin: input });
    assert.deepEqual([code, stdout, stderr], [said === "" ? 0 : 1, "", said]);
  };
  const noJson = "ctx hook: Cannot read the agent's message: it is not JSON\n";
  await hook("claude-code", "garbage", workspace.path, noJson);
  await hook("claude-code", "", workspace.path);
  await hook("claude-code", "[1]", workspace.path);
  const unknown = 'ctx hook: Cannot import from "nobody": unknown source\n';
  await hook("nobody", '{"session_id":"x"}', workspace.path, unknown);
  await hook("claude-code", '{"session_id":"x","cwd":"/nowhere"}', "/");
  workspace.write("state.json", '{"version": 99}');
  const message = { session_id: "x", cwd: workspace.path, prompt: "p" };
  await hook(
    "claude-code",
    JSON.stringify(message),
    workspace.path,
    `ctx hook: Cannot open the store: "${workspace.path}/.contextfs/state.json" has format version 99, and this version of ctx supports 1\n`,
  );
});

Deno.test("hook never exits with 2, which agents take as stop, wherever its flags stand", async () => {
  using workspace = new TempWorkspace();
  for (
    const words of [["hook"], ["hook", "codex", "--odd"], ["--json", "hook", "codex", "--odd"]]
  ) {
    const { code, stderr } = await runCtx(words, { cwd: workspace.path });
    assert.equal(code, 1, words.join(" "));
    assert.match(stderr, /Cannot run hook/);
  }
});

Deno.test("parseHookCall() reads the messages of each agent", () => {
  const read = (value: object) => parseHookCall("claude-code", JSON.stringify(value));
  assert.deepEqual(
    JSON.parse(JSON.stringify(read({ session_id: "s", transcript_path: "/t", cwd: "/w" }))),
    {
      agent: "claude-code",
      moment: "turn",
      event: "",
      conversation: "s",
      transcript: "/t",
      cwd: "/w",
    },
  );
  assert.equal(read({ conversation_id: "c", workspace_roots: ["/w"] }).cwd, "/w");
  assert.equal(read({ transcript_path: null, prompt: "p" }).transcript, undefined);
  assert.equal(read({ "last-assistant-message": "a" }).answer, "a");
  assert.equal(read({ prompt_response: "g" }).answer, "g");
});
