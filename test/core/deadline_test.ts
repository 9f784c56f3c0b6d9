import assert from "node:assert/strict";
import { SaidLines } from "../../src/read/same_line.ts";
import { checkDeadline, setDeadline } from "../../src/core/deadline.ts";
import { tempStore } from "../support/stores/temp_store.ts";

Deno.test("what is done for every row of a store ends when the time is over", async () => {
  await using t = await tempStore({ entries: ["one", "two"] });
  const store = t.open();
  const draft = { role: "note", type: "note", text: "three" } as const;
  const works: Record<string, () => unknown> = {
    "reading rows": () => [...store.rows()],
    "comparing lines": () => new SaidLines().add("one"),
    "redacting and writing": () => store.write("test", (writer) => writer.append([draft])),
    "asking": checkDeadline,
  };
  try {
    for (const [name, work] of Object.entries(works)) {
      setDeadline(Infinity);
      await work();
      setDeadline(-1);
      await assert.rejects(async () => await work(), { code: "INTERRUPTED" }, name);
    }
  } finally {
    setDeadline(Infinity);
  }
  assert.deepEqual(t.ids().length, 3);
});
