// Erasing what a team has: a tombstone stays, for the next sync to erase it there too.

import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { remoteOfAda, teamFiles, writerIds } from "../../support/servers/team_logs.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

function pushed(...ids: string[]): string {
  return ids.map((id, i) => JSON.stringify({ seq: i + 1, id, kind: "entry" }) + "\n").join("");
}

async function teamStore(): Promise<TempStore> {
  return await tempStore({
    entries: [
      { id: "H-pushed", text: "the walrus sings" },
      { id: "H-kept", text: "another word" },
      { id: "H-own", text: "never left" },
      { id: "H-both", text: "from elsewhere", source: { agent: "codex" } },
    ],
    files: {
      "remote.json": remoteOfAda,
      "team/pushed.ndjson": pushed("H-pushed", "H-kept", "H-both"),
    },
  });
}

/** Tombstones as they are in the logs: what they name, and why they stay. */
function tombstones(t: TempStore): Partial<Entry>[] {
  return [...t.open().rows()].filter(({ entry }) => entry.type === "tombstone")
    .map(({ entry: { refs, erased, imported } }) => ({
      refs,
      ...(erased === undefined ? {} : { erased }),
      ...(imported === undefined ? {} : { imported }),
    }));
}

const now = { consent: true } as const;

Deno.test("forget --now of what the team has keeps a tombstone for good", async () => {
  await using t = await teamStore();
  const done = await t.run("forget", { ids: ["H-pushed", "H-own"], now: true }, now);
  assert.deepEqual([done.count, done.erased, done.in_space], [2, true, 1]);
  assert.deepEqual(tombstones(t), [{ refs: ["H-pushed"], erased: true }]);
  assert.equal(t.read("history.ndjson").includes("walrus"), false);
  assert.deepEqual(t.ids(), ["H-kept", "H-both"]);
  const collected = await t.run<{ removed: unknown[] }>("gc", {}, now);
  assert.deepEqual(collected.removed, []);
  await t.run("compact", { keep: 0 }, now);
  assert.deepEqual(tombstones(t), [{ refs: ["H-pushed"], erased: true }]);
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("forget hides, and gc leaves the tombstone that erases", async () => {
  await using t = await teamStore();
  assert.equal((await t.run("forget", { ids: ["H-pushed"] }, now)).in_space, 1);
  assert.deepEqual(tombstones(t), [{ refs: ["H-pushed"] }]);
  await t.run("gc", {}, now);
  assert.deepEqual(tombstones(t), [{ refs: ["H-pushed"], erased: true }]);
  const [{ id }] = [...t.open().rows()].map(({ entry }) => entry)
    .filter(({ type }) => type === "tombstone");
  await t.run("forget", { ids: ["H-kept"] }, now);
  await t.run("gc", {}, now);
  assert.equal(tombstones(t).length, 2);
  // The first one is the same row: it was pushed under its id.
  assert.ok(t.read("history.ndjson").includes(`"id":"${id}"`));
});

Deno.test("a forget of what the team has can be taken back until its bytes are gone", async () => {
  await using t = await teamStore();
  await t.run("forget", { ids: ["H-pushed"] }, now);
  await t.run("undo", {}, now);
  assert.deepEqual(tombstones(t), []);
  assert.equal(t.textOf("H-pushed"), "the walrus sings");
});

Deno.test("what was hidden first and erased later is asked for once", async () => {
  await using t = await teamStore();
  await t.run("forget", { ids: ["H-pushed"] }, now);
  await t.run("forget", { ids: ["H-pushed"], now: true }, now);
  assert.deepEqual(tombstones(t), [{ refs: ["H-pushed"], erased: true }]);
});

Deno.test("what was taken back, or is somebody else's there, is not erased there again", async () => {
  await using t = await teamStore();
  const back = { seq: 4, id: "H-pushed-u", kind: "erase" };
  const taken = { seq: 5, id: "H-own", kind: "void" };
  t.write(
    "team/pushed.ndjson",
    pushed("H-pushed") + [back, taken].map((row) => JSON.stringify(row) + "\n").join(""),
  );
  const done = await t.run("forget", { ids: ["H-pushed", "H-own"], now: true }, now);
  assert.equal("in_space" in done, false);
  assert.deepEqual(tombstones(t), []);
});

Deno.test("purge keeps a tombstone of what the team has, without a word of it", async () => {
  await using t = await teamStore();
  assert.equal((await t.run("purge", { pattern: "walrus" }, now)).in_space, 1);
  assert.deepEqual(tombstones(t), [{ refs: ["H-pushed"], erased: true }]);
  for (const name of t.list().filter((name) => name.endsWith(".ndjson"))) {
    assert.equal(t.read(name).includes("walrus"), false, name);
  }
});

Deno.test("what a push under way may have sent counts as sent", async () => {
  await using t = await teamStore();
  t.write("team/push.json", '{"first":4,"ids":["H-own"]}\n');
  await t.run("forget", { ids: ["H-own"], now: true }, now);
  assert.deepEqual(tombstones(t), [{ refs: ["H-own"], erased: true }]);
});

Deno.test("what an import would bring back and the team has keeps both marks apart", async () => {
  await using t = await teamStore();
  await t.run("forget", { ids: ["H-both", "H-own", "H-kept"], now: true }, now);
  assert.deepEqual(tombstones(t), [
    { refs: ["H-both"], imported: true },
    { refs: ["H-both", "H-kept"], erased: true },
  ]);
});

Deno.test("without a team nothing of it is said or kept", async () => {
  await using t = await tempStore({ entries: [{ id: "H-a", text: "a" }] });
  const done = await t.run("forget", { ids: ["H-a"], now: true }, now);
  assert.equal("in_space" in done, false);
  assert.deepEqual(tombstones(t), []);
});

Deno.test("people are told that the team has it until the next sync", async () => {
  await using t = await teamStore();
  const { stdout } = await t.shown(["forget", "H-pushed", "H-own", "--now", "--yes"]);
  assert.match(stdout, /The team still has 1 of them until the next ctx sync\.\n$/);
});

/** A store with rows of bob, and of ada's other machine. */
async function ownersStore(owner: boolean): Promise<TempStore> {
  const me = JSON.stringify({ ...JSON.parse(remoteOfAda), owner });
  return await tempStore({
    entries: [{ id: "H-mine", text: "mine" }],
    files: {
      "remote.json": me,
      ...teamFiles({
        bob: [{ id: "H-bob", text: "a walrus of bob" }, { id: "H-bob2", text: "stays" }],
        ada: [{ id: "H-desk", text: "from the desk" }],
      }),
    },
  });
}

Deno.test("what others wrote is theirs to forget", async () => {
  await using t = await ownersStore(false);
  for (const input of [{ ids: ["H-mine", "H-bob"] }, { ids: ["H-bob"], now: true }]) {
    const error = await t.fail("forget", input, now);
    assert.deepEqual([error.code, error.message, error.hint], [
      "DENIED",
      'Cannot forget "H-bob": bob wrote it',
      "nothing was forgotten; ask bob, or the owner of the space",
    ]);
  }
  assert.deepEqual(t.ids(), ["H-mine", "H-bob", "H-bob2", "H-desk"]);
  await t.run("forget", { before: "2030-01-01", now: true }, now);
  assert.deepEqual(t.ids(), ["H-bob", "H-bob2", "H-desk"], "a range means this store's own");
});

Deno.test("the owner erases what others wrote, here and with the next sync for all", async () => {
  await using t = await ownersStore(true);
  const error = await t.fail("forget", { ids: ["H-bob"] }, now);
  assert.deepEqual([error.code, error.hint], [
    "DENIED",
    "ctx forget H-bob --now erases it for the whole team",
  ]);
  const done = await t.run("forget", { ids: ["H-bob", "H-mine"], now: true }, now);
  assert.deepEqual([done.count, done.erased, done.in_space], [2, true, 1]);
  assert.deepEqual(tombstones(t), [{ refs: ["H-bob"], erased: true }]);
  assert.deepEqual(t.ids(), ["H-bob2", "H-desk"]);
  assert.equal(t.read(`team/${writerIds[0]}.ndjson`).includes("walrus"), false);
});

Deno.test("what one wrote on another machine is one's own to erase", async () => {
  await using t = await ownersStore(false);
  await t.run("forget", { ids: ["H-desk"], now: true }, now);
  assert.deepEqual(tombstones(t), [{ refs: ["H-desk"], erased: true }]);
  assert.deepEqual(t.ids(), ["H-mine", "H-bob", "H-bob2"]);
});

Deno.test("purge of others' words is for this disk alone", async () => {
  await using t = await ownersStore(true);
  await t.run("purge", { pattern: "walrus" }, now);
  assert.deepEqual(t.ids(), ["H-mine", "H-bob2", "H-desk"]);
  assert.deepEqual(tombstones(t).filter(({ erased }) => erased), []);
});
