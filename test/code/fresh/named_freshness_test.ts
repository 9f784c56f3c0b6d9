// What was saved outside of any session and speaks of code by itself: by lines that it quotes, by files
// that it names.

import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { TempRepository } from "../../support/temp_repository.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";
import { hasLinks } from "../../support/not_on_windows.ts";

const code = `export function wait(tries) {
  const capped = Math.min(tries, 6);
  const jitter = Math.random() * 250;
  return 2 ** capped * 1000 + jitter;
}`;
const jitter = "  const jitter = Math.random() * 250;\n";
const rewritten = "export const waits = [1, 2, 4, 8];\n";
const wait = "src/wait.js";
const quoted = `We wait in src/wait.js:12 like this:\n\n\`\`\`js\n${code}\n\`\`\`\n`;
/** After the first commit of a test and before the second. */
const saved = "2026-01-01T00:03:30.000Z";

interface Row {
  id: string;
  freshness?: string;
  changed?: {
    path?: string;
    commit?: string;
    since?: string;
    confirmed?: string;
    lines?: number;
    of?: number;
    says?: string;
  };
}

async function makeStore(...entries: (Partial<Entry> | string)[]): Promise<TempStore> {
  return await tempStore({
    entries: entries.map((one) => ({
      ts: saved,
      ...(typeof one === "string" ? { text: one } : one),
    })),
  });
}

/** A store in a repository, with the code in one commit. */
async function makeRepository(t: TempStore): Promise<TempRepository> {
  const repository = new TempRepository(t.workspace);
  await repository.git("init", "-q", "-b", "main");
  write(t, ".gitignore", ".contextfs\n");
  await repository.commit("Start", { [wait]: `${code}\n`, "src/other.js": "other();\n" });
  return repository;
}

function write(t: TempStore, path: string, text: string): void {
  const whole = `${t.workspace}/${path}`;
  Deno.mkdirSync(whole.slice(0, whole.lastIndexOf("/")), { recursive: true });
  Deno.writeTextFileSync(whole, text);
}

async function get(t: TempStore, id = "H-H1"): Promise<Row> {
  return (await t.run<{ results: Row[] }>("get", { ids: [id] })).results[0];
}

async function stale(t: TempStore): Promise<string[]> {
  return (await t.run<{ results: Row[] }>("stale")).results.map(({ id }) => id);
}

Deno.test("lines that a note quotes are judged as if an edit had written them", async () => {
  await using t = await makeStore(quoted, `${quoted}See \`src/other.js\`, too`);
  const repository = await makeRepository(t);
  assert.equal((await get(t)).freshness, "fresh");
  assert.deepEqual(await stale(t), []);
  write(t, wait, code.replaceAll(";", "").replaceAll("  ", "\t"));
  assert.equal((await get(t)).freshness, "fresh", "a formatter changes nothing");
  write(t, wait, code.replace(jitter, ""));
  const { freshness, changed } = await get(t);
  assert.deepEqual([freshness, changed?.lines, changed?.of], ["drifted", 1, 4], "not committed");
  const commit = await repository.commit("Rewrite", { [wait]: rewritten });
  const gone = await get(t);
  assert.deepEqual([gone.freshness, gone.changed?.commit], ["gone", commit]);
  assert.match(gone.changed?.says ?? "", /^code gone: 4 of 4 lines, mostly in src/);
  assert.deepEqual((await stale(t)).toSorted(), ["H-H1", "H-H2"]);
  const { results: [row] } = await t.run<{ results: Row[] }>("search", { query: "wait" });
  assert.deepEqual([row.freshness, row.changed?.commit], ["gone", commit]);
  Deno.removeSync(`${t.workspace}/src/other.js`);
  const both = await get(t, "H-H2");
  assert.deepEqual([both.freshness, both.changed?.of], ["gone", 4], "lines tell more than a file");
  write(t, wait, code);
  const part = await get(t, "H-H2");
  assert.deepEqual([part.freshness, part.changed?.path], ["drifted", "src/other.js"]);
});

Deno.test("a quote in a file that was renamed is followed, in one that is gone it is gone", async () => {
  await using t = await makeStore(quoted);
  const repository = await makeRepository(t);
  await repository.git("mv", wait, "src/backoff.js");
  await repository.commit("A better name");
  assert.equal((await get(t)).freshness, "fresh");
  Deno.removeSync(`${t.workspace}/src/backoff.js`);
  await repository.commit("Away with it");
  assert.equal((await get(t)).freshness, "gone");
});

Deno.test("lines that never were in the file are a plan or a command: nothing is told", async () => {
  const block = (text: string): string => `For \`src/wait.js\`:\n\`\`\`\n${text}\n\`\`\``;
  await using t = await makeStore(
    block("npm run rebuild -- --watch"),
    block(code.replace("250", "500").replace("6)", "9)")),
    block(code.replace("250", "500")),
    { text: quoted, ts: "2026-01-01T00:30:00.000Z" },
    "Like this:\n```\nconst capped = Math.min(tries, 6);\n```",
  );
  const repository = await makeRepository(t);
  const states = async () =>
    await Promise.all([1, 2, 3].map(async (n) => (await get(t, `H-H${n}`)).freshness));
  assert.deepEqual(await states(), [undefined, undefined, undefined]);
  await repository.commit("No jitter", { [wait]: `${code.replace(jitter, "")}\n` });
  assert.deepEqual(await states(), [undefined, undefined, undefined]);
  await repository.commit("Rewrite", { [wait]: rewritten });
  assert.deepEqual(await states(), [undefined, "gone", "gone"], "of what was there all went");
  assert.equal((await get(t, "H-H3")).changed?.of, 3, "the line that never was does not count");
  assert.equal((await get(t, "H-H4")).freshness, undefined, "it had changed before it was saved");
  assert.equal((await get(t, "H-H5")).freshness, undefined, "no file is named");
});

Deno.test("without git a quote is judged while most of it is in the file", async () => {
  await using t = await makeStore(quoted);
  write(t, wait, code);
  assert.equal((await get(t)).freshness, "fresh");
  write(t, wait, code.replace(jitter, ""));
  assert.equal((await get(t)).freshness, "drifted");
  write(t, wait, `export function wait(tries) {\n  return tries;\n}`);
  assert.equal((await get(t)).freshness, undefined);
  Deno.removeSync(`${t.workspace}/${wait}`);
  assert.equal((await get(t)).freshness, undefined);
});

Deno.test("a decision saved with a file is stale once a good part of the file changed", async () => {
  await using t = await makeStore(
    { text: "Retries wait longer each time", type: "decision", files: [wait] },
    { text: "`src/wait.js` only stands in the text", type: "decision" },
    { text: "Said before the file was there", files: [wait], ts: "2025-12-30T00:00:10.000Z" },
  );
  const repository = await makeRepository(t);
  repository.wait(13);
  assert.deepEqual([await stale(t), (await get(t)).freshness], [[], undefined]);
  const long = Array.from({ length: 30 }, (_, i) => `export const step${i} = "step ${i}";`);
  await repository.commit("Add steps", { [wait]: `${code}\n${long.join("\n")}\n` });
  assert.deepEqual(await stale(t), [], "nothing went");
  const commit = await repository.commit("No jitter", { [wait]: code.replace(jitter, "") });
  assert.deepEqual(await stale(t), ["H-H1"]);
  const { freshness, changed } = await get(t);
  assert.deepEqual(
    [freshness, changed?.path, changed?.lines, changed?.of, changed?.commit],
    ["drifted", wait, 1, 4, commit],
  );
  const saved = await t.run<{ id: string }>("confirm", { id: "H-H1" });
  assert.deepEqual(await stale(t), [], `confirmed by ${saved.id}`);
  await repository.commit("Rewrite", { [wait]: rewritten });
  assert.deepEqual(await stale(t), ["H-H1"]);
});

Deno.test("a decision saved before its own edit was committed is not stale", async () => {
  const newFile = "src/new.js";
  await using t = await makeStore(
    { text: "Wait by a table", type: "decision", files: [wait] },
    { text: "A file of its own", type: "decision", files: [newFile] },
  );
  const repository = await makeRepository(t);
  await repository.commit("Wait by a table", { [wait]: rewritten, [newFile]: code });
  assert.deepEqual(await stale(t), []);
  await repository.commit("Back", { [wait]: code, [newFile]: rewritten });
  assert.deepEqual((await stale(t)).toSorted(), ["H-H1", "H-H2"], "the next change counts");
});

Deno.test("a file last written before the decision was saved is what the decision is about", async () => {
  await using t = await makeStore(
    { text: "Wait by a table", type: "decision", files: [wait] },
    { text: "Confirmed", type: "decision", files: [wait] },
  );
  const repository = await makeRepository(t);
  write(t, wait, rewritten);
  const before = new Date(Date.parse(saved) - 1000);
  Deno.utimeSync(`${t.workspace}/${wait}`, before, before);
  assert.deepEqual(await stale(t), [], "not committed");
  await t.run("confirm", { id: "H-H2" });
  repository.wait(24);
  await repository.commit("Wait by a table");
  assert.deepEqual(await stale(t), [], "committed a day later");
  write(t, wait, code);
  assert.ok((await stale(t)).includes("H-H2"), "what was confirmed changed");
});

Deno.test("a file that a note names and that git knew is gone, with the commit", async () => {
  await using t = await makeStore(
    { text: "Waiting is exponential", type: "decision", files: [wait] },
    "See `src/wait.js:3` for how we wait",
    "See `src/wait.js` and `src/other.js`",
    "See `src/never.js`, src/wait.js and `wait.js`",
    { text: "See `src/wait.js`, which is gone", ts: "2026-01-01T00:30:00.000Z" },
    { text: "We like `src/wait.js`", type: "preference" },
  );
  const repository = await makeRepository(t);
  const all = async () =>
    await Promise.all([1, 2, 3, 4, 5, 6].map(async (n) => (await get(t, `H-H${n}`)).freshness));
  assert.deepEqual(await all(), Array(6).fill(undefined), "a file that is there says nothing");
  Deno.removeSync(`${t.workspace}/${wait}`);
  assert.deepEqual((await all()).slice(0, 4), ["gone", "gone", "drifted", undefined]);
  const commit = await repository.commit("Away with it");
  assert.deepEqual(await all(), ["gone", "gone", "drifted", undefined, undefined, undefined]);
  await t.run("reindex");
  assert.deepEqual(await all(), ["gone", "gone", "drifted", undefined, undefined, undefined]);
  const { changed } = await get(t);
  const day = changed?.since?.slice(0, 10);
  assert.deepEqual([changed?.path, changed?.commit, day], [wait, commit, "2026-01-01"]);
  assert.equal(
    changed?.says,
    `code gone: src/wait.js no longer exists, since 2026-01-01 (commit ${commit.slice(0, 9)})`,
  );
  assert.deepEqual((await stale(t)).toSorted(), ["H-H1", "H-H2", "H-H3"]);
  const ids = async (fresh: boolean) =>
    (await t.run<{ results: Row[] }>("search", { query: "wait", fresh })).results
      .map(({ id }) => id).toSorted();
  assert.ok((await ids(false)).includes("H-H2"));
  assert.ok(!(await ids(true)).includes("H-H2") && (await ids(true)).includes("H-H4"));
});

Deno.test("--fresh leaves out notes that are not on the page, too", async () => {
  await using t = await makeStore("Wait, wait, wait", "Then wait as in `src/wait.js`");
  await makeRepository(t);
  Deno.removeSync(`${t.workspace}/${wait}`);
  const find = async (fresh: boolean) =>
    await t.run<{ results: Row[]; total: number }>("search", { query: "wait", k: 1, fresh });
  assert.deepEqual((await find(false)).results.map(({ id }) => id), ["H-H1"]);
  assert.deepEqual([(await find(false)).total, (await find(true)).total], [2, 1]);
});

Deno.test("a file that was renamed, moved or not checked out is not gone", async () => {
  await using t = await makeStore("See `src/wait.js`");
  const repository = await makeRepository(t);
  await repository.git("mv", wait, "src/backoff.js");
  assert.equal((await get(t)).freshness, undefined, "not committed");
  await repository.git("mv", "src/backoff.js", "wait.js");
  write(t, "wait.js", rewritten);
  await repository.git("add", "-A");
  assert.equal((await get(t)).freshness, undefined, "changed on the way");
  await repository.git("reset", "-q", "--hard");
  await repository.git("mv", wait, "src/backoff.js");
  await repository.commit("A better name");
  assert.equal((await get(t)).freshness, undefined);
  Deno.removeSync(`${t.workspace}/src/backoff.js`);
  const gone = await get(t);
  assert.deepEqual([gone.freshness, gone.changed?.path], ["gone", wait]);
  write(t, ".git/info/sparse-checkout", "docs\n");
  assert.equal((await get(t)).freshness, undefined);
});

Deno.test("a directory that is gone says nothing", async () => {
  await using t = await makeStore({ text: "All of it", files: ["src"] });
  const repository = await makeRepository(t);
  Deno.removeSync(`${t.workspace}/src`, { recursive: true });
  assert.equal((await get(t)).freshness, undefined);
  await repository.commit("Away with it");
  assert.equal((await get(t)).freshness, undefined);
});

Deno.test("a note that was confirmed tells what changes from then on", async () => {
  await using t = await makeStore("See `src/wait.js` and `src/other.js`", quoted);
  const repository = await makeRepository(t);
  await repository.commit("No jitter", { [wait]: `${code.replace(jitter, "")}\n` });
  const at = { now: () => Date.parse("2026-01-01T00:06:30.000Z") };
  await t.run("confirm", { id: "H-H1" }, at);
  await t.run("confirm", { id: "H-H2" }, at);
  assert.equal((await get(t, "H-H2")).freshness, "fresh");
  assert.equal((await get(t)).freshness, "fresh");
  Deno.removeSync(`${t.workspace}/${wait}`);
  const commit = await repository.commit("Away with it");
  const { freshness, changed } = await get(t);
  assert.deepEqual([freshness, changed?.path, changed?.commit], ["drifted", wait, commit]);
  assert.equal(changed?.confirmed, "2026-01-01T00:06:30.000Z");
  assert.equal((await get(t, "H-H2")).freshness, "gone");
  await t.run("confirm", { id: "H-H1" });
  assert.equal((await get(t)).freshness, "fresh");
});

Deno.test("nothing outside of the workspace is looked at, and no link or pipe is read", async () => {
  const block = (name: string): string => `In ${name}:\n\`\`\`\n${code}\n\`\`\``;
  await using other = await tempStore();
  write(other, wait, code);
  await using t = await makeStore(
    block(`${other.workspace}/${wait}`),
    block(`../${other.workspace.slice(other.workspace.lastIndexOf("/") + 1)}/${wait}`),
    block("src/link.js"),
    block("src/pipe.js"),
    block("out/src/wait.js"),
    block(".contextfs/notes.js"),
  );
  write(t, "src/target.js", code);
  write(t, ".contextfs/notes.js", code);
  if (hasLinks) {
    Deno.symlinkSync("target.js", `${t.workspace}/src/link.js`);
    Deno.symlinkSync(other.workspace, `${t.workspace}/out`);
    const args = [`${t.workspace}/src/pipe.js`];
    assert.ok((await new Deno.Command("mkfifo", { args }).output()).success);
  }
  const ids = Array.from({ length: 6 }, (_, i) => `H-H${i + 1}`);
  const { results } = await t.run<{ results: Row[] }>("get", { ids });
  assert.deepEqual(results.map(({ freshness }) => freshness), Array(6).fill(undefined));
});

Deno.test("many names that nobody knows cost a bounded look at git", async () => {
  const unknown = Array.from({ length: 6 }, (_, i) => ({
    text: "Nothing",
    files: Array.from({ length: 12 }, (_, j) => `src/no${i}_${j}.js`),
  }));
  await using t = await makeStore(...unknown, "See `src/wait.js`");
  const repository = await makeRepository(t);
  Deno.removeSync(`${t.workspace}/${wait}`);
  await repository.commit("Away with it");
  const last = async (ids: string[]) =>
    (await t.run<{ results: Row[] }>("get", { ids })).results.at(-1)?.freshness;
  const all = Array.from({ length: 7 }, (_, i) => `H-H${i + 1}`);
  assert.deepEqual([await last(all.slice(1)), await last(all)], ["gone", undefined]);
  await t.run("reindex");
  assert.equal(await last(all), "gone", "the kept history is asked however often");
});
