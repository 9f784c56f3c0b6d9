// What is kept ready for a session's start is what the logs say, also after something was forgotten:
// nothing of that is told or written again, and what it took the place of is told.

import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { distilSessions } from "../../../src/recall/distil/distil_sessions.ts";
import { deriveDrafts, keepKnown, readKnown } from "../../../src/recall/pack/known.ts";
import { madeSession } from "../../support/stores/made_session.ts";
import { rowOf, type TempStore, tempStore, testNow } from "../../support/stores/temp_store.ts";

const file = "index/known.json";

async function keep(t: TempStore): Promise<void> {
  await keepKnown(t.open(), { nowMs: testNow, workspace: t.workspace });
}

/** The ids of what is known; the same from what is kept as from the logs. */
function knownIds(t: TempStore): string[] {
  const around = { nowMs: testNow, workspace: t.workspace };
  assert.ok(t.exists(file));
  const [ready, whole] = [{}, { isWhole: true }].map((scope) =>
    readKnown(t.open(), { ...around, ...scope }).rows.map(({ id }) => id).sort()
  );
  assert.deepEqual(ready, whole);
  return ready;
}

Deno.test("when kept rows are forgotten, those that there was no room for are told", async () => {
  const entries = Array.from({ length: 120 }, (_, i): Partial<Entry> => ({
    id: `H-d${i}`,
    type: "decision",
    text: `Decision ${i}: service${i} owns table${i}`,
  }));
  await using t = await tempStore({ entries });
  await keep(t);
  const { rows } = JSON.parse(t.read(file)).known;
  assert.equal(rows.length, 96);
  await t.run("forget", { ids: rows.map(({ id }: Entry) => id) });
  assert.equal(knownIds(t).length, 24);
});

Deno.test("when the newest of a subject is forgotten, what it hid is told", async () => {
  const record = { by: "rules", grade: "derived", subject: "use:redis" };
  await using t = await tempStore({
    entries: [
      {
        id: "H-old",
        type: "decision",
        text: "We use redis for sessions from now on",
        record,
        session_id: "S-2",
      },
      {
        id: "H-new",
        type: "decision",
        text: "We use redis for queues from now on",
        record,
        session_id: "S-3",
      },
    ],
  });
  await keep(t);
  assert.deepEqual(knownIds(t), ["H-new"]);
  await t.run("forget", { ids: ["H-new"] });
  assert.deepEqual(knownIds(t), ["H-old"]);
});

Deno.test("what another member forgot is not told", async () => {
  await using t = await tempStore({ entries: ["Mine"] });
  const log = `${t.root}/team/00000000-0000-4000-8000-000000000000.ndjson`;
  await Deno.mkdir(`${t.root}/team`, { recursive: true });
  const line = (row: Partial<Entry>): string => JSON.stringify(rowOf(row)) + "\n";
  await Deno.writeTextFile(log, line({ id: "H-theirs", type: "decision", text: "Theirs" }));
  await keep(t);
  assert.deepEqual(knownIds(t), ["H-H1", "H-theirs"]);
  const gone = line({ id: "H-gone", type: "tombstone", refs: ["H-theirs"] });
  await Deno.writeTextFile(log, gone, { append: true });
  assert.deepEqual(knownIds(t), ["H-H1"]);
});

Deno.test("records that were derived of erased words are not kept", async () => {
  const talk = madeSession([
    { user: "let's use redis for the session store instead of postgres, it expires keys itself" },
    { agent: "The session store writes to redis now, every key with a TTL of 3600." },
  ]);
  for (const now of [false, true]) {
    await using t = await tempStore({ entries: [...talk, "Use tabs"] });
    await keep(t);
    const store = t.open();
    using derived = await deriveDrafts(store, async () => {
      const { written, removed } = await distilSessions(store, {
        now: () => testNow,
        dryRun: true,
      });
      assert.notEqual(written.length, 0);
      return { "S-made": { written, removed } };
    });
    await t.run("forget", { ids: talk.map(({ id }) => id), now });
    await keepKnown(store, { nowMs: testNow, workspace: t.workspace }, { derived });
    assert.doesNotMatch(t.exists(file) ? t.read(file) : "", /redis/);
    await keep(t);
    assert.doesNotMatch(t.read(file), /redis/);
  }
});

Deno.test("drafts whose evidence is forgotten leave the file; unrelated ids are not kept in it", async () => {
  const talk = madeSession([{ user: "let's use redis for the session store from now on" }]);
  await using t = await tempStore({ entries: [...talk, { id: "H-x", type: "turn", text: "x" }] });
  const store = t.open();
  const around = { nowMs: testNow, workspace: t.workspace };
  using derived = await deriveDrafts(store, async () => ({
    "S-made": await distilSessions(store, { now: () => testNow, dryRun: true }),
  }));
  await keepKnown(store, around, { derived });
  assert.match(t.read(file), /redis/);
  await t.run("forget", { ids: ["H-x"] });
  await keepKnown(t.open(), around);
  assert.match(t.read(file), /redis/);
  assert.doesNotMatch(t.read(file), /H-x/);
  await t.run("forget", { ids: talk.map(({ id }) => id) });
  await keepKnown(t.open(), around);
  assert.doesNotMatch(t.read(file), /redis/);
});

Deno.test("when a text is no longer pinned, what said the same is told", async () => {
  await using t = await tempStore({
    entries: [{ id: "H-n", type: "note", text: "Deploys go out on Tuesdays only" }],
  });
  await t.run("pin", { target: "Deploys go out on Tuesdays only" });
  await keep(t);
  const pack = async (): Promise<string> => (await t.run<{ text: string }>("pack")).text;
  assert.match(await pack(), /\] pin.*Tuesdays/);
  await t.run("unpin", { target: JSON.parse(t.read("acts.ndjson").split("\n")[0]).ids[0] });
  assert.match(await pack(), /\[H-n\] note.*Tuesdays/);
});

Deno.test("a session start reads no more after fifty starts than at the first", async () => {
  const turns = Array.from({ length: 3000 }, (_, i): Partial<Entry> => ({
    id: `H-t${i}`,
    role: "assistant",
    type: "turn",
    text: `Turn ${i} about the release and its parts`,
  }));
  await using t = await tempStore({ entries: turns });
  const reads: { bytes: number; opened: number }[] = [];
  for (let i = 0; i < 50; i++) {
    await t.run("save", { text: `Decision ${i}: service${i} owns table${i}`, type: "decision" });
    await keep(t);
    reads.push(countReads(() => readKnown(t.open(), { nowMs: testNow, workspace: t.workspace })));
  }
  const [first, last] = [reads[0], reads[reads.length - 1]];
  assert.ok(first.bytes > 0 && first.opened > 0, JSON.stringify(first));
  assert.ok(last.opened <= first.opened, JSON.stringify(reads));
  // What is told grows by a line at each start; the log is not read.
  assert.ok(last.bytes - first.bytes < 50 * 400, JSON.stringify(reads));
  assert.ok(last.bytes < t.read("history.ndjson").length / 4, JSON.stringify(last));
});

/** How many bytes something reads, of how many files. */
function countReads(read: () => void): { bytes: number; opened: number } {
  const { readFileSync, openSync } = Deno;
  const { readSync } = Deno.FsFile.prototype;
  const count = { bytes: 0, opened: 0 };
  Deno.readFileSync = (path) => {
    const bytes = readFileSync(path);
    count.opened++;
    count.bytes += bytes.length;
    return bytes;
  };
  Deno.openSync = (...args) => {
    count.opened++;
    return openSync(...args);
  };
  Deno.FsFile.prototype.readSync = function (buffer) {
    const read = readSync.call(this, buffer);
    count.bytes += read ?? 0;
    return read;
  };
  try {
    read();
  } finally {
    Object.assign(Deno, { readFileSync, openSync });
    Deno.FsFile.prototype.readSync = readSync;
  }
  return count;
}
