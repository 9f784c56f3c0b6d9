// Inputs that are broken, live or hostile: counted and reported, never fatal, memory flat.

import assert from "node:assert/strict";
import { zstdCompressSync } from "node:zlib";
import { claudeCode } from "../../../src/intake/sources/claude_code/claude_code.ts";
import { Tally } from "../../../src/intake/sources/problem_tally.ts";
import { readDocument } from "../../../src/intake/sources/read_document.ts";
import { findSmallText } from "../../../src/intake/sources/walk.ts";
import { codex } from "../../../src/intake/sources/codex/codex.ts";
import { opencode } from "../../../src/intake/sources/opencode/opencode.ts";
import { unpackZstd } from "../../../src/intake/sources/codex/zstd.ts";
import { collect } from "../../support/collect.ts";
import { makeOpencodeDatabase } from "./database/databases.ts";
import { fromFileUrl } from "../../../src/core/platform_path.ts";
import { toOwnPath } from "../../../src/core/platform_path.ts";

Deno.test("a line of 600 MB is counted and skipped in flat memory", async () => {
  await using directory = temporary();
  const path = `${directory.path}/s.jsonl`;
  using file = Deno.openSync(path, { write: true, create: true });
  file.writeSync(new TextEncoder().encode(`${line("a", "before")}\n`));
  const start = file.seekSync(0, Deno.SeekMode.Current);
  // A sparse file: the hole reads as zeros, which is one enormous line.
  file.seekSync(start + 600_000_000, Deno.SeekMode.Start);
  file.writeSync(new TextEncoder().encode(`\n${line("b", "after")}\n`));
  const script = fromFileUrl(new URL("../../support/processes/peak_memory.ts", import.meta.url));
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

Deno.test("a pipe in the place of a file is passed over, not waited for", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using directory = temporary();
  const path = `${directory.path}/state.json`;
  await new Deno.Command("mkfifo", { args: [path] }).output();
  // Whoever reads it gets this; otherwise the writer waits until it is ended.
  const writer = new Deno.Command("sh", { args: ["-c", `echo '{"a":1}' > "$0"`, path] }).spawn();
  const tally = new Tally();
  assert.equal(findSmallText(path), undefined);
  assert.equal(readDocument(path, { tally, maxBytes: 1000 }), undefined);
  assert.deepEqual(tally.problems, [{ path, reason: "not a file" }]);
  writer.kill();
  await writer.status;
});

Deno.test("a packed file that unpacks to too much is a problem that names the bound", async () => {
  await using directory = temporary();
  const packed = zstdCompressSync(new Uint8Array(4 << 20));
  const path = `${directory.path}/s.jsonl.zst`;
  Deno.writeFileSync(path, packed);
  assert.ok(packed.length < 2000);
  const unpacking = unpackZstd(path, directory.path, { maxBytes: 1 << 20 });
  await assert.rejects(unpacking, /it decompresses to more than 1 MiB/);
  const head = await unpackZstd(path, directory.path, { maxBytes: 1 << 20, headBytes: 1000 });
  assert.ok(Deno.statSync(head).size < 1 << 20);
  Deno.removeSync(head);
  assert.deepEqual([...Deno.readDirSync(directory.path)].map(({ name }) => name), ["s.jsonl.zst"]);
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

function temporary(): { path: string } & AsyncDisposable {
  const path = toOwnPath(Deno.makeTempDirSync({ prefix: "ctx-damage-" }));
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
