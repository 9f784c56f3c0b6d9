// Inputs that are broken, live or hostile: counted and reported, never fatal, memory flat.

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { claudeCode } from "../../src/sources/claude_code.ts";
import { codex } from "../../src/sources/codex.ts";
import { opencode } from "../../src/sources/opencode.ts";
import { collect } from "../support/collect.ts";
import { makeOpencodeDatabase } from "./databases.ts";
import { snapshotTree } from "../support/tree.ts";

Deno.test("a line of 600 MB is counted and skipped in flat memory", async () => {
  await using directory = temporary();
  const path = `${directory.path}/s.jsonl`;
  using file = Deno.openSync(path, { write: true, create: true });
  file.writeSync(new TextEncoder().encode(`${line("a", "before")}\n`));
  const start = file.seekSync(0, Deno.SeekMode.Current);
  // A sparse file: the hole reads as zeros, which is one enormous line.
  file.seekSync(start + 600_000_000, Deno.SeekMode.Start);
  file.writeSync(new TextEncoder().encode(`\n${line("b", "after")}\n`));
  const script = new URL("../support/peak_memory.ts", import.meta.url).pathname;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", script, directory.path],
  }).output();
  const { texts, skipped, bad_lines, peak } = JSON.parse(new TextDecoder().decode(stdout));
  assert.deepEqual(texts, ["before", "after"]);
  assert.equal(skipped.line_too_long, 1);
  assert.equal(bad_lines, 1);
  assert.ok(peak < 300e6, `peak memory ${peak} bytes`);
});

Deno.test("a growing file is read up to its last whole line, and the rest next time", async () => {
  await using directory = temporary();
  const path = `${directory.path}/s.jsonl`;
  const next = line("b", "second");
  Deno.writeTextFileSync(path, `${line("a", "first")}\n${next.slice(0, 40)}`);
  const first = await collect(claudeCode, directory.path);
  assert.deepEqual(first.entries.map((entry) => entry.text), ["first"]);
  assert.equal(first.tally.skipped.unfinished_line, 1);
  Deno.writeTextFileSync(path, `${next.slice(40)}\n`, { append: true });
  const resume = new Map([["s", first.sessions[0].resume]]);
  const second = await collect(claudeCode, directory.path, { resume });
  assert.deepEqual(second.entries.map((entry) => entry.text), ["second"]);
});

Deno.test("an unfinished last line is taken once the file has been quiet", async () => {
  await using directory = temporary();
  Deno.writeTextFileSync(`${directory.path}/s.jsonl`, line("a", "only"));
  const now = Date.now();
  assert.equal((await collect(claudeCode, directory.path, { now })).entries.length, 0);
  assert.equal(
    (await collect(claudeCode, directory.path, { now: now + 3600_000 })).entries.length,
    1,
  );
});

Deno.test("a rewritten file is read again from its start", async () => {
  await using directory = temporary();
  const path = `${directory.path}/s.jsonl`;
  Deno.writeTextFileSync(path, `${line("a", "first")}\n`);
  const first = await collect(claudeCode, directory.path);
  Deno.writeTextFileSync(path, `${line("x", "other")}\n${line("a", "first")}\n`);
  const resume = new Map([["s", first.sessions[0].resume]]);
  const second = await collect(claudeCode, directory.path, { resume });
  assert.deepEqual(second.entries.map((entry) => entry.text), ["other", "first"]);
});

Deno.test("a live database is read with its WAL, and nothing beside it changes", async () => {
  await using directory = temporary();
  const path = `${directory.path}/opencode.db`;
  makeOpencodeDatabase(path);
  const writer = new DatabaseSync(path);
  writer.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0");
  const data = '{"type":"text","text":"only in the WAL"}';
  writer.prepare("INSERT INTO part VALUES ('prt_9', 'msg_2', 'ses_db', 9, 9, ?)").run(data);
  const before = withoutShared(snapshotTree(directory.path));
  const { entries, tally } = await collect(opencode, directory.path);
  assert.ok(entries.some((entry) => entry.text === "only in the WAL"));
  assert.deepEqual(tally.problems, []);
  assert.deepEqual(withoutShared(snapshotTree(directory.path)), before);
  writer.exec("BEGIN EXCLUSIVE");
  assert.ok((await collect(opencode, directory.path)).entries.length > 0);
  writer.exec("ROLLBACK");
  writer.close();
});

Deno.test("a WAL left behind by a dead agent is read from a copy", async () => {
  await using directory = temporary();
  const live = `${directory.path}/live.db`;
  makeOpencodeDatabase(live);
  const writer = new DatabaseSync(live);
  writer.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0");
  const data = '{"type":"text","text":"left behind"}';
  writer.prepare("INSERT INTO part VALUES ('prt_9', 'msg_2', 'ses_db', 9, 9, ?)").run(data);
  Deno.mkdirSync(`${directory.path}/dead`);
  for (const suffix of ["", "-wal"]) {
    Deno.copyFileSync(live + suffix, `${directory.path}/dead/opencode.db${suffix}`);
  }
  writer.close();
  const before = snapshotTree(directory.path);
  const { entries } = await collect(opencode, `${directory.path}/dead`);
  assert.ok(entries.some((entry) => entry.text === "left behind"));
  assert.deepEqual(snapshotTree(directory.path), before);
});

Deno.test("a truncated database gives what it still has and a problem", async () => {
  await using directory = temporary();
  const path = `${directory.path}/opencode.db`;
  makeOpencodeDatabase(path);
  const bytes = Deno.readFileSync(path);
  for (const size of [10, 100, 5000, 9000]) {
    Deno.writeFileSync(path, bytes.subarray(0, size));
    const { tally } = await collect(opencode, directory.path);
    assert.ok(tally.problem_count > 0, `${size} bytes`);
  }
});

Deno.test("a file that vanishes or cannot be read is a problem, not a failure", async () => {
  await using directory = temporary();
  Deno.writeTextFileSync(`${directory.path}/s.jsonl.zst`, "not zstd at all");
  const { tally } = await collect(codex, directory.path);
  assert.equal(tally.problem_count, 1);
});

function line(uuid: string, text: string): string {
  return JSON.stringify({
    type: "user",
    uuid,
    timestamp: "2026-01-01T00:00:00.000Z",
    cwd: "/work/app",
    message: { role: "user", content: text },
  });
}

/** Readers of a live WAL database note themselves in its shared memory; that file may change. */
function withoutShared(snapshot: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(snapshot).filter(([name]) => !name.endsWith("-shm")));
}

function temporary(): { path: string } & AsyncDisposable {
  const path = Deno.makeTempDirSync({ prefix: "ctx-damage-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
