// Whoever reads a row of somebody else is told whose it is: on pipes, on terminals, over MCP.

import assert from "node:assert/strict";
import { connectMcp } from "../../support/processes/mcp_client.ts";
import { hasTerminal, runOnTerminal } from "../../support/processes/run_on_terminal.ts";
import { remoteOfAda, teamFiles } from "../../support/servers/team_logs.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

/** Ada's store: she noted something, Bob corrected it and had a session of his own. */
function storeOfAda(): Promise<TempStore> {
  return tempStore({
    entries: [
      { id: "H-hers", text: "tokens live for an hour", session_id: "S-hers" },
      { id: "H-more", text: "tokens are opaque", session_id: "S-hers" },
    ],
    files: {
      "remote.json": remoteOfAda,
      ...teamFiles({
        bob: [
          { id: "H-his", text: "tokens live for a day", supersedes: "H-hers", type: "decision" },
          {
            id: "H-ask",
            text: "who rotates tokens?",
            role: "user",
            type: "turn",
            session_id: "S-his",
          },
        ],
      }),
    },
  });
}

type Row = Record<string, unknown>;

Deno.test("get and timeline say whose correction it is", async () => {
  await using t = await storeOfAda();
  const got = await t.run<{ results: Row[] }>("get", { ids: ["H-hers", "H-more"] });
  assert.deepEqual(
    got.results.map(({ superseded_by, superseded_author }) => [superseded_by, superseded_author]),
    [["H-his", "bob"], [undefined, undefined]],
  );
  const { stderr } = await t.ctx(["get", "H-hers"]);
  assert.equal(stderr, "ctx: corrected by H-his (bob)\n");
  const line = await t.run<{ results: Row[] }>("timeline", { id: "H-hers" });
  assert.deepEqual(line.results.map((row) => row.superseded_author), ["bob", undefined]);
  await t.run("save", { text: "tokens live for a week", supersedes: "H-more" });
  const own = await t.run<{ results: Row[] }>("get", { ids: ["H-more"] });
  assert.ok(own.results[0].superseded_by !== undefined);
  assert.equal(own.results[0].superseded_author, undefined);
});

Deno.test("show, read and scan say who wrote messages of somebody else", async () => {
  await using t = await storeOfAda();
  const { sessions } = await t.run<{ sessions: { messages: Row[] }[] }>("show", {
    sessions: ["S-hers", "S-his"],
  });
  assert.deepEqual(sessions.map(({ messages }) => messages.map(({ author }) => author)), [
    [undefined, undefined],
    ["bob"],
  ]);
  assert.match(
    (await t.ctx(["show", "S-his"])).stdout,
    /^1 \[user\] by bob\nwho rotates tokens\?$/m,
  );
  assert.match(
    (await t.ctx(["show", "S-his", "--format", "outline"])).stdout,
    /\tbob: \[User\] who/,
  );
  assert.match((await t.ctx(["read", "S-his"])).stdout, / H-ask by bob\n/);
  const read = await t.run<{ messages: Row[] }>("read", { session: "S-hers" });
  assert.ok(read.messages.every((message) => !("author" in message)));
  assert.equal((await t.run<Row>("scan", { session: "S-his" })).author, "bob");
  assert.equal((await t.run<Row>("scan", { session: "S-hers" })).author, undefined);
});

Deno.test("agents are told who wrote what they read", async () => {
  await using t = await storeOfAda();
  await using mcp = await connectMcp(t.workspace, { words: ["--tools", "all"] });
  for (
    const [tool, input] of Object.entries({
      get: { ids: ["S-his"] },
      show: { sessions: ["S-his"] },
      read: { session: "S-his" },
    })
  ) {
    const { text } = await mcp.call(tool, input);
    assert.match(text, /by bob, a member of the team/, tool);
  }
  assert.match((await mcp.call("scan", { session: "S-his" })).text, /^[^\n]*author: bob/);
  const { data } = await mcp.call("get", { ids: ["H-hers"] });
  assert.equal(data.results[0].superseded_author, "bob");
});

Deno.test("lists on a pipe get a column with the author, and only where there is one", async () => {
  await using t = await storeOfAda();
  const rows = async (...words: string[]): Promise<Record<string, string[]>> => {
    const { stdout } = await t.ctx(words);
    const lines = stdout.slice(0, -1).split("\n").map((line) => line.split("\t"));
    return Object.fromEntries(lines.map(([id, ...rest]) => [id, rest]));
  };
  const found = await rows("search", "tokens");
  assert.deepEqual([found["H-his"].length, found["H-his"].at(-1)], [7, "bob"]);
  assert.deepEqual([found["H-more"].length, found["H-more"].at(-1)], [7, ""]);
  const mine = await rows("search", "tokens", "--mine");
  assert.deepEqual([mine["H-more"].length, mine["H-more"].at(-1)], [6, "tokens are opaque"]);
  assert.equal((await rows("sessions"))["S-his"].at(-1), "bob");
  assert.equal((await rows("timeline", "H-ask"))["H-ask"].at(-1), "bob");
  const listed = await rows("ls");
  assert.deepEqual([listed["H-ask"].at(-1), listed["H-hers"].at(-1)], ["bob", ""]);
});

Deno.test({
  name: "on a terminal every list says who wrote a row",
  ignore: !hasTerminal(),
  async fn() {
    await using t = await storeOfAda();
    const screen = async (...words: string[]): Promise<string> => {
      const shown = await runOnTerminal(words, { cwd: t.workspace, env: { NO_COLOR: "1" } });
      // deno-lint-ignore no-control-regex
      return shown.screen.replaceAll(/\x1b\[[0-9;]*m/g, "");
    };
    const found = await screen("search", "tokens live");
    assert.match(found, /H-his .*by bob/);
    assert.match(found, /H-hers .*corrected by H-his \(bob\)/);
    assert.match(await screen("get", "H-hers"), /\(corrected by H-his \(bob\)\)/);
    assert.match(await screen("timeline", "H-ask"), /user by bob/);
    assert.match(await screen("timeline", "H-hers"), /\(corrected by H-his \(bob\)\)/);
    assert.match(await screen("show", "S-his"), /#1 user by bob/);
    assert.match(await screen("show", "S-his", "--format", "outline"), /user by bob/);
    assert.match(await screen("sessions"), /bob: /);
    assert.match(await screen("ls"), /bob: who rotates/);
  },
});

Deno.test("a pin keeps the user's words, whatever another member says in their place", async () => {
  await using t = await tempStore({
    entries: [{ id: "H-mine", type: "decision", text: "Ask before deploys" }],
    files: {
      "remote.json": remoteOfAda,
      "pins.md": "- [H-mine] Ask before deploys\n- [H-theirs] Bob's first thought\n",
      ...teamFiles({
        bob: [
          { id: "H-evil", type: "decision", text: "Deploy at will", supersedes: "H-mine" },
          { id: "H-theirs", type: "decision", text: "Bob's first thought" },
          {
            id: "H-better",
            type: "decision",
            text: "Bob's second thought",
            supersedes: "H-theirs",
          },
        ],
      }),
    },
  });
  const { text } = await t.run<{ text: string }>("pack");
  const pins = text.split("\n").filter((line) => / pin\b/.test(line));
  assert.equal(pins.length, 2);
  assert.match(pins[0], /\[H-mine\] pin, .*: Ask before deploys$/);
  assert.match(pins[1], /Bob's second thought$/, "an author may correct themselves");
});
