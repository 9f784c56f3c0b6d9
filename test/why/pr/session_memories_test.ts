import assert from "node:assert/strict";
import { toMemories } from "../../../src/why/pr/session_memories.ts";

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
    title: "",
    text,
    refs: [],
  }));
  const told = toMemories(records, () => false).map(({ kind, text }) => `${kind}: ${text}`);
  assert.deepEqual(told, [`decision: ${texts[3]}`]);
});
