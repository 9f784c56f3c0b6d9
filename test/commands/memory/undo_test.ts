// `ctx undo`: what was done last is taken back, by whoever did it, while the bytes are there.

import assert from "node:assert/strict";
import { hasTmux, Pty } from "../../support/processes/pty.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

interface Shown {
  acts: { id: string; did: string; yours: boolean; undone: boolean; session_id?: string }[];
  count: number;
}

Deno.test("a forget is taken back: entries, pins, titles and what search finds", async () => {
  await using t = await tempStore({
    entries: [
      { text: "We rotate refresh tokens", session_id: "S-1", source: { agent: "codex" } },
      { text: "The queue drops messages", session_id: "S-1", source: { agent: "codex" } },
    ],
    files: {
      "sessions.ndjson":
        '{"event":"imported","session_id":"S-1","ts":"2026-01-01T10:00:00.000Z","title":"Tokens","title_from":"ai","source":"codex"}\n',
      "pins.md": "# Pins\n\n- [H-H1] We rotate refresh tokens\n- by hand\n",
    },
  });
  const before = names(t);
  await t.run("reindex");
  await t.run("sessions");
  for (const seal of [false, true]) {
    await t.run("forget", { session: "S-1" });
    assert.deepEqual(t.ids(), []);
    assert.equal(t.read("pins.md"), "# Pins\n\n- by hand\n");
    assert.equal((await found(t)).length, 0);
    // The index may know of the tombstones, or end before them.
    if (seal) await t.run("reindex");
    const undone = await t.run<Shown>("undo");
    assert.deepEqual([undone.count, undone.acts[0].did], [2, "forget 2 entries"]);
    assert.deepEqual(names(t), before);
    assert.deepEqual(await found(t), ["H-H1"]);
    const { sessions } = await t.run<{ sessions: { title?: string }[] }>("sessions");
    assert.equal(sessions[0].title, "Tokens");
    assert.deepEqual(await t.ailments(), []);
  }
});

Deno.test("what was shown is taken back, whatever is done while the question stands", async () => {
  await using t = await tempStore();
  const first = await t.run<{ id: string }>("save", { text: "We use tabs" });
  let second = "";
  const undone = await t.run<Shown>("undo", {}, {
    surface: "cli",
    async consent() {
      second = (await t.run<{ id: string }>("save", { text: "The port is 80" })).id;
      return true;
    },
  });
  assert.equal(undone.acts[0].did, `save ${first.id}`);
  assert.deepEqual(t.ids(), [second]);
});

Deno.test("saves, corrections, pins and unpins are taken back, the last one first", async () => {
  await using t = await tempStore({ files: { "pins.md": "- first\n- second\n- third\n" } });
  const old = await t.run<{ id: string }>("save", { text: "We use tabs" });
  const next = await t.run<{ id: string }>("save", { text: "We use spaces", supersedes: old.id });
  await t.run("pin", { target: old.id });
  const rule = await t.run<{ id: string }>("pin", { target: "Never push to main" });
  await t.run("unpin", { target: "second" });
  assert.equal(t.read("pins.md").includes("second"), false);
  const steps: [string, () => void][] = [
    ["unpin second", () => assert.match(t.read("pins.md"), /^- first\n- second\n- third\n/)],
    [`pin ${rule.id}, a new entry`, () => {
      assert.ok(!t.read("pins.md").includes("Never push"));
      assert.deepEqual(t.ids(), [old.id, next.id]);
    }],
    [`pin ${old.id}`, () => assert.equal(t.read("pins.md"), "- first\n- second\n- third\n")],
    [`save ${next.id} (corrects ${old.id})`, () => assert.deepEqual(t.ids(), [old.id])],
    [`save ${old.id}`, () => assert.deepEqual(t.ids(), [])],
  ];
  for (const [did, check] of steps) {
    assert.equal((await t.run<Shown>("undo")).acts[0].did, did);
    check();
  }
  const nothing = await t.fail("undo");
  assert.deepEqual([nothing.code, nothing.hint], ["NOT_FOUND", "ctx undo --list"]);
});

Deno.test("an undo can be taken back by its id, and an act only once", async () => {
  await using t = await tempStore({ entries: ["one"] });
  await t.run("forget", { ids: ["H-H1"] });
  const [forgot] = (await t.run<Shown>("undo", { list: true })).acts;
  await t.run("undo");
  assert.equal((await t.fail("undo", { act: forgot.id })).code, "USAGE");
  const [undo] = (await t.run<Shown>("undo", { list: true })).acts;
  assert.equal(undo.did, "undo: show 1 forgotten entry again");
  await t.run("undo", { act: undo.id });
  assert.deepEqual(t.ids(), []);
  // What was taken back twice stands again, and is the last act.
  assert.equal((await t.run<Shown>("undo")).acts[0].did, "forget 1 entry");
  assert.deepEqual(t.ids(), ["H-H1"]);
});

for (
  const [name, erase] of Object.entries<(t: TempStore) => Promise<unknown>>({
    "forget --now": (t) => t.run("forget", { ids: ["H-H1"], now: true }),
    "purge": (t) => t.run("purge", { pattern: "secret" }),
    "gc": async (t) => {
      await t.run("forget", { ids: ["H-H1"] });
      await t.run("gc");
    },
  })
) {
  Deno.test(`after ${name} undo says why it cannot, and changes nothing`, async () => {
    await using t = await tempStore({ entries: ["a secret", "another"] });
    await erase(t);
    const before = t.read("history.ndjson");
    const { code, message, hint } = await t.fail("undo");
    assert.equal(code, "DENIED");
    assert.match(
      message,
      /^Cannot undo ".* 1 entry": the data (was deleted|has been deleted since)/,
    );
    assert.match(hint ?? "", /ctx undo --list/);
    assert.equal(t.read("history.ndjson"), before);
    assert.ok(!t.read("acts.ndjson").includes("secret"));
  });
}

Deno.test("settings are taken back in the file where they were, comments kept", async () => {
  await using t = await tempStore({ files: { "config.jsonc": "{\n  // slow disk\n}\n" } });
  const ctx = async (...words: string[]) => {
    const run = await t.ctx(words);
    assert.equal(run.code, 0, run.stderr);
    return run.stdout;
  };
  await ctx("config", "set", "lock_timeout_ms", "20000");
  await ctx("config", "set", "--user", "durability", "fast");
  await ctx("config", "unset", "lock_timeout_ms");
  assert.match(await ctx("config", "get", "lock_timeout_ms"), /^10000$/m);
  assert.match(t.read("config.jsonc"), /slow disk/);
  assert.match(await ctx("undo", "--yes"), /^Undone: config lock_timeout_ms: 20000 → unset/);
  assert.match(await ctx("config", "get", "lock_timeout_ms"), /^20000$/m);
  assert.match(await ctx("undo", "--yes"), /^Undone: config --user durability: unset → fast/);
  assert.match(await ctx("config", "get", "durability"), /^sync$/m);
  assert.match(await ctx("undo", "--yes"), /^Undone: config lock_timeout_ms: unset → 20000/);
  assert.match(await ctx("config", "get", "lock_timeout_ms"), /^10000$/m);
  assert.match(t.read("config.jsonc"), /slow disk/);
  await ctx("config", "set", "lock_timeout_ms", "30000");
  t.write("config.jsonc", '{ "lock_timeout_ms": 5 }');
  const changed = await t.ctx(["undo", "--yes"]);
  assert.match(changed.stderr, /it was changed since/);
  assert.equal(t.read("config.jsonc"), '{ "lock_timeout_ms": 5 }');
});

Deno.test("acts that came with the workspace change nothing of the user's, and no key that is none", async () => {
  const line = (act: object): string =>
    JSON.stringify({ ts: "2026-01-01T10:00:00.000Z", surface: "cli", ...act }) + "\n";
  const config = { act: "config", before: "http://127.0.0.1:9" };
  await using t = await tempStore({
    files: {
      "acts.ndjson": line({ ...config, act_id: "A-1", user: true, key: "llm.base_url" }) +
        line({ ...config, act_id: "A-2", user: true, key: "trust" }) +
        line({ ...config, act_id: "A-3", user: false, key: "__proto__.x" }) +
        line({ ...config, act_id: "A-4", user: false, key: "lock_timeout_ms" }) +
        line({ act: "unpin", act_id: "A-5", pins: [{ at: 1, text: "a\n- b" }] }) +
        line({ act: "forget", act_id: "A-6", count: "all of them" }),
    },
  });
  for (const [act, code] of [[1, 3], [2, 3], [3, 7], [4, 7], [5, 3], [6, 3]]) {
    const run = await t.ctx(["undo", `A-${act}`, "--yes"]);
    assert.equal(run.code, code, run.stderr);
  }
  assert.ok(!t.exists("config.jsonc"));
});

Deno.test("undo leaves alone the user settings that were changed from another workspace", async () => {
  await using here = await tempStore();
  await using elsewhere = await tempStore();
  const env = { HOME: here.home };
  const set = await here.ctx(["config", "set", "--user", "lock_timeout_ms", "7000"], { env });
  assert.equal(set.code, 0, set.stderr);
  const actsIn = async (t: TempStore): Promise<Shown["acts"]> =>
    JSON.parse((await t.ctx(["undo", "--list", "--json"], { env })).stdout).acts;
  const [act, ...others] = await actsIn(here);
  assert.deepEqual([act.did, others], ["config --user lock_timeout_ms: unset → 7000", []]);
  assert.deepEqual(await actsIn(elsewhere), []);
  for (const words of [["undo", "--yes"], ["undo", act.id, "--yes"]]) {
    assert.notEqual((await elsewhere.ctx(words, { env })).code, 0, words.join(" "));
  }
  const kept = await elsewhere.ctx(["config", "get", "lock_timeout_ms"], { env });
  assert.match(kept.stdout, /^7000$/m);
});

Deno.test("the question holds no line that was pinned by hand", async () => {
  await using t = await tempStore({ files: { "pins.md": "- obey me\n" } });
  await t.run("unpin", { target: "obey me" });
  let asked = "";
  await t.run("undo", {}, {
    surface: "mcp",
    consent({ question }) {
      asked = question;
      return true;
    },
  });
  assert.equal(asked, 'Undo "unpin of a line"?');
  assert.match(t.read("pins.md"), /^- obey me$/m);
});

Deno.test("the values of a secret are not kept", async () => {
  await using t = await tempStore();
  const set = await t.ctx(["config", "set", "--user", "llm.api_key", "correct-horse-battery"]);
  assert.equal(set.code, 0, set.stderr);
  const { code, stderr } = await t.ctx(["undo", "--yes"]);
  assert.equal(code, 7);
  assert.match(stderr, /Cannot undo "config --user llm\.api_key": it is a secret/);
  assert.ok(!(await t.ctx(["undo", "--list"])).stdout.includes("horse"));
});

Deno.test("of two agents in one workspace each takes back its own", async () => {
  await using t = await tempStore();
  const as = (session: string | undefined) => ({
    env: (name: string) => name === "CTX_SESSION" ? session : undefined,
  });
  const mine = await t.run<{ id: string }>("save", { text: "mine" }, as("S-a"));
  const theirs = await t.run<{ id: string }>("save", { text: "theirs" }, as("S-b"));
  await t.run("undo", {}, as("S-a"));
  assert.deepEqual(t.ids(), [theirs.id]);
  const { message, hint } = await t.fail("undo", {}, as("S-a"));
  assert.match(message, new RegExp(`the last change, "save ${theirs.id}", is by S-b$`));
  const [, id] = /^ctx undo (A-\w+);/.exec(hint ?? "") ?? [];
  const planned = await t.run<Shown>("undo", { act: id, dry_run: true }, as("S-a"));
  assert.deepEqual([planned.acts[0].yours, planned.acts[0].session_id], [false, "S-b"]);
  const asked = await t.ctx(["undo", id], { env: { CTX_SESSION: "S-a" } });
  assert.match(asked.stderr, /\(by S-b, not by you\)\?/);
  assert.equal(asked.code, 10);
  await t.run("undo", { anyone: true }, as(undefined));
  assert.deepEqual(t.ids(), []);
  assert.ok(mine.id);
});

Deno.test("undo without a yes does nothing and shows what it would take back", async () => {
  await using t = await tempStore();
  const { stdout } = await t.ctx(["save", "We rotate tokens"]);
  const before = t.read("history.ndjson");
  const run = await t.ctx(["undo"]);
  assert.equal(run.code, 10);
  assert.match(run.stderr, new RegExp(`Undo "save ${stdout.trim()}"\\?`));
  assert.match(run.stderr, /note {2}We rotate tokens/);
  assert.equal(t.read("history.ndjson"), before);
  const list = await t.ctx(["undo", "--list"]);
  assert.match(list.stdout, /^A-\w+ {2}\d{4}-\d\d-\d\dT[\d:.]+Z {2}save H-\w+$/m);
});

Deno.test({
  name: "on a terminal undo asks, and takes back what was forgotten by mistake",
  ignore: !hasTmux(),
  async fn() {
    await using t = await tempStore({ entries: ["We rotate tokens"] });
    assert.equal((await t.ctx(["forget", "H-H1", "--yes"])).code, 0);
    await using pty = await Pty.start(["undo"], { cwd: t.workspace });
    await pty.until(/Undo "forget 1 entry"\? \[y\/N\]/);
    await pty.type("y");
    assert.match(
      await pty.until(/exit \d+/),
      /H-H1 .*We rotate tokens[^]*Undone: forget 1 entry/,
    );
    assert.deepEqual(t.ids(), ["H-H1"]);
  },
});

/** The logs that a forget and its undo leave as they were. */
function names(t: TempStore): Record<string, string> {
  const files = ["history.ndjson", "pins.md", "sessions.ndjson"];
  return Object.fromEntries(files.map((name) => [name, t.read(name)]));
}

async function found(t: TempStore): Promise<string[]> {
  const { results } = await t.run<{ results: { id: string }[] }>("search", {
    query: "refresh tokens",
  });
  return results.map(({ id }) => id);
}
