// The scope: one session and nothing else, for reads, writes, counts, errors and files.

import assert from "node:assert/strict";
import { openContext } from "../../../src/app/app.ts";
import { tryScope } from "../../../src/cli/processes/isolation.ts";
import { encode, execute } from "../../../src/command/execute.ts";
import { findCommand, loadCommands } from "../../../src/commands/mod.ts";
import { toCtxError } from "../../../src/core/errors.ts";
import { isFullLength } from "../../support/full_length.ts";
import { deepCanaries } from "../../support/isolation/deep_canaries.ts";
import { runIsolationTest } from "../../support/isolation/run_isolation.ts";
import { testIsolation } from "../../support/isolation/try_isolation.ts";
import { RawClient, row, TempWorkspace } from "./support.ts";

Deno.test("ctx isolation test finds no leak, and finds them where there is no scope", async () => {
  const scoped = await tryScope("S-own-session");
  assert.deepEqual(scoped.leaks, []);
  assert.ok(scoped.attempts > 50, `${scoped.attempts} attempts`);
  const open = (await tryScope(undefined)).leaks.map(({ attempt }) => attempt);
  for (const name of ["get", "search", "read", "timeline"]) {
    assert.ok(open.some((attempt) => attempt.startsWith(`${name} `)), name);
  }
});

Deno.test("no command or tool shows a scoped caller another session, with canaries in every log", async () => {
  const { attempts, leaks } = await runIsolationTest(deepCanaries);
  assert.deepEqual(leaks, []);
  assert.ok(attempts > (isFullLength ? 500 : 125), `${attempts} attempts`);
});

Deno.test("the isolation test does find leaks where there is no scope", async () => {
  using crowded = new TempWorkspace([row(1, "S-own", "own"), row(2, "S-other", "canary-secret")]);
  using alone = new TempWorkspace([row(1, "S-own", "own")]);
  const open = ({ path }: TempWorkspace) => ({
    openContext: () => openContext({ workspace: path }),
    normalise: (text: string) => text.replaceAll(path, "W"),
  });
  const { leaks } = await testIsolation({
    commands: (await loadCommands()).filter((command) => command.effect === "read"),
    crowded: open(crowded),
    alone: open(alone),
    secrets: ["canary-secret"],
    bait: ["S-other", "H-2"],
    inputs: [],
  });
  const found = (name: string, kind: string): boolean =>
    leaks.some((leak) => leak.attempt.startsWith(name) && leak.kind === kind);
  assert.ok(found("get", "secret"));
  assert.ok(found("tool get", "secret"));
  assert.ok(found("read entry", "secret"), "a resource");
  assert.ok(found("stats", "difference"), "a count");
  assert.ok(found("instructions", "difference"));
});

Deno.test("a scoped view follows the log: appends, tombstones, gc and damaged lines", async () => {
  using workspace = new TempWorkspace([row(1, "S-a", "one"), row(2, "S-b", "two")]);
  const context = openContext({ workspace: workspace.path, scopedSession: "S-a" });
  const ids = async (): Promise<string[]> =>
    [...(await context.openStore()).entries()].map(({ entry }) => entry.id);
  assert.deepEqual(await ids(), ["H-1"]);
  const append = (text: string): void => {
    workspace.write("history.ndjson", workspace.read("history.ndjson") + text);
  };
  append(JSON.stringify(row(3, "S-a", "three")) + "\n");
  assert.deepEqual(await ids(), ["H-1", "H-3"]);
  append(
    JSON.stringify(row(4, "S-b", "mentions S-a")) + "\n" + JSON.stringify(row(5, "S-a", "tor")),
  );
  assert.deepEqual(await ids(), ["H-1", "H-3"], "an unfinished line is not seen");
  append("\n");
  assert.deepEqual(await ids(), ["H-1", "H-3", "H-5"]);
  append(JSON.stringify(row(6, "S-a", "x")) + JSON.stringify(row(7, "S-b", "y")) + "\n");
  assert.deepEqual(await ids(), ["H-1", "H-3", "H-5", "H-6"], "joined rows are taken apart");
  const tombstone = { ...row(8, "", ""), type: "tombstone", refs: ["H-2", "H-3"] };
  append(JSON.stringify({ ...tombstone, session_id: undefined }) + "\n");
  assert.deepEqual(await ids(), ["H-1", "H-5", "H-6"]);
  const rows = [...(await context.openStore()).rows()].map(({ entry }) => encode(entry)).join();
  assert.ok(!rows.includes("H-2"), "a tombstone names only ids of the session");
  workspace.write("history.ndjson", JSON.stringify(row(9, "S-a", "after gc")) + "\n");
  assert.deepEqual(await ids(), ["H-9"]);
});

Deno.test("a scoped writer writes to its session only and mends the log it shares", async () => {
  using workspace = new TempWorkspace([row(1, "S-a", "one"), row(2, "S-b", "two")]);
  workspace.write("history.ndjson", workspace.read("history.ndjson") + '{"id":"H-torn","te');
  workspace.write("pins.md", "# Pins\n\n- [H-2] two\n- by hand\n");
  const run = async (name: string, input: object): Promise<Record<string, unknown> | string> => {
    const context = openContext({ workspace: workspace.path, scopedSession: "S-a" });
    const command = await findCommand(name);
    try {
      return { ...await execute(command!, input, context) };
    } catch (thrown) {
      return toCtxError(thrown).code;
    }
  };
  assert.equal(await run("save", { text: "x", session: "S-b" }), "DENIED");
  assert.equal(await run("save", { text: "x", session: "S-new" }), "DENIED");
  assert.equal(await run("save", { text: "x", supersedes: "H-2" }), "NOT_FOUND");
  assert.equal(await run("forget", { ids: ["H-2"] }), "NOT_FOUND");
  assert.equal(await run("forget", { ids: ["H-1"], now: true }), "DENIED");
  assert.equal(await run("pin", { target: "H-2" }), "NOT_FOUND");
  assert.equal(await run("unpin", { target: "by hand" }), "NOT_FOUND");
  assert.equal(await run("session start", { title: "x" }), "DENIED");
  const saved = await run("save", { text: "mine" });
  assert.equal(typeof saved === "object" && saved.session_id, "S-a");
  await run("pin", { target: "H-1" });
  assert.equal(workspace.read("pins.md"), "# Pins\n\n- [H-2] two\n- by hand\n- [H-1] one\n");
  await run("unpin", { target: "H-1" });
  assert.equal(workspace.read("pins.md"), "# Pins\n\n- [H-2] two\n- by hand\n");
  const lines = workspace.read("history.ndjson").trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ session_id }) => session_id), ["S-a", "S-b", "S-a"]);
  assert.ok(workspace.read("history.bad.ndjson").includes("H-torn"));
  await run("subscribe", { patterns: ["file:**"], session: "S-b" });
  const subscription = JSON.parse(workspace.read("subscriptions.ndjson"));
  assert.deepEqual([subscription.session_id, subscription.pinned_session], ["S-a", "S-a"]);
  const plain = await openContext({ workspace: workspace.path }).openStore();
  assert.equal([...plain.entries()].length, 3);
  assert.equal(plain.readState().session_id, null, "the workspace's own session is not touched");
});

Deno.test("a scoped writer leaves alone what another session's entry with the same id is", async () => {
  const words = "words of the other session";
  using workspace = new TempWorkspace([
    row(1, "S-a", "one"),
    row(1, "S-b", words),
    row(2, "S-a", "two"),
  ]);
  const pins = `- [H-1] ${words}\n- [H-2] two\n`;
  workspace.write("pins.md", pins);
  const before = workspace.read("history.ndjson");
  const run = async (name: string, input: object): Promise<object> => {
    const context = openContext({ workspace: workspace.path, scopedSession: "S-a" });
    const command = await findCommand(name);
    try {
      return await execute(command!, input, context);
    } catch (thrown) {
      return { code: toCtxError(thrown).code, message: toCtxError(thrown).message };
    }
  };
  const refused = {
    code: "DENIED",
    message: 'Cannot change "H-1": an entry outside this session has that id',
  };
  assert.deepEqual(await run("forget", { ids: ["H-1"] }), refused);
  assert.deepEqual(await run("forget", { session: "S-a" }), refused);
  assert.deepEqual(await run("save", { text: "x", supersedes: "H-1" }), refused);
  assert.deepEqual(await run("pin", { target: "H-1" }), refused);
  assert.equal(workspace.read("history.ndjson"), before);
  assert.equal(workspace.read("pins.md"), pins);
  assert.ok(!encode(await run("pins", {})).includes(words), "a pin of another's words");
  await run("forget", { ids: ["H-2"] });
  const plain = await openContext({ workspace: workspace.path }).openStore();
  assert.deepEqual([...plain.entries()].map(({ entry }) => entry.text), ["one", words]);
  assert.equal(workspace.read("pins.md"), `- [H-1] ${words}\n`);
});

Deno.test("mcp --session current opens one session for its client and leaves it out of search", async () => {
  using workspace = new TempWorkspace();
  await using client = new RawClient(workspace.path, ["--session", "current"]);
  await client.initialize("My Client");
  const { result } = await client.call("save_memory", { text: "The beacon is at port seven" });
  await client.call("save_memory", { text: "again" });
  const { session_id } = result.structuredContent;
  const events = workspace.read("sessions.ndjson").trim().split("\n").map((l) => JSON.parse(l));
  assert.equal(events.length, 1);
  assert.equal(events[0].session_id, session_id);
  assert.equal(events[0].source, "My-Client");
  const hits = async (more: object): Promise<number> =>
    (await client.call("search", { query: "beacon port", ...more })).result.structuredContent.hits;
  assert.equal(await hits({}), 0);
  assert.equal(await hits({ include_current: true }), 1);
  assert.equal(await hits({ session: "current" }), 1);
});

Deno.test("mcp --session ID shows that session over the wire", async () => {
  using workspace = new TempWorkspace();
  await using client = new RawClient(workspace.path, ["--session", "S-one", "--tools", "all"]);
  const { result } = await client.initialize();
  assert.match(result.instructions, /one session of this workspace\. 2 entries/);
  const said: unknown[] = [];
  said.push(await client.call("search", { query: "queue restart handler" }));
  said.push(await client.call("get", { ids: ["H-3"] }));
  said.push(await client.call("list"), await client.call("stats"));
  said.push(await client.call("read", { session: "S-three" }));
  said.push(await client.request("resources/list"));
  said.push(await client.request("resources/read", { uri: "ctx://entry/H-3" }));
  said.push(
    await client.request("completion/complete", {
      ref: { type: "ref/resource", uri: "ctx://session/{id}" },
      argument: { name: "id", value: "S-" },
    }),
  );
  const text = JSON.stringify(said);
  assert.ok(!/queue drops|Acknowledge after/.test(text));
  assert.ok(text.includes("S-one") && !text.includes("S-two"));
});
