// Ctrl-C in the middle of long work: it ends there, says so, and leaves the store as it was.

import assert from "node:assert/strict";
import { notOnWindows } from "../../support/not_on_windows.ts";
import { isFullLength } from "../../support/full_length.ts";
import { spawnCtx } from "../../support/processes/run_ctx.ts";
import { type TempStore, tempStore, toLog } from "../../support/stores/temp_store.ts";

const atOnce = notOnWindows("a signal ends a process at once");

async function largeStore(rows: number): Promise<TempStore> {
  const t = await tempStore();
  // Different words, so that indexing them takes a while.
  const word = (i: number, at: number): string => `w${(i * 31 + at * 7919) % 50_000}`;
  const texts = Array.from(
    { length: rows },
    (_, i) => `row ${i} ${Array.from({ length: 60 }, (_, at) => word(i, at)).join(" ")}`,
  );
  t.append("history.ndjson", toLog(texts));
  return t;
}

function start(t: TempStore, words: string[]): Deno.ChildProcess {
  return spawnCtx(words, { cwd: t.workspace, stdin: "null" });
}

Deno.test({
  name: "Ctrl-C ends reindex between two steps and leaves no half index",
  ignore: atOnce,
}, async () => {
  await using t = await largeStore(60_000);
  const before = t.bytes("history.ndjson").length;
  for (const full of [false, true]) {
    const child = start(t, full ? ["reindex", "--full"] : ["reindex"]);
    // It reads the log: it is in the middle of its work.
    await until(() => t.exists("index") && hasOpen(child, t.path("history.ndjson")));
    child.kill("SIGINT");
    const { code, stdout, stderr } = await child.output();
    assert.deepEqual([code, text(stdout), text(stderr)], [130, "", "ctx: Interrupted\n"]);
    assert.deepEqual(names(t), []);
  }
  assert.equal(t.bytes("history.ndjson").length, before);
  assert.equal((await t.ctx(["save", "goes on"])).code, 0);
  assert.deepEqual((await t.ailments()).filter((name) => name !== "index"), []);
});

Deno.test({
  name: "Ctrl-C ends export after a whole row",
  ignore: atOnce,
}, async () => {
  const rows = 60_000;
  await using t = await largeStore(rows);
  const child = start(t, ["export"]);
  const reader = child.stdout.getReader();
  const chunks = [(await reader.read()).value!];
  child.kill("SIGINT");
  while (true) {
    const { value, done } = await reader.read();
    if (done) break;
    chunks.push(value);
  }
  const [{ code }, stderr] = await Promise.all([child.status, new Response(child.stderr).text()]);
  assert.deepEqual([code, stderr], [130, "ctx: Interrupted\n"]);
  const lines = text(new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer())).split(
    "\n",
  );
  assert.equal(lines.pop(), "");
  assert.ok(lines.length > 0 && lines.length < rows, `${lines.length} rows`);
  for (const line of lines) JSON.parse(line);
});

Deno.test({
  name:
    "Ctrl-C ends doctor and import contextfs; what was imported stays, the rest comes next time",
  ignore: atOnce,
}, async () => {
  const rows = isFullLength ? 60_000 : 20_000;
  await using t = await largeStore(rows);
  const doctor = start(t, ["doctor"]);
  await until(() => hasOpen(doctor, t.path("history.ndjson")));
  doctor.kill("SIGINT");
  assert.equal((await doctor.output()).code, 130);
  await using u = await tempStore();
  const child = start(u, ["import", "contextfs", "--root", t.workspace]);
  await until(() => u.bytes("history.ndjson").length > 0);
  child.kill("SIGINT");
  assert.equal((await child.output()).code, 130);
  const taken = u.ids().length;
  assert.ok(taken > 0 && taken < rows, `${taken} rows`);
  const { entries } = await u.run("import", { sources: ["contextfs"], root: t.workspace });
  assert.equal(entries, rows - taken);
});

function names(t: TempStore): string[] {
  return t.exists("index") ? [...Deno.readDirSync(t.path("index"))].map((item) => item.name) : [];
}

/** Looks often, until it is so. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Whether a process reads a file; where that cannot be seen, that it was started will do. */
function hasOpen({ pid }: Deno.ChildProcess, path: string): boolean {
  if (Deno.build.os !== "linux") return true;
  return [...Deno.readDirSync(`/proc/${pid}/fd`)].some(({ name }) => {
    try {
      return Deno.readLinkSync(`/proc/${pid}/fd/${name}`) === path;
    } catch {
      return false;
    }
  });
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
