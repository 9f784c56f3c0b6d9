// Others' logs as one: order, torn tails, appends, erasing.

import assert from "node:assert/strict";
import { diskFiles, type Files } from "../../../src/disk/files.ts";
import { layoutOf } from "../../../src/disk/layout.ts";
import { readLinesOf } from "../../../src/disk/lines.ts";
import { eraseTeam } from "../../../src/store/lifecycle/forget_entries.ts";
import {
  appendTeam,
  lastSeqOf,
  readCursors,
  readMembers,
  writeCursors,
  writeMembers,
} from "../../../src/store/team/team_log.ts";
import { openTeam } from "../../../src/store/team/team_reader.ts";
import { readRemote, writeRemote } from "../../../src/store/team/remote_file.ts";
import {
  appendPushed,
  clearPushIntent,
  readPushed,
  readPushIntent,
  replacePushed,
  writePushIntent,
} from "../../../src/store/team/pushed_log.ts";
import { notOnWindows } from "../../support/not_on_windows.ts";
import { teamFiles, teamLine, writerIds } from "../../support/servers/team_logs.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const [first, second, third] = writerIds;

/** The texts of all lines, as readers see them. */
function textsOf(t: TempStore, files: Files = diskFiles): string[] {
  using reader = openTeam(files, layoutOf(t.workspace));
  if (reader === undefined) return [];
  const lines = readLinesOf(reader).map(({ bytes }) => new TextDecoder().decode(bytes));
  return [...lines].map((line) => JSON.parse(line).text);
}

function orderOf(t: TempStore): [string, number, number][] {
  return t.read("team/order").trim().split("\n").map((line) => JSON.parse(line));
}

/** Any transaction settles what the last one left. */
async function settle(t: TempStore): Promise<void> {
  await t.open().write("test", () => {});
}

async function append(t: TempStore, writer: string, texts: string[]): Promise<void> {
  await t.open().write("sync", (open) => {
    const seq = lastSeqOf(open.files, open.layout, writer);
    const name = `m${writer[0]}`;
    appendTeam(open, writer, texts.map((text, i) => teamLine({ text }, name, seq + 1 + i)));
  });
}

Deno.test("rows are read in the order in which they arrived", async () => {
  await using t = await tempStore();
  assert.deepEqual(textsOf(t), []);
  await append(t, second, ["b1", "b2"]);
  await append(t, first, ["a1"]);
  await append(t, second, ["b3"]);
  await append(t, third, []);
  assert.deepEqual(textsOf(t), ["b1", "b2", "a1", "b3"]);
  assert.deepEqual(orderOf(t).map(([writer]) => writer), [second, first, second]);
  assert.equal(lastSeqOf(diskFiles, layoutOf(t.workspace), second), 3);
  assert.equal(lastSeqOf(diskFiles, layoutOf(t.workspace), third), 0);
});

Deno.test("reads may begin and end anywhere", async () => {
  await using t = await tempStore();
  for (const [writer, text] of [[first, "one"], [second, "two"], [first, "three"]]) {
    await append(t, writer, [text]);
  }
  using reader = openTeam(diskFiles, layoutOf(t.workspace));
  assert.ok(reader);
  const whole = new Uint8Array(reader.size + 10);
  assert.equal(reader.readAt(0, whole), reader.size);
  for (let from = 0; from <= reader.size; from += 7) {
    for (const length of [1, 50, 400]) {
      const part = new Uint8Array(length);
      const count = reader.readAt(from, part);
      assert.equal(count, Math.min(length, reader.size - from));
      assert.deepEqual(part.subarray(0, count), whole.subarray(from, from + count));
    }
  }
});

Deno.test("an order that is lost, damaged or of other logs is made anew", async () => {
  const damage: Record<string, (t: TempStore) => void> = {
    "lost": (t) => Deno.removeSync(t.path("team/order")),
    "no JSON": (t) => t.write("team/order", "\0\0\0\n"),
    "a gap": (t) => t.write("team/order", `["${first}",5,10]\n`),
    "a writer without a log": (t) => t.write("team/order", `["${third}",0,10]\n`),
    "more than there is": (t) => t.write("team/order", `["${first}",0,100000]\n`),
  };
  for (const [name, harm] of Object.entries(damage)) {
    await using t = await tempStore();
    await append(t, second, ["b1"]);
    await append(t, first, ["a1"]);
    await append(t, second, ["b2"]);
    harm(t);
    assert.deepEqual(textsOf(t), ["a1", "b1", "b2"], name);
    await settle(t);
    assert.deepEqual(orderOf(t).map(([writer]) => writer), [first, second], name);
    await append(t, first, ["a2"]);
    assert.deepEqual(textsOf(t), ["a1", "b1", "b2", "a2"], name);
  }
});

Deno.test("what an order does not name yet is added by the next writer, without what is torn", async () => {
  await using t = await tempStore();
  await append(t, first, ["a1"]);
  const before = t.read("team/order");
  await append(t, second, ["b1"]);
  await append(t, first, ["a2"]);
  t.write("team/order", before + '["22222');
  t.append(`team/${second}.ndjson`, '{"id":"torn","text":"ha');
  assert.deepEqual(textsOf(t), ["a1"]);
  await settle(t);
  assert.deepEqual(textsOf(t), ["a1", "a2", "b1"]);
  assert.ok(!t.read(`team/${second}.ndjson`).includes("torn"), "it is pulled again");
  assert.equal(lastSeqOf(diskFiles, layoutOf(t.workspace), second), 1);
});

Deno.test("an order that is replaced while the logs are opened is read anew", async () => {
  await using t = await tempStore();
  await append(t, first, ["a1", "a2"]);
  await append(t, second, ["b1"]);
  await append(t, first, ["a3"]);
  const log = `team/${first}.ndjson`;
  let isErased = false;
  const files: Files = {
    ...diskFiles,
    openReader(path) {
      if (!isErased && path === t.path(log)) {
        isErased = true;
        // As a process that erases a1, and then pulls more.
        Deno.removeSync(t.path("team/order"));
        const lines = t.read(log).split("\n").slice(1, -1);
        const erased = [...lines, ...["a4", "a5"].map((text, i) => teamLine({ text }, "m1", 4 + i))]
          .map((line) => line + "\n").join("");
        Deno.removeSync(path);
        t.write(log, erased);
        const size = diskFiles.findSize(t.path(`team/${second}.ndjson`));
        t.write("team/order", `["${first}",0,${erased.length}]\n["${second}",0,${size}]\n`);
      }
      return diskFiles.openReader(path);
    },
  };
  assert.deepEqual(textsOf(t, files), ["a2", "a3", "a4", "a5", "b1"]);
});

Deno.test("logs without an order, with a torn tail, are read up to it", async () => {
  await using t = await tempStore({ files: teamFiles({ ann: ["a1", "a2"], bob: ["b1"] }) });
  t.append(`team/${first}.ndjson`, '{"id":"torn","text":"ha');
  t.write(`team/${third}.ndjson`, '{"id":"torn","text":"ha');
  assert.deepEqual(textsOf(t), ["a1", "a2", "b1"]);
  await settle(t);
  assert.deepEqual(textsOf(t), ["a1", "a2", "b1"]);
});

Deno.test("erasing leaves no byte of a row, and the cursors where they were", async () => {
  await using t = await tempStore();
  await append(t, first, ["keep this", "the-word-that-must-go"]);
  await append(t, second, ["keep that"]);
  const link = "AAAA";
  await t.open().write("sync", (writer) => {
    const bytes = (id: string) => writer.files.findSize(`${writer.layout.team}/${id}.ndjson`) ?? 0;
    writeCursors(writer, {
      [first]: { seq: 2, link, bytes: bytes(first) },
      [second]: { seq: 1, link, bytes: bytes(second) },
    });
  });
  await t.open().write("sync", (writer) => eraseTeam(writer, new Set(["H-m12"])));
  assert.deepEqual(textsOf(t), ["keep this", "keep that"]);
  const holding = diskFiles.listTree(t.root).filter((path) =>
    Deno.readTextFileSync(path).includes("the-word-that-must-go")
  );
  assert.deepEqual(holding, []);
  const cursors = readCursors(diskFiles, layoutOf(t.workspace));
  assert.equal(cursors[first].seq, 2);
  assert.equal(cursors[first].bytes, diskFiles.findSize(`${t.root}/team/${first}.ndjson`));
});

Deno.test("a row is one line", async () => {
  await using t = await tempStore();
  await assert.rejects(t.open().write("sync", (writer) => appendTeam(writer, first, ["a\nb"])));
  assert.deepEqual(textsOf(t), []);
});

Deno.test("cursors, members, the remote and what was pushed come back as they were written", async () => {
  await using t = await tempStore();
  const store = t.open();
  assert.equal(readRemote(store), undefined);
  assert.equal(readMembers(store.files, store.layout), undefined);
  assert.deepEqual(readCursors(store.files, store.layout), {});
  const remote = {
    version: 1 as const,
    space: "team",
    writer: first,
    name: "ann",
    owner: true,
    encrypted: false,
  };
  const members = {
    version: 1 as const,
    space: "team",
    root_key: "key",
    members: [{ name: "ann", owner: true }],
    writers: [{ writer: first, name: "ann", sign_key: "key", cert: "cert" }],
  };
  const pushed = [{ seq: 1, id: "H-1", kind: "entry" }, { seq: 2, id: "H-2", kind: "tombstone" }];
  await store.write("sync", (writer) => {
    writeRemote(writer, remote);
    writeMembers(writer, members);
    replacePushed(writer, pushed.slice(0, 1));
    appendPushed(writer, pushed.slice(1));
    writePushIntent(writer, { first: 3, ids: ["H-3"] });
  });
  assert.deepEqual(readRemote(store), remote);
  assert.deepEqual(readMembers(store.files, store.layout), members);
  assert.deepEqual([...readPushed(store)], pushed);
  assert.deepEqual(readPushIntent(store), { first: 3, ids: ["H-3"] });
  t.append("team/pushed.ndjson", '{"seq":3,"id":"H-');
  await store.write("sync", (writer) => {
    appendPushed(writer, [{ seq: 3, id: "H-3", kind: "entry" }]);
    clearPushIntent(writer);
  });
  assert.equal([...readPushed(store)].length, 3);
  assert.equal(readPushIntent(store), undefined);
});

Deno.test({
  name: "a link inside team/ is refused",
  ignore: notOnWindows("links need a privilege"),
}, async () => {
  await using t = await tempStore({ files: teamFiles({ ann: ["a1"] }) });
  await Deno.symlink("/etc/passwd", `${t.root}/team/${second}.ndjson`);
  assert.equal((await t.fail("status")).code, "DENIED");
});
