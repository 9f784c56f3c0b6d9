// Entries have bounds: longer ones are refused, those that a log holds all the same are read in part
// where a line of them is shown, and a hook ends in time although reading keeps the process busy.

import assert from "node:assert/strict";
import { cutStrings } from "../../src/store/row.ts";
import { denoEnv, runProcess } from "../support/processes/run_ctx.ts";
import { startServer } from "../support/processes/start_server.ts";
import { tempStore, toLog } from "../support/stores/temp_store.ts";
import { fromFileUrl } from "../../src/core/platform_path.ts";

const megabyte = 1 << 20;

Deno.test("a text longer than 8 MB is refused on every surface, and so are tags without an end", async () => {
  await using t = await tempStore();
  const refused = async (text: string): Promise<void> => {
    const { code, stderr } = await t.ctx(["save", "-"], { stdin: text });
    assert.deepEqual([code, stderr], [
      2,
      "ctx: Cannot save an entry: its text is longer than 8 MB\n" +
      "hint: save a shorter text, and name the complete file with --file\n",
    ]);
  };
  await refused("x".repeat(8 * megabyte + 1));
  await refused("ü".repeat(4 * megabyte + 1));
  assert.equal((await t.ctx(["save", "-"], { stdin: "ü".repeat(4 * megabyte) })).code, 0);
  await using server = await startServer(t.workspace);
  for (
    const [command, input] of [
      ["save", { text: "x".repeat(14 * megabyte) }],
      ["pin", { target: "x".repeat(9 * megabyte) }],
      ["save", { text: "x", tags: Array(300_000).fill("tag") }],
      ["save", { text: "x", title: "t".repeat(300_000) }],
    ] as const
  ) {
    const answer = await server.post(`/api/${command}`, input);
    const { error } = await answer.json();
    assert.deepEqual([answer.status, error.code], [400, "USAGE"], command);
    assert.match(error.message, /^Cannot save an entry: its /);
  }
  assert.equal(t.ids().length, 1);
});

Deno.test("a pack says the beginning of a long row, whatever comes behind it", async () => {
  const long = { type: "decision", text: `Tokens rotate. ${'wörd \\" \n'.repeat(megabyte)}` };
  await using t = await tempStore({
    entries: [
      { ...long, id: "H-long", session_id: "S-1", supersedes: "H-old", saved_by: "mcp" },
      { id: "H-old", type: "decision", text: "Tokens stay", saved_by: "mcp" },
      { id: "H-short", type: "decision", text: "Deploys are on Monday" },
    ],
  });
  const { stdout } = await t.ctx(["pack"]);
  assert.match(stdout, /\[H-long\] decision, saved by an agent, .*: Tokens rotate\. wörd/);
  assert.match(stdout, /Deploys are on Monday/);
  assert.doesNotMatch(stdout, /Tokens stay/);
  // Beyond all bounds a line is not even held.
  t.write("history.ndjson", t.read("history.ndjson").replace("wörd", "wörd".repeat(4 * megabyte)));
  const without = (await t.ctx(["pack"])).stdout;
  assert.match(without, /Deploys are on Monday/);
  assert.doesNotMatch(without, /H-long/);
  // It is there all the same.
  assert.match((await t.ctx(["get", "H-long", "--head", "20"])).stdout, /^Tokens rotate/);
});

Deno.test("cutStrings() cuts between characters and escapes, at any length", () => {
  const value = {
    text: 'aé€😀\n\u0001"\\'.repeat(20),
    quotes: '"'.repeat(40),
    slashes: { "a\nb": "\\".repeat(41) },
    short: "x",
  };
  const line = new TextEncoder().encode(JSON.stringify(value));
  assert.equal(cutStrings(line, line.length), line);
  for (let max = 10; max < 200; max++) {
    const cut = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(cutStrings(line, max)));
    assert.ok(value.text.startsWith(cut.text), `${max}`);
    assert.ok(value.quotes.startsWith(cut.quotes), `${max}`);
    assert.ok(value.slashes["a\nb"].startsWith(cut.slashes["a\nb"]), `${max}`);
    assert.equal(cut.short, "x");
    assert.ok(new TextEncoder().encode(JSON.stringify(cut.text)).length <= max + 2);
  }
  const torn = new TextEncoder().encode('{"text":"never ends');
  assert.equal(cutStrings(torn, 10), torn);
});

Deno.test("a hook ends when its time is over, although reading keeps the process busy", async () => {
  await using t = await tempStore();
  const text = "words of a long session ".repeat(4000);
  t.write("history.ndjson", toLog(Array.from({ length: 400 }, () => ({ type: "turn", text }))));
  const message = JSON.stringify({
    hook_event_name: "SessionStart",
    session_id: "abc",
    cwd: t.workspace,
  });
  const program = fromFileUrl(new URL("../cli/processes/slow_hook_program.ts", import.meta.url));
  const args = [Deno.execPath(), "run", "-A", "--quiet", "--no-check", program, message];
  const { code, stdout, stderr } = await runProcess(args, {
    cwd: t.workspace,
    env: denoEnv(t.workspace),
  });
  assert.equal(code, 1, stderr);
  assert.equal(stderr, "ctx hook: Cannot answer the agent: it took longer than 0.4 s\n");
  assert.ok(Number(stdout) < 20, `${stdout} of 38 MiB were read`);
  assert.match(t.read("captures.ndjson"), /it took longer than 0\.4 s/);
});

Deno.test("save refuses the types that only ctx writes", async () => {
  await using t = await tempStore();
  for (const [type, hint] of [["tombstone", "ctx forget ID"], ["doc", "ctx docs add NAME PATH"]]) {
    const error = await t.fail("save", { text: "x", type });
    assert.deepEqual([error.code, error.hint], ["USAGE", hint]);
    assert.equal(error.message, `Cannot save type "${type}": only ctx writes such entries`);
  }
  assert.deepEqual(t.ids(), []);
});
