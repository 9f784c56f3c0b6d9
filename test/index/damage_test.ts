// A damaged, foreign or newer index never gives a wrong answer: it is noticed, named and rebuilt.

import assert from "node:assert/strict";
import { makeRandom } from "../../bench/support/generate.ts";
import { catchUp } from "../../src/index/catch_up.ts";
import type { Embedder } from "../../src/index/vectors/embedder.ts";
import { reindex } from "../../src/index/reindex_store.ts";
import { search } from "../../src/search/run_search.ts";
import { closeIndex } from "../../src/search/use_index.ts";
import { runsOf } from "../support/full_length.ts";
import { tempStore } from "../support/stores/temp_store.ts";
import { request, type RowDraft, SearchStore } from "../support/stores/search_store.ts";
import { fromFileUrl } from "../../src/core/platform_path.ts";

const words = ["auth", "token", "cache", "deploy", "retry", "queue", "日本", "userStore", "index"];

/** Small vectors that depend on the words of a text. */
const embedder: Embedder = {
  name: "test",
  dimensions: 32,
  fingerprint: "test32",
  isLocal: true,
  embed: (texts) =>
    Promise.resolve(texts.map((text) => {
      const vector = new Float32Array(32);
      words.forEach((word, i) => vector[i] = text.split(word).length - 1);
      const norm = Math.hypot(...vector);
      return vector.map((value) => norm === 0 ? 0 : value / norm);
    })),
};

function makeRows(count: number): RowDraft[] {
  const random = makeRandom(9);
  return Array.from({ length: count }, (_, i) => ({
    id: `H-${i}`,
    ts: new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString(),
    role: i % 3 === 0 ? "user" : "assistant",
    session_id: `S-${i % 7}`,
    text: Array.from({ length: 12 }, () => words[Math.floor(random() * words.length)]).join(" "),
  }));
}

const queries = ["auth token", "role:user 日本", "zebra"];

/** The answers to the queries, and what was warned of meanwhile. */
async function ask(t: SearchStore, mode: "auto" | "lexical"): Promise<[string, string[]]> {
  const warnings: string[] = [];
  const answers = [];
  for (const query of queries) {
    const answer = await search(t.store, request(query, { mode, k: 10 }), {
      embedder,
      warn: (message) => warnings.push(message),
    });
    const { rows, total, branch } = answer;
    answers.push({ rows, total, branch });
  }
  closeIndex(t.store);
  // Rows name their project, which is the workspace: those of two stores are to be compared.
  return [JSON.stringify(answers).replaceAll(t.workspace, "/work"), warnings];
}

/** Ways to break a file. */
const breakers: ((bytes: Uint8Array, random: () => number) => Uint8Array)[] = [
  (bytes, random) => {
    const at = Math.floor(random() * bytes.length);
    return bytes.with(at, bytes[at] ^ (1 << Math.floor(random() * 8)));
  },
  (bytes, random) => bytes.slice(0, Math.floor(random() * bytes.length)),
  (bytes, random) => {
    const at = Math.floor(random() * bytes.length);
    return Uint8Array.from(bytes).fill(0, at, at + 1 + Math.floor(random() * 4096));
  },
  (bytes, random) => Uint8Array.from([...bytes, ...bytes.slice(0, Math.floor(random() * 64) + 1)]),
  (bytes, random) => Uint8Array.from(bytes, () => Math.floor(random() * 256)),
  () => new Uint8Array(0),
];

const corruptions = runsOf(1000);

Deno.test(`${corruptions} random corruptions of index files never change an answer unnoticed`, async () => {
  await using t = new SearchStore([]);
  const rows = makeRows(150);
  for (let i = 0; i < rows.length; i += 50) {
    t.append("history.ndjson", rows.slice(i, i + 50));
    await catchUp(t.store, { sealBytes: 1, embedder });
  }
  t.append("history.ndjson", [{ id: "H-tail", text: "auth cache deploy" }]);
  const directory = `${t.workspace}/.contextfs/index`;
  const names = [...Deno.readDirSync(directory)].map(({ name }) => name).sort();
  assert.equal(names.length, 7);
  const [hybrid, none] = await ask(t, "auto");
  assert.deepEqual(none, []);
  assert.match(hybrid, /"branch":"hybrid"/);
  const [lexical] = await ask(t, "lexical");
  const random = makeRandom(21);
  for (let round = 0; round < corruptions; round++) {
    const path: string = `${directory}/${names[Math.floor(random() * names.length)]}`;
    const sound: Uint8Array<ArrayBuffer> = Deno.readFileSync(path);
    const broken = breakers[round % breakers.length](sound, random);
    const removed = random() < 0.05;
    if (removed) Deno.removeSync(path);
    else Deno.writeFileSync(path, broken);
    const [answers, warnings] = await ask(t, "auto");
    // Without its manifest there is no index, which is nothing to warn of.
    if (removed && path.endsWith("manifest.json")) assert.equal(answers, lexical);
    else if (warnings.length === 0) assert.equal(answers, hybrid, `round ${round}, ${path}`);
    else assert.ok(isMixOf(answers, [hybrid, lexical]), `round ${round}, ${path}`);
    Deno.writeFileSync(path, sound);
  }
});

/** Some queries may not touch the damage: those are answered from the index, the others without it. */
function isMixOf(answers: string, wanted: string[]): boolean {
  const lists = [answers, ...wanted].map((text) => JSON.parse(text) as unknown[]);
  return lists[0].every((answer, i) =>
    lists.slice(1).some((list) => JSON.stringify(list[i]) === JSON.stringify(answer))
  );
}

Deno.test("a damaged index is rebuilt by the next reindex", async () => {
  await using t = new SearchStore(makeRows(60));
  await catchUp(t.store, { sealBytes: 1 });
  const [before] = await ask(t, "lexical");
  const directory = `${t.workspace}/.contextfs/index`;
  for (const { name } of Deno.readDirSync(directory)) {
    if (name.endsWith(".seg")) Deno.writeTextFileSync(`${directory}/${name}`, "broken");
  }
  const warnings: string[] = [];
  await reindex(t.store, { warn: (message) => warnings.push(message) });
  assert.match(warnings.join(), /the index was rebuilt/);
  assert.deepEqual(await ask(t, "lexical"), [before, []]);
});

Deno.test("an index of a newer ctx is bypassed with a warning and left alone", async () => {
  await using t = new SearchStore(makeRows(60));
  const [expected] = await ask(t, "lexical");
  await catchUp(t.store, { sealBytes: 1 });
  const path = `${t.workspace}/.contextfs/index/manifest.json`;
  const { checksum } = await import("../../src/core/checksum.ts");
  const { manifest } = JSON.parse(Deno.readTextFileSync(path));
  const body = JSON.stringify({ ...manifest, version: 99 });
  const sum = checksum(new TextEncoder().encode(body));
  const text = `{"checksum":${sum},"manifest":${body}}\n`;
  Deno.writeTextFileSync(path, text);
  const [answers, warnings] = await ask(t, "lexical");
  assert.equal(answers, expected);
  assert.match(warnings[0], /newer version of ctx/);
  await catchUp(t.store, { sealBytes: 1 });
  assert.equal(Deno.readTextFileSync(path), text);
});

Deno.test("a log that was rewritten under the index is noticed", async () => {
  await using t = new SearchStore(makeRows(60));
  await catchUp(t.store, { sealBytes: 1 });
  const path = `${t.workspace}/.contextfs/history.ndjson`;
  const lines = Deno.readTextFileSync(path).split("\n");
  lines.splice(10, 1);
  Deno.writeTextFileSync(path, lines.join("\n"));
  const [answers, warnings] = await ask(t, "lexical");
  assert.match(warnings.join(), /rewritten/);
  await using fresh = new SearchStore([]);
  Deno.writeTextFileSync(`${fresh.workspace}/.contextfs/history.ndjson`, lines.join("\n"));
  assert.equal(answers, (await ask(fresh, "lexical"))[0]);
  await catchUp(t.store, { sealBytes: 1 });
  assert.deepEqual(await ask(t, "lexical"), [answers, []]);
});

Deno.test("processes that search and index at once agree", async () => {
  await using t = new SearchStore(makeRows(100));
  const source = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  const code = `
    import { catchUp } from ${source("../../src/index/catch_up.ts")};
    import { search } from ${source("../../src/search/run_search.ts")};
    import { diskFiles } from ${source("../../src/disk/files.ts")};
    import { Store } from ${source("../../src/store/store.ts")};
    const workspace = ${JSON.stringify(t.workspace)};
    const store = new Store({ workspace, files: diskFiles, now: Date.now, random: () => "", warn() {} });
    const path = workspace + "/.contextfs/history.ndjson";
    for (let i = 0; i < 15; i++) {
      const row = { id: "H-p" + Deno.pid + "-" + i, ts: "2026-02-01T00:00:00.000Z", role: "note", type: "note", text: "auth parallel" };
      Deno.writeTextFileSync(path, JSON.stringify(row) + "\\n", { append: true });
      await catchUp(store, { sealBytes: 1 });
      const answer = await search(store, { query: "parallel", k: 50, offset: 0, scope: "all", mode: "auto" });
      if (!answer.rows.some(({ id }) => id === row.id)) throw new Error("not found: " + row.id);
    }`;
  const url = `data:application/typescript,${encodeURIComponent(code)}`;
  const config = fromFileUrl(new URL("../../deno.json", import.meta.url));
  const args = ["run", "-A", "--config", config, url];
  const runs = Array.from(
    { length: 3 },
    () => new Deno.Command(Deno.execPath(), { args, stderr: "piped" }).output(),
  );
  for (const { success, stderr } of await Promise.all(runs)) {
    assert.ok(success, new TextDecoder().decode(stderr));
  }
  await reindex(t.store);
  const answer = await search(t.store, request("parallel", { k: 50 }));
  assert.equal(answer.total, 45);
  closeIndex(t.store);
});

Deno.test("a file in the place of index/ is reported, refused by name and searched without", async () => {
  await using t = await tempStore({ entries: ["rotate the tokens"] });
  t.write("index", "not a directory");
  const found = await t.ctx(["search", "tokens", "--json"]);
  assert.deepEqual([found.code, JSON.parse(found.stdout).total], [0, 1]);
  const exam = await t.ctx(["doctor"]);
  assert.match(exam.stdout, /warning .*index is a file, not a directory: move ".*\/index" away/);
  const reindexed = await t.ctx(["reindex"]);
  assert.deepEqual([reindexed.code, reindexed.stderr], [
    5,
    `ctx: Cannot write "${t.path("index")}": there is a file where a directory should be\n` +
    `hint: move the file away, then run the same command again\n`,
  ]);
  assert.equal(t.read("index"), "not a directory");
});
