// What a record rests on, as `ctx get` shows it.

import assert from "node:assert/strict";
import { tempStore } from "../support/stores/temp_store.ts";

const record = (refs: string[], more: object = {}): object => ({
  type: "decision",
  session_id: "S-1",
  refs,
  record: { by: "rules", grade: "derived", ...more },
});

Deno.test("a record has the least trust of its evidence, and get shows the chain", async () => {
  await using t = await tempStore({
    entries: [
      { id: "H-u", role: "user", type: "turn", session_id: "S-1", text: "Sort them by date" },
      { id: "H-a", role: "assistant", type: "turn", session_id: "S-1", text: "They are sorted." },
      {
        id: "H-w",
        role: "tool",
        type: "tool_output",
        session_id: "S-1",
        tool: { name: "WebFetch" },
        text: "Sort by mirror",
      },
      { id: "H-s", saved_by: "mcp", text: "The agent saved this" },
      { id: "H-r1", text: "Sorted by date", ...record(["H-u"]) },
      { id: "H-r2", text: "Sorted by date", ...record(["H-u", "H-a", "H-s"]) },
      { id: "H-r3", text: "Sorted by mirror", ...record(["H-a", "H-w"], { outside: "H-w" }) },
    ],
  });
  const trusts: string[] = [];
  for (const id of ["H-r1", "H-r2", "H-r3"]) {
    const { results } = await t.run<{ results: { lineage: { trust: string } }[] }>("get", {
      ids: [id],
    });
    trusts.push(results[0].lineage.trust);
  }
  assert.deepEqual(trusts, ["typed", "repository", "outside"]);
  const shown = (await t.shown(["get", "H-r3", "H-u"])).stdout;
  assert.match(shown, /trust: outside, so it is never sent; derived from/);
  assert.match(
    shown,
    /H-a {2}written by an agent \(repository\)\n.*H-w {2}output of WebFetch \(outside\)/,
  );
  assert.doesNotMatch(shown.slice(shown.indexOf("H-u", shown.indexOf("Sorted"))), /trust:/);
  const start = await t.run<{ text: string }>("pack");
  assert.doesNotMatch(start.text, /mirror/);
  assert.match(start.text, /Sorted by date/);
  assert.equal((await t.fail("guard add", { rule: "H-r3" })).code, "DENIED");
});
