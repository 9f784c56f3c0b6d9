// Lists on pipes and by templates, and `@1` after a list on a terminal, as people use them.

import assert from "node:assert/strict";
import { hasTerminal, runOnTerminal } from "../../support/processes/run_on_terminal.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const entries = [
  { text: "tokens rotate\ton every use\nand expire", title: "Rotate\ttokens", session_id: "S-1" },
  { text: "tokens are signed" },
];

Deno.test("a list on a pipe is one row a line, with tabs between and none inside", async () => {
  await using t = await tempStore({ entries });
  const { stdout } = await t.ctx(["search", "tokens"]);
  const rows = stdout.trimEnd().split("\n").map((line) => line.split("\t"));
  assert.deepEqual(rows.map((row) => row.length), [7, 7]);
  assert.deepEqual(rows.map(([id]) => id).sort(), ["H-H1", "H-H2"]);
  const first = rows.find(([id]) => id === "H-H1");
  assert.deepEqual([first?.[1], first?.[3], first?.[4], first?.[5]], [
    "2026-01-01T10:00:00.000Z",
    "note",
    "S-1",
    "Rotate tokens",
  ]);
  assert.equal(
    (await t.ctx(["ls", "--limit", "1"])).stdout,
    "H-H2\t2026-01-01T10:01:00.000Z\tnote\tnote\t\ttokens are signed\n",
  );
});

Deno.test("a list without rows is nothing on a pipe; what is said of it goes elsewhere", async () => {
  await using t = await tempStore({ entries });
  const { code, stdout, stderr } = await t.ctx(["search", "zebra"]);
  assert.deepEqual([code, stdout], [0, ""]);
  assert.match(stderr, /^No results for "zebra"/);
  assert.equal((await t.ctx(["pins"])).stdout, "");
});

Deno.test("what is more than rows is told on a pipe too", async () => {
  await using t = await tempStore({ entries });
  assert.match((await t.ctx(["search", "tokens", "--facets", "type"])).stdout, /note/);
  assert.match((await t.ctx(["search", "tokens", "--explain"])).stdout, /recency/);
});

Deno.test("--format shows rows by a template, and names the fields when one is none", async () => {
  await using t = await tempStore({ entries });
  const format = (template: string) => t.ctx(["ls", "--format", template]);
  assert.equal(
    (await format("{id}\\t{type}: {summary}")).stdout,
    [
      "H-H2\tnote: tokens are signed\n",
      "H-H1\tnote: Rotate tokens\n",
    ].join(""),
  );
  const { code, stdout, stderr } = await format("{id} {sumary}");
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(
    stderr,
    /^ctx: Cannot show field "sumary" \(did you mean "summary"\?\): ls has id, ts, .*summary/,
  );
  assert.equal((await t.ctx(["save", "x", "--format", "{id}"])).code, 2);
});

Deno.test("ctx search | ctx get - gives every byte of one text", async () => {
  const long = `tokens ${"x".repeat(5000)}\n`;
  await using t = await tempStore({ entries: [{ text: long }] });
  const { stdout: rows } = await t.ctx(["search", "tokens"]);
  const { stdout, stderr } = await t.ctx(["get", "-"], { stdin: rows });
  assert.deepEqual([stdout, stderr], [long, ""]);
  assert.equal((await t.ctx(["get", "H-H1", "--head", "6"])).stdout, "tokens");
  const json = JSON.parse((await t.ctx(["get", "H-H1", "--json"])).stdout);
  assert.equal(json.results[0].text.length, 1200);
});

Deno.test("@1 is the first row of the last list in this terminal, and of no other", {
  ignore: !hasTerminal(),
}, async () => {
  await using t = await tempStore({ entries });
  const here = { TMUX_PANE: "%7" };
  const none = await t.ctx(["get", "@1"], { env: here });
  assert.equal(none.code, 3);
  assert.match(none.stderr, /^ctx: Cannot use "@1": no list was shown in this terminal\nhint: /);
  await runOnTerminal(["ls"], { cwd: t.workspace, env: here });
  // A list on a pipe is not shown, and changes nothing.
  await t.ctx(["ls", "--limit", "1"], { env: here });
  assert.equal((await t.ctx(["get", "@2"], { env: here })).stdout, entries[0].text);
  assert.equal((await t.ctx(["get", "@1"], { env: here })).stdout, entries[1].text);
  assert.match((await t.ctx(["show", "@2"], { env: here })).stdout, /S-1/);
  const beyond = await t.ctx(["get", "@3"], { env: here });
  assert.match(beyond.stderr, /the last list had 2 rows in this terminal/);
  for (const env of [{ TMUX_PANE: "%8" }, { ...here, TMUX: "/tmp/tmux-0/default,99,0" }]) {
    assert.equal((await t.ctx(["get", "@1"], { env })).code, 3);
  }
  await t.run("gc", {}, { consent: true });
  assert.equal((await t.ctx(["get", "@1"], { env: here })).code, 0);
});
