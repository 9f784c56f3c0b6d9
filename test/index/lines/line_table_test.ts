import assert from "node:assert/strict";
import { CtxError } from "../../../src/core/errors.ts";
import { diskFiles } from "../../../src/disk/files.ts";
import { hashLine } from "../../../src/core/rows/line_hash.ts";
import { openLines, refreshLines, withLines } from "../../../src/index/lines/line_table.ts";
import type { LineTable, OpenLinesOptions } from "../../../src/index/lines/line_table.ts";
import { type TempStore, tempStore, toLog } from "../../support/stores/temp_store.ts";

const written = "const lifetime = minutes(15);";
const before = "const lifetime = hours(24);";

Deno.test("a line is claimed by the session that wrote it, and by the one that took it away", async () => {
  await using t = await tempStore({
    entries: [edit("S-a", "", before), edit("S-b", before, written)],
  });
  assert.deepEqual(await claimsOf(t, before), [
    "S-a added src/token.ts",
    "S-b removed src/token.ts",
  ]);
  assert.deepEqual(await claimsOf(t, "  const lifetime = minutes( 15 )"), [
    "S-b added src/token.ts",
  ]);
  assert.deepEqual(await claimsOf(t, "const lifetime = never();"), []);
});

Deno.test("the table and the rows after it answer as rows alone do", async () => {
  const rows = Array.from({ length: 60 }, (_, i) => edit(`S-${i % 7}`, "", manyLines(i)));
  await using t = await tempStore({ entries: rows });
  const asked = Array.from({ length: 60 }, (_, i) => manyLines(i).split("\n")[i]);
  const plain = await claimsOfAll(t, asked);
  await refreshLines(t.open(), { full: true });
  assert.deepEqual(await claimsOfAll(t, asked), plain);
  const size = t.bytes("index/lines.bin").length;
  append(t, Array.from({ length: 120 }, (_, i) => edit("S-late", "", manyLines(100 + i))));
  assert.deepEqual(await claimsOf(t, manyLines(210).split("\n")[3]), ["S-late added src/token.ts"]);
  await refreshLines(t.open());
  assert.ok(t.bytes("index/lines.bin").length > 2 * size);
  assert.deepEqual(await claimsOf(t, manyLines(210).split("\n")[3]), ["S-late added src/token.ts"]);
  assert.deepEqual(await claimsOfAll(t, asked), plain);
  assert.deepEqual(await claimsOfAll(t, asked, { residentBytes: 0 }), plain);
  const grown = t.bytes("index/lines.bin");
  await t.run("reindex", { full: true });
  assert.equal(t.bytes("index/lines.bin").length, grown.length);
});

Deno.test("what is forgotten is claimed by nobody, and counts again when that is taken back", async () => {
  await using t = await tempStore({ entries: [edit("S-a", "", written), edit("S-b", "", before)] });
  await t.run("reindex");
  await t.run("forget", { ids: ["H-H1"] });
  assert.deepEqual(await claimsOf(t, written), []);
  append(t, Array.from({ length: 120 }, (_, i) => edit("S-c", "", manyLines(i))));
  await refreshLines(t.open());
  assert.deepEqual(await claimsOf(t, written), []);
  assert.ok(!names(t).includes("S-a"));
  assert.ok(names(t).includes("S-b"));
  await t.run("undo");
  assert.deepEqual(await claimsOf(t, written), ["S-a added src/token.ts"]);
});

Deno.test("a table that grew answers as the rows do, without what was forgotten", async () => {
  const rows = Array.from({ length: 240 }, (_, i) => edit(`S-${i % 7}`, "", manyLines(i)));
  await using t = await tempStore({ entries: [edit("S-a", "", written), ...rows] });
  await refreshLines(t.open(), { full: true });
  const table = t.bytes("index/lines.bin");
  await t.run("forget", { ids: ["H-H1"] });
  let next = 300;
  const grow = async (edits: number) => {
    const fresh = Array.from({ length: edits }, (_, i) => edit("S-new", "", manyLines(next + i)));
    append(t, [...fresh, { role: "tool", type: "tool_output", text: "-".repeat(300_000) }]);
    next += edits;
    await refreshLines(t.open());
  };
  await grow(30);
  await grow(20);
  assert.ok(t.bytes("index/lines.bin").length > table.length);
  const asked = [5, 305, 335].map((seed) => manyLines(seed).split("\n")[3]);
  const expected = ["S-5", "S-new", "S-new"].map((session) => [`${session} added src/token.ts`]);
  assert.deepEqual(await claimsOfAll(t, asked), expected);
  assert.deepEqual(await claimsOfAll(t, asked, { residentBytes: 0 }), expected);
  // What was forgotten is not in it, though nobody reads that row again.
  assert.ok(!names(t).includes('S-a"'));
  assert.deepEqual(await claimsOf(t, written), []);
});

Deno.test("a damaged table is made anew, and one of a rewritten log is not believed", async () => {
  await using t = await tempStore({
    entries: Array.from({ length: 80 }, (_, i) => edit("S-a", "", manyLines(i))),
  });
  await refreshLines(t.open(), { full: true });
  const sound = t.bytes("index/lines.bin");
  const line = manyLines(7).split("\n")[9];
  const work = (table: LineTable): number => table.find(...hashOf(line)).length;
  for (let at = 100; at < sound.length; at += 4096) {
    const bytes = sound.slice();
    bytes[at] ^= 0xff;
    t.write("index/lines.bin", bytes);
    assert.equal(await withLines(t.open(), { work }), 1);
    // A large one is read by pages, and damage is met when its page is.
    t.write("index/lines.bin", bytes);
    assert.equal(await withLines(t.open(), { work, residentBytes: 0 }), 1);
  }
  t.write("index/lines.bin", sound);
  t.write(
    "history.ndjson",
    new TextDecoder().decode(t.bytes("history.ndjson")).split("\n").slice(20).join("\n"),
  );
  assert.deepEqual(await claimsOf(t, line), []);
});

Deno.test("a table that cannot be written is held in memory", async () => {
  await using t = await tempStore({ entries: [edit("S-a", "", written)] });
  const work = (table: LineTable): number => table.find(...hashOf(written)).length;
  for (const code of ["DENIED", "DISK_FULL"] as const) {
    const replace = (): never => {
      throw new CtxError(code, "Cannot write");
    };
    const files = { ...diskFiles, replace };
    assert.equal(await withLines(t.open({ files }), { work }), 1);
  }
});

function edit(session: string, old: string, now: string): Record<string, unknown> {
  const input = { file_path: "/work/app/src/token.ts", old_string: old, new_string: now };
  return {
    role: "assistant",
    type: "tool_call",
    text: "Edit",
    session_id: session,
    project: "/work/app",
    tool: { name: "Edit", input, effect: "edit" },
  };
}

function manyLines(seed: number): string {
  return Array.from({ length: 70 }, (_, i) => `const value_${seed}_${i} = read(${i});`).join("\n");
}

/** As another process would: enough for the table to be written again. */
function append(t: TempStore, rows: Record<string, unknown>[]): void {
  t.append("history.ndjson", toLog(rows, "Z"));
}

async function claimsOf(t: TempStore, line: string): Promise<string[]> {
  return (await claimsOfAll(t, [line]))[0];
}

async function claimsOfAll(
  t: TempStore,
  lines: string[],
  options?: OpenLinesOptions,
): Promise<string[][]> {
  using table = await openLines(t.open(), options);
  return lines.map((line) =>
    table.find(...hashOf(line)).map(({ session, kind, path }) => `${session} ${kind} ${path}`)
  );
}

function hashOf(line: string): [number, number] {
  const into = new Uint32Array(2);
  assert.ok(hashLine(line, { from: 0, to: line.length, into }));
  return [into[0], into[1]];
}

/** What stands in the file in plain words. */
function names(t: TempStore): string {
  return new TextDecoder("latin1").decode(t.bytes("index/lines.bin"));
}
