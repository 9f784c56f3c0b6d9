// Derived data with flipped, cut and overwritten bytes: the same answer as before, a warning, and
// whole files afterwards. Never a wrong item, never a failure.

import assert from "node:assert/strict";
import { seededRandom } from "../../../../bench/seeded_random.ts";
import { git, projectFiles, tempProject, writeSources } from "../../../support/suggest_project.ts";
import { type TempStore, testNow } from "../../../support/temp_store.ts";

const service = "src/auth/token_service.ts";
const tables = ["graph.bin", "graph.delta.json"];

Deno.test("no damage of derived data changes an answer; what is damaged is built anew", async () => {
  await using t = await makeProject();
  const good = await answer(t);
  assert.deepEqual(good.types, ["change", "decision", "doc", "related_code", "warning"]);
  const random = seededRandom(9);
  const counts = new Map(tables.map((name) => [name, { damaged: 0, noticed: 0 }]));
  for (let n = 0; n < 160; n++) {
    const name = tables[n % tables.length];
    const path = `${t.root}/index/${name}`;
    // A delta goes away with the table it belongs to; it is made again.
    if (name === "graph.delta.json" && !exists(path)) await makeDelta(t, n);
    const before = Deno.readFileSync(path);
    damage(path, before, random);
    const { items, notes } = await answer(t);
    assert.deepEqual(items, good.items, `${name}, round ${n}`);
    const count = counts.get(name)!;
    count.damaged++;
    if (notes.includes(`${name} was damaged and has been rebuilt \(it is derived data\)`)) {
      count.noticed++;
    }
  }
  for (const [name, { damaged, noticed }] of counts) {
    assert.ok(noticed > damaged / 4, `${name}: ${noticed} of ${damaged} noticed`);
  }
});

Deno.test("a flipped byte anywhere in the graph is noticed by who reads it all", async () => {
  await using t = await makeProject();
  const path = `${t.root}/index/graph.bin`;
  const whole = Deno.readFileSync(path);
  const { openTable } = await import("../../../../src/recall/edit/tables/record_table.ts");
  const { diskFiles } = await import("../../../../src/disk/files.ts");
  const { TableDamage } = await import("../../../../src/recall/edit/tables/table_damage.ts");
  const readEverything = (): unknown[] => {
    using table = openTable(diskFiles, path)!;
    return [table.readMeta(), table.find("none"), ...table.readAll()];
  };
  const good = readEverything();
  for (let at = 0; at < whole.length; at += 97) {
    const bytes = whole.slice();
    bytes[at] ^= 1 << (at % 8);
    Deno.writeFileSync(path, bytes);
    assert.throws(readEverything, TableDamage, `byte ${at}`);
  }
  Deno.writeFileSync(path, whole);
  assert.deepEqual(readEverything(), good);
});

Deno.test("hook pre-edit and the log's fold survive damage; the hook says nothing", async () => {
  await using t = await makeProject();
  const payload = JSON.stringify({ session_id: "s", tool_input: { file_path: service } });
  const path = `${t.root}/index/graph.bin`;
  const bytes = Deno.readFileSync(path);
  bytes[40] ^= 255;
  Deno.writeFileSync(path, bytes);
  t.write("index/suggest.memory.json", "00000000\n{}");
  const hook = await t.ctx(["hook", "pre-edit"], { stdin: payload });
  assert.deepEqual([hook.code, hook.stdout, hook.stderr], [0, "", ""]);
  const asked = await t.ctx(["suggest", service, "--repeat"]);
  assert.match(asked.stderr, /graph\.bin was damaged/);
  const again = await t.ctx(["hook", "pre-edit"], { stdin: payload });
  assert.match(again.stdout, /ctx-suggestions/);
});

Deno.test("watch takes a damaged snapshot and graph in its stride", async () => {
  await using t = await makeProject();
  const { id } = await t.run("subscribe", { patterns: [`file:${service}`], min_score: 0 }) as {
    id: string;
  };
  await t.ctx(["watch", "--once"]);
  for (const path of [`${t.root}/watch.json`, `${t.root}/index/graph.bin`]) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const bytes = Deno.readFileSync(path);
    bytes[bytes.length >> 1] ^= 4;
    Deno.writeFileSync(path, bytes);
    writeSources(t, { [service]: `${projectFiles[service]}// ${name}\n` });
    const { code, stderr, stdout } = await t.ctx(["watch", "--once"]);
    assert.equal(code, 0, stderr);
    assert.match(stdout + stderr, new RegExp(`${name} was damaged`));
  }
  const { deliveries } = await t.run("poll", { subscription: id }) as { deliveries: unknown[] };
  assert.ok(deliveries.length > 0);
});

async function makeProject(): Promise<TempStore> {
  const t = await tempProject({
    entries: [
      { id: "H-dec", type: "decision", text: "Rotate on every use", files: [service] },
      { id: "H-doc", type: "doc", title: "Tokens", text: "Call `rotateToken` from a route." },
    ],
  });
  await git(t.workspace, ["init", "-q"]);
  await git(t.workspace, ["add", "src", "test"]);
  const now = new Date(testNow - 3_600_000).toISOString();
  await git(t.workspace, ["commit", "-qm", "Start"], now);
  writeSources(t, {
    "src/auth/token_routes.ts": `${projectFiles["src/auth/token_routes.ts"]}//\n`,
  });
  await git(t.workspace, ["commit", "-qam", "Repair the routes"], now);
  await answer(t);
  await makeDelta(t, -1);
  return t;
}

/** A change of one known file becomes a delta. */
async function makeDelta(t: TempStore, n: number): Promise<void> {
  writeSources(t, { "src/paint/brush.ts": `export function dipBrush(): void {}\n// ${n}\n` });
  await answer(t);
}

async function answer(
  t: TempStore,
): Promise<{ items: unknown[]; types: string[]; notes: string[] }> {
  const { suggestions, notes } = await t.run("suggest", {
    file: service,
    repeat: true,
    limit: 50,
    min_score: 0,
  }) as { suggestions: Record<string, unknown>[]; notes: string[] };
  const items = suggestions.map(({ type, title, relevance_score }) => [
    type,
    title,
    relevance_score,
  ]);
  return { items, types: [...new Set(suggestions.map((item) => String(item.type)))].sort(), notes };
}

/** Flips a bit, overwrites a run, cuts the end, or appends. */
function damage(path: string, before: Uint8Array, random: () => number): void {
  const at = Math.floor(random() * before.length);
  const bytes = before.slice();
  const dice = random();
  if (dice < 0.55) bytes[at] ^= 1 << Math.floor(random() * 8);
  else if (dice < 0.75) bytes.fill(Math.floor(random() * 256), at, at + 16);
  else if (dice < 0.9) return Deno.writeFileSync(path, bytes.subarray(0, at));
  else return Deno.writeFileSync(path, bytes, { append: true });
  Deno.writeFileSync(path, bytes);
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
