// Nothing is destroyed unasked: what destroys shows what it would do, and goes on for a yes only.

import assert from "node:assert/strict";
import { loadCommands } from "../../../src/commands/mod.ts";
import { hasTmux, Pty } from "../../support/processes/pty.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";
import { snapshotTree } from "../../support/stores/tree.ts";

const entries = [
  { text: "We rotate tokens", session_id: "S-1" },
  { text: "Parcel ids only\nand no addresses", session_id: "S-1", title: "Logging" },
  { text: "internal-42 is the code name" },
];

const unasked: Record<string, { words: string[]; shown: RegExp; question: string }> = {
  "forget": {
    words: ["forget", "H-H2"],
    shown: /^ {2}H-H2 {2}2026-01-01T10:01:00\.000Z {2}note {2}Logging$/m,
    question: "Forget 1 entry?",
  },
  "forget --session": {
    words: ["forget", "--session", "S-1"],
    shown: /^Would forget 2 entries:$/m,
    question: "Forget 2 entries?",
  },
  "forget --before --now": {
    words: ["forget", "--before", "2026-06-01", "--now"],
    shown: /^Would forget 3 entries:$/m,
    question: "Forget 3 entries and delete the data for good?",
  },
  "purge": {
    words: ["purge", "internal-[0-9]+"],
    shown: /^ {2}H-H3 {2}2026-01-01T10:02:00\.000Z {2}note {2}\(it matches\)$/m,
    question: "Purge 1 entry and 1 matching line for good?",
  },
  "gc": {
    words: ["gc"],
    shown: /^ {2}H-H4 {2}2026-01-01T10:03:00\.000Z {2}note$/m,
    question: "; 1 forgotten entry cannot be restored after that?",
  },
  "docs remove": {
    words: ["docs", "remove", "guide"],
    shown: /^Would remove guide and forget 1 section; the files stay$/m,
    question: "Remove guide and forget 1 section?",
  },
  "setup --remove": {
    words: ["setup", "codex", "--remove"],
    shown: /^Would (edit|remove) .*config\.toml/m,
    question: "Remove ctx from codex, in ",
  },
};

Deno.test("what is proposed has whole ids: a beginning, or ids on standard input", async () => {
  await using t = await makeStore();
  for (const words of [["forget", "h2"], ["forget", "-"], ["forget", "--session", "1"]]) {
    const run = await t.ctx(words, { stdin: "H2\n" });
    assert.equal(run.code, 10, run.stderr);
    assert.match(run.stderr, /^ {2}H-H2 {2}/m);
  }
});

for (const [name, { words, shown, question }] of Object.entries(unasked)) {
  Deno.test(`${name} without a yes shows what it would do and does nothing`, async () => {
    await using t = await makeStore();
    const before = contents(t);
    for (const stdin of [undefined, "", "n\n", "y\n"]) {
      const run = await t.ctx(words, stdin === undefined ? {} : { stdin });
      assert.equal(run.code, 10, run.stderr);
      assert.match(run.stderr, shown);
      assert.ok(run.stderr.includes(question), run.stderr);
      assert.match(run.stderr, /nothing was done\nhint: ctx \S+.* --yes/);
      assert.deepEqual(contents(t), before);
    }
    const json = await t.ctx([...words, "--json"]);
    const { error } = JSON.parse(json.stderr);
    assert.deepEqual([json.code, json.stdout, error.code], [10, "", "UNCONFIRMED"]);
    assert.ok(error.message.includes(question), error.message);
    const dry = await t.ctx([...words, "--dry-run"]);
    assert.match(dry.stdout, shown);
    assert.deepEqual(contents(t), before);
    const done = await t.ctx([...words, "--yes"]);
    assert.equal(done.code, 0, done.stderr);
    assert.notDeepEqual(contents(t), before);
  });
}

Deno.test("what has nothing to destroy asks nothing", async () => {
  await using t = await tempStore({ entries: ["one"] });
  const calls = [["gc"], ["purge", "absent"], ["purge", "one", "--verify"], [
    "forget",
    "--before",
    "2000",
  ], [
    "setup",
    "codex",
    "--remove",
  ]];
  for (const words of calls) {
    const { code, stderr } = await t.ctx(words);
    assert.ok(code !== 10, `${words.join(" ")}: ${stderr}`);
  }
  assert.deepEqual(t.ids(), ["H-H1"]);
});

Deno.test({
  name: "on a terminal only y or yes goes on",
  ignore: !hasTmux(),
  async fn() {
    await using t = await makeStore();
    const before = t.read("history.ndjson");
    const ask = async (answer: (pty: Pty) => Promise<void>): Promise<string> => {
      await using pty = await Pty.start(["forget", "H-H1"], { cwd: t.workspace });
      await pty.until(/Forget 1 entry\? \[y\/N\]/);
      await answer(pty);
      return await pty.until(/exit \d+/);
    };
    for (const word of ["", "n", "maybe", "yess"]) {
      const screen = await ask((pty) => pty.type(word));
      assert.match(screen, /H-H1 .*We rotate tokens/);
      assert.match(screen, /Nothing was done: \w+(?: \w+)? was not confirmed/);
      assert.match(screen, /exit 10/);
    }
    assert.match(await ask((pty) => pty.press("C-d")), /exit 10/);
    assert.match(await ask((pty) => pty.press("C-c")), /exit 130/);
    assert.equal(t.read("history.ndjson"), before);
    assert.match(await ask((pty) => pty.type("Yes")), /Forgot 1 entry.*\s+exit 0/);
    assert.deepEqual(t.ids().includes("H-H1"), false);
  },
});

Deno.test("every command that destroys can be run dry and has a question", async () => {
  for (const command of await loadCommands()) {
    if (command.effect !== "destroy" && command.destroys === undefined) continue;
    assert.ok(Object.hasOwn(command.input, "dry_run"), command.name);
    assert.equal(typeof command.question, "function", command.name);
  }
});

/** Three entries, one that is forgotten, a collection, and an agent that is connected. */
async function makeStore(): Promise<TempStore> {
  const t = await tempStore({ entries: [...entries, { text: "old" }] });
  await Deno.writeTextFile(`${t.workspace}/guide.md`, "# Guide\n\nRead me.\n");
  await t.run("forget", { ids: ["H-H4"] });
  await t.run("docs add", { name: "guide", paths: ["guide.md"] });
  const made = await t.ctx(["setup", "codex", "--no-check", "--no-graph"]);
  assert.equal(made.code, 0, made.stderr);
  return t;
}

/** All that may not change: the store but for its traces, and the agent's settings. */
function contents(t: TempStore): Record<string, string> {
  const names = ["history.ndjson", "pins.md", "collections.ndjson", "sessions.ndjson"];
  return {
    ...Object.fromEntries(names.map((name) => [name, t.exists(name) ? t.read(name) : ""])),
    codex: JSON.stringify(snapshotTree(`${t.home}/.codex`)),
  };
}
