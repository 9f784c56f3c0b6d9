// What a sync does to others' logs is failed at every change it makes to the disk: nothing of one's own
// is lost, no row is there twice, what was erased is nowhere, and the next writer puts the rest right.

import assert from "node:assert/strict";
import type { ContextOptions } from "../../src/app/app.ts";
import { diskFiles } from "../../src/disk/files.ts";
import { layoutOf } from "../../src/disk/layout.ts";
import { inspectStore } from "../../src/store/lifecycle/inspect.ts";
import { eraseTeam } from "../../src/store/lifecycle/forget_entries.ts";
import { appendTeam, lastSeqOf, writeCursors } from "../../src/store/team/team_log.ts";
import { openTeam } from "../../src/store/team/team_reader.ts";
import { readLinesOf } from "../../src/disk/lines.ts";
import type { Writer } from "../../src/store/writer.ts";
import { type Outcome, tryCrashPoints } from "../support/stores/crash_points.ts";
import { isFullLength } from "../support/full_length.ts";
import { teamFiles, teamLine, writerIds } from "../support/servers/team_logs.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

const [first, second] = writerIds;
const secret = "the-word-that-must-go";
const logs = {
  ann: [{ id: "H-a1", text: "a first" }, { id: "H-a2", text: `says ${secret}` }],
  bob: [{ id: "H-b1", text: "b first" }],
};

async function template(): Promise<TempStore> {
  const t = await tempStore({ entries: [{ id: "H-own", text: "mine" }], files: teamFiles(logs) });
  await t.open().write("sync", (writer) => {
    const bytes = (id: string) => writer.files.findSize(`${writer.layout.team}/${id}.ndjson`) ?? 0;
    writeCursors(writer, {
      [first]: { seq: 2, link: "AA", bytes: bytes(first) },
      [second]: { seq: 1, link: "AA", bytes: bytes(second) },
    });
  });
  return t;
}

function act(change: (writer: Writer) => void) {
  return async (t: TempStore, { files }: ContextOptions) => {
    await t.open({ files }).write("sync", change);
    return {};
  };
}

/** The ids that readers see of others, each of which must be there once. */
function idsOf(t: TempStore): string[] {
  using reader = openTeam(diskFiles, layoutOf(t.workspace));
  const lines = reader === undefined
    ? []
    : [...readLinesOf(reader)].map(({ bytes }) => bytes.slice());
  const ids = lines.map((bytes): string => JSON.parse(new TextDecoder().decode(bytes)).id);
  assert.equal(new Set(ids).size, ids.length, `a row is seen twice: ${ids}`);
  return ids.sort();
}

async function ailments(t: TempStore): Promise<string[]> {
  return (await inspectStore(t.open())).filter(({ status, name }) =>
    status === "failed" || status === "warning" && name === "team"
  ).map(({ name, detail }) => `${name}: ${detail}`);
}

async function isSound(t: TempStore): Promise<void> {
  await t.run("save", { text: "the next writer" });
  assert.deepEqual(await ailments(t), []);
  assert.ok(t.ids().includes("H-own"));
}

Deno.test("others' rows come whole or not at all, and once", async () => {
  await using store = await template();
  const lines = [
    teamLine({ id: "H-b2", text: "b second" }, "bob", 2),
    teamLine(
      {
        id: "H-b3",
        text: "b third",
      },
      "bob",
      3,
    ),
  ];
  const points = await tryCrashPoints({
    template: store,
    command: "sync",
    input: {},
    act: act((writer) => appendTeam(writer, second, lines)),
    async check(t: TempStore, { acknowledged }: Outcome) {
      const before = idsOf(t);
      for (const id of ["H-a1", "H-a2", "H-b1"]) assert.ok(before.includes(id), `${id} was lost`);
      if (acknowledged) assert.deepEqual(before, ["H-a1", "H-a2", "H-b1", "H-b2", "H-b3"]);
      await isSound(t);
      // As a sync goes on: what is there is not appended again.
      await t.open().write("sync", (writer) => {
        const seq = lastSeqOf(writer.files, writer.layout, second);
        appendTeam(writer, second, lines.slice(seq - 1));
      });
      assert.deepEqual(idsOf(t), ["H-a1", "H-a2", "H-b1", "H-b2", "H-b3"]);
      assert.deepEqual(await ailments(t), []);
    },
  });
  assert.ok(points >= (isFullLength ? 20 : 2), `${points} crash points`);
});

Deno.test("what is erased goes for good, and nothing else does", async () => {
  await using store = await template();
  const points = await tryCrashPoints({
    template: store,
    command: "sync",
    input: {},
    act: act((writer) => eraseTeam(writer, new Set(["H-a2"]))),
    async check(t: TempStore, { acknowledged }: Outcome) {
      const seen = idsOf(t);
      for (const id of ["H-a1", "H-b1"]) assert.ok(seen.includes(id), `${id} was lost`);
      if (acknowledged) assert.ok(!seen.includes("H-a2"));
      await isSound(t);
      await t.open().write("sync", (writer) => eraseTeam(writer, new Set(["H-a2"])));
      assert.deepEqual(idsOf(t), ["H-a1", "H-b1"]);
      await t.run("gc");
      const holding = diskFiles.listTree(t.root).filter((path) =>
        Deno.readTextFileSync(path).includes(secret)
      );
      assert.deepEqual(holding, []);
      assert.deepEqual(await ailments(t), []);
    },
  });
  assert.ok(points >= (isFullLength ? 20 : 2), `${points} crash points`);
});
