// Over MCP and HTTP what destroys needs an explicit confirm: without it nothing changes, and the
// answer names the count and examples first.

import assert from "node:assert/strict";
import { shortNotice } from "../../../src/core/rows/fence.ts";
import { connectMcp } from "../../support/processes/mcp_client.ts";
import { startServer } from "../../support/processes/start_server.ts";
import { TempWorkspace } from "./support.ts";

Deno.test("forget over MCP first says what would go, behind the marker, and changes nothing", async () => {
  using workspace = new TempWorkspace();
  const before = workspace.read("history.ndjson");
  await using mcp = await connectMcp(workspace.path, { words: ["--tools", "all"] });
  for (const confirm of [{}, { confirm: false }, { confirm: "yes" }, { confirm: 1 }]) {
    const asked = await mcp.call("forget", { session: "S-one", now: true, ...confirm });
    assert.equal(asked.isError, true);
    assert.equal(workspace.read("history.ndjson"), before);
    assert.deepEqual([asked.data.count, asked.data.dry_run, asked.data.notice], [
      2,
      true,
      shortNotice,
    ]);
    const [told, recalled] = asked.text.split(shortNotice);
    assert.match(told, /Forget 2 entries and delete the data for good\? Nothing was done\./);
    assert.match(told, /call again with confirm: true/);
    assert.ok(!told.includes("Refresh tokens"), told);
    assert.match(recalled, /H-1 \| turn \| 2026-09-01 10:01 .*\nRefresh tokens rotate/);
  }
  const done = await mcp.call("forget", { session: "S-one", now: true, confirm: true });
  assert.deepEqual([done.isError, done.data.count, done.data.erased], [undefined, 2, true]);
  assert.ok(!workspace.read("history.ndjson").includes("Refresh tokens"));
});

Deno.test("a tool that destroys nothing takes no confirm", async () => {
  using workspace = new TempWorkspace();
  await using mcp = await connectMcp(workspace.path, { words: ["--tools", "all"] });
  const { isError, text } = await mcp.call("pin", { target: "H-1", confirm: true });
  assert.equal(isError, true);
  assert.match(text, /unknown option "confirm"/);
});

Deno.test("over HTTP forget answers 409 with what it would do until it is confirmed", async () => {
  using workspace = new TempWorkspace();
  const before = workspace.read("history.ndjson");
  await using server = await startServer(workspace.path);
  for (const path of ["forget", "purge"]) {
    const input = path === "forget" ? { before: "2030-01-01", now: true } : { pattern: "queue" };
    for (const confirm of [{}, { confirm: false }, { confirm: "yes" }]) {
      const response = await server.post(`/api/${path}`, { ...input, ...confirm });
      const { error, planned } = await response.json();
      assert.deepEqual([response.status, error.code], [409, "UNCONFIRMED"]);
      assert.match(error.message, path === "forget" ? /Forget 4 entries/ : /Purge 1 entry/);
      assert.equal(planned.examples.length, path === "forget" ? 4 : 1);
    }
    assert.equal(workspace.read("history.ndjson"), before);
  }
  const done = await server.post("/api/purge", { pattern: "queue", confirm: true });
  assert.deepEqual([done.status, (await done.json()).verified], [200, true]);
  assert.ok(!workspace.read("history.ndjson").includes("queue"));
});
