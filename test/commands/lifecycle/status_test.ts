import assert from "node:assert/strict";
import { tempStore } from "../../support/temp_store.ts";

const claude = (event: string, more: object = {}) =>
  JSON.stringify({ session_id: "c-1", hook_event_name: event, ...more });

Deno.test("status tells of a store that no agent is connected to", async () => {
  await using t = await tempStore({ entries: ["We rotate weekly"] });
  const { code, stdout, stderr } = await t.ctx(["status"]);
  assert.deepEqual([code, stderr], [0, "ctx: connect one: ctx setup AGENT\n"]);
  assert.equal(
    stdout,
    [
      `${t.root}: 1 entry in 0 sessions`,
      "  used because it is in this directory",
      "  no agent is connected",
      "nothing was given to an agent yet",
      "nothing is wrong",
      "",
    ].join("\n"),
  );
});

Deno.test("status tells which agents are connected, captured last and failing; doctor warns", async () => {
  await using t = await tempStore({ entries: ["We rotate weekly"] });
  assert.equal((await t.ctx(["setup", "claude-code", "--no-check", "--no-graph"])).code, 0);
  assert.equal((await t.ctx(["setup", "gemini", "--no-hooks", "--no-check"])).code, 0);
  await t.ctx(["hook", "claude-code"], { stdin: claude("UserPromptSubmit", { prompt: "How?" }) });
  const before = await statusOf(t);
  const { last_call, ...first } = before.agents[0];
  assert.match(last_call ?? "", /^\d{4}-/);
  assert.deepEqual([first, ...before.agents.slice(1)], [
    { agent: "claude-code", connected: true, hooks: true },
    { agent: "gemini", connected: true, hooks: false },
  ]);
  assert.deepEqual([before.held, before.problems], [1, []]);
  // A hook that found nothing has captured nothing.
  await t.ctx(["hook", "claude-code"], { stdin: claude("Stop") });
  assert.equal((await statusOf(t)).agents[0].last_capture, undefined);
  assert.match(
    (await t.ctx(["status"])).stdout,
    /claude-code +connected +called .*, nothing captured/,
  );
  const transcript = `${t.home}/.claude/projects/-w/c-1.jsonl`;
  Deno.mkdirSync(transcript.replace(/\/[^/]*$/, ""), { recursive: true });
  const turn = { type: "user", uuid: "u-1", sessionId: "c-1", cwd: t.workspace };
  const said = {
    timestamp: "2026-11-15T10:00:00.000Z",
    message: { role: "user", content: "How?" },
  };
  Deno.writeTextFileSync(transcript, JSON.stringify({ ...turn, ...said }) + "\n");
  await t.ctx(["hook", "claude-code"], { stdin: claude("Stop", { transcript_path: transcript }) });
  const [{ last_capture: last, failure }] = (await statusOf(t)).agents;
  assert.match(last ?? "", /^\d{4}-/);
  assert.equal(failure, undefined);
  const opencode = `${t.home}/.local/share/opencode`;
  Deno.mkdirSync(opencode, { recursive: true });
  Deno.writeTextFileSync(`${opencode}/opencode.db`, "no database, but long enough ".repeat(30));
  const failed = await t.ctx(["hook", "opencode"], {
    stdin: JSON.stringify({ session_id: "ses_1", hook_event_name: "Stop" }),
  });
  assert.deepEqual([failed.code, failed.stdout], [1, ""]);
  const after = await statusOf(t);
  const broken = after.agents.find(({ agent }) => agent === "opencode");
  assert.match(broken?.failure?.problem ?? "", /Cannot read ".*opencode\.db"/);
  assert.equal(after.problems.length, 1);
  const told = await t.ctx(["status"]);
  assert.match(told.stdout, /wrong: opencode: Stop at \S+ failed: Cannot read /);
  const { stdout } = await t.ctx(["doctor"]);
  assert.match(stdout, /warning +capture +opencode: Stop at /);
  // Mended, nothing is wrong any more.
  Deno.removeSync(`${opencode}/opencode.db`);
  await t.ctx(["hook", "opencode"], {
    stdin: JSON.stringify({ session_id: "ses_1", hook_event_name: "Stop" }),
  });
  assert.deepEqual((await statusOf(t)).problems, []);
  assert.match((await t.ctx(["doctor"])).stdout, /ok +capture +turns were last captured: /);
});

interface Status {
  held: number;
  problems: string[];
  agents: {
    agent: string;
    connected: boolean;
    hooks: boolean;
    last_capture?: string;
    last_call?: string;
    failure?: { problem: string };
  }[];
}

async function statusOf(t: { ctx(words: string[]): Promise<{ stdout: string }> }): Promise<Status> {
  return JSON.parse((await t.ctx(["status", "--json"])).stdout);
}

Deno.test("a hook of a name that is no agent's is told, and leaves nothing wrong behind", async () => {
  await using t = await tempStore({ entries: ["one"] });
  const message = JSON.stringify({ cwd: t.workspace, session_id: "x", hook_event_name: "Stop" });
  const { code, stderr } = await t.ctx(["hook", "foo"], { stdin: message });
  assert.equal(code, 1);
  assert.match(stderr, /unknown source/);
  assert.deepEqual((await t.run<{ problems: string[] }>("status")).problems, []);
});
