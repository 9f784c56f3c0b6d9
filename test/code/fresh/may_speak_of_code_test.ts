import assert from "node:assert/strict";
import { mayHoldEdits, maySpeakOfCode } from "../../../src/code/fresh/may_speak_of_code.ts";
import { SearchStore } from "../../support/stores/search_store.ts";

Deno.test("only a store in which no agent called anything holds no edits for sure", async () => {
  await using notes = new SearchStore([{ id: "H-1", text: "We keep tokens in Redis." }]);
  assert.equal(mayHoldEdits(notes.store), false);
  await using calls = new SearchStore([{ id: "H-1", type: "tool_call", text: "Edit: a.ts" }]);
  assert.equal(mayHoldEdits(calls.store), true);
  await using long = new SearchStore([{ id: "H-1", text: "word ".repeat(60_000) }]);
  assert.equal(mayHoldEdits(long.store), true);
});

Deno.test("of files that are there, or were never in git, there is nothing to tell", async () => {
  const rows = [
    { id: "H-1", role: "note", text: "We keep tokens in Redis.", files: ["a.ts"] },
    { id: "H-2", role: "note", text: "We keep tokens in `src/b.ts`." },
    { id: "H-3", role: "note", text: "In a.ts:\n```\nconst a = 1;\n```" },
  ] as const;
  await using t = new SearchStore(rows.map((row) => ({ ...row })));
  const { store } = t;
  const { workspace } = store.layout;
  const may = (id: string): boolean => {
    const found = store.find([id]).get(id)?.row?.entry;
    assert.ok(found);
    return maySpeakOfCode(store, [found]);
  };
  const all = (): boolean[] => rows.map(({ id }) => may(id));
  assert.deepEqual(all(), [false, false, true], "no repository");
  Deno.mkdirSync(`${workspace}/.git`);
  assert.deepEqual(all(), [true, true, true], "git may know that they were there");
  Deno.writeTextFileSync(`${workspace}/a.ts`, "");
  assert.deepEqual(all(), [true, true, true], "a.ts is there, and may have changed");
});

Deno.test("a confirmation may have something to say of any entry", async () => {
  const saved = { id: "H-1", role: "note" as const, text: "We keep tokens.", files: ["a.ts"] };
  const confirmed = { id: "H-2", role: "note" as const, type: "confirm", text: "", refs: ["H-1"] };
  await using t = new SearchStore([saved, confirmed]);
  const entry = t.store.find(["H-1"]).get("H-1")?.row?.entry;
  assert.ok(entry && maySpeakOfCode(t.store, [entry]));
});
