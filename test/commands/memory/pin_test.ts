import assert from "node:assert/strict";
import { parsePins } from "../../../src/store/logs/pins.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

interface Pinned {
  id: string;
  text: string;
  saved: boolean;
  pinned: boolean;
}

const id = "msg_01AbC";
const entries = [
  { id, text: "We deploy from tags only", session_id: "S-1" },
  { id: "H-2", text: "We deploy from branches", session_id: "S-1" },
];

Deno.test("an entry whose id ctx did not make is pinned as an entry, everywhere", async () => {
  await using t = await tempStore({ entries });
  const expected = { id, text: "We deploy from tags only" };
  const first = await t.run<Pinned>("pin", { target: id });
  assert.deepEqual([first.id, first.saved, first.pinned], [id, false, true]);
  assert.equal((await t.run<Pinned>("pin", { target: id })).pinned, false);
  assert.deepEqual(t.ids(), [id, "H-2"]);
  assert.match(t.read("pins.md"), /\n- \[id:msg_01AbC\] We deploy from tags only\n$/);
  assert.deepEqual(await t.run("pins"), { pins: [expected] });
  const { text } = await t.run<{ text: string }>("pack");
  assert.match(text, /\n- \[msg_01AbC\] pin, \d+ hours ago: We deploy from tags only\n/);
  const { results } = await t.run<
    { results: { id: string; explain: { boosts: { pin: number } } }[] }
  >(
    "search",
    { query: "deploy tags", explain: true },
  );
  assert.equal(results.find((row) => row.id === id)?.explain.boosts.pin, 1.1);
  const { pins } = await t.run<{ pins: unknown }>("pins", {}, { scopedSession: "S-1" });
  assert.deepEqual(pins, [expected]);
  assert.deepEqual(await t.run("pins", {}, { scopedSession: "S-2" }), { pins: [] });

  await using u = await tempStore();
  const exported = await t.run<{ text: string }>("export");
  await Deno.writeTextFile(`${u.workspace}/all.ndjson`, exported.text);
  await u.run("import", { sources: ["contextfs"], root: `${u.workspace}/all.ndjson` });
  assert.deepEqual(await u.run("pins"), { pins: [expected] });
  assert.equal((await u.run<{ text: string }>("export")).text, exported.text);

  assert.equal((await t.run<{ removed: number }>("unpin", { target: id })).removed, 1);
  assert.deepEqual(await t.run("pins"), { pins: [] });
  await u.run("forget", { ids: [id] });
  assert.deepEqual(await u.run("pins"), { pins: [] });
  assert.deepEqual(await u.ailments(), []);
  // Then it is a word like any other.
  assert.equal((await u.run<Pinned>("pin", { target: id })).saved, true);
});

Deno.test("a text that was saved to be pinned leaves the session start with its pin", async () => {
  await using t = await tempStore({ entries: [{ id: "H-n", type: "note", text: "Use tabs" }] });
  const packed = async (): Promise<string[]> => {
    const { text } = await t.run<{ text: string }>("pack");
    return text.split("\n").filter((line) => line.startsWith("- ")).map((line) =>
      line.replace(/, (?:just now|.* ago):/, ":").replace(/\[H-\w{17}\]/, "[id]")
    );
  };
  const { id } = await t.run<Pinned>("pin", { target: "Never push to main" });
  await t.run("pin", { target: "H-n" });
  assert.deepEqual(
    await packed(),
    ["- [H-n] pin: Use tabs", "- [id] pin: Never push to main"].reverse(),
  );
  await t.run("unpin", { target: id });
  await t.run("unpin", { target: "H-n" });
  assert.deepEqual(await packed(), ["- [H-n] note: Use tabs"]);
  assert.equal(t.textOf(id), "Never push to main");
});

Deno.test("a forgotten id takes its pin along, not a line by hand that is the same word", async () => {
  await using t = await tempStore({ entries: [{ id: "deploy", text: "how we deploy" }] });
  await t.run("pin", { target: "deploy" });
  t.write("pins.md", t.read("pins.md") + "- deploy\n");
  await t.run("forget", { ids: ["deploy"] });
  assert.deepEqual(await t.run("pins"), { pins: [{ text: "deploy" }] });
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("pins.md with the line ends of another system is read, and forgotten from", async () => {
  await using t = await tempStore({ entries: [{ id: "H-1", text: "winter gamma" }] });
  await t.run("pin", { target: "H-1" });
  t.write("pins.md", t.read("pins.md").replaceAll("\n", "\r\n"));
  const { pins } = await t.run<{ pins: { id?: string; text: string }[] }>("pins");
  assert.deepEqual(pins.map(({ id, text }) => [id, text]), [["H-1", "winter gamma"]]);
  await t.run("forget", { ids: ["H-1"], now: true });
  assert.ok(!t.read("pins.md").includes("winter"));
});

Deno.test("a word that is no entry's id is saved and pinned", async () => {
  await using t = await tempStore({ entries });
  const note = await t.run<Pinned>("pin", { target: "YAGNI" });
  assert.deepEqual([note.saved, note.text, t.textOf(note.id)], [true, "YAGNI", "YAGNI"]);
  assert.equal((await t.fail("pin", { target: "H-none" })).code, "NOT_FOUND");
});

Deno.test("parsePins() takes no checkbox, link or bare bracket for an id", () => {
  const lines = ["- [x] done", "- [ ] to do", "- [docs](a.md)", "- [msg_1] a note", "* [id:] none"];
  assert.deepEqual(
    parsePins(lines.join("\n")),
    lines.map((line) => ({ text: line.slice(2) })),
  );
  assert.deepEqual(parsePins("- [H-1] one\n- H-2 two\n- [id: msg_1]: three"), [
    { id: "H-1", text: "one" },
    { id: "H-2", text: "two" },
    { id: "msg_1", text: "three" },
  ]);
});
