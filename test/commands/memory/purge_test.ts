import assert from "node:assert/strict";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const word = "internal-4711";

async function storeWithTheWord(): Promise<TempStore> {
  const t = await tempStore({
    entries: [
      { id: "H-1", text: `about ${word}` },
      { id: "H-2", text: "clean", tool: { name: "Bash", input: { command: `curl ${word}` } } },
      { id: "H-3", text: "nothing here", role: "user" as const },
    ],
    archive: [{ id: "H-4", text: `old ${word.replace("4711", "4712")}` }],
    files: {
      "pins.md": `# Pins\n\n- keep\n- by hand ${word}\n`,
      "summary.md": `# Summary\n\nby hand about ${word}\nstays\n`,
      "history.bad.ndjson": `{"text":"half ${word}"}\n{"text":"other"}\n`,
      "retrieval.traces.ndjson": `{"query":"${word}"}\n{"query":"other"}\n`,
      "retrieval.traces.ndjson.1": `{"query":"${word}"}\n`,
      "suggestions.ndjson": `{"title":"${word}"}\n`,
      "sessions.ndjson":
        `{"event":"opened","session_id":"S-1","ts":"2026-01-01T00:00:00.000Z","title":"${word}"}\n`,
      "notes.txt": `somebody else's ${word}\n`,
    },
  });
  await Deno.mkdir(t.path("chat"));
  t.write("chat/today.ndjson", `{"text":"${word}"}\n{"text":"other"}\n`);
  await Deno.mkdir(t.path("index"));
  t.write("index/s1.seg", word);
  return t;
}

Deno.test("purge removes a pattern from every file of the store and proves it", async () => {
  await using t = await storeWithTheWord();
  const receipt = await t.run("purge", { pattern: "internal-\\d+" });
  assert.deepEqual(receipt.ids, ["H-4", "H-1", "H-2"]);
  assert.equal(receipt.verified, true);
  assert.deepEqual(receipt.remaining, [{ path: "notes.txt", lines: 1, ours: false }]);
  assert.deepEqual(t.filesWith(/internal-\d+/), [t.path("notes.txt")]);
  assert.deepEqual(t.ids(), ["H-3"]);
  assert.equal(t.read("pins.md"), "# Pins\n\n- keep\n");
  assert.equal(t.read("summary.md"), "# Summary\n\nstays\n");
  assert.equal(t.read("chat/today.ndjson"), '{"text":"other"}\n');
  assert.equal(
    t.read("sessions.ndjson"),
    '{"event":"opened","session_id":"S-1","ts":"2026-01-01T00:00:00.000Z"}\n',
  );
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("purge takes file names out of what the watcher keeps, and leaves the others", async () => {
  await using t = await tempStore({ entries: ["x"] });
  const files = { "a.ts": [1, 2, "h"], [`${word}.ts`]: [1, 2, "h"] };
  t.write("watch.json", JSON.stringify({ version: 1, files, history: 5 }));
  assert.equal((await t.run("purge", { pattern: word })).verified, true);
  assert.deepEqual(JSON.parse(t.read("watch.json")), {
    version: 1,
    files: { "a.ts": [1, 2, "h"] },
    history: 5,
  });
});

Deno.test("purge --verify finds what is left and fails, and confirms what is gone", async () => {
  await using t = await storeWithTheWord();
  const before = await t.ctx(["purge", "--pattern", word, "--verify"]);
  assert.equal(before.code, 5);
  assert.match(before.stdout, /history\.ndjson +2 matching lines/);
  await t.run("purge", { pattern: word });
  await Deno.remove(t.path("notes.txt"));
  const after = await t.ctx(["purge", "--pattern", word, "--verify"]);
  assert.equal(after.code, 0);
  assert.match(after.stdout, /^Scanned \d+ files, \d+ bytes: no match\.\n$/);
});

Deno.test("purge does not take a word for a role, a type or an id", async () => {
  await using t = await tempStore({
    entries: [{ id: "H-user", text: "x", role: "user" as const }],
  });
  const { entries, verified } = await t.run("purge", { pattern: "user|note|H-" });
  assert.deepEqual([entries, verified], [0, true]);
  assert.deepEqual(t.ids(), ["H-user"]);
});

Deno.test("purge --dry-run only tells", async () => {
  await using t = await storeWithTheWord();
  const before = t.read("history.ndjson");
  const { entries } = await t.run("purge", { pattern: word, dry_run: true });
  assert.equal(entries, 2);
  assert.equal(t.read("history.ndjson"), before);
});

Deno.test("purge refuses a pattern that could hang, with nothing changed", async () => {
  await using t = await storeWithTheWord();
  const error = await t.fail("purge", { pattern: "(a+)\\1" });
  assert.equal(error.code, "USAGE");
});

Deno.test("forget --now reaches chats, summary, pins, traces and quarantine", async () => {
  await using t = await tempStore({
    entries: [{ id: "H-1", text: "hide me" }, { id: "H-10", text: "keep me" }],
    files: {
      "pins.md": "# Pins\n\n- [H-1] hide me\n- [H-10] keep me\n",
      "summary.md": "# Summary\n\n- hide me [H-1]\n- keep me [H-10]\n",
      "history.bad.ndjson": '{"text":"{\\"id\\":\\"H-1\\",\\"text\\":\\"hide me"}\n',
      "retrieval.traces.ndjson.2": '{"ranking":[{"id":"H-1"}]}\n',
    },
  });
  await t.run("forget", { ids: ["H-1"], now: true });
  for (const name of t.list()) assert.ok(!t.read(name).includes("hide me"), name);
  assert.equal(t.read("pins.md"), "# Pins\n\n- [H-10] keep me\n");
  assert.equal(t.read("summary.md"), "# Summary\n\n- keep me [H-10]\n");
});

for (
  const own of [
    "row",
    "logs",
    "hot",
    "kind",
    "tombstones",
    "bytes",
    "revision",
    "version",
    "segments",
    "checksum",
    "query",
    "ranking",
    "score",
    "session",
    "role",
    "copied",
  ]
) {
  Deno.test(`purge of "${own}", a word of ctx's own files, takes nothing for a user's`, async () => {
    await using t = await tempStore({ entries: ["alpha", "beta", "gamma"] });
    await t.run("session start", {});
    await t.run("search", { query: "alpha" });
    await t.run("compact", { keep: 1, older_than: 0 });
    await t.run("reindex");
    const look = async (verify: boolean): Promise<unknown> => {
      const { verified, entries, other_lines } = await t.run("purge", { pattern: own, verify });
      return { verified, entries, other_lines };
    };
    const nothing = { verified: true, entries: 0, other_lines: 0 };
    assert.deepEqual(await look(true), nothing);
    assert.deepEqual(await look(false), nothing);
    assert.deepEqual(await t.ailments(), []);
  });
}

Deno.test("purge row exits with 0, and takes the rows that say it", async () => {
  await using t = await tempStore({ entries: ["keep me", "one row of many"] });
  const run = await t.ctx(["purge", "row", "--json", "--yes"]);
  assert.equal(run.code, 0, run.stderr);
  assert.equal(JSON.parse(run.stdout).entries, 1);
  assert.deepEqual(t.ids(), ["H-H1"]);
});

Deno.test("purge of a word that ctx's own summary says takes the line, not its marks", async () => {
  await using t = await tempStore({ entries: ["alpha", "beta", "gamma"] });
  await t.run("compact", { keep: 1, older_than: 0 });
  assert.match(t.read("summary.md"), /ctx:begin kind=extractive archive=[^]*2 archived entries/);
  assert.equal((await t.run("purge", { pattern: "archive" })).verified, true);
  assert.match(t.read("summary.md"), /ctx:begin kind=extractive archive=(?![^]*archived entries)/);
});

Deno.test("purge finds what somebody else wrote into ctx's own files", async () => {
  await using t = await tempStore({ entries: ["one"] });
  await t.run("save", { text: "two" });
  const state = JSON.parse(t.read("state.json"));
  for (
    const changed of [
      { ...state, note: word },
      { ...state, [word]: 1 },
      { ...state, logs: { ...state.logs, [word]: 1 } },
      { ...state, logs: { ...state.logs, hot: { ...state.logs.hot, who: word } } },
    ]
  ) {
    t.write("state.json", JSON.stringify(changed, null, 2));
    const { remaining } = await t.run("purge", { pattern: word, verify: true });
    assert.deepEqual(remaining, [{ path: "state.json", lines: 1, ours: true }]);
  }
});
