// Rows of the original ContextFS, with its aliases, open unchanged: they are read as entries, and
// their bytes on disk stay as they are through every other operation.

import assert from "node:assert/strict";
import { toEntry } from "../../src/core/entry.ts";
import { repository } from "../support/repository.ts";
import { tempStore } from "../support/stores/temp_store.ts";

const legacy = [
  '{"id":"H-1","ts":"2024-05-01T10:00:00.000Z","role":"user","type":"turn","refs":[],"text":"plain"}',
  '{"id":"abc123","timestamp":"2024-05-01T10:01:00Z","author":"human","content":"aliases","sessionId":"S-x"}',
  '{"id":"k9","timestamp":1714557720,"messageRole":"ai","message":"seconds","session":"S-x","tags":"one"}',
  '{"id":"k10","timestamp":1714557780000,"role":"Assistant","text":"milliseconds","x_extra":{"a":[1, 2]}}',
  '{ "text": "spaced and without a time", "id": "k11", "role": "robot" }',
];
const log = legacy.map((line) => line + "\n").join("");

Deno.test("legacy rows and aliases are read as entries", async () => {
  await using t = await tempStore({ files: { "history.ndjson": log } });
  const entries = [...t.open().entries()].map(({ entry }) => entry);
  assert.deepEqual(entries, [
    {
      id: "H-1",
      ts: "2024-05-01T10:00:00.000Z",
      role: "user",
      type: "turn",
      refs: [],
      text: "plain",
    },
    {
      id: "abc123",
      ts: "2024-05-01T10:01:00.000Z",
      role: "user",
      type: "turn",
      text: "aliases",
      session_id: "S-x",
    },
    {
      id: "k9",
      ts: "2024-05-01T10:02:00.000Z",
      role: "assistant",
      type: "turn",
      text: "seconds",
      session_id: "S-x",
      tags: ["one"],
    },
    {
      id: "k10",
      ts: "2024-05-01T10:03:00.000Z",
      role: "assistant",
      type: "turn",
      text: "milliseconds",
      x_extra: { a: [1, 2] },
    },
    {
      id: "k11",
      ts: "1970-01-01T00:00:00.000Z",
      role: "note",
      type: "turn",
      text: "spaced and without a time",
    },
  ]);
  assert.deepEqual((await t.ailments()).filter((name) => name !== "state"), []);
});

Deno.test("legacy bytes stay as they are through every other operation", async () => {
  await using t = await tempStore({ files: { "history.ndjson": log } });
  const saved = await t.run<{ id: string }>("save", { text: "new", supersedes: "abc123" });
  await t.run("session start", { title: "x" });
  await t.run("pin", { target: "a rule" });
  await t.run("forget", { ids: [saved.id], now: true });
  await t.run("doctor", { fix: true });
  await t.run("init");
  assert.ok(t.read("history.ndjson").startsWith(log));
  const [row] = [...t.open().entries()].filter(({ entry }) => entry.id === "k9");
  assert.equal(row.entry.text, "seconds");
});

Deno.test("legacy entries are found by get, timeline, read, search and sessions", async () => {
  await using t = await tempStore({ files: { "history.ndjson": log } });
  assert.equal((await t.ctx(["get", "abc123"])).stdout, "aliases");
  const window = await t.run<{ results: { id: string }[] }>("timeline", { id: "k9" });
  assert.deepEqual(window.results.map(({ id }) => id), ["abc123", "k9"]);
  const read = await t.run<{ total: number }>("read", { session: "S-x" });
  assert.equal(read.total, 2);
  const found = await t.run<{ results: { id: string }[] }>("search", { query: "aliases" });
  assert.deepEqual(found.results.map(({ id }) => id), ["abc123"]);
});

Deno.test("an alias beside the field it stands for is an unknown field and survives", () => {
  const row = {
    id: "H-1",
    text: "the text",
    message: "another thing",
    role: "user",
    author: "Ada",
  };
  const entry = toEntry(structuredClone(row));
  assert.deepEqual([entry?.text, entry?.message, entry?.role, entry?.author], [
    "the text",
    "another thing",
    "user",
    "Ada",
  ]);
});

Deno.test("unknown fields survive export, forget --now of others and doctor --fix", async () => {
  const odd =
    '{"id":"H-o","ts":"2026-01-01T00:00:00.000Z","role":"note","type":"note","text":"odd",' +
    '"x_future":{"nested":[1,null,"é"]},"v":7}';
  const twin = odd.replace("odd", "twin");
  await using t = await tempStore({ files: { "history.ndjson": `${odd}\n${twin}\n` } });
  await t.run("doctor", { fix: true });
  const rows = t.read("history.ndjson").trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(rows.map(({ x_future, v }) => [x_future, v]), [
    [{ nested: [1, null, "é"] }, 7],
    [{ nested: [1, null, "é"] }, 7],
  ]);
  const exported = (await t.ctx(["export"])).stdout.trimEnd().split("\n").map((x) => JSON.parse(x));
  assert.deepEqual(exported[0].x_future, { nested: [1, null, "é"] });
});

Deno.test("the example store is sound and no command that reads it changes a byte", async () => {
  await using t = await tempStore({ init: false });
  Deno.mkdirSync(t.root);
  const source = `${repository}/.contextfs-example`;
  const names = [...Deno.readDirSync(source)].filter(({ isFile }) => isFile).map(({ name }) =>
    name
  );
  for (const name of names) Deno.copyFileSync(`${source}/${name}`, t.path(name));
  assert.deepEqual(await t.ailments(), []);
  const reads: [string, object][] = [["ls", {}], ["stats", {}], ["sessions", {}], ["export", {}], [
    "pins",
    {},
  ]];
  for (const [name, input] of reads) await t.run(name, input);
  for (const name of names) {
    assert.deepEqual(t.bytes(name), Deno.readFileSync(`${source}/${name}`), name);
  }
});
