// `ctx forget`: hidden from every reader at once; with --now no byte of it is left anywhere.

import assert from "node:assert/strict";
import { type TempStore, tempStore, toLog } from "../../support/stores/temp_store.ts";

const needle = "the-unforgettable-phrase";

Deno.test("forget hides an entry from every reader at once", async () => {
  await using t = await tempStore({
    entries: [
      { text: `${needle} one`, session_id: "S-1", role: "user" },
      { text: "two", session_id: "S-1" },
    ],
  });
  const run = await t.ctx(["forget", "H-H1", "--yes"]);
  assert.deepEqual([run.code, run.stdout, run.stderr], [
    0,
    "Forgot 1 entry. Restore with ctx undo; delete from disk with ctx forget --gc.\n",
    "",
  ]);
  assert.equal((await t.fail("get", { ids: ["H-H1"] })).code, "NOT_FOUND");
  assert.equal((await t.fail("timeline", { id: "H-H1" })).code, "NOT_FOUND");
  assert.equal((await t.fail("pin", { target: "H-H1" })).code, "NOT_FOUND");
  const readers: [string, object][] = [
    ["timeline", { id: "H-H2" }],
    ["sessions", {}],
    ["read", { session: "S-1" }],
    ["export", {}],
    ["ls", {}],
    ["stats", {}],
    ["search", { query: needle }],
  ];
  for (const [name, input] of readers) {
    const { query: _query, ...shown } = await t.run(name, input);
    const text = JSON.stringify(shown);
    assert.equal(text.includes(`${needle} one`) || text.includes("H-H1"), false, name);
  }
});

Deno.test("forget --now leaves nothing of the text in any file of the store", async () => {
  await using t = await tempStore({ archive: [{ text: `archived ${needle}` }] });
  const { id } = await t.run<{ id: string }>("save", { text: needle, title: `title ${needle}` });
  await t.run("pin", { target: id });
  await t.run("save", { text: "stays" });
  Deno.mkdirSync(t.path("index"));
  t.write("index/segment-1", `derived ${needle}`);
  t.write("history.ndjson.4711.tmp", `draft ${needle}`);
  t.write(
    "retrieval.traces.ndjson",
    JSON.stringify({ trace_id: "T-1", ranking: [id], q: needle }) + "\n",
  );
  t.append("history.ndjson", t.read("history.ndjson").split("\n")[0].slice(0, 160));
  await t.run("save", { text: "moves the torn copy to the quarantine" });
  assert.ok(holders(t).length >= 6, `only ${holders(t)} hold the text`);

  const run = await t.ctx(["forget", id, "H-A1", "--now", "--yes"]);
  assert.deepEqual([run.code, run.stdout], [0, "Forgot 2 entries; the data is deleted.\n"]);
  assert.deepEqual(holders(t), []);
  assert.deepEqual(t.filesWith(new RegExp(needle)), []);
  assert.deepEqual([...t.open().entries()].map(({ entry }) => entry.text), [
    "stays",
    "moves the torn copy to the quarantine",
  ]);
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("forget --now removes the bytes of what was forgotten before", async () => {
  await using t = await tempStore({ entries: [needle, "stays"] });
  await t.run("forget", { ids: ["H-H1"] });
  assert.deepEqual(holders(t), ["history.ndjson"]);
  await t.run("forget", { ids: ["H-H1"], now: true });
  assert.deepEqual(holders(t), []);
  assert.equal((await t.fail("forget", { ids: ["H-H1"], now: true })).code, "NOT_FOUND");
});

Deno.test("forget --now removes every row with that id, in both pools", async () => {
  await using t = await tempStore({
    entries: [{ id: "H-X", text: needle }, { id: "H-X", text: `again ${needle}` }],
    archive: [{ id: "H-X", text: needle }, "stays"],
  });
  await t.run("forget", { ids: ["H-X"], now: true });
  assert.deepEqual([holders(t), t.ids()], [[], ["H-A2"]]);
});

Deno.test("forget by session and before a time takes what both name", async () => {
  await using t = await tempStore({
    entries: [
      { text: "a", session_id: "S-1" },
      { text: "b", session_id: "S-2" },
      { text: "c", session_id: "S-1" },
    ],
  });
  const input = { session: "S-1", before: "2026-01-01T10:01:00Z" };
  assert.deepEqual(await t.run("forget", { ...input, dry_run: true }), {
    forgotten: ["H-H1"],
    count: 1,
    derived: [],
    erased: false,
    revived: [],
    dry_run: true,
    examples: [{ id: "H-H1", ts: "2026-01-01T10:00:00.000Z", type: "note", title: "a" }],
  });
  assert.equal(t.ids().length, 3);
  await t.run("forget", input);
  assert.deepEqual(t.ids(), ["H-H2", "H-H3"]);
});

Deno.test("forget names the session that it does not know, and takes no word for all of them", async () => {
  await using t = await tempStore({ entries: [{ text: "a", session_id: "S-12" }] });
  const forget = (session: string) => t.ctx(["forget", "--session", session, "--yes"]);
  const unknown = await forget("S-2");
  assert.equal(unknown.code, 3);
  assert.match(unknown.stderr, /no such session/);
  const all = await forget("all");
  assert.equal(all.code, 2);
  assert.match(all.stderr, /name one session/);
  assert.deepEqual(t.ids(), ["H-H1"]);
  assert.equal((await forget("S-1")).code, 0);
  assert.deepEqual(t.ids(), []);
});

Deno.test("a tombstone hides its entry however its line is written", async () => {
  const tombstone = '{ "refs": ["H-H1"], "type" : "tombstone", "id": "H-T", "text": "" }\n';
  await using t = await tempStore({
    files: { "history.ndjson": toLog(["one", "two"]) + tombstone },
  });
  assert.deepEqual(t.ids(), ["H-H2"]);
  Deno.removeSync(t.path("state.json"));
  assert.deepEqual(t.ids(), ["H-H2"]);
});

Deno.test("an id that is written with escapes is found all the same", async () => {
  const line = '{"id":"H-\\u00e9t\\u00e9","text":"escaped","session_id":"S\\/1","type":"note"}\n';
  await using t = await tempStore({ files: { "history.ndjson": line } });
  assert.equal(t.textOf("H-été"), "escaped");
  const read = await t.run<{ total: number }>("read", { session: "S/1" });
  assert.equal(read.total, 1);
  await t.run("forget", { ids: ["H-été"], now: true });
  assert.deepEqual(t.read("history.ndjson"), "");
});

Deno.test("forget keeps every other line byte for byte, unknown fields included", async () => {
  const odd = '{"x_unknown": {"b":1, "a":[ ]},  "text":"odd","id":"H-odd","role":"bot"}\n';
  const broken = "a line that is no row\n\n";
  await using t = await tempStore({
    files: { "history.ndjson": odd + toLog([needle]) + broken + toLog([{ id: "H-z", text: "z" }]) },
  });
  await t.run("forget", { ids: ["H-H1"], now: true });
  assert.equal(t.read("history.ndjson"), odd + broken + toLog([{ id: "H-z", text: "z" }]));
});

/** The files of the store, subdirectories included, that hold the needle. */
function holders(t: TempStore): string[] {
  const walk = (directory: string): string[] =>
    [...Deno.readDirSync(directory)].flatMap(({ name, isDirectory }) =>
      isDirectory ? walk(`${directory}/${name}`) : [`${directory}/${name}`]
    );
  return walk(t.root).filter((path) => Deno.readTextFileSync(path).includes(needle))
    .map((path) => path.slice(t.root.length + 1)).sort();
}

Deno.test("forget --now takes the queries that asked for it, and titles made from it", async () => {
  await using t = await tempStore({
    entries: [
      { id: "H-vault", role: "user", text: "the vault phrase is zorblaxquux", session_id: "S-v" },
      { id: "H-other", text: "something else", session_id: "S-v" },
    ],
  });
  t.write(
    "sessions.ndjson",
    '{"event":"imported","session_id":"S-v","ts":"2026-01-01T00:00:00.000Z","title":"the vault phrase is zorblaxquux","title_from":"prompt"}\n',
  );
  await t.run("search", { query: "zorblaxquux", type: "decision" });
  await t.run("forget", { ids: ["H-vault"], now: true });
  for (const path of t.open().files.listTree(t.open().layout.root)) {
    assert.ok(!Deno.readTextFileSync(path).includes("zorblaxquux"), path);
  }
  assert.deepEqual(t.ids(), ["H-other"]);
});

Deno.test("forget and purge say which facts count again without their correction", async () => {
  const chain = [
    { id: "H-1", text: "we use cookies" },
    { id: "H-2", text: "we use tokens", supersedes: "H-1" },
    { id: "H-3", text: "we use passkeys", supersedes: "H-2" },
    { id: "H-4", text: "passkeys it is", supersedes: "H-2" },
    { id: "H-5", text: "about nothing that is there", supersedes: "H-gone" },
  ];
  const cases: [string[], string[]][] = [
    [["H-1"], []],
    [["H-3"], []],
    [["H-3", "H-4"], ["H-2"]],
    [["H-2"], ["H-1"]],
    [["H-2", "H-3", "H-4"], ["H-1"]],
    [["H-1", "H-2", "H-3", "H-4"], []],
    [["H-5"], []],
  ];
  for (const [ids, revived] of cases) {
    for (const options of [{}, { now: true }, { dry_run: true }]) {
      await using t = await tempStore({ entries: chain });
      const receipt = await t.run("forget", { ids, ...options });
      assert.deepEqual(receipt.revived, revived, `${ids} ${JSON.stringify(options)}`);
    }
  }
  await using t = await tempStore({ entries: chain });
  const said = await t.ctx(["forget", "H-3", "H-4", "--yes"]);
  assert.equal(
    said.stdout,
    "Forgot 2 entries. Restore with ctx undo; delete from disk with ctx forget --gc.\n" +
      "The corrected entry is current again: H-2\nForget it as well: ctx forget H-2\n",
  );
  const { revived } = await t.run("purge", { pattern: "tokens", dry_run: true });
  assert.deepEqual(revived, ["H-1"]);
  const purged = await t.ctx(["purge", "--pattern", "tokens", "--yes"]);
  assert.match(
    purged.stdout,
    /The corrected entry is current again: H-1\nForget it as well: ctx forget H-1/,
  );
  const { results } = await t.run<{ results: { superseded_by?: string }[] }>("get", {
    ids: ["H-1"],
  });
  assert.equal(results[0].superseded_by, undefined);
});

Deno.test("forget --now passes over a directory that has the name of a draft", async () => {
  await using t = await tempStore({ entries: ["one", "two"], files: { "left.tmp": "one" } });
  Deno.mkdirSync(t.path("mine.tmp"));
  Deno.writeTextFileSync(t.path("mine.tmp/kept.txt"), "mine");
  await t.run("forget", { ids: ["H-H1"], now: true });
  assert.deepEqual([t.exists("left.tmp"), t.read("mine.tmp/kept.txt")], [false, "mine"]);
});
