import assert from "node:assert/strict";
import { SaidLines } from "../../src/browse/same_line.ts";
import { checkDeadline, setDeadline } from "../../src/core/deadline.ts";
import { redactText } from "../../src/core/redact/redact.ts";
import { tempStore } from "../support/temp_store.ts";

Deno.test("what is done for every row of a store ends when the time is over", async () => {
  await using t = await tempStore({ entries: ["one", "two"] });
  const store = t.open();
  const works: Record<string, () => unknown> = {
    "reading rows": () => [...store.rows()],
    "comparing lines": () => new SaidLines().add("one"),
    "redacting": () => redactText("one"),
    "asking": checkDeadline,
  };
  try {
    for (const [name, work] of Object.entries(works)) {
      setDeadline(Infinity);
      work();
      setDeadline(-1);
      assert.throws(work, { code: "INTERRUPTED" }, name);
    }
  } finally {
    setDeadline(Infinity);
  }
});
