// Every interleaving of a reader's system calls with the steps of a compact and of a gc: whatever
// moment each step falls on, the reader sees each entry exactly once (invariants 11 and 12).

import assert from "node:assert/strict";
import { type FileSystem, makeFiles } from "../../src/disk/files.ts";
import { rowOf, type TempStore, tempStore } from "../support/stores/temp_store.ts";

const rows = ["H-1", "H-2", "H-3", "H-4"].map((id, i) => JSON.stringify(rowOf({ id }, i)) + "\n");
const tombstone = JSON.stringify(rowOf({ id: "H-T", type: "tombstone", refs: ["H-2"] })) + "\n";

/** The content of both logs after each step of an operation; a step changes one of them. */
const operations: Record<string, { hot: string; archive: string }[]> = {
  "compact": [
    { hot: rows.join(""), archive: "" },
    { hot: rows.join(""), archive: rows[0] + rows[1] },
    { hot: rows[2] + rows[3], archive: rows[0] + rows[1] },
  ],
  "compact, then a save": [
    { hot: rows.slice(0, 3).join(""), archive: "" },
    { hot: rows.slice(0, 3).join(""), archive: rows[0] + rows[1] },
    { hot: rows[2], archive: rows[0] + rows[1] },
    { hot: rows[2] + rows[3], archive: rows[0] + rows[1] },
  ],
  "gc of an archived row": [
    { hot: rows[2] + rows[3] + tombstone, archive: rows[0] + rows[1] },
    { hot: rows[2] + rows[3] + tombstone, archive: rows[0] },
    { hot: rows[2] + rows[3], archive: rows[0] },
  ],
  "gc of a hot row with its tombstone in the archive": [
    { hot: rows[1] + rows[2], archive: rows[0] + tombstone },
    { hot: rows[2], archive: rows[0] + tombstone },
    { hot: rows[2], archive: rows[0] },
  ],
};

for (const [name, steps] of Object.entries(operations)) {
  Deno.test(`a reader at any moment of ${name} sees each entry once`, async () => {
    await using t = await tempStore();
    apply(t, steps, 0);
    const { calls } = read(t, []);
    let tried = 0;
    for (const moments of choose(calls + 1, steps.length - 1)) {
      apply(t, steps, 0);
      const { seen } = read(t, moments.map((at, i) => ({ at, act: () => apply(t, steps, i + 1) })));
      assert.equal(new Set(seen).size, seen.length, `twice: ${seen} with steps at ${moments}`);
      const always = idsIn(steps[0]).filter((id) => idsIn(steps.at(-1)!).includes(id));
      assert.deepEqual(always.filter((id) => !seen.includes(id)), [], `lost at ${moments}`);
      if (name.startsWith("gc")) assert.ok(!seen.includes("H-2"), `came back at ${moments}`);
      tried++;
    }
    assert.ok(tried > 20, `only ${tried} interleavings`);
  });
}

Deno.test("offsets found in a view stay true in it while the log is replaced", async () => {
  await using t = await tempStore();
  const [first, , last] = operations["compact"];
  apply(t, [first], 0);
  using view = t.open().openView();
  const places = [...view.entries()].map(({ entry: _, ...place }) => place);
  apply(t, [last], 0);
  assert.deepEqual(places.map((place) => view.findRowAt(place)?.id), [
    "H-1",
    "H-2",
    "H-3",
    "H-4",
  ]);
});

/** Puts a step's content in place as ctx does: a log that shrinks is replaced, one that grows grows. */
function apply(t: TempStore, steps: { hot: string; archive: string }[], step: number): void {
  for (const [file, pool] of [["history.archive.ndjson", "archive"], ["history.ndjson", "hot"]]) {
    const after = steps[step][pool as "hot" | "archive"];
    const before = t.exists(file) ? t.read(file) : undefined;
    if (before === after) continue;
    if (step > 0 && before !== undefined && after.startsWith(before)) {
      t.append(file, after.slice(before.length));
      continue;
    }
    t.write(`${file}.1.tmp`, after);
    Deno.renameSync(t.path(`${file}.1.tmp`), t.path(file));
  }
}

/** Reads all entries, running acts before certain system calls; counts the calls. */
function read(
  t: TempStore,
  acts: { at: number; act: () => void }[],
): { seen: string[]; calls: number } {
  let calls = 0;
  const before = <A extends unknown[], R>(call: (...args: A) => R) => (...args: A): R => {
    for (const { at, act } of acts) if (at === calls) act();
    calls++;
    return call(...args);
  };
  const system: FileSystem = {
    ...Deno,
    statSync: before(Deno.statSync),
    openSync: before(Deno.openSync),
    readFileSync: before(Deno.readFileSync),
  };
  const store = t.open({ files: makeFiles(system) });
  const seen = [...store.entries()].map(({ entry }) => entry.id);
  return { seen, calls };
}

/** All ascending choices of `count` moments below `limit`, several at one moment allowed. */
function* choose(limit: number, count: number, from = 0): Generator<number[]> {
  if (count === 0) return yield [];
  for (let at = from; at < limit; at++) {
    for (const rest of choose(limit, count - 1, at)) yield [at, ...rest];
  }
}

function idsIn(step: { hot: string; archive: string }): string[] {
  return (step.archive + step.hot).split("\n").filter(Boolean).map((line): string =>
    JSON.parse(line).id
  ).filter((id) => id !== "H-T" && id !== "H-2" || !step.hot.includes("H-T"));
}
