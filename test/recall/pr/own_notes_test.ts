import assert from "node:assert/strict";
import type { RecordRow } from "../../../src/recall/distil/list_records.ts";
import type { OwnExchange } from "../../../src/recall/pr/own_exchanges.ts";
import { onlyOnce, pickRecords, toNotes } from "../../../src/recall/pr/own_notes.ts";

Deno.test("a pull request tells no decision that only says yes, no question, and no commit's subject again", () => {
  const texts = [
    "yes, let's do that",
    "yeah let's do it",
    "Should the sessions table keep its old primary key?",
    "Keep refresh tokens in Redis",
    "We keep refresh tokens in Redis, not in the sessions table, because they expire there.",
  ];
  const records = texts.map((text, i) => ({ ...record(`H-${i}`), text, commits: ["c1"] }));
  const subjects = new Map([["c1", "Keep refresh tokens in Redis"]]);
  const told = toNotes(records, { subjects }, () => false);
  const rejected = records.map((row) => ({ ...row, superseded_by: "H-verdict" }));
  assert.deepEqual(toNotes(rejected, { subjects }, () => false), []);
  assert.deepEqual(onlyOnce([...told, ...told]).map(({ kind, text }) => `${kind}: ${text}`), [
    `decision: ${texts[4]}`,
  ]);
});

Deno.test("a commit that another one seems to replace was not dropped, unless that took it back", () => {
  const text = "We keep refresh tokens in Redis, because they expire there.";
  const told = (newer: string): string[] =>
    toNotes(
      [
        { ...record("H-1"), text, commits: ["c1"], subject: "Keep tokens", superseded_by: "H-2" },
        { ...record("H-2"), text: "Sign cookies anew.", commits: ["c1"], subject: newer },
      ],
      { subjects: new Map([["c1", "Tokens (#7)"]]) },
      () => false,
    ).map(({ kind }) => kind);
  assert.deepEqual(told("Rotate cookies"), ["decision"]);
  assert.deepEqual(told('Revert "Keep tokens"'), ["dead_end"]);
});

Deno.test("a pull request has the records of its own exchanges, and of those only what may be told", () => {
  const exchange: OwnExchange = {
    session: "S-1",
    commits: ["c1"],
    files: new Set(["src/token.ts"]),
    smallParts: new Map(),
    edits: new Map([["c1", new Set(["H-edit"])]]),
    ids: new Set(["H-prompt", "H-edit"]),
    from: Date.parse("2026-05-01T10:00:00Z"),
    to: Date.parse("2026-05-01T11:00:00Z"),
  };
  const saved = (id: string, time: string, files?: string[]) => ({
    ...record(id),
    ts: `2026-05-01T${time}:00.000Z`,
    ...files === undefined ? {} : { files },
  });
  const records: RecordRow[] = [
    { ...record("own"), refs: ["H-edit", "H-elsewhere"] },
    { ...record("of another exchange"), refs: ["H-elsewhere", "H-edit"] },
    { ...record("not sure"), refs: ["H-edit"], grade: "candidate" },
    { ...record("of another session"), refs: ["H-edit"], session_id: "S-2" },
    { ...record("of its commit"), refs: ["H-commit"], title: "Rotate tokens" },
    { ...record("of another commit"), refs: ["H-edit"], title: "Draw the logo" },
    saved("talked over", "08:00"),
    saved("long before", "07:59"),
    saved("at the end", "11:10", ["src/token.ts"]),
    saved("of another file", "10:30", ["src/other.ts"]),
    saved("after", "11:11"),
  ];
  const picked = pickRecords(records, [exchange], {
    subjects: new Map([["c1", "Rotate tokens"]]),
    subjectOf: ({ title }) => title === "" ? undefined : title,
  });
  assert.deepEqual(picked.map(({ id, commits }) => [id, ...commits]).toSorted(), [
    ["at the end", "c1"],
    ["of its commit", "c1"],
    ["own", "c1"],
    ["talked over", "c1"],
  ]);
});

function record(id: string): RecordRow {
  return {
    id,
    ts: "2026-05-01T10:30:00.000Z",
    session_id: "S-1",
    type: "decision",
    by: "rules",
    grade: "derived",
    title: "",
    text: id,
    refs: [],
  };
}
