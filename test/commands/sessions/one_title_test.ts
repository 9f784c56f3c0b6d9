// A session has one title: in lists and searches, in what is read of it, and in the timeline.

import assert from "node:assert/strict";
import { importRows, writeHistory } from "../../support/stores/import_rows.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const session = "a0000000-0000-4000-8000-00000000000a";
let line = 0;

function say(type: "user" | "assistant", content: unknown): string {
  const timestamp = `2026-03-01T10:00:${String(++line).padStart(2, "0")}.000Z`;
  const row = { type, uuid: `u-${line}`, sessionId: session, cwd: "/work/shop", timestamp };
  return JSON.stringify({ ...row, message: { role: type, content } });
}

const call = (id: string, command: string): unknown[] => [
  { type: "tool_use", id, name: "Bash", input: { command } },
];
const result = (id: string, content: string): unknown[] => [
  { type: "tool_result", tool_use_id: id, content },
];

/** A review by a command: nothing that was typed names what it is about. */
const transcript = [
  say("user", "<command-name>/model</command-name>\n<command-args></command-args>"),
  say("user", "<command-name>/review</command-name>\n<command-args>12</command-args>"),
  say("assistant", call("c1", "gh pr view 12 --json title,body")),
  say("user", result("c1", '{"title":"Warm the thumbnail cache","body":"x"}')),
  say("assistant", [{ type: "text", text: "The cache is warmed twice on a cold start." }]),
  say("user", "commit it"),
].join("\n");

const title = "PR #12: Warm the thumbnail cache";

Deno.test("a session that a command began has one title everywhere: that of its pull request", async () => {
  await using t = await tempStore();
  const root = writeHistory(t, { [`projects/shop/${session}.jsonl`]: `${transcript}\n` });
  const { rows } = await importRows(t, { source: "claude-code", root });
  const id = rows[0].session_id ?? "";
  const hit = rows.find(({ text }) => text.includes("warmed twice"))?.id ?? "";
  type Titled = { title: string; session_title: string };
  const { sessions } = await t.run<{ sessions: Titled[] }>("sessions");
  const found = await t.run<{ results: Titled[] }>("search", { query: "cold start cache warmed" });
  const shown = await t.run<{ sessions: Titled[] }>("show", { sessions: [id] });
  const around = await t.run<{ results: Titled[] }>("timeline", { id: hit, before: 0, after: 0 });
  const scanned = await t.run<Titled>("scan", { session: id });
  const outline = await t.run<Titled>("outline", { session: id });
  assert.deepEqual(
    {
      sessions: sessions[0].title,
      search: found.results[0].session_title,
      show: shown.sessions[0].title,
      timeline: around.results[0].session_title,
      scan: scanned.title,
      outline: outline.title,
    },
    {
      sessions: title,
      search: title,
      show: title,
      timeline: title,
      scan: title,
      outline: title,
    },
  );
  const { stdout } = await t.ctx(["sessions"]);
  assert.ok(stdout.includes(title), stdout);
});

Deno.test("a title that the user gives counts more than what was typed", async () => {
  await using t = await tempStore();
  const root = writeHistory(t, { [`projects/shop/${session}.jsonl`]: `${transcript}\n` });
  const { rows } = await importRows(t, { source: "claude-code", root });
  const id = rows[0].session_id ?? "";
  const given = await t.run<{ before: string }>("session title", { session: id, title: "/review" });
  assert.equal(given.before, title);
  const { sessions } = await t.run<{ sessions: { title: string }[] }>("sessions");
  assert.equal(sessions[0].title, "/review");
});

Deno.test("the current session is called as in lists", async () => {
  await using t = await tempStore();
  const { session_id } = await t.run<{ session_id: string }>("session start");
  await t.run("save", { text: "Rotate the API tokens every week", role: "user", type: "turn" });
  const { title: current } = await t.run<{ title: string }>("session current");
  const { sessions } = await t.run<{ sessions: { id: string; title: string }[] }>("sessions");
  assert.deepEqual(sessions.map(({ id, title }) => [id, title]), [[session_id, current]]);
  assert.equal(current, "Rotate the API tokens every week");
});

Deno.test("a title of its agent that is only a command is none", async () => {
  await using t = await tempStore({ entries: [{ text: "done", session_id: "S-1" }] });
  const event = { event: "imported", session_id: "S-1", ts: "2026-03-01T10:00:00.000Z" };
  t.write(
    "sessions.ndjson",
    `${JSON.stringify({ ...event, title: "/model", title_from: "agent" })}\n`,
  );
  const { sessions } = await t.run<{ sessions: { title: string }[] }>("sessions");
  assert.deepEqual(sessions.map(({ title }) => title), [""]);
});
