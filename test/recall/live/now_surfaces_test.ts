/// <reference lib="dom" />
// Who is at work now, where people and agents look for it: a shell, a client over MCP, the page.

import assert from "node:assert/strict";
import { connectMcp } from "../../support/processes/mcp_client.ts";
import { assertSound, openPage, pageTest } from "../../support/servers/open_page.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

Deno.test("an agent that runs ctx now in its shell reads the lines too", async () => {
  await using t = await atWork();
  const { stdout } = await t.ctx(["now"]);
  assert.match(stdout, /codex .* Rename takeToken to spend\n {4}src\/a\.ts:10-12\n/);
  assert.match(stdout, /\n {4}src\/b\.ts\n/);
});

Deno.test("an MCP client reads who is at work now, and on which lines", async () => {
  await using t = await atWork();
  await using session = await connectMcp(t.workspace);
  const { resources } = await session.client.listResources();
  assert.ok(resources.some(({ uri }) => uri === "ctx://now"));
  const { contents } = await session.client.readResource({ uri: "ctx://now" });
  const text = "text" in contents[0] ? String(contents[0].text) : "";
  assert.match(text, / codex \|.*\nRename takeToken to spend\n/);
  assert.match(text, /path: src\/a\.ts \| lines: 10-12 /);
  assert.match(text, /path: src\/a\.ts \| lines: 3 .*worktree: .*\/side\n/);
  assert.match(text, /path: src\/b\.ts \| last/);
});

pageTest("the page shows who is at work now, and on which lines", async () => {
  await using t = await atWork();
  await using open = await openPage({ workspace: t.workspace, at: "#/sessions" });
  const now = open.page.getByLabel("Working now");
  await now.getByText("Rename takeToken to spend").waitFor();
  const rows = (await now.innerText()).split("\n");
  assert.ok(rows.includes("src/a.ts: 10-12"), rows.join("|"));
  assert.ok(rows.includes("src/b.ts"), rows.join("|"));
  assert.ok(rows.some((row) => /^src\/a\.ts: 3 in .*\/side$/.test(row)), rows.join("|"));
  await assertSound(open);
});

/** A store where Codex is at work: in two files, one of them changed by its shell, and in a worktree. */
async function atWork(): Promise<TempStore> {
  const t = await tempStore({ entries: ["We count tokens"] });
  await t.ctx(["hook", "codex"], {
    stdin: JSON.stringify({
      hook_event_name: "UserPromptSubmit",
      session_id: "codex-1",
      cwd: t.workspace,
      prompt: "Rename takeToken to spend",
    }),
  });
  const ts = new Date().toISOString();
  const row = { ts, session: "codex-1", agent: "codex", tree: t.workspace };
  const edits = [
    { ...row, file: "src/b.ts", spans: [] },
    {
      ...row,
      file: "src/a.ts",
      tree: `${t.workspace}/side`,
      spans: [{ from: 2, to: 3, lines: 1 }],
    },
    { ...row, file: "src/a.ts", spans: [{ from: 9, to: 12, lines: 3 }] },
  ];
  t.write("live.ndjson", edits.map((edit) => `${JSON.stringify(edit)}\n`).join(""));
  return t;
}
