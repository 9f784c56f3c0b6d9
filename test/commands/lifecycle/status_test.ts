import assert from "node:assert/strict";
import { hasTmux, Pty } from "../../support/processes/pty.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const claude = (event: string, more: object = {}) =>
  JSON.stringify({ session_id: "c-1", hook_event_name: event, ...more });

Deno.test("status tells of a store that no agent is connected to", async () => {
  await using t = await tempStore({ entries: ["We rotate weekly"] });
  const { code, stdout, stderr } = await t.ctx(["status"]);
  assert.deepEqual([code, stderr], [0, "ctx: connect an agent: ctx setup AGENT\n"]);
  assert.equal(
    stdout.replace(/\d+ bytes/, "N bytes"),
    [
      t.root,
      "found in this directory",
      "",
      "stored    1 entry in 0 sessions, N bytes",
      "captured  nothing yet",
      "context   no agent has received anything yet",
      "agents    none connected; ctx setup lists them",
      "problems  none",
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
    { agent: "claude-code", connected: true, hooks: true, found: `${t.home}/.claude` },
    {
      agent: "gemini",
      connected: true,
      hooks: false,
      found: `${t.home}/.gemini`,
      next: "ctx setup gemini",
    },
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
  assert.match(
    told.stdout,
    /problems +✗ opencode: Stop at \S+ failed: Cannot read .*\n +next: ctx import opencode\n/,
  );
  const { stdout } = await t.ctx(["doctor"]);
  assert.match(stdout, /warning +capture +opencode: Stop at /);
  // Mended and imported, as it says, nothing is wrong any more.
  Deno.removeSync(`${opencode}/opencode.db`);
  assert.equal((await t.ctx(["import", "opencode"])).code, 0);
  assert.deepEqual((await statusOf(t)).problems, []);
  assert.match((await t.ctx(["doctor"])).stdout, /ok +capture +last captured: /);
});

interface Status {
  held: number;
  problems: string[];
  wrong: { problem: string; next: string }[];
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
  const { problems, agents } = await statusOf(t);
  assert.deepEqual([problems, agents], [[], []]);
  // Nor do those that older versions wrote down.
  const ts = "2026-11-01T10:00:00.000Z";
  t.write(
    "captures.ndjson",
    `${JSON.stringify({ event: "failed", ts, agent: "foo", problem: "unknown source" })}\n`,
  );
  const after = await statusOf(t);
  assert.deepEqual([after.problems, after.wrong, after.agents], [[], [], []]);
});

Deno.test({
  name:
    "status on a terminal is one screen: the store and why, the agents, the last of each, what to do",
  ignore: !hasTmux(),
  async fn() {
    await using t = await tempStore({ entries: ["We rotate weekly"] });
    assert.equal((await t.ctx(["setup", "claude-code", "--no-check", "--no-graph"])).code, 0);
    Deno.mkdirSync(`${t.home}/.codex`);
    const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
    const captures = [
      { event: "captured", ts: ago(190), agent: "claude-code", hook: "Stop", entries: 3 },
      { event: "failed", ts: ago(65), agent: "opencode", hook: "Stop", problem: "it is locked" },
    ];
    t.write("captures.ndjson", captures.map((row) => JSON.stringify(row) + "\n").join(""));
    const lines = [{ id: "H-H1", tokens: 9 }];
    const given = { ts: ago(125), agent: "claude-code", event: "SessionStart", lines, tokens: 9 };
    t.write("injections.ndjson", `${JSON.stringify(given)}\n`);
    Deno.mkdirSync(`${t.workspace}/src`);
    await using pty = await Pty.start(["status"], {
      cwd: `${t.workspace}/src`,
      env: { HOME: t.home },
      columns: 80,
    });
    const screen = await pty.until(/exit 0/);
    const shown = screen.slice(0, screen.indexOf("exit 0")).split("\n").map((line) =>
      line.trimEnd()
    );
    const place = shown.findIndex((line) => line.startsWith("found in"));
    assert.equal(shown.slice(0, place).join(""), t.root);
    assert.deepEqual(
      shown.slice(place).map((line) => line.replace(/[\d.]+ (bytes|kB)/, "N")),
      [
        "found in the nearest parent directory",
        "",
        "stored    1 entry in 0 sessions, N",
        "captured  3 hours ago from claude-code, 3 entries",
        "context   1 line, 9 tokens, to claude-code at SessionStart, 2 hours ago",
        "agents    ● claude-code  connected      captured 3 hours ago",
        "          ○ codex        not connected  ctx setup codex",
        "          ○ opencode     not connected  ctx setup opencode",
        "problems  ✗ opencode: Stop 1 hour ago failed: it is locked",
        "            next: ctx import opencode",
        "",
      ],
    );
  },
});

Deno.test("status says that an agent starts what is not there, and that a log was cut, with what to do", async () => {
  await using t = await tempStore({ entries: ["one", "two", "three"] });
  assert.equal((await t.ctx(["save", "four"])).code, 0);
  assert.equal((await t.ctx(["setup", "gemini", "--no-check", "--no-graph"])).code, 0);
  const settings = `${t.home}/.gemini/settings.json`;
  const command = /("command": )"(?:[^"\\]|\\.)*"/g;
  Deno.writeTextFileSync(
    settings,
    Deno.readTextFileSync(settings).replace(command, '$1"/gone/ctx"'),
  );
  const log = t.read("history.ndjson");
  t.write("history.ndjson", log.slice(0, log.indexOf("\n") + 1));
  await t.ctx(["save", "five"]);
  assert.deepEqual((await statusOf(t)).wrong, [
    {
      problem: "history.ndjson is shorter than it was: 4 rows, now 2",
      next: "ctx doctor",
    },
    { problem: "gemini: it starts /gone/ctx, which does not exist", next: "ctx setup gemini" },
  ]);
});
