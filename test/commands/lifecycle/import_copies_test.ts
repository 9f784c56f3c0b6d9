// One conversation in several files: stored once, read once, and the file that went on last has the
// last word.

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { Receipt } from "../../../src/intake/import/receipt.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

interface Imported {
  entries: number;
  sources: Receipt[];
}

const conversation = "11111111-2222-4333-8444-555555555555";

Deno.test("copies of a transcript add nothing, and are not read again", async () => {
  await using t = await tempStore();
  const root = `${t.workspace}/projects`;
  const first = claudeLine("u-1", "first");
  put(`${root}/a/${conversation}.jsonl`, first, 1000);
  put(`${root}/b/${conversation}.jsonl`, first, 2000);
  const pass = async (): Promise<Imported> =>
    await t.run("import", { sources: ["claude-code"], root, all_projects: true });
  assert.equal((await pass()).entries, 1);
  const events = t.read("sessions.ndjson");
  const again = await pass();
  assert.deepEqual(again.sources[0].sessions_skipped, { unchanged: 2 });
  assert.equal(again.sources[0].messages, 0);
  assert.equal(t.read("sessions.ndjson"), events);
  // A copy that went on by itself is looked at once more, and gives what only it has.
  put(`${root}/a/${conversation}.jsonl`, first + claudeLine("u-2", "only in the copy"), 1500);
  assert.equal((await pass()).entries, 1);
  assert.deepEqual((await pass()).sources[0].sessions_skipped, { unchanged: 2 });
  assert.equal(new Set([...t.open().entries()].map(({ entry }) => entry.session_id)).size, 1);
});

Deno.test("an older copy replaces nothing that a newer file says", async () => {
  await using t = await tempStore();
  const root = `${t.workspace}/tmp`;
  put(`${root}/old/chats/session-2026-01-01T00-00-aaaa.json`, geminiChat("as it was"), 1000);
  put(`${root}/new/chats/session-2026-01-01T00-00-aaaa.json`, geminiChat("as it is"), 2000);
  const pass = async (): Promise<Imported> =>
    await t.run("import", { sources: ["gemini"], root, all_projects: true });
  assert.equal((await pass()).entries, 1);
  for (let i = 0; i < 2; i++) assert.equal((await pass()).entries, 0);
  assert.deepEqual([...t.open().entries()].map(({ entry }) => entry.text), ["as it is"]);
});

Deno.test("a conversation that could not be read to its end is looked at again", async () => {
  await using t = await tempStore();
  const path = `${t.workspace}/state/opencode.db`;
  const { growOpencodeDatabase, makeOpencodeDatabase } = await import(
    "../../intake/sources/database/databases.ts"
  );
  makeOpencodeDatabase(path);
  const input = { sources: ["opencode"], root: path, all_projects: true };
  const pass = async (): Promise<Imported> => await t.run("import", input);
  assert.equal((await pass()).entries, 2);
  growOpencodeDatabase(path);
  // Listing still works; reading the parts does not.
  change(path, "ALTER TABLE part RENAME COLUMN id TO other_id");
  assert.equal((await pass()).sources[0].problem_count, 1);
  change(path, "ALTER TABLE part RENAME COLUMN other_id TO id");
  assert.equal((await pass()).entries, 1);
});

function change(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

function claudeLine(uuid: string, text: string): string {
  return JSON.stringify({
    type: "user",
    uuid,
    sessionId: conversation,
    timestamp: "2026-01-01T00:00:00.000Z",
    cwd: "/work/app",
    message: { role: "user", content: text },
  }) + "\n";
}

function geminiChat(text: string): string {
  return JSON.stringify({
    sessionId: "aaaa1111-0000-4000-8000-000000000001",
    startTime: "2026-01-01T00:00:00.000Z",
    messages: [{ id: "m1", timestamp: "2026-01-01T00:00:00.000Z", type: "user", content: text }],
  });
}

function put(path: string, text: string, time: number): void {
  Deno.mkdirSync(path.replace(/\/[^/]*$/, ""), { recursive: true });
  Deno.writeTextFileSync(path, text);
  Deno.utimeSync(path, time, time);
}
