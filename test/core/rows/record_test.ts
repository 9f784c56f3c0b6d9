import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { isRecord, isRecordType, recordOf, recordTypes } from "../../../src/core/rows/record.ts";

const row: Entry = { id: "H-1", ts: "", role: "note", type: "decision", text: "Use one table" };

Deno.test("a record is an entry of a record type that says who derived it", () => {
  assert.ok(recordTypes.every(isRecordType));
  assert.equal(isRecord({ ...row, record: { by: "rules" } }), true);
  assert.equal(isRecord(row), false, "saved by hand, not derived");
  assert.equal(isRecord({ ...row, type: "note", record: { by: "rules" } }), false);
  assert.equal(isRecord({ ...row, record: { by: "nobody" } }), false);
  assert.equal(isRecord({ ...row, record: [] }), false);
});

Deno.test("recordOf gives what is well formed and leaves out the rest", () => {
  const record = { by: "model", subject: 7, symbols: ["toEntry", 1] };
  assert.deepEqual(recordOf({ ...row, record }), {
    by: "model",
    grade: "candidate",
    symbols: ["toEntry"],
  });
});
