// ctx as a library: every command is a method with its command's types, results and errors.

import assert from "node:assert/strict";
import { CtxError, type ErrorCode, type Library, open } from "../../mod.ts";
import { commandNames, toMethodName } from "../../src/commands/mod.ts";
import type { search } from "../../src/commands/retrieval/search.ts";
import type { ResultOf } from "../../src/command/command.ts";
import { encode } from "../../src/command/execute.ts";
import { toFileUrl } from "../../src/core/platform_path.ts";
import { repository } from "../support/repository.ts";
import { denoEnv, runProcess } from "../support/processes/run_ctx.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

const env = (): undefined => undefined;

Deno.test("open() saves, finds, reads, shows around, pins and forgets", async () => {
  await using t = await tempStore({ init: false });
  using memory = open(t.workspace, { env });
  assert.equal((await memory.init()).created, true);
  const { session_id } = await memory.sessionStart({ title: "Tokens" });
  const { id } = await memory.save({ text: "We rotate refresh tokens", type: "decision" });
  await memory.save({ text: "And revoke the family" });
  const found: ResultOf<typeof search> = await memory.search({ query: "token rotation", k: 1 });
  assert.deepEqual(found.results.map((row) => [row.id, row.type]), [[id, "decision"]]);
  assert.equal((await memory.get({ ids: [id] })).results[0].text, "We rotate refresh tokens");
  const { results } = await memory.timeline({ id, after: 1 });
  assert.equal(results.length, 2);
  assert.equal((await memory.read({ session: session_id, ranges: "2" })).messages.length, 1);
  await memory.pin({ target: id });
  assert.equal((await memory.pins()).pins[0].id, id);
  assert.match((await memory.pack()).text, /We rotate refresh tokens/);
  await memory.unpin({ target: id });
  await memory.forget({ ids: [id] });
  await fails("NOT_FOUND", memory.get({ ids: [id] }));
  assert.equal((await memory.stats()).entries, 1);
  assert.match(t.read("retrieval.traces.ndjson"), /"surface":"library"/);
});

Deno.test("open() knows sessions, documents, suggestions, answers and traces", async () => {
  await using t = await tempStore({ entries: [{ text: "Tokens rotate", session_id: "S-1" }] });
  Deno.writeTextFileSync(`${t.workspace}/guide.md`, "# Guide\n\n## Tokens\n\nThey rotate.\n");
  using memory = open(t.workspace, { env });
  assert.deepEqual((await memory.sessions()).sessions.map(({ id }) => id), ["S-1"]);
  assert.equal((await memory.scan({ session: "S-1" })).total, 1);
  assert.equal((await memory.show({ sessions: ["S-1"] })).sessions.length, 1);
  await memory.docsAdd({ name: "guide", paths: ["guide.md"] });
  assert.equal((await memory.docsList()).collections[0].name, "guide");
  assert.match((await memory.ask({ query: "What do tokens do?" })).answer, /rotate/);
  assert.equal((await memory.suggest({ file: "guide.md" })).trigger.source, "guide.md");
  const [trace] = (await memory.traces({ tail: 1 })).traces;
  const again = await memory.trace({ id: trace.trace_id });
  assert.equal(again.trace.ts, trace.ts);
  assert.ok((await memory.ls()).entries > 0);
});

Deno.test("every command is a method, and every method a command", async () => {
  await using t = await tempStore();
  using memory = open(t.workspace);
  assert.deepEqual(Object.keys(memory), commandNames.map(toMethodName));
});

Deno.test("failures are CtxErrors with the codes of the command line", async () => {
  await using t = await tempStore({ init: false });
  assert.throws(
    () => open(`${t.workspace}/missing`),
    (error) => error instanceof CtxError && error.code === "NOT_FOUND",
  );
  using memory = open(t.workspace, { env });
  await fails("STORE_MISSING", memory.stats());
  await memory.init();
  // @ts-expect-error a search needs a query
  await fails("USAGE", memory.search({ k: 3 }));
  // @ts-expect-error there is no such field
  await fails("USAGE", memory.search({ query: "a", rows: 3 }));
  // @ts-expect-error one of a few words
  await fails("USAGE", memory.search({ query: "a", mode: "fuzzy" }));
  await fails("USAGE", memory.save({ text: "-" }));
  using stopped = open(t.workspace, { env, signal: AbortSignal.abort() });
  await fails("INTERRUPTED", stopped.stats());
});

Deno.test("a memory that was disposed of refuses; two are open at once", async () => {
  await using first = await tempStore({ entries: ["an apple"] });
  await using second = await tempStore({ entries: ["a pear", "a plum"] });
  const memory = open(first.workspace, { env });
  using other = open(second.workspace, { env });
  const [a, b] = await Promise.all([memory.search({ query: "apple" }), other.stats()]);
  assert.deepEqual([a.total, b.entries], [1, 2]);
  memory[Symbol.dispose]();
  await fails("USAGE", memory.stats());
  assert.equal((await other.search({ query: "pear" })).total, 1);
});

Deno.test("a method gives what --json of the built file gives", async () => {
  const entries = [{ text: "Tokens rotate", session_id: "S-1" }, "Queues drain"];
  await using t = await tempStore({ entries });
  using memory = open(t.workspace, { env });
  await same(t, ["search", "tokens"], memory.search({ query: "tokens" }));
  await same(t, ["get", "H-H1"], memory.get({ ids: ["H-H1"] }));
  await same(t, ["timeline", "H-H1"], memory.timeline({ id: "H-H1" }));
  await same(t, ["sessions"], memory.sessions());
  await same(t, ["scan", "S-1"], memory.scan({ session: "S-1" }));
  await same(t, ["docs", "list"], memory.docsList());
});

Deno.test("opening a memory loads no command, no package and nothing heavy", async () => {
  await using t = await tempStore();
  const script = `${t.workspace}/open.ts`;
  Deno.writeTextFileSync(
    script,
    `import { open } from "${toFileUrl(repository)}/mod.ts";\nusing _memory = open(".");\n`,
  );
  const directory = `${t.workspace}/coverage`;
  const words = [Deno.execPath(), "run", "-A", "--no-check", "--config", `${repository}/deno.json`];
  const { code, stderr } = await runProcess([...words, `--coverage=${directory}`, script], {
    cwd: t.workspace,
    env: denoEnv(t.workspace),
  });
  assert.equal(code, 0, stderr);
  const loaded = [...Deno.readDirSync(directory)].filter(({ name }) => name.endsWith(".json"))
    .map(({ name }): string => JSON.parse(Deno.readTextFileSync(`${directory}/${name}`)).url)
    .map((url) => url.replace(`${toFileUrl(repository)}/`, ""));
  assert.ok(loaded.includes("src/app/library.ts"));
  const cheap = /^(mod|src\/(app\/(app|library)|commands\/mod|(core|disk|config|store)\/.*))\.ts$/;
  assert.deepEqual(loaded.filter((path) => !cheap.test(path) && !path.endsWith("/open.ts")), []);
});

async function fails(code: ErrorCode, call: Promise<unknown>): Promise<void> {
  await assert.rejects(call, (error) => error instanceof CtxError && error.code === code);
}

async function same(
  t: TempStore,
  words: string[],
  result: ReturnType<Library[keyof Omit<Library, typeof Symbol.dispose>]>,
): Promise<void> {
  const { stdout } = await t.ctx([...words, "--json"]);
  assert.deepEqual(JSON.parse(encode(await result)), JSON.parse(stdout));
}

Deno.test("what is disposed of while a call runs leaves no file open", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using t = await tempStore({ entries: ["one beacon"] });
  const log = `${t.workspace}/.contextfs/history.ndjson`;
  for (let i = 0; i < 3; i++) {
    const memory = open(t.workspace);
    const found = memory.search({ query: "beacon" });
    memory[Symbol.dispose]();
    assert.equal((await found).total, 1);
  }
  const held = [...Deno.readDirSync("/proc/self/fd")].filter(({ name }) => {
    try {
      return Deno.readLinkSync(`/proc/self/fd/${name}`) === Deno.realPathSync(log);
    } catch {
      return false;
    }
  });
  assert.deepEqual(held, []);
});
