// Entries of two sessions with one id, as stores of others have them: each is found, read and counted;
// what names an id alone asks which is meant.

import assert from "node:assert/strict";
import { findEntries } from "../../src/read/find_entries.ts";
import { readNewest } from "../../src/read/read_newest.ts";
import type { Entry } from "../../src/core/entry.ts";
import { writeManifest } from "../../src/index/manifest.ts";
import { rowsOf } from "../../src/store/find.ts";
import { isIndexBehind } from "../../src/store/index_lag.ts";
import { connectMcp } from "../support/processes/mcp_client.ts";
import { type TempStore, tempStore, toLog } from "../support/stores/temp_store.ts";

// deno-lint-ignore no-explicit-any
type Data = any;

const first = {
  id: "H-1",
  session_id: "S-a",
  type: "decision",
  text: "We decided: tokens in auth.ts rotate daily",
};
const second = {
  id: "H-1",
  session_id: "S-b",
  type: "decision",
  text: "We decided: tokens in auth.ts are opaque strings",
};
const entries = [
  first,
  { id: "H-2", session_id: "S-a", text: "Unrelated to that" },
  second,
  // A repeat, as a move or a merge of two clones leaves it: no entry of its own.
  { id: "H-2", session_id: "S-a", text: "Unrelated to that" },
];
const archive = [{ id: "H-2", session_id: "S-b", text: "Tokens were cookies" }];

/** The same store searched through its logs, and through its index. */
async function eachWay(check: (t: TempStore, way: string) => Promise<void>): Promise<void> {
  for (const way of ["logs", "index", "tail"]) {
    await using t = await tempStore({
      entries: way === "tail" ? entries.slice(0, 2) : entries,
      archive,
    });
    if (way !== "logs") await t.run("reindex", { full: true });
    if (way === "tail") t.append("history.ndjson", toLog(entries.slice(2), "T"));
    await check(t, way);
  }
}

function said({ results }: Data): string[] {
  return results.map(({ id, session_id }: Data) => `${id} ${session_id}`).sort();
}

Deno.test("search finds each of two entries with one id, in its session and without one", async () => {
  await eachWay(async (t, way) => {
    const all: Data = await t.run("search", { query: "tokens" });
    assert.deepEqual(said(all), ["H-1 S-a", "H-1 S-b", "H-2 S-b"], way);
    for (const session of ["S-a", "S-b"]) {
      const one: Data = await t.run("search", { query: "tokens auth.ts", session });
      assert.deepEqual([said(one)[0], one.results.length], [`H-1 ${session}`, one.hits], way);
    }
    assert.deepEqual(await t.run("search", { query: "tokens" }), all);
  });
});

Deno.test("rows of one id with equal score and time come as they are in the log", async () => {
  const twins = ["S-b", "S-a", "S-c"].map((session_id) => ({
    id: "H-1",
    session_id,
    text: "The very same words",
    ts: "2026-01-01T00:00:00.000Z",
  }));
  await using t = await tempStore({ entries: twins });
  const found: Data = await t.run("search", { query: "very same words", all_copies: true });
  assert.deepEqual(found.results.map(({ session_id }: Data) => session_id), ["S-b", "S-a", "S-c"]);
});

Deno.test("ask, pack, suggest and ls know both", async () => {
  await eachWay(async (t, way) => {
    for (const { session_id, text } of [first, second]) {
      for (const session of [session_id, "all"]) {
        const { sources }: Data = await t.run("ask", { query: `${text}?`, session });
        assert.deepEqual([sources[0].session, sources[0].quote], [session_id, text], way);
      }
    }
    const { text }: Data = await t.run("pack", {});
    assert.match(text, /\[H-1\] decision.*rotate daily/);
    assert.match(text, /\[H-1\] decision.*opaque strings/);
    const { suggestions }: Data = await t.run("suggest", { file: "auth.ts" });
    assert.deepEqual(
      suggestions.map(({ entity_id, title }: Data) => [entity_id, /daily|opaque/.exec(title)?.[0]]),
      [["H-1", "daily"], ["H-1", "opaque"]],
      way,
    );
    const ls: Data = await t.run("ls", {});
    assert.equal(ls.entries, 4, way);
    assert.deepEqual(said({ results: ls.newest }), ["H-1 S-a", "H-1 S-b", "H-2 S-a", "H-2 S-b"]);
    const newest = await readNewest(t.open(), 10, { minBytes: 0 });
    assert.equal(newest.total, 4, way);
  });
});

Deno.test("MCP search names the sessions of both, and get tells of the other one", async () => {
  await using t = await tempStore({ entries });
  await using mcp = await connectMcp(t.workspace);
  const found = (await mcp.call("search", { query: "tokens auth.ts" })).data;
  assert.deepEqual(said(found), ["H-1 S-a", "H-1 S-b"]);
  const got = (await mcp.call("get", { ids: ["H-1"] })).data;
  assert.deepEqual([got.results[0].text, got.results[0].also_in], [first.text, ["S-b"]]);
  const refused = (await mcp.call("forget", { ids: ["H-1"], confirm: true })).data;
  assert.match(refused.error.hint, /: `ctx doctor --fix` \(the user, in a terminal\)$/);
  const other = (await mcp.call("get", { ids: ["H-1"], session: "S-b" })).data;
  assert.deepEqual([other.results[0].text, other.results[0].also_in], [second.text, ["S-a"]]);
});

Deno.test("a look-up through the index knows what one over the logs knows", async () => {
  await eachWay(async (t, way) => {
    const store = t.open();
    const [scanned, indexed] = await Promise.all(
      [Infinity, 0].map((minBytes) => findEntries(store, ["H-1", "H-2"], { minBytes })),
    );
    assert.deepEqual(indexed, scanned, way);
    assert.deepEqual(
      rowsOf(scanned.get("H-2")).map(({ entry }) => entry.session_id),
      ["S-b", "S-a"],
    );
    const around = await Promise.all(
      ["S-a", "S-b"].map((session) =>
        t.run<Data>("timeline", { id: "H-1", session, before: 1, after: 1 })
      ),
    );
    assert.deepEqual(
      around.map(({ results }) => results.map(({ id, anchor }: Data) => [id, anchor])),
      [[["H-1", true], ["H-2", false]], [["H-2", false], ["H-1", true]]],
      way,
    );
    const everywhere: Data = await t.run("timeline", { id: "H-1", session: "all" });
    assert.equal(everywhere.results.filter(({ anchor }: Data) => anchor).length, 1, way);
  });
});

Deno.test("a correction counts whose id another session used first", async () => {
  const shared = { id: "H-5", text: "Something else" };
  const correction = { text: "Tokens rotate hourly", session_id: "S-b", supersedes: "H-2" };
  await using t = await tempStore({
    entries: [entries[1], { ...shared, session_id: "S-a" }, { ...shared, ...correction }],
  });
  await t.run("reindex", { full: true });
  for (const minBytes of [Infinity, 0]) {
    const found = await findEntries(t.open(), ["H-2"], { minBytes });
    assert.equal(found.get("H-2")?.superseded_by, "H-5");
  }
});

Deno.test("the beginning of an id that two entries share names it", async () => {
  const named = entries.map((entry) => ({ ...entry, id: entry.id.replace("H-1", "H-shared-1") }));
  await using t = await tempStore({ entries: named });
  const got: Data = await t.run("get", { ids: ["H-sha"] });
  assert.deepEqual([got.results[0].id, got.results[0].also_in], ["H-shared-1", ["S-b"]]);
});

Deno.test("an index of a ctx that took the second for a repeat is built anew", async () => {
  await using t = await tempStore({ entries: [...entries, { id: "H-9", text: "Old" }] });
  await t.run("forget", { ids: ["H-9"] });
  await t.run("reindex", { full: true });
  const read = (): Data => JSON.parse(t.read("index/manifest.json")).manifest;
  const { repeats, ...older } = read();
  assert.equal(repeats, "session");
  const store = t.open();
  writeManifest(store.files, store.layout, older);
  assert.equal(isIndexBehind(store, Infinity), true);
  const found: Data = await t.run("search", { query: "tokens" });
  assert.deepEqual([said(found), found.retrieval.engine], [["H-1 S-a", "H-1 S-b"], "scan"]);
  assert.match(t.warnings.join(), /older version of ctx/);
  await t.run("save", { text: "One more" });
  assert.equal(read().repeats, "session");
});

Deno.test("an index where no row is dead says nothing of repeats, and is taken from any ctx", async () => {
  await using t = await tempStore({ entries: entries.slice(0, 3) });
  await t.run("reindex", { full: true });
  assert.equal(JSON.parse(t.read("index/manifest.json")).manifest.repeats, undefined);
  const found: Data = await t.run("search", { query: "tokens" });
  assert.equal(found.retrieval.engine, "index");
});

const refusals: [name: string, input: object, action: string][] = [
  ["forget", { ids: ["H-1"] }, "forget"],
  ["forget", { session: "S-b" }, "forget"],
  ["forget", { before: "2026-01-01T10:01:30Z" }, "forget"],
  ["save", { text: "Tokens rotate hourly", supersedes: "H-1" }, "correct"],
  ["edit", { id: "H-1" }, "edit"],
  ["purge", { pattern: "opaque" }, "purge"],
];
for (const [name, input, action] of refusals) {
  Deno.test(`${name} ${JSON.stringify(input)} asks which entry is meant, and changes nothing`, async () => {
    await using t = await tempStore({ entries });
    const before = t.read("history.ndjson");
    assert.deepEqual(await t.fail(name, input), {
      code: "USAGE",
      message: `Cannot ${action} "H-1": entries of 2 sessions have that id (S-a, S-b)`,
      hint: "nothing was changed; to give each entry its own id, run: ctx doctor --fix",
      retryable: false,
    });
    assert.equal(t.read("history.ndjson"), before);
  });
}

Deno.test("what means all entries of an id forgets all of them", async () => {
  for (
    const [name, input] of [
      ["forget", { before: "2027-01-01" }],
      ["purge", { pattern: "We decided" }],
    ] as const
  ) {
    await using t = await tempStore({ entries });
    await t.run(name, input);
    const found: Data = await t.run("search", { query: "tokens" });
    assert.deepEqual(found.results, [], name);
  }
});

Deno.test("after doctor --fix each can be forgotten by itself", async () => {
  await using t = await tempStore({ entries });
  await t.run("doctor", { fix: true });
  const [, second] = t.ids().filter((id) => id.startsWith("H-1"));
  await t.run("forget", { ids: [second] });
  const found: Data = await t.run("search", { query: "tokens" });
  assert.deepEqual(said(found), ["H-1 S-a"]);
});

Deno.test("doctor --fix brings back nothing that was forgotten", async () => {
  const tombstone = { id: "H-T", type: "tombstone", refs: ["H-1"] };
  await using t = await tempStore({ entries: [...entries, tombstone] });
  for (const fix of [true, false]) {
    const { checks }: Data = await t.run("doctor", { fix });
    assert.equal(checks.find(({ name }: Data) => name === "ids").status, "ok");
    const found: Data = await t.run("search", { query: "tokens" });
    assert.deepEqual(found.results, []);
  }
});

Deno.test("after doctor --fix a correction is of the entry of its session", async () => {
  const corrections = ["S-b", "S-a"].map((session_id, i) => ({
    id: `H-C${i}`,
    session_id,
    type: "decision",
    text: `We decided otherwise in ${session_id}`,
    supersedes: "H-1",
    refs: ["H-2", "H-1"],
  }));
  // The second row of a session repeats the first, which is the one that can be corrected.
  const again = { ...first, text: "We decided: tokens in auth.ts rotate never" };
  await using t = await tempStore({ entries: [first, again, second, ...corrections] });
  await t.run("doctor", { fix: true });
  const rows = t.read("history.ndjson").trim().split("\n").map((line) => JSON.parse(line));
  const idOf = (text: string): string => rows.find((row) => row.text === text).id;
  assert.equal(idOf(first.text), "H-1");
  assert.deepEqual(
    rows.slice(-2).map(({ supersedes, refs }) => [supersedes, refs]),
    [second, first].map(({ text }) => [idOf(text), ["H-2", idOf(text)]]),
  );
});

Deno.test("a tombstone and a correction of an id reach every entry of it", async () => {
  const later = { id: "H-3", session_id: "S-a", text: "Tokens live an hour", supersedes: "H-1" };
  const cases = [
    [{ id: "H-T", type: "tombstone", refs: ["H-1"] }, []],
    [later, ["H-3 S-a", "H-3 S-a", "H-3 S-a"]],
  ] as const;
  for (const [row, shown] of cases) {
    await using t = await tempStore({ entries: [...entries, { ...row } as Partial<Entry>] });
    for (const indexed of [false, true]) {
      if (indexed) await t.run("reindex", { full: true });
      const found: Data = await t.run("search", { query: "tokens" });
      assert.deepEqual(
        found.results.map((one: Data) => one.superseded_by ?? one.id),
        shown.map((one) => one.split(" ")[0]),
      );
    }
  }
});
