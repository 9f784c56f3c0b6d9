// Somebody removes `.lock` while it is held, so that two writers hold one each. Interleavings are
// stepped by hand: the first writer's files let the second one in at a chosen operation. What was
// acknowledged is there afterwards, whoever wins.

import assert from "node:assert/strict";
import { CtxError } from "../../src/core/errors.ts";
import { compactStore } from "../../src/store/lifecycle/compact_store.ts";
import { diskFiles, type Files, makeFiles, overlayFiles } from "../../src/disk/files.ts";
import { forgetNow } from "../../src/store/lifecycle/forget_entries.ts";
import { collectGarbage } from "../../src/store/lifecycle/collect_garbage.ts";
import { guardFiles } from "../../src/disk/guarded_files.ts";
import { layoutOf } from "../../src/disk/layout.ts";
import { takeLock, tryTakeLock } from "../../src/disk/lock.ts";
import { mendStore } from "../../src/store/lifecycle/mend.ts";
import { purge } from "../../src/store/lifecycle/purge_store.ts";
import type { Store } from "../../src/store/store.ts";
import { Writer } from "../../src/store/writer.ts";
import { notOnWindows } from "../support/not_on_windows.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

const holder = { pid: 1, command: "test", since: "2026-01-01T00:00:00.000Z" };

Deno.test("a lock whose file was removed or replaced says so", async () => {
  await using t = await tempStore();
  using first = await takeLock(t.path(".lock"), { holder, timeoutMs: 0 });
  first.check();
  Deno.removeSync(t.path(".lock"));
  assert.throws(() => first.check(), { code: "STORE_LOCKED" });
  using second = await takeLock(t.path(".lock"), { holder, timeoutMs: 0 });
  second.check();
  assert.throws(() => first.check(), { code: "STORE_LOCKED" });
});

Deno.test("who waits for a lock waits for the file that has its name", async () => {
  await using t = await tempStore();
  const first = await takeLock(t.path(".lock"), { holder, timeoutMs: 0 });
  const waiting = takeLock(t.path(".lock"), { holder, timeoutMs: 30 });
  Deno.removeSync(t.path(".lock"));
  using _second = await takeLock(t.path(".lock"), { holder, timeoutMs: 0 });
  first[Symbol.dispose]();
  await assert.rejects(waiting, { code: "STORE_LOCKED" });
});

Deno.test("a lock file that was replaced between opening and locking it is not taken", async () => {
  await using t = await tempStore();
  const path = t.path(".lock");
  const openSync: typeof Deno.openSync = (name, options) => {
    const file = Deno.openSync(name, options);
    Deno.removeSync(path);
    t.write(".lock", "");
    return file;
  };
  assert.equal(tryTakeLock(path, holder, { openSync, statSync: Deno.statSync }), undefined);
});

const rewrites: Record<string, (store: Store) => Promise<unknown>> = {
  gc: (store) => collectGarbage(store),
  compact: (store) => compactStore(store, { keep: 3, beforeMs: Infinity }),
  "forget --now": (store) => store.write("forget", (writer) => forgetNow(writer, ["H-H2"])),
  purge: (store) =>
    store.write("purge", (writer) => purge(writer, ["H-H3"], (text) => text.includes("three"))),
  "doctor --fix": (store) => mendStore(store),
};
const moments = ["hold", "openWriter", "rename"] as const;

for (const [name, rewrite] of Object.entries(rewrites)) {
  for (const moment of moments) {
    const title = `${name} loses no row that is saved as it comes to ${moment}`;
    const ignore = moment !== "hold" && notOnWindows("a locked log could not be read there");
    Deno.test({ name: title, ignore }, async () => {
      await using t = await storeToRewrite();
      const saved: string[] = [];
      const files = interrupt(t, moment, () => {
        Deno.removeSync(t.path(".lock"));
        saved.push(...saveNow(t, "saved meanwhile"));
      });
      const outcome = await rewrite(t.open({ files })).then(() => "done", toCode);
      // After its last look at the lock it may be through before it looks again.
      if (moment !== "rename") assert.equal(outcome, "STORE_LOCKED");
      // Once the log is held, whoever comes is not acknowledged.
      assert.equal(saved.length, moment === "hold" ? 1 : 0);
      assert.deepEqual(saved.filter((id) => !t.ids().includes(id)), []);
      assert.deepEqual(t.list().filter((file) => file.endsWith(".tmp")), []);
      await t.run("save", { text: "afterwards" });
      assert.ok(["H-H4", "H-H5", "H-H6"].every((id) => t.ids().includes(id)));
      assert.deepEqual((await t.ailments()).filter((check) => check !== "lines"), []);
    });
  }
}

Deno.test("pins that were added meanwhile are not written over", async () => {
  await using t = await tempStore({
    entries: ["one", "two"],
    files: { "pins.md": "# Pins\n" },
  });
  const files = overlayFiles(diskFiles, {
    findBytes(path) {
      const bytes = diskFiles.findBytes(path);
      if (path !== t.path("pins.md")) return bytes;
      Deno.removeSync(t.path(".lock"));
      t.write("pins.md", "- [H-H1] one\n");
      return bytes;
    },
  });
  const pinning = t.run("pin", { target: "H-H2" }, { files });
  await assert.rejects(pinning, { code: "STORE_LOCKED" });
  assert.equal(t.read("pins.md"), "- [H-H1] one\n");
});

Deno.test("a row is not appended to a log that was replaced after it was opened", async () => {
  await using t = await tempStore({ entries: ["one"] });
  const path = t.path("history.ndjson");
  let replaced = false;
  const files = makeFiles({
    ...systemOf(),
    openSync(name, options) {
      const file = Deno.openSync(name, options);
      if (name === path && options?.append && !replaced) {
        replaced = true;
        diskFiles.replace(path, t.bytes("history.ndjson"), { sync: false });
      }
      return file;
    },
  });
  files.append(path, new TextEncoder().encode('{"id":"H-2"}\n'), { sync: false });
  assert.match(t.read("history.ndjson"), /"H-H1"[^]*"H-2"/);
});

Deno.test("an append under a lock that is gone is not acknowledged", async () => {
  await using t = await tempStore({ entries: ["one"] });
  const before = t.read("history.ndjson");
  const saving = t.open().write("save", (writer) => {
    Deno.removeSync(t.path(".lock"));
    return writer.append([{ role: "note", type: "note", text: "two" }]);
  });
  await assert.rejects(saving, { code: "STORE_LOCKED" });
  assert.equal(t.read("history.ndjson"), before);
});

/** A store in which every kind of rewriting has something to do. */
async function storeToRewrite(): Promise<TempStore> {
  const t = await tempStore({ entries: ["one", "two", "three", "four", "five", "six"] });
  await t.run("forget", { ids: ["H-H1"] });
  t.append("history.ndjson", "not a row\n");
  return t;
}

/** Files that let something happen right before the first time the hot log is to be changed so. */
function interrupt(t: TempStore, moment: (typeof moments)[number], action: () => void): Files {
  let isOver = false;
  const before = (at: typeof moment, path: string): void => {
    if (at !== moment || isOver || !path.startsWith(t.path("history.ndjson"))) return;
    isOver = true;
    action();
  };
  return overlayFiles(diskFiles, {
    hold(path) {
      before("hold", path);
      return diskFiles.hold(path);
    },
    openWriter(path) {
      before("openWriter", path);
      return diskFiles.openWriter(path);
    },
    rename(from, to) {
      before("rename", to);
      diskFiles.rename(from, to);
    },
  });
}

/** Saves as another process would; gives the ids that it would acknowledge. */
function saveNow(t: TempStore, text: string): string[] {
  using lock = tryTakeLock(t.path(".lock"), holder);
  assert.ok(lock, "the new lock is free");
  try {
    const writer = new Writer({
      files: guardFiles(diskFiles, lock),
      layout: layoutOf(t.workspace),
      sync: false,
      now: Date.now,
      random: () => crypto.randomUUID(),
      warn: () => {},
    });
    const { entries } = writer.append([{ role: "note", type: "note", text }]);
    return entries.map(({ id }) => id);
  } catch (error) {
    assert.equal(toCode(error), "STORE_LOCKED");
    return [];
  }
}

function toCode(error: unknown): string {
  if (error instanceof CtxError) return error.code;
  throw error;
}

function systemOf(): Parameters<typeof makeFiles>[0] {
  const { mkdirSync, openSync, readDirSync, readFileSync, removeSync, renameSync } = Deno;
  const { statSync, truncateSync } = Deno;
  return {
    mkdirSync,
    openSync,
    readDirSync,
    readFileSync,
    removeSync,
    renameSync,
    statSync,
    truncateSync,
  };
}
