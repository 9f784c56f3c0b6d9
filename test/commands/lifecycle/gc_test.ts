import assert from "node:assert/strict";
import { diskFiles, type Files } from "../../../src/disk/files.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

Deno.test("gc removes forgotten bytes, orphans, old traces and drafts, and nothing else", async () => {
  await using t = await tempStore({
    entries: ["keep this", { id: "H-gone", text: "a forgotten secret", session_id: "S-gone" }],
    archive: [{ id: "H-old", text: "an old forgotten secret" }, "keep that"],
    files: {
      "retrieval.traces.ndjson": '{"ranking":["H-gone"]}\n{"ranking":["H-H1"]}\n',
      "retrieval.traces.ndjson.1": '{"ranking":["H-old"]}\n',
      "retrieval.traces.ndjson.4": "{}\n",
      "retrieval.traces.ndjson.5": "{}\n",
      "history.ndjson.123.tmp": "half",
      "config.yaml": "another product's",
      "sessions.ndjson":
        '{"event":"opened","session_id":"S-gone","ts":"2026-01-01T00:00:00.000Z","title":"gone"}\n',
    },
  });
  await Deno.mkdir(t.path("index"));
  t.write("index/manifest.json", '{"segments":[{"file":"s1.seg","vectors":"s1.vec"}]}');
  for (const name of ["s1.seg", "s1.vec", "s0.seg", "s0.vec"]) t.write(`index/${name}`, name);

  const loose = await t.run<{ removed: { path: string }[] }>("gc", { dry_run: true });
  assert.deepEqual(loose.removed.map((item) => item.path), [
    "history.ndjson.123.tmp",
    "retrieval.traces.ndjson.5",
    "index/s0.seg",
    "index/s0.vec",
  ]);
  await t.run("gc");
  assert.deepEqual([...Deno.readDirSync(t.path("index"))].map((item) => item.name).sort(), [
    "manifest.json",
    "s1.seg",
    "s1.vec",
  ]);

  await t.run("forget", { ids: ["H-gone", "H-old"] });
  const { disk_bytes_before, disk_bytes_after } = await t.run<Record<string, number>>("gc");
  assert.ok(disk_bytes_after < disk_bytes_before);
  for (const name of t.list().filter((name) => name !== "index")) {
    assert.ok(!/secret|H-gone|H-old|S-gone/.test(t.read(name)), name);
  }
  assert.deepEqual(t.ids(), ["H-A2", "H-H1"]);
  assert.equal(t.read("config.yaml"), "another product's");
  assert.match(t.read("retrieval.traces.ndjson"), /^\{"ranking":\["H-H1"\]\}\n/);
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("gc without garbage changes nothing", async () => {
  await using t = await tempStore({ entries: ["one"] });
  for (const name of ["ledger-codex.bin", "mentions.bin"]) t.write(`index/${name}`, "kept");
  const before = t.read("state.json");
  const { code, stdout } = await t.ctx(["gc", "--yes"]);
  assert.equal(code, 0);
  assert.match(stdout, /^Nothing to delete; \d+ bytes\.\n$/);
  assert.equal(t.read("state.json"), before);
});

Deno.test("a forgotten row whose tombstone is in the archive stays forgotten through gc", async () => {
  await using t = await tempStore({
    entries: [{ id: "H-x", text: "hidden" }],
    archive: [{ id: "H-t", type: "tombstone", text: "", refs: ["H-x"] }],
  });
  assert.deepEqual(t.ids(), []);
  await t.run("gc");
  assert.equal(t.read("history.ndjson") + t.read("history.archive.ndjson"), "");
});

Deno.test("gc remembers which imported entries were forgotten, and only their ids", async () => {
  const source = { agent: "codex", message: "m1" };
  await using t = await tempStore({
    entries: [{ id: "H-in", text: "imported text", source }, { id: "H-own", text: "own text" }],
  });
  await t.run("forget", { ids: ["H-in", "H-own"] });
  await t.run("gc");
  const [row, ...rest] = t.read("history.ndjson").trim().split("\n").map((line) =>
    JSON.parse(line)
  );
  assert.deepEqual([row.type, row.refs, row.imported, rest], ["tombstone", ["H-in"], true, []]);
  assert.deepEqual([...t.open().readForgotten()], ["H-in"]);
  const before = t.read("history.ndjson");
  assert.deepEqual((await t.run("gc")).removed, []);
  assert.equal(t.read("history.ndjson"), before);
});

for (const form of ["store", "export"]) {
  Deno.test(`what was forgotten stays so when its ${form} is imported again`, async () => {
    await using from = await tempStore({
      entries: ["taken, then erased", "taken, then collected"],
    });
    const root = form === "store" ? from.workspace : `${from.workspace}/x.ndjson`;
    const exported = await from.ctx(["export"]);
    Deno.writeTextFileSync(`${from.workspace}/x.ndjson`, exported.stdout);
    await using t = await tempStore();
    await t.run("import", { sources: ["contextfs"], root });
    assert.deepEqual(t.ids(), ["H-H1", "H-H2"]);
    await t.run("forget", { ids: ["H-H1"], now: true });
    await t.run("forget", { ids: ["H-H2"] });
    await t.run("gc");
    assert.equal(t.read("history.ndjson").includes("taken"), false);
    await t.run("import", { sources: ["contextfs"], root });
    assert.deepEqual(t.ids(), []);
    assert.deepEqual((await t.run("gc")).removed, []);
  });
}

Deno.test("what was copied and forgotten stays so when state.json was lost in between", async () => {
  await using from = await tempStore({ entries: ["taken, then erased"] });
  const input = { sources: ["contextfs"], root: from.workspace };
  for (const state of [undefined, '{"version":1,"revi']) {
    await using t = await tempStore();
    await t.run("import", input);
    if (state === undefined) Deno.removeSync(t.path("state.json"));
    else t.write("state.json", state);
    await t.run("forget", { ids: ["H-H1"], now: true });
    assert.equal(t.read("history.ndjson").includes("taken"), false);
    await t.run("import", input);
    assert.deepEqual(t.ids(), []);
    assert.deepEqual(await t.ailments(), []);
  }
});

Deno.test("a store knows that it was copied into before the first entry is", async () => {
  await using from = await tempStore({ entries: ["taken, then erased"] });
  await using t = await tempStore();
  let state = "";
  // What the disk holds when the process dies right after its first append.
  const files: Files = {
    ...diskFiles,
    append(path, bytes, options) {
      if (path === t.path("history.ndjson")) state ||= t.read("state.json");
      return diskFiles.append(path, bytes, options);
    },
  };
  const input = { sources: ["contextfs"], root: from.workspace };
  await t.run("import", input, { files });
  t.write("state.json", state);
  await t.run("forget", { ids: ["H-H1"], now: true });
  await t.run("import", input);
  assert.deepEqual(t.ids(), []);
});

Deno.test("a store that nothing was copied into keeps no ids of what was erased", async () => {
  await using t = await tempStore({ init: false });
  await t.run("init");
  const { id } = await t.run<{ id: string }>("save", { text: "mine" });
  await t.run("forget", { ids: [id], now: true });
  assert.equal(t.read("history.ndjson"), "");
});
