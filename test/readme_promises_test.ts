// What the README promises in sentences, tried as it says; its commands, program and tour are tried
// elsewhere (readme_test.ts, the documentation check).

import assert from "node:assert/strict";
import { repository } from "./support/repository.ts";
import { type TempStore, tempStore } from "./support/stores/temp_store.ts";

const readme = await Deno.readTextFile(`${repository}/README.md`);
const decision = { text: "We rotate refresh tokens on every use", type: "decision" };

async function hook(t: TempStore, event: string, fields: object): Promise<string> {
  const message = { session_id: "c-1", hook_event_name: event, cwd: t.workspace, ...fields };
  const { code, stdout, stderr } = await t.ctx(["hook", "claude-code"], {
    stdin: JSON.stringify(message),
  });
  assert.deepEqual([code, stderr], [0, ""]);
  return stdout;
}

async function good(t: TempStore, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await t.ctx(words);
  assert.equal(code, 0, stderr);
  return stdout;
}

Deno.test("a session starts knowing, ctx injected and worth tell of it, and inject.start switches it off", async () => {
  await using t = await tempStore({ entries: [decision] });
  const start = () => hook(t, "SessionStart", { source: "startup" });
  assert.match(await start(), /We rotate refresh tokens/);
  assert.match(await good(t, "injected"), /claude-code/);
  assert.match(await good(t, "worth"), /token/);
  await good(t, "config", "set", "inject.start", "false");
  assert.equal(await start(), "");
});

Deno.test("a prompt is told at most three lines, mostly none, and inject.prompt switches it off", async () => {
  const noise = Array.from({ length: 40 }, (_, i) => `I looked at the build ${i}, the tests run`);
  const told = ["HMAC-SHA256", "a key of the sender", "a clock", "the raw bytes", "no cache"].map(
    (by, i) => ({
      id: `H-d${i}`,
      type: "decision",
      text: `Webhook signatures are checked with ${by} before the payload is parsed.`,
    }),
  );
  await using t = await tempStore({ entries: [...noise, ...told] });
  const ask = (session_id: string, prompt: string) =>
    hook(t, "UserPromptSubmit", { session_id, prompt });
  const question = "how are webhook signatures checked before the payload is parsed?";
  assert.equal(await ask("c-1", "make the header of the page blue"), "");
  const lines = (await ask("c-1", question)).match(/\[H-d\d\]/g) ?? [];
  assert.ok(lines.length >= 1 && lines.length <= 3, lines.join(" "));
  await good(t, "config", "set", "inject.prompt", "false");
  assert.equal(await ask("c-2", question), "");
});

const toNumber = (shown = ""): number => Number(shown.replaceAll(",", ""));

Deno.test("what an agent pays for the tool list is what the README says", async () => {
  await using t = await tempStore();
  const [, said] = /\| what an agent pays for the tool list .*?\| ([\d,]+) tokens/.exec(readme) ??
    [];
  const [, counted] = /^all tools +([\d,]+) tokens/m.exec(await good(t, "mcp", "--explain")) ?? [];
  const off = Math.abs(toNumber(said) - toNumber(counted));
  assert.ok(off <= 25, `${said} in the README, ${counted} counted`);
});

Deno.test("index and vectors can be deleted: a search finds the same", async () => {
  await using t = await tempStore({ entries: [decision, "Parcels are weighed twice"] });
  await good(t, "reindex");
  const before = await good(t, "search", "token rotation");
  assert.match(before, /We rotate refresh tokens/);
  for (const name of ["index", "vectors"]) {
    if (t.exists(name) || t.list().includes(name)) {
      await Deno.remove(t.path(name), { recursive: true });
    }
  }
  const ids = (rows: string) => rows.trim().split("\n").map((row) => row.split("\t")[0]);
  assert.deepEqual(ids(await good(t, "search", "token rotation")), ids(before));
});

Deno.test("what to do when something is wrong does it", async () => {
  await using none = await tempStore({ init: false });
  assert.match((await none.ctx(["ls"])).stderr, /Cannot find a store[^]*hint: ctx start/);
  await using t = await tempStore({
    entries: [decision, { text: "We use cookies", type: "decision" }],
  });
  // A session is told what is wrong.
  await good(t, "save", "We use sessions", "--type", "decision", "--supersedes", "H-H2");
  const corrected = await good(t, "pack");
  assert.match(corrected, /We use sessions/);
  assert.doesNotMatch(corrected, /We use cookies/);
  await good(t, "forget", "H-H1", "--yes");
  assert.doesNotMatch(await good(t, "pack"), /We rotate/);
  // That was not meant.
  assert.match(await good(t, "undo", "--list"), /forget 1 entry/);
  await good(t, "undo", "--yes");
  assert.match(await good(t, "pack"), /We rotate/);
  // A secret got in.
  await good(t, "forget", "H-H1", "--now", "--yes");
  for (const name of t.list()) {
    if (name.endsWith(".ndjson")) assert.doesNotMatch(t.read(name), /We rotate/, name);
  }
  // Text that starts with a dash.
  await good(t, "save", "--", "--flags");
  assert.equal(await good(t, "get", "@last"), "--flags");
  assert.match(await good(t, "doctor", "--fix"), /./);
});
