// A server that is held to one session, as a process: no way out for other sessions' words, neither
// by subscriptions nor by files of the workspace.

import assert from "node:assert/strict";
import { startListening } from "../../support/processes/listening_ctx.ts";
import { runCtx } from "../../support/processes/run_ctx.ts";
import { RawClient, row, TempWorkspace } from "./support.ts";

const rows = [row(1, "S-own", "The beacon is mine"), row(2, "S-other", "The beacon is theirs")];
const env = { CTX_WEBHOOK_SECRET: "s3cret" };

Deno.test("mcp --session: a subscription tells of its own session only, and only by polling", async () => {
  using workspace = new TempWorkspace(rows);
  const cwd = workspace.path;
  const client = new RawClient(cwd, ["--session", "S-own", "--tools", "all"], env);
  await using _client = client;
  await client.initialize();
  const patterns = ["topic:beacon", "file:src/**"];
  for (const via of [{ via: "webhook", url: "http://127.0.0.1:9/" }, { via: "sse" }]) {
    const { result } = await client.call("context_subscribe", { patterns, ...via });
    assert.equal(result.structuredContent.error.code, "DENIED", via.via);
    assert.match(result.structuredContent.error.hint, /poll/);
  }
  const { result } = await client.call("context_subscribe", {
    patterns,
    cooldown_ms: 0,
    min_score: 0,
  });
  const subscription: string = result.structuredContent.id;
  const whole = (await runCtx(["subscribe", ...patterns], { cwd })).stdout.trim();
  await runCtx(["watch", "--once"], { cwd });
  const saved: string[] = [];
  for (const session of ["S-other", "S-own"]) {
    const words = ["save", `The beacon of ${session} rotates`, "--type", "decision", "--json"];
    const said = await runCtx([...words, "--session", session, "--file", "src/beacon.ts"], { cwd });
    saved.push(JSON.parse(said.stdout).id);
  }
  Deno.mkdirSync(`${cwd}/src`);
  Deno.writeTextFileSync(`${cwd}/src/beacon.ts`, "export const port = 7;\n");
  await runCtx(["watch", "--once"], { cwd });
  const told = async (id: string): Promise<string> =>
    JSON.stringify((await client.call("context_poll", { subscription: id })).result);
  const own = await told(subscription);
  assert.match(own, /The beacon of S-own rotates/);
  assert.ok(own.includes(saved[1]));
  assert.doesNotMatch(own, /S-other/);
  assert.ok(!own.includes(saved[0]), "not even that there is something");
  const polled = await runCtx(["poll", whole, "--json"], { cwd });
  assert.match(polled.stdout, /The beacon of S-other rotates/);
  assert.equal(
    (await told(whole)).replaceAll(whole, "B-none"),
    await told("B-none"),
    "what is not one's own is not there",
  );
});

Deno.test("watch posts nothing for a webhook that somebody held to one session wrote down", async () => {
  using workspace = new TempWorkspace(rows);
  const cwd = workspace.path;
  let posts = 0;
  const receiver = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
    posts++;
    return new Response("ok");
  });
  try {
    const url = `http://127.0.0.1:${receiver.addr.port}/`;
    const words = ["subscribe", "topic:beacon", "--via", "webhook", "--url", url];
    await runCtx(words, { cwd, env });
    const event = JSON.parse(workspace.read("subscriptions.ndjson"));
    const scoped = { ...event, pinned_session: "S-own" };
    workspace.write("subscriptions.ndjson", JSON.stringify(scoped) + "\n");
    await runCtx(["watch", "--once"], { cwd, env });
    await runCtx(["save", "The beacon rotates", "--type", "decision", "--session", "S-own"], {
      cwd,
    });
    const { stderr } = await runCtx(["watch", "--once"], { cwd, env });
    assert.match(stderr, /1 suggestions, 0 delivered/);
    assert.equal(posts, 0);
  } finally {
    await receiver.shutdown();
  }
});

Deno.test("serve --session: commands that read files of the workspace tell nothing", async () => {
  using workspace = new TempWorkspace(rows);
  const cwd = workspace.path;
  await using server = await startListening(
    ["serve", "--port", "0", "--session", "S-own", "--token", "t"],
    { cwd },
  );
  const post = async (
    command: string,
    input: object,
  ): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${server.said.url}/api/${command}`, {
      method: "POST",
      headers: { authorization: "Bearer t" },
      body: JSON.stringify(input),
    });
    return { status: response.status, text: await response.text() };
  };
  const denied: [string, object][] = [
    ["import", { sources: ["contextfs"], root: `${cwd}/.contextfs/history.ndjson`, dry_run: true }],
    ["import", { sources: ["ndjson"], root: `${cwd}/.contextfs`, dry_run: true }],
    ["import", {}],
    ["doctor", {}],
    ["init", {}],
    ["subscribe", { patterns: ["file:**"], via: "webhook", url: "http://127.0.0.1:9/" }],
    ["subscribe", { patterns: ["file:**"], via: "sse" }],
  ];
  for (const [command, input] of denied) {
    const { status, text } = await post(command, input);
    assert.equal(status, 403, `${command} ${text}`);
    assert.equal(JSON.parse(text).error.code, "DENIED");
    assert.doesNotMatch(text, /S-other|theirs|H-2/);
  }
  for (const name of ["history", "subscriptions"]) {
    const reports = [`.contextfs/${name}.ndjson`];
    const { text } = await post("suggest", { symbol: "x", reports });
    assert.equal(JSON.parse(text).error.code, "NOT_FOUND", text);
  }
});
