// What people read on a terminal and programs do not: what was stored, sizes and counts; and that rows
// are limited with -k wherever they are listed.

import assert from "node:assert/strict";
import { loadCommands } from "../../src/commands/mod.ts";
import { inputSchemaOf } from "../../src/command/parse_input.ts";
import { toSize } from "../../src/core/to_size.ts";
import { hasTerminal, runOnTerminal } from "../support/processes/run_on_terminal.ts";
import { tempStore } from "../support/stores/temp_store.ts";

const ignore = !hasTerminal();

Deno.test({
  name: "save and edit say on a terminal what was stored, on a pipe the id alone",
  ignore,
  async fn() {
    await using t = await tempStore();
    const env = { HOME: t.home, NO_COLOR: "1" };
    const run = async (...words: string[]): Promise<string> => {
      const { code, screen } = await runOnTerminal(words, { cwd: t.workspace, env });
      assert.equal(code, 0, screen);
      return screen;
    };
    const rows = (): { id: string }[] =>
      t.read("history.ndjson").trim().split("\n").map((line) => JSON.parse(line));
    const text = "We rotate refresh tokens on every use.\nAnd never twice.";
    const saved = await run("save", text, "--type", "decision");
    const [{ id }] = rows();
    assert.equal(
      saved,
      `✓ Saved decision ${id}\n` +
        "  We rotate refresh tokens on every use. And never twice.\n" +
        "  55 characters · undo: ctx undo\n",
    );
    const edited = await run("edit", id, "--title", "Rotation");
    const newer = rows()[1].id;
    assert.equal(
      edited,
      `✓ Saved decision ${newer}\n` +
        "  Rotation: We rotate refresh tokens on every use. And never twice.\n" +
        `  55 characters · corrects ${id} · undo: ctx undo\n`,
    );
    const piped = await t.ctx(["save", "plain"]);
    assert.equal(piped.stdout, `${rows()[2].id}\n`);
    const changed = await t.ctx(["edit", rows()[2].id, "--text", "plainer"]);
    assert.equal(changed.stdout, `${rows()[3].id}\n`);
  },
});

Deno.test("sizes are told with up to three digits", () => {
  const told = [1, 317, 2_345_000, 12_000_000, 21_734_562, 99_960_000, 317_000_000_000].map(toSize);
  assert.deepEqual(told, [
    "1 byte",
    "317 bytes",
    "2.3 MB",
    "12 MB",
    "21.7 MB",
    "100 MB",
    "317 GB",
  ]);
});

Deno.test({
  name: "a terminal shows sizes and counts for people, a pipe the exact ones",
  ignore,
  async fn() {
    const entries = Array.from({ length: 1200 }, (_, i) => `Note ${i} about the tokens`);
    await using t = await tempStore({ entries });
    const env = { HOME: t.home, NO_COLOR: "1" };
    const seen = await runOnTerminal(["purge", "--verify", "--pattern", "nowhere"], {
      cwd: t.workspace,
      env,
    });
    assert.match(seen.screen, /^Scanned \d+ files, \d+(\.\d)? kB: no match\.\n$/);
    const piped = await t.ctx(["purge", "--verify", "--pattern", "nowhere"]);
    assert.match(piped.stdout, /^Scanned \d+ files, \d{5,} bytes: no match\.\n$/);
  },
});

Deno.test("-k limits the rows of every command that lists some", async () => {
  const limited = (await loadCommands()).filter((command) => {
    const { properties } = inputSchemaOf(command);
    return ["limit", "k", "tail"].some((name) => properties[name]?.type === "integer");
  });
  assert.ok(limited.length > 12);
  assert.deepEqual(
    limited.filter(({ short }) => short?.k === undefined).map(({ name }) => name),
    [],
  );
  await using t = await tempStore({
    entries: ["one", "two", "three"].map((text, i) => ({ text, session_id: `S-${i}` })),
  });
  const { stdout } = await t.ctx(["sessions", "-k", "2", "--json"]);
  assert.equal(JSON.parse(stdout).sessions.length, 2);
});
