import assert from "node:assert/strict";
import { quantize } from "../../../src/index/vectors/vector_format.ts";
import { type CachedRow, VectorCache } from "../../../src/search/rerank/vector_cache.ts";
import { tryTakeLock } from "../../../src/disk/lock.ts";
import { type TempStore, tempStore } from "../../support/temp_store.ts";

const query = quantize(vectorOf(0));
const headBytes = 16;
const recordBytes = 408;

/** A unit vector that has a cosine with the first by how far its number is from 0. */
function vectorOf(number: number): Float32Array {
  const vector = new Float32Array(384);
  vector[0] = Math.cos(number / 100);
  vector[1] = Math.sin(number / 100);
  return vector;
}

function rowOf(number: number): CachedRow & { vector: Float32Array } {
  return { id: `H-${number}`, text: `text ${number}`, vector: vectorOf(number) };
}

function openCache(t: TempStore, maxBytes = 1 << 20): VectorCache {
  return new VectorCache(t.open(), { maxBytes });
}

function pathOf(t: TempStore): string {
  return `${t.workspace}/.contextfs/index/rerank.bin`;
}

/** The cosines of some rows with the first. */
function cosinesOf(cache: VectorCache, numbers: number[]): (string | undefined)[] {
  return numbers.map((number) => cache.find(rowOf(number), query)?.toFixed(2));
}

Deno.test("a vector that was added is found by another process, for that row and that text only", async () => {
  await using t = await tempStore({ entries: ["one"] });
  using first = openCache(t);
  using second = openCache(t);
  assert.deepEqual([first.refresh(), second.refresh()], [true, true]);
  assert.equal(first.add([rowOf(0), rowOf(100)]), true);
  assert.equal(second.add([rowOf(50)]), true);
  for (const cache of [first, second]) {
    assert.equal(cache.refresh(), true);
    assert.deepEqual(cosinesOf(cache, [0, 50, 100, 7]), ["1.00", "0.88", "0.54", undefined]);
    assert.equal(cache.find({ ...rowOf(0), text: "edited" }, query), undefined);
    assert.equal(cache.find({ ...rowOf(0), id: "H-1" }, query), undefined);
  }
});

Deno.test("a damaged record is passed over and made anew, the others are found", async () => {
  await using t = await tempStore({ entries: ["one"] });
  using cache = openCache(t);
  cache.refresh();
  cache.add([rowOf(0), rowOf(50), rowOf(100)]);
  const bytes = Deno.readFileSync(pathOf(t));
  bytes[headBytes + recordBytes + 200] ^= 1;
  Deno.writeFileSync(pathOf(t), bytes);
  cache.refresh();
  assert.deepEqual(cosinesOf(cache, [0, 50, 100]), ["1.00", undefined, "0.54"]);
  cache.add([rowOf(50)]);
  cache.refresh();
  assert.deepEqual(cosinesOf(cache, [0, 50, 100]), ["1.00", "0.88", "0.54"]);
});

Deno.test("half a record at the end goes with the next write", async () => {
  await using t = await tempStore({ entries: ["one"] });
  using cache = openCache(t);
  cache.refresh();
  cache.add([rowOf(0), rowOf(50)]);
  Deno.truncateSync(pathOf(t), headBytes + recordBytes + 100);
  using later = openCache(t);
  later.refresh();
  assert.deepEqual(cosinesOf(later, [0, 50]), ["1.00", undefined]);
  later.add([rowOf(100)]);
  later.refresh();
  assert.deepEqual(cosinesOf(later, [0, 50, 100]), ["1.00", undefined, "0.54"]);
  assert.equal(Deno.statSync(pathOf(t)).size, headBytes + 2 * recordBytes);
});

Deno.test("a file of another model or version is replaced", async () => {
  await using t = await tempStore({ entries: ["one"] });
  Deno.mkdirSync(`${t.workspace}/.contextfs/index`);
  t.write("index/rerank.bin", "CTXRR000 of somebody else, and long enough");
  using cache = openCache(t);
  assert.equal(cache.refresh(), true);
  assert.equal(Deno.statSync(pathOf(t)).size, headBytes);
});

Deno.test("over its budget the oldest half goes", async () => {
  await using t = await tempStore({ entries: ["one"] });
  using cache = openCache(t, headBytes + 100 * recordBytes);
  cache.refresh();
  for (let from = 0; from < 110; from += 10) {
    cache.add(Array.from({ length: 10 }, (_, i) => rowOf(from + i)));
    cache.refresh();
  }
  const there = Array.from({ length: 110 }, (_, i) => i).filter((i) => cache.has(rowOf(i)));
  assert.deepEqual(there, Array.from({ length: 60 }, (_, i) => 50 + i));
});

Deno.test("who does not get the lock adds nothing, and is told", async () => {
  await using t = await tempStore({ entries: ["one"] });
  using cache = openCache(t);
  cache.refresh();
  using lock = tryTakeLock(`${t.workspace}/.contextfs/.lock`, {
    pid: Deno.pid,
    command: "test",
    since: "",
  });
  assert.ok(lock);
  assert.equal(cache.add([rowOf(0)]), false);
  assert.equal(Deno.statSync(pathOf(t)).size, headBytes);
});

const erasures = { "forget --now": ["forget", "H-0", "--now"], purge: ["purge", "text 0"] };

for (const [name, words] of Object.entries(erasures)) {
  Deno.test(`${name} removes the vectors, and one of a text that was read before does not come back`, async () => {
    await using t = await tempStore({ entries: [{ id: "H-0", text: "text 0" }, "other"] });
    using cache = openCache(t);
    cache.refresh();
    cache.add([rowOf(0)]);
    const { code, stderr } = await t.ctx([...words, "--yes"]);
    assert.equal(code, 0, stderr);
    assert.throws(() => Deno.statSync(pathOf(t)), Deno.errors.NotFound);
    assert.equal(cache.add([rowOf(0)]), true, "dropped, not to be tried again");
    assert.throws(() => Deno.statSync(pathOf(t)), Deno.errors.NotFound);
    assert.equal(cache.refresh(), true);
    assert.equal(cache.has(rowOf(0)), false);
  });
}

Deno.test("gc keeps the cache where nothing was forgotten", async () => {
  await using t = await tempStore({ entries: ["one"] });
  using cache = openCache(t);
  cache.refresh();
  cache.add([rowOf(0)]);
  const { code, stderr } = await t.ctx(["gc", "--yes"]);
  assert.equal(code, 0, stderr);
  assert.equal(Deno.statSync(pathOf(t)).size, headBytes + recordBytes);
});
