import assert from "node:assert/strict";
import { pickRecords, toMemories } from "../../../src/recall/pr/session_memories.ts";

Deno.test("a pull request tells no decision that only says yes, and no question", () => {
  const texts = [
    "yes, let's do that",
    "yeah let's do it",
    "Should the sessions table keep its old primary key?",
    "We keep refresh tokens in Redis, not in the sessions table.",
  ];
  const records = texts.map((text, i) => ({
    id: `H-${i}`,
    ts: `2026-05-01T10:00:0${i}.000Z`,
    session_id: "S-1",
    type: "decision",
    by: "rules",
    grade: "derived" as const,
    title: "",
    text,
    refs: [],
  }));
  const told = toMemories(records, () => false).map(({ kind, text }) => `${kind}: ${text}`);
  assert.deepEqual(told, [`decision: ${texts[3]}`]);
});

Deno.test("a pull request tells what was said of its files, or in the time of its work", () => {
  const part = {
    session: "S-1",
    commits: ["c"],
    files: new Set(["src/token.ts"]),
    from: Date.parse("2026-05-01T10:00:00Z"),
    to: Date.parse("2026-05-01T11:00:00Z"),
  };
  const record = (id: string, time: string, files?: string[], session_id = "S-1") => ({
    id,
    ts: `2026-05-01T${time}:00.000Z`,
    session_id,
    type: "decision",
    by: "rules",
    grade: "derived" as const,
    title: "",
    text: id,
    refs: [],
    files,
  });
  const records = [
    record("after", "11:11"),
    record("after, of the file", "11:11", ["src/token.ts"]),
    record("at the end", "11:10"),
    record("talked over", "08:00"),
    record("long before", "07:59"),
    record("long before, of the file", "07:59", ["src/token.ts"]),
    record("of another file", "10:30", ["src/other.ts"]),
    record("of another session", "10:30", undefined, "S-2"),
  ];
  assert.deepEqual(pickRecords(records, [part]).map(({ id }) => id), [
    "long before, of the file",
    "talked over",
    "at the end",
  ]);
});
