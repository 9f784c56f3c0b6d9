// The user's consent: what a cloned workspace asks for is shown, and sends nothing before the user
// approved of it. As processes, with a receiver on this machine.

import assert from "node:assert/strict";
import { homeOf } from "../../support/processes/run_ctx.ts";
import { hasTerminal, runOnTerminal } from "../../support/processes/run_on_terminal.ts";
import { llmEnv, ScriptedLlm } from "../../support/servers/scripted_llm.ts";
import { TempStore, tempStore } from "../../support/stores/temp_store.ts";

const secret = { CTX_WEBHOOK_SECRET: "s3cret" };

Deno.test("a webhook that came with a copy of the workspace is not obeyed before ctx trust", async () => {
  await using receiver = startReceiver();
  await using t = await tempStore();
  const subscribed = await t.ctx(
    ["subscribe", "topic:passkeys", "--via", "webhook", "--url", receiver.url],
    { env: secret },
  );
  const id = subscribed.stdout.trim();
  await watchOnce(t);
  await using copy = await copyOf(t);
  const env = { ...secret, HOME: homeOf(t.workspace) };
  for (const store of [t, copy]) {
    await store.ctx(["save", "We decided that passkeys replace passwords", "--type", "decision"], {
      env,
    });
  }
  const refused = await watchOnce(copy, env);
  assert.match(refused, /0 delivered/);
  assert.match(
    refused,
    new RegExp(`nothing is sent to ${id} until you approve its URL: ctx trust`),
  );
  assert.equal(receiver.got.length, 0);
  const listed = await copy.shown(["subscriptions"], { env });
  assert.match(listed.stdout, /not approved here: ctx trust http/);
  assert.doesNotMatch((await t.shown(["subscriptions"], { env })).stdout, /not approved/);

  assert.match(await watchOnce(t, env), /1 delivered/);
  assert.equal(receiver.got.length, 1, "where it was approved it is delivered");

  const trusted = await copy.ctx(["trust", receiver.url], { env });
  assert.equal(trusted.stdout.replace(/ {2,}/g, "  "), `${receiver.url}  approved  ${id}\n`);
  assert.match(await watchOnce(copy, env), /1 delivered/);
  await copy.ctx(["save", "Passkeys for administrators too", "--type", "decision"], { env });
  await copy.ctx(["trust", receiver.url, "--revoke"], { env });
  assert.match(await watchOnce(copy, env), /0 delivered/);
  assert.equal(receiver.got.length, 2);
});

Deno.test("a workspace cannot approve of anything itself, and a moved one has to ask again", async () => {
  await using receiver = startReceiver();
  await using t = await tempStore();
  const words = ["subscribe", "topic:passkeys", "--via", "webhook", "--url", receiver.url];
  await t.ctx(words, { env: secret });
  await watchOnce(t);
  const moved = new TempStore(`${t.workspace}-moved`);
  await Deno.rename(t.workspace, moved.workspace);
  await Deno.mkdir(t.workspace);
  await using _moved = moved;
  const trust = { [moved.workspace]: [receiver.url], [t.workspace]: [receiver.url] };
  moved.write("config.jsonc", JSON.stringify({ trust }));
  const env = { ...secret, HOME: homeOf(t.workspace) };
  const saved = await moved.ctx(["save", "Passkeys replace passwords", "--type", "decision"], {
    env,
  });
  assert.match(saved.stderr, /"trust" is ignored there/);
  assert.match(await watchOnce(moved, env), /0 delivered/);
  assert.equal(receiver.got.length, 0);
});

Deno.test({
  name: "a person at a terminal is asked before a webhook is approved",
  ignore: !hasTerminal(),
  async fn() {
    await using t = await tempStore();
    const url = "http://127.0.0.1:9/";
    const words = ["subscribe", "file:**", "--via", "webhook", "--url", url];
    const options = { cwd: t.workspace, env: secret };
    const asked = await runOnTerminal(words, options);
    assert.match(asked.screen, /will be posted to "http:\/\/127\.0\.0\.1:9\/"\. Continue\?/);
    assert.notEqual(asked.code, 0);
    assert.equal(t.exists("subscriptions.ndjson"), false);
    const approved = async (): Promise<string> => (await t.ctx(["trust"])).stdout;
    assert.doesNotMatch(await approved(), /127/);
    const said = await runOnTerminal([...words, "--yes"], options);
    assert.equal(said.code, 0, said.screen);
    assert.match(await approved(), /9\/ +approved +B-/);
    const plain = await runOnTerminal(["subscribe", "file:**"], options);
    assert.equal(plain.code, 0, "what stays here asks nothing");
  },
});

Deno.test("over HTTP a webhook is subscribed to but waits for the user's consent", async () => {
  await using t = await tempStore();
  const url = "http://127.0.0.1:9/";
  const input = { patterns: ["file:**"], via: "webhook", url };
  const options = { env: (name: string) => ({ ...secret, HOME: t.workspace })[name] };
  for (const surface of ["mcp", "http"] as const) {
    const made = await t.run<{ approved: boolean }>("subscribe", input, { ...options, surface });
    assert.equal(made.approved, false, surface);
  }
  const typed = await t.run<{ approved: boolean }>("subscribe", input, {
    ...options,
    surface: "cli",
  });
  assert.equal(typed.approved, true);
  const config = JSON.parse(Deno.readTextFileSync(`${t.workspace}/.config/ctx/config.jsonc`));
  assert.deepEqual(config, { trust: { [t.workspace]: [url] } });
});

Deno.test("a workspace's llm.model sends nothing to the user's provider before ctx trust", async () => {
  await using llm = new ScriptedLlm([{ text: "Seven." }]);
  await using t = await tempStore({ entries: ["The beacon answers on port 7"] });
  const { CTX_LLM_MODEL: _model, ...env } = llmEnv(llm);
  // Twice: the second must not take the first for the user's own choice.
  t.write("config.jsonc", '{ "llm": { "model": "theirs" }, "llm.model": "theirs" }');
  const ask = async (more: Record<string, string> = {}): Promise<string> =>
    (await t.ctx(["ask", "Which port has the beacon?"], { env: { ...env, ...more } })).stderr;
  assert.match(await ask(), /"llm.model" is ignored: .*ctx trust http/);
  assert.equal(llm.requests.length, 0);
  await ask({ CTX_LLM_MODEL: "mine" });
  assert.equal(llm.requests[0]?.body.model, "mine");
  const { stdout } = await t.ctx(["trust", llm.url], { env });
  assert.match(stdout, /approved +llm\.model/);
  assert.doesNotMatch(await ask(), /ignored/);
  assert.equal(llm.requests.at(-1)?.body.model, "theirs");
});

Deno.test("a workspace's embedder.kind sends nothing to the user's endpoint before ctx trust", async () => {
  await using receiver = startReceiver();
  await using t = await tempStore({ entries: ["The beacon answers on port 7"] });
  t.write("config.jsonc", '{ "embedder": { "kind": "http" } }');
  const env = { CTX_EMBEDDER_URL: receiver.url, CTX_EMBEDDER_MODEL: "m" };
  const said = await t.ctx(["search", "beacon"], { env });
  assert.equal(said.code, 0, said.stderr);
  assert.match(said.stdout, /port 7/);
  assert.match(said.stderr, /"embedder.kind" is ignored/);
  await t.ctx(["reindex", "--vectors"], { env });
  assert.equal(receiver.got.length, 0);
  // Who sets it on the command line approves of it.
  await t.ctx(["config", "set", "embedder.kind", "http"], { env });
  await t.ctx(["reindex", "--vectors"], { env });
  assert.ok(receiver.got.length > 0);
});

Deno.test("a relative XDG_CONFIG_HOME does not make a workspace's file the user's own", async () => {
  await using t = await tempStore();
  await Deno.mkdir(`${t.workspace}/conf/ctx`, { recursive: true });
  await Deno.writeTextFile(`${t.workspace}/conf/ctx/config.jsonc`, '{ "lock_timeout_ms": 1 }');
  for (const XDG_CONFIG_HOME of ["conf", ""]) {
    const { stdout } = await t.ctx(["config", "get", "lock_timeout_ms"], {
      env: { XDG_CONFIG_HOME },
    });
    assert.equal(stdout, "10000\n");
    const path = await t.ctx(["config", "path"], { env: { XDG_CONFIG_HOME } });
    assert.ok(path.stdout.includes(`${homeOf(t.workspace)}/.config/ctx/config.jsonc`));
  }
});

Deno.test("ctx trust refuses what is no URL, and what it cannot read", async () => {
  await using t = await tempStore();
  assert.equal((await t.fail("trust", { target: "ftp://a/" })).code, "USAGE");
  assert.equal((await t.fail("trust", { revoke: true })).code, "USAGE");
  const home = { env: (name: string) => name === "HOME" ? t.workspace : undefined };
  const never = { target: "https://hooks.example/never", revoke: true };
  assert.deepEqual(
    (await t.run("trust", never, home)).targets,
    [],
    "revoking what was never approved",
  );
  await Deno.mkdir(`${t.workspace}/.config/ctx`, { recursive: true });
  for (const text of ['{ "trust": ["https://a/"] }', '{ "trust": { "/w": "https://a/" } }']) {
    await Deno.writeTextFile(`${t.workspace}/.config/ctx/config.jsonc`, text);
    assert.equal((await t.fail("trust", {}, home)).code, "CONFIG_INVALID");
  }
});

Deno.test("ctx trust keeps comments and other workspaces, and leaves nothing when all is revoked", async () => {
  await using t = await tempStore();
  const path = `${t.workspace}/.config/ctx/config.jsonc`;
  const before = '{\n  // mine\n  "trust": {\n    "/other": [\n      "https://a/"\n    ]\n  }\n}\n';
  await Deno.mkdir(`${t.workspace}/.config/ctx`, { recursive: true });
  await Deno.writeTextFile(path, before);
  const home = { env: (name: string) => name === "HOME" ? t.workspace : undefined };
  await t.run("trust", { target: "HTTPS://Hooks.Example:443" }, home);
  const listed = await t.run<{ targets: object[] }>("trust", {}, home);
  const target = "https://hooks.example/";
  assert.deepEqual(listed.targets, [{ target, approved: true, asked_by: [] }]);
  await t.run("trust", { target, revoke: true }, home);
  assert.equal(await Deno.readTextFile(path), before);
});

async function watchOnce(t: TempStore, env: Record<string, string> = secret): Promise<string> {
  return (await t.ctx(["watch", "--once"], { env })).stderr;
}

/** What `git clone` or `cp -r` would give: the same files at another place. */
async function copyOf(t: TempStore): Promise<TempStore> {
  const copy = await tempStore({ init: false });
  await Deno.mkdir(copy.root);
  for (const { name, isFile } of Deno.readDirSync(t.root)) {
    if (isFile) await Deno.copyFile(t.path(name), copy.path(name));
  }
  return copy;
}

/** Accepts everything on a free port of this machine, and keeps it. */
function startReceiver(): { url: string; got: string[] } & AsyncDisposable {
  const got: string[] = [];
  const handler = async (request: Request): Promise<Response> => {
    got.push(await request.text());
    return new Response(null, { status: 204 });
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    got,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
    },
  };
}
