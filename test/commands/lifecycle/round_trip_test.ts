import assert from "node:assert/strict";
import fc from "fast-check";
import type { Receipt } from "../../../src/intake/import/receipt.ts";
import type { Entry } from "../../../src/core/entry.ts";
import { diskFiles } from "../../../src/disk/files.ts";
import { plantedSecret } from "../../intake/sources/conformance.ts";
import {
  rowOf,
  type TempStore,
  tempStore,
  testNow,
  toLog,
} from "../../support/stores/temp_store.ts";

const entries = [
  { text: 'quotes " and \\ and\nnewlines', unknown: { deep: [1, null, "x"] }, tags: ["a"] },
  { text: "日本語 🎉 \u0000 \u2028", supersedes: "H-H1", source: { agent: "codex", path: "/x" } },
  { id: "legacy id 1", text: "lone \ud800 surrogate", v: 7 },
];

interface Imported {
  entries: number;
  sessions: number;
  sources: Receipt[];
}

Deno.test("export as NDJSON, taken in as a log, exports the same bytes", async () => {
  await using t = await tempStore({ entries, archive: [{ text: "old", index: 3 }] });
  await t.run("forget", { ids: ["H-H2"] });
  const first = await t.ctx(["export"]);
  await using u = await tempStore({ files: { "history.ndjson": first.bytes } });
  const second = await u.ctx(["export"]);
  assert.deepEqual(second.bytes, first.bytes);
});

Deno.test("rows leave and come in byte for byte, also what JavaScript would write otherwise", async () => {
  const secret = `"title":{"was":"${plantedSecret}"}`;
  const kept = [
    '{"id":"H-1","ts":"2026-01-01T00:00:00.000Z","role":"note","type":"note","text":"big","n":12345678901234567890}',
    '{ "id": "H-2", "text": "spaced", "x": [1.0, 1e400, -0, {"10": 1, "b\\u00e9": 0.10}] }',
    '{"id":"m3","content":"of the original ContextFS","timestamp":1767225600}\r',
  ];
  const mended = [
    `{"id":"H-4","text":"dropped when read",${secret},"n":12345678901234567890}`,
    '{"id":"H-5","text":"hidden","text":"said","n":12345678901234567890}',
  ];
  const log = [...kept, ...mended].map((line) => `${line}\n`).join("");
  await using t = await tempStore({ files: { "history.ndjson": log } });
  const first = await t.ctx(["export"]);
  assert.equal(first.stdout, log);
  await t.run("forget", { ids: ["H-2"] });
  const rest = log.replace(`${kept[1]}\n`, "");
  assert.equal(await exportOf(t), rest);
  await using u = await tempStore();
  Deno.writeFileSync(`${u.workspace}/x.ndjson`, first.bytes);
  const input = { sources: ["contextfs"], root: `${u.workspace}/x.ndjson` };
  assert.equal((await u.run<Imported>("import", input)).entries, 5);
  const lines = u.read("history.ndjson").split("\n");
  assert.deepEqual(lines.slice(0, 3), kept);
  assert.deepEqual(lines.slice(3, 5).map((line) => JSON.parse(line).text), [
    "dropped when read",
    "said",
  ]);
  assert.ok(!lines.join("\n").includes(plantedSecret) && !lines.join("\n").includes("hidden"));
  const again = await u.run<Imported>("import", input);
  assert.deepEqual([again.entries, again.sources[0].clashes], [0, 0]);
  assert.deepEqual(await u.ailments(), []);
});

Deno.test("export is the same before and after compact", async () => {
  await using t = await tempStore({ entries });
  const before = await t.run("export");
  await t.run("compact", { keep: 1, older_than: 0 });
  assert.deepEqual(await t.run("export"), before);
});

Deno.test("ctx export, then ctx import contextfs elsewhere, exports the same bytes", async () => {
  await using t = await tempStore({
    archive: [{ text: "archived", session_id: "S-1" }],
    entries: [
      ...entries,
      { text: "interleaved", session_id: "S-1", project: "/somewhere/else", branch: "b" },
      { text: "of another", session_id: "my session", index: 4, refs: ["legacy id 1"] },
      { text: "back again", session_id: "S-1", files: ["a.ts"], supersedes: "legacy id 1" },
    ],
  });
  await t.ctx(["save", "the key is " + plantedSecret]);
  const first = await t.ctx(["export"]);
  assert.match(first.stdout, /the key is \[REDACTED:/);
  await using u = await tempStore({ init: false });
  assert.equal((await u.ctx(["init"])).code, 0);
  Deno.writeFileSync(`${u.workspace}/x.ndjson`, first.bytes);
  const words = ["import", "contextfs", "--root", "x.ndjson"];
  const taken = await u.ctx(words);
  assert.equal(taken.code, 0, taken.stderr);
  assert.match(taken.stdout, /contextfs: 8 new entries in 3 sessions of 3/);
  assert.deepEqual((await u.ctx(["export"])).bytes, first.bytes);
  const before = u.bytes("history.ndjson");
  const again = await u.ctx([...words, "--json"]);
  const data: Imported = JSON.parse(again.stdout);
  assert.deepEqual([data.entries, data.sources[0].entries_known], [0, 8]);
  assert.deepEqual(u.bytes("history.ndjson"), before);
  assert.deepEqual(await u.ailments(), []);
});

Deno.test("events of sessions are exported in one order, whichever sessions an import takes first", async () => {
  // Said last in the session that comes first in the log, and once by a clock that went back.
  const events = [
    ["S-2", "2026-01-01T00:00:01.000Z", "two"],
    ["S-1", "2026-01-01T00:00:02.000Z", "one"],
    ["S-3", "2026-01-01T00:00:02.000Z", "three"],
    ["S-2", "2026-01-01T00:00:04.000Z", "two, later"],
    ["S-2", "2026-01-01T00:00:03.000Z", "two, last"],
    ["S-1", "2026-01-01T00:00:05.000Z", "one, last"],
  ].map(([session_id, ts, title]) => ({ event: "titled", session_id, ts, title }));
  await using t = await tempStore({
    entries: ["S-1", "S-2", "S-3"].map((session_id) => ({ text: session_id, session_id })),
    files: { "sessions.ndjson": events.map((event) => `${JSON.stringify(event)}\n`).join("") },
  });
  const text = await exportOf(t);
  assert.ok(text.indexOf("two, later") < text.indexOf("two, last"), "the last title stays last");
  await using u = await tempStore();
  Deno.writeTextFileSync(`${u.workspace}/x.ndjson`, text);
  await u.run("import", { sources: ["contextfs"], root: `${u.workspace}/x.ndjson` });
  assert.equal(await exportOf(u), text);
});

Deno.test("any store is the same after export and import: a file, a workspace, its directory", async () => {
  await using scratch = await tempStore({ init: false });
  const path = `${scratch.workspace}/x.ndjson`;
  await fc.assert(
    fc.asyncProperty(anyRows(), fc.nat(100), async (rows, cut) => {
      const at = Math.floor(rows.length * cut / 100);
      await using t = await tempStore({ archive: rows.slice(0, at), entries: rows.slice(at) });
      const text = await exportOf(t);
      Deno.writeTextFileSync(path, text);
      for (const root of [path, t.workspace, t.root]) {
        await using u = await tempStore();
        const { entries } = await u.run<Imported>("import", { sources: ["contextfs"], root });
        assert.equal(entries, rows.length);
        assert.equal(await exportOf(u), text);
        const again = await u.run<Imported>("import", { sources: ["contextfs"], root });
        assert.equal(again.entries, 0);
        assert.equal(again.sources[0].clashes, 0);
      }
    }),
    { numRuns: 40 },
  );
});

Deno.test("importing into a store that has some entries adds the others", async () => {
  await fc.assert(
    fc.asyncProperty(anyRows(), fc.nat(), async (rows, mask) => {
      const known = rows.filter((_, i) => (mask >> i) % 2 === 1);
      await using t = await tempStore({ entries: rows });
      await using u = await tempStore({ entries: known });
      const root = t.workspace;
      const { entries, sources } = await u.run<Imported>("import", {
        sources: ["contextfs"],
        root,
      });
      assert.equal(entries, rows.length - known.length);
      assert.equal(sources[0].entries_known, known.length);
      assert.deepEqual(
        new Set((await exportOf(u)).split("\n")),
        new Set((await exportOf(t)).split("\n")),
      );
    }),
    { numRuns: 30 },
  );
});

Deno.test("an id that another entry has is reported, and neither is lost", async () => {
  await using t = await tempStore({ entries: ["ours", "same", "only here"] });
  await using u = await tempStore({ entries: ["theirs", "same"] });
  u.append("history.ndjson", toLog([{ id: "H-new", text: "new" }, { id: "H-new", text: "twice" }]));
  const before = t.read("history.ndjson");
  const { entries, sources: [receipt] } = await t.run<Imported>("import", {
    sources: ["contextfs"],
    root: u.workspace,
  });
  assert.equal(entries, 1);
  assert.deepEqual([receipt.clashes, receipt.clash_ids], [2, ["H-H1", "H-new"]]);
  assert.equal(receipt.entries_known, 1);
  assert.ok(t.read("history.ndjson").startsWith(before));
  assert.deepEqual(["H-H1", "H-H3", "H-new"].map((id) => t.textOf(id)), [
    "ours",
    "only here",
    "new",
  ]);
  const said = await t.ctx(["import", "contextfs", "--root", u.workspace]);
  assert.match(said.stdout, /2 entries skipped, another entry has the same id: H-H1, H-new/);
});

Deno.test("what is forgotten on either side stays forgotten, and a dry run writes nothing", async () => {
  await using t = await tempStore({ entries: ["one", "two", "three"] });
  await using u = await tempStore({ entries: ["one", "two", "three"] });
  await t.run("forget", { ids: ["H-H1"] });
  await u.run("forget", { ids: ["H-H2"] });
  await using v = await tempStore();
  const input = { sources: ["contextfs"], root: t.workspace };
  const dry = await v.run<Imported>("import", { ...input, dry_run: true });
  assert.deepEqual([dry.entries, v.ids()], [2, []]);
  await v.run("import", input);
  assert.deepEqual(v.ids(), ["H-H2", "H-H3"]);
  const { sources: [receipt] } = await u.run<Imported>("import", input);
  assert.equal(receipt.forgotten, 1);
  assert.deepEqual(u.ids(), ["H-H1", "H-H3"]);
});

Deno.test("titles and pins go through an export, a workspace and back; twice is once", async () => {
  await using t = await tempStore({ entries: ["plain", "kept", "left"] });
  await t.run("session start", { title: "Ports and adapters" });
  await t.run("save", { text: "of the session" });
  await t.run("pin", { target: "H-H2" });
  t.write("pins.md", `${t.read("pins.md")}- by hand\n\nnot a pin\n`);
  const text = await exportOf(t);
  assert.match(text, /\n\{"session_event":\{"event":"opened",.*"title":"Ports and adapters"/);
  assert.match(
    text,
    /\n\{"pin":\{"id":"H-H2","text":"kept"\}\}\n\{"pin":\{"text":"by hand"\}\}\n$/,
  );
  const path = `${t.workspace}/x.ndjson`;
  Deno.writeTextFileSync(path, text.trimEnd());
  for (const root of [path, t.workspace]) {
    await using u = await tempStore({ init: false });
    await u.ctx(["init"]);
    for (let i = 0; i < 2; i++) {
      const taken = await u.ctx(["import", "contextfs", "--root", root, "--json"]);
      const { sources: [receipt] }: Imported = JSON.parse(taken.stdout);
      assert.deepEqual([receipt.entries, receipt.bad_lines, receipt.clashes], [4 * (1 - i), 0, 0]);
      assert.equal((await u.ctx(["export"])).stdout, text);
    }
    assert.match((await u.ctx(["sessions"])).stdout, /Ports and adapters/);
  }
  const { text: one } = await t.run<{ text: string }>("export", { session: "current" });
  assert.deepEqual(one.includes('"session_event"') && !one.includes('"pin"'), true);
});

Deno.test("a pin is not taken for another entry of the same id", async () => {
  await using t = await tempStore({ entries: ["theirs"] });
  await t.run("pin", { target: "H-H1" });
  await using u = await tempStore({ entries: ["ours"] });
  await u.run("import", { sources: ["contextfs"], root: t.workspace });
  assert.deepEqual(await u.run("pins"), { pins: [] });
});

Deno.test("titles of sessions come along; which session is open here does not change", async () => {
  await using t = await tempStore({ entries: [{ text: "x", session_id: "S-there" }] });
  const opened = { event: "opened", session_id: "S-there", ts: new Date(testNow).toISOString() };
  const imported = { ...opened, event: "imported", title: "Ports", resume: { signature: "1" } };
  t.write(
    "sessions.ndjson",
    [opened, imported].map((event) => JSON.stringify(event) + "\n").join(""),
  );
  await using u = await tempStore();
  await u.run("session start", { title: "mine" });
  const { session_id: mine } = u.open().readState();
  const input = { sources: ["contextfs"], root: t.workspace };
  await u.run("import", input);
  await u.run("import", input);
  const meta = u.open().readSessions().get("S-there");
  assert.deepEqual([meta?.title, meta?.resume], ["Ports", undefined]);
  assert.equal(u.read("sessions.ndjson").split("S-there").length, 3);
  assert.equal(u.open().readState().session_id, mine);
  Deno.removeSync(u.path("state.json"));
  assert.equal(u.open().readState().session_id, mine);
});

Deno.test("--session and --since choose; damage is counted; a missing newline is forgiven", async () => {
  await using t = await tempStore({ init: false });
  const rows = ["2026-01-01", "2026-03-01"].flatMap((day, i) =>
    [0, 1].map((k) =>
      rowOf({ id: `r${i}${k}`, session_id: `S-${i}`, ts: `${day}T00:00:0${k}.000Z` })
    )
  );
  const lines = rows.map((row) => JSON.stringify(row));
  Deno.writeTextFileSync(`${t.workspace}/x.ndjson`, `not json\n${lines.join("\n")}`);
  const take = async (more: object): Promise<[string[], Receipt]> => {
    await using u = await tempStore();
    const root = `${t.workspace}/x.ndjson`;
    const { sources } = await u.run<Imported>("import", { sources: ["contextfs"], root, ...more });
    return [u.ids(), sources[0]];
  };
  const [all, receipt] = await take({});
  assert.deepEqual([all, receipt.bad_lines], [["r00", "r01", "r10", "r11"], 1]);
  assert.deepEqual((await take({ session: "S-1" }))[0], ["r10", "r11"]);
  assert.deepEqual((await take({ since: "2026-03-01T00:00:01.000Z" }))[0], ["r10", "r11"]);
});

Deno.test("a store that grew while it was copied into gets no id twice", async () => {
  await using t = await tempStore({ entries: ["one", "two"] });
  await using u = await tempStore();
  const path = u.path("history.ndjson");
  let written = false;
  // Another process saves one of the rows after the copy has looked, before it takes the lock.
  const files = {
    ...diskFiles,
    openReader(name: string) {
      if (name === t.path("history.ndjson") && !written) {
        written = true;
        Deno.writeTextFileSync(path, toLog(["one"]), { append: true });
      }
      return diskFiles.openReader(name);
    },
  };
  const { entries, sources } = await u.run<Imported>("import", {
    sources: ["contextfs"],
    root: t.workspace,
  }, { files });
  assert.deepEqual([entries, sources[0].entries_known], [1, 1]);
  assert.deepEqual(u.ids(), ["H-H1", "H-H2"]);
  assert.deepEqual(await u.ailments(), []);
});

Deno.test("import contextfs says when there is nothing to read, and passes over itself", async () => {
  await using t = await tempStore({ entries: ["one"] });
  Deno.mkdirSync(`${t.workspace}/empty`);
  const error = await t.fail("import", { sources: ["contextfs"], root: "empty" });
  assert.equal(error.code, "NOT_FOUND");
  const own = await t.run<Imported>("import", { sources: ["contextfs"], root: t.workspace });
  assert.deepEqual(own.sources[0].sessions_skipped, { own_store: 1 });
});

async function exportOf(t: TempStore): Promise<string> {
  return (await t.run<{ text: string }>("export")).text;
}

/** Rows with every field, odd ids and texts included; ids are unique. */
function anyRows(): fc.Arbitrary<Entry[]> {
  const text = fc.string({ unit: "binary", maxLength: 40 });
  const id = fc.string({ minLength: 1, maxLength: 12 });
  const row = fc.record({
    id,
    ts: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) =>
      date.toISOString()
    ),
    role: fc.constantFrom("user", "assistant", "system", "tool", "note"),
    type: fc.constantFrom("turn", "note", "decision", "tool_output", "doc", "odd.type"),
    text,
    session_id: fc.constantFrom("S-1m2few700s4d0k3nc", "a session", "S-2"),
    title: text,
    refs: fc.array(id, { maxLength: 3 }),
    tags: fc.array(text, { maxLength: 3 }),
    files: fc.array(text, { maxLength: 3 }),
    index: fc.nat(),
    source: fc.record({ agent: fc.constantFrom("codex", "contextfs"), message: text }),
    project: text,
    supersedes: id,
    extra: fc.jsonValue(),
  }, { requiredKeys: ["id", "ts", "role", "type", "text"] });
  return fc.uniqueArray(row, { selector: (item) => item.id, maxLength: 12 }) as fc.Arbitrary<
    Entry[]
  >;
}
