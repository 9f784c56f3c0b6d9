// Disk full, read-only, permission denied, clocks that go backwards or differ: a clear message,
// nothing lost, and the same order everywhere.

import assert from "node:assert/strict";
import { type FileSystem, makeFiles } from "../../src/disk/files.ts";
import { FaultySystem } from "../support/stores/faulty_system.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

const entries = ["one", "two", { id: "H-gone", text: "three" }, "four"];
const changing: Record<string, object> = {
  "save": { text: "new" },
  "pin": { target: "H-H1" },
  "session start": {},
  "forget": { ids: ["H-H1"], now: true },
  "purge": { pattern: "one" },
  "compact": { keep: 1, older_than: 0 },
  "gc": {},
  "config set": { key: "redact", value: "true" },
};

/** System calls that refuse every write in one way. */
function refusing(error: () => Error): FileSystem {
  const refuse = (): never => {
    throw error();
  };
  return {
    ...Deno,
    openSync: (path, options) =>
      options?.write || options?.append ? refuse() : Deno.openSync(path, options),
    mkdirSync: refuse,
    removeSync: refuse,
    renameSync: refuse,
    truncateSync: refuse,
  };
}

const refusals: [string, string, () => Error][] = [
  [
    "permission denied",
    "permission denied",
    () => new Deno.errors.PermissionDenied("Permission denied (os error 13)"),
  ],
  [
    "a read-only file system",
    "the file system is read-only",
    () => new Error("Read-only file system (os error 30)"),
  ],
  [
    "a file that is in use or mounted",
    "the file is in use",
    () => Object.assign(new Error("Device or resource busy (os error 16)"), { code: "EBUSY" }),
  ],
];

for (const [what, words, error] of refusals) {
  for (const [command, input] of Object.entries(changing)) {
    Deno.test(`${command} on ${what} says so and changes nothing`, async () => {
      await using t = await tempStore({ entries });
      await t.run("forget", { ids: ["H-gone"] });
      const before = contents(t);
      const failed = await t.fail(command, input, { files: makeFiles(refusing(error)) });
      assert.equal(failed.code, "DENIED");
      assert.match(failed.message, new RegExp(`^Cannot write "${t.root}/.*": ${words}$`));
      assert.deepEqual(contents(t), before);
    });
  }
}

for (const [command, input] of Object.entries(changing)) {
  Deno.test(`${command} on a full disk says so, and works when there is space`, async () => {
    await using t = await tempStore({ entries });
    await t.run("forget", { ids: ["H-gone"] });
    const seen = t.ids();
    const full = new FaultySystem({ failAt: 2, afterBytes: 3, fault: "full" });
    const failed = await t.fail(command, input, { files: makeFiles(full) });
    assert.deepEqual([failed.code, failed.retryable], ["DISK_FULL", true]);
    assert.deepEqual(t.ids(), seen);
    await t.run(command, input);
  });
}

Deno.test("a compact that ran out of space leaves a store that can forget and collect", async () => {
  await using t = await tempStore({ entries });
  const full = new FaultySystem({ failAt: 9, afterBytes: 0, fault: "full" });
  await t.fail("compact", { keep: 1, older_than: 0 }, { files: makeFiles(full) });
  assert.equal(t.exists("move.json"), true);
  assert.deepEqual(t.ids().sort(), ["H-H1", "H-H2", "H-H4", "H-gone"]);
  await t.run("forget", { ids: ["H-H1"], now: true });
  assert.deepEqual(t.warnings, ["an interrupted compaction was completed"]);
  assert.deepEqual(t.ids().sort(), ["H-H2", "H-H4", "H-gone"]);
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("a clock that goes backwards loses nothing and repeats no id", async () => {
  await using t = await tempStore();
  let now = Date.parse("2026-05-01T12:00:00Z");
  const ids: string[] = [];
  for (let i = 0; i < 20; i++) {
    const { id } = await t.run("save", { text: `entry ${i}` }, { now: () => now });
    ids.push(String(id));
    now -= 3_600_000;
  }
  assert.equal(new Set(ids).size, 20);
  assert.deepEqual(t.ids(), ids);
  await t.run("compact", { keep: 5, older_than: 0 }, { now: () => now });
  assert.deepEqual(t.ids().toSorted(), ids.toSorted(), "nothing is old in a past that lies before");
  await t.run("compact", { keep: 5, older_than: 0 }, { now: () => now + 90 * 86_400_000 });
  assert.deepEqual(
    [...t.open().entries({ pools: ["hot"] })].map(({ entry }) => entry.id),
    ids.slice(0, 5),
    "the newest by their own times stay",
  );
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("two machines whose clocks differ by hours give one order, wherever the rows are", async () => {
  const rows = Array.from({ length: 20 }, (_, i) => ({
    id: `H-${i % 2 === 0 ? "fast" : "slow"}-${i}`,
    ts: new Date(Date.parse("2026-05-01T12:00:00Z") + i * 60_000 + (i % 2) * 5 * 3_600_000)
      .toISOString(),
    text: `entry ${i}`,
    session_id: "S-both",
  }));
  await using t = await tempStore({ entries: rows });
  await using u = await tempStore({ entries: rows.toReversed() });
  const order = async (store: TempStore): Promise<string[]> => {
    const input = { session: "S-both", ranges: "1-" };
    const { messages } = await store.run<{ messages: { id: string }[] }>("read", input);
    return messages.map((message) => message.id);
  };
  const expected = rows.toSorted((a, b) => a.ts < b.ts ? -1 : 1).map((row) => row.id);
  assert.deepEqual(await order(t), expected);
  assert.deepEqual(await order(u), expected);
  await u.run("compact", { keep: 7, older_than: 0 }, { now: () => Date.parse("2027-01-01") });
  assert.deepEqual(await order(u), expected);
});

function contents(t: TempStore): Record<string, string> {
  return Object.fromEntries(
    t.list().filter((name) =>
      name !== ".lock" && name !== "index" && !name.startsWith("retrieval.traces")
    )
      .map((name) => [name, t.read(name)]),
  );
}

/** System calls that do not let us at the index. */
function barringIndex(barred: "readDirSync" | "removeSync"): FileSystem {
  const refuse = (path: string | URL): void => {
    if (!/\/\.contextfs\/index\b/.test(String(path))) return;
    throw new Deno.errors.PermissionDenied("Permission denied (os error 13)");
  };
  const guarded: FileSystem = {
    ...Deno,
    readDirSync(path) {
      if (barred === "readDirSync") refuse(path);
      return Deno.readDirSync(path);
    },
    removeSync(path) {
      refuse(path);
      Deno.removeSync(path);
    },
  };
  return guarded;
}

const erasing = {
  forget: { ids: ["H-kept"], now: true },
  gc: {},
  purge: { pattern: "cookies" },
};

for (const [command, input] of Object.entries(erasing)) {
  for (const barred of ["readDirSync", "removeSync"] as const) {
    Deno.test(`${command} with an index that refuses ${barred} says so first, and changes nothing`, async () => {
      await using t = await tempStore({
        entries: [{ id: "H-gone", text: "cookies" }, { id: "H-kept", text: "more cookies" }],
      });
      await t.run("forget", { ids: ["H-gone"] });
      await t.run("reindex");
      const before = contents(t);
      const failed = await t.fail(command, input, { files: makeFiles(barringIndex(barred)) });
      const index = t.path("index");
      assert.deepEqual(failed, {
        code: "DENIED",
        message: barred === "removeSync" || command === "forget"
          ? `Cannot erase: "${index}" may contain the text and cannot be removed`
          : `Cannot read "${index}", which may contain the text of entries`,
        hint: `no entry was changed; make "${index}" readable and writable or remove it, ` +
          "then run the same command again",
        retryable: false,
      });
      assert.deepEqual(contents(t), before);
      await t.run(command, input);
      const erased = command === "gc" ? "H-gone" : "H-kept";
      assert.ok(!t.read("history.ndjson").includes(`{"id":"${erased}"`));
    });
  }
}

Deno.test("forget without --now needs no index", async () => {
  await using t = await tempStore({ entries: [{ id: "H-gone", text: "cookies" }] });
  await t.run("reindex");
  const files = makeFiles(barringIndex("readDirSync"));
  await t.run("forget", { ids: ["H-gone"] }, { files });
  assert.deepEqual(t.ids(), []);
});
