import assert from "node:assert/strict";
import { type TempStore, tempStore } from "../support/temp_store.ts";

interface Exam {
  healthy: boolean;
  fixed: string[];
  checks: { name: string; invariant?: number; status: string; detail: string }[];
}

async function checkOf(t: TempStore, name: string, options = {}): Promise<Exam["checks"][number]> {
  const { checks } = await t.run<Exam>("doctor", {}, options);
  const found = checks.find((check) => check.name === name);
  assert.ok(found, `no check ${name}`);
  return found;
}

Deno.test("doctor looks at every invariant that a store at rest can show", async () => {
  await using t = await tempStore({ entries: ["one"] });
  const { checks } = await t.run<Exam>("doctor");
  const numbers = new Set(checks.flatMap((check) => check.invariant ?? []));
  assert.deepEqual([...numbers].sort((a, b) => a - b), [3, 4, 5, 6, 7, 8, 9, 10]);
});

Deno.test("doctor names programs called ctx on the PATH when there is more than one", async () => {
  await using t = await tempStore();
  for (const name of ["bin1", "bin2"]) {
    await Deno.mkdir(`${t.workspace}/${name}`);
    await Deno.writeTextFile(`${t.workspace}/${name}/ctx`, "");
  }
  const path = `${t.workspace}/bin1:/nowhere:${t.workspace}/bin2`;
  const env = (name: string) => name === "PATH" ? path : undefined;
  const clash = await checkOf(t, "path", { env });
  assert.deepEqual([clash.status, clash.detail], [
    "warning",
    `2 programs named ctx are on the PATH, the first one runs: ${t.workspace}/bin1/ctx, ${t.workspace}/bin2/ctx`,
  ]);
});

Deno.test("doctor tells a compact that was interrupted from damage, and --fix finishes it", async () => {
  await using t = await tempStore({ entries: ["one", "two"] });
  t.write("move.json", '{"version":1,"archive_bytes":0}');
  t.write("history.archive.ndjson", t.read("history.ndjson").split("\n")[0] + "\n");
  const pools = await checkOf(t, "pools");
  assert.deepEqual([pools.status, pools.invariant], ["warning", 4]);
  await t.run("doctor", { fix: true });
  assert.deepEqual(await t.ailments(), []);
  assert.deepEqual(t.ids(), ["H-H1", "H-H2"]);
});

Deno.test("doctor says that an id is in both pools, and --fix keeps one copy", async () => {
  await using t = await tempStore({ entries: ["one", "two"] });
  t.write("history.archive.ndjson", t.read("history.ndjson").split("\n")[0] + "\n");
  const { healthy } = await t.run<Exam>("doctor");
  assert.equal(healthy, false);
  await t.run("doctor", { fix: true });
  assert.deepEqual(await t.ailments(), []);
  assert.deepEqual(t.ids(), ["H-H1", "H-H2"]);
});

Deno.test("doctor says when an index has no readable manifest", async () => {
  await using t = await tempStore({ entries: ["one"] });
  await Deno.mkdir(t.path("index"));
  t.write("index/s1.seg", "x");
  assert.equal((await checkOf(t, "index")).status, "warning");
  await t.run("doctor", { fix: true });
  assert.equal((await checkOf(t, "index")).status, "ok");
});

Deno.test("doctor points at entries that still hold what looks like a secret", async () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  await using t = await tempStore({ entries: [{ id: "H-1", text: `token ${token}` }] });
  const { status, detail, invariant } = await checkOf(t, "secrets");
  assert.deepEqual([status, invariant], ["warning", 9]);
  assert.ok(detail.includes("H-1") && !detail.includes(token));
});
