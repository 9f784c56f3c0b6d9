// Others' rows are found, read and listed like one's own, and say whose they are.

import assert from "node:assert/strict";
import { catchUp } from "../../src/index/catch_up.ts";
import type { Entry } from "../../src/core/entry.ts";
import { appendTeam } from "../../src/store/team/team_log.ts";
import { teamFiles, teamLine, writerIds } from "../support/servers/team_logs.ts";
import { type TempStore, tempStore, toLog } from "../support/stores/temp_store.ts";

interface Found {
  id: string;
  pool: string;
  author?: string;
  superseded_by?: string;
  superseded_author?: string;
}

const remote = JSON.stringify({
  version: 1,
  space: "team",
  writer: writerIds[7],
  name: "me",
  owner: false,
  encrypted: false,
});

const own: Partial<Entry>[] = [
  { id: "H-mine", text: "tokens rotate on every use", session_id: "S-own" },
  { id: "H-both", text: "tokens that both logs have", session_id: "S-own" },
];

const others: Record<string, Partial<Entry>[]> = {
  ann: [
    { id: "H-ann1", text: "tokens are rotated by the gateway", type: "decision" },
    { id: "H-ann2", text: "ann asked about tokens", role: "user", type: "turn", session_id: "S-a" },
    { id: "H-ann3", text: "ann got an answer about tokens", role: "assistant", session_id: "S-a" },
  ],
  bob: [
    { id: "H-bob1", text: "bob keeps tokens in a jar" },
    { id: "H-both", text: "tokens of another who took the id" },
    { id: "H-bob2", text: "bob forgot about tokens" },
    { id: "H-bob3", type: "tombstone", text: "", refs: ["H-bob2", "H-mine"] },
  ],
  me: [{ id: "H-laptop", text: "tokens that I noted on the laptop" }],
};

/** A store as the last sync left it. */
async function teamStore(options: { index?: boolean } = {}): Promise<TempStore> {
  const t = await tempStore({
    entries: own,
    files: { ...teamFiles(others), "remote.json": remote },
  });
  await t.open().write("test", () => {});
  if (options.index) await catchUp(t.open(), { sealBytes: 0 });
  return t;
}

async function find(t: TempStore, input: object = {}): Promise<Found[]> {
  const request = { query: "tokens", k: 50, all_copies: true, ...input };
  return (await t.run<{ results: Found[] }>("search", request)).results;
}

async function idsOf(t: TempStore, input: object = {}): Promise<string[]> {
  return (await find(t, input)).map(({ id }) => id).sort();
}

for (const index of [false, true]) {
  const how = index ? "by the index" : "by the logs";

  Deno.test(`others' rows are found ${how}, each with its author`, async () => {
    await using t = await teamStore({ index });
    const rows = await find(t);
    assert.deepEqual(rows.map(({ id, pool, author }) => [id, pool, author]).sort(), [
      ["H-ann1", "team", "ann"],
      ["H-ann2", "team", "ann"],
      ["H-ann3", "team", "ann"],
      ["H-bob1", "team", "bob"],
      ["H-both", "hot", undefined],
      ["H-laptop", "team", "me"],
      ["H-mine", "hot", undefined],
    ], "an own row is hidden by nobody else's tombstone, and its id is its own");
    assert.deepEqual(t.warnings, []);
  });

  Deno.test(`rows are filtered by author ${how}`, async () => {
    await using t = await teamStore({ index });
    const mine = ["H-both", "H-laptop", "H-mine"];
    assert.deepEqual(await idsOf(t, { author: "bob" }), ["H-bob1"]);
    assert.deepEqual(await idsOf(t, { query: "tokens author:Ann" }), [
      "H-ann1",
      "H-ann2",
      "H-ann3",
    ]);
    assert.deepEqual(await idsOf(t, { author: "bob,me" }), ["H-bob1", ...mine].sort());
    assert.deepEqual(await idsOf(t, { mine: true }), mine);
    assert.deepEqual(await idsOf(t, { author: "me" }), mine);
    assert.deepEqual(await idsOf(t, { query: "tokens NOT author:me" }), [
      "H-ann1",
      "H-ann2",
      "H-ann3",
      "H-bob1",
    ]);
    assert.deepEqual(await idsOf(t, { author: "carol" }), []);
    assert.deepEqual(await idsOf(t, { scope: "hot" }), ["H-both", "H-mine"]);
  });

  Deno.test(`others' rows are read ${how}: get, timeline, sessions, show`, async () => {
    await using t = await teamStore({ index });
    const got = await t.run<{ results: Found[] }>("get", { ids: ["H-ann1", "H-both"] });
    assert.deepEqual(got.results.map(({ id, pool, author }) => [id, pool, author]), [
      ["H-ann1", "team", "ann"],
      ["H-both", "hot", undefined],
    ]);
    assert.equal((await t.fail("get", { ids: ["H-bob2"] })).code, "NOT_FOUND");
    const line = await t.run<{ results: Found[] }>("timeline", { id: "H-ann2" });
    assert.deepEqual(line.results.map(({ id, author }) => [id, author]), [
      ["H-ann2", "ann"],
      ["H-ann3", "ann"],
    ]);
    const all = await t.run<{ sessions: Found[] }>("sessions");
    assert.deepEqual(all.sessions.map(({ id, author }) => [id, author]).sort(), [
      ["S-a", "ann"],
      ["S-own", undefined],
    ]);
    const mine = await t.run<{ sessions: Found[] }>("sessions", { mine: true });
    assert.deepEqual(mine.sessions.map(({ id }) => id), ["S-own"]);
    const hers = await t.run<{ sessions: Found[] }>("sessions", { author: "ann" });
    assert.deepEqual(hers.sessions.map(({ id }) => id), ["S-a"]);
    const shown = JSON.stringify(await t.run("show", { sessions: ["S-a"] }));
    assert.ok(shown.includes("ann asked about tokens"));
  });

  Deno.test(`of several corrections the later counts for everybody ${how}`, async () => {
    const correct = (id: string, ts: string): Partial<Entry> => ({
      id,
      ts,
      text: `${id} says how tokens go`,
      supersedes: "H-old",
    });
    const day = (n: number): string => `2026-02-0${n}T00:00:00.000Z`;
    const logs = {
      // In one log the later row counts, whatever its clock said.
      ann: [
        { id: "H-old", text: "how tokens went" },
        correct("H-a5", day(5)),
        correct("H-a3", day(3)),
      ],
      bob: [correct("H-b4", day(4))],
      carol: [correct("H-c2", day(2))],
    };
    for (const who of Object.keys(logs) as (keyof typeof logs)[]) {
      const rest = Object.fromEntries(Object.entries(logs).filter(([name]) => name !== who));
      await using t = await tempStore({ entries: logs[who], files: teamFiles(rest) });
      if (index) await catchUp(t.open(), { sealBytes: 0 });
      const old = (await find(t)).find(({ id }) => id === "H-old");
      assert.equal(old?.superseded_by, "H-b4", `as ${who} sees it`);
      assert.equal(old?.superseded_author, who === "bob" ? undefined : "bob");
      const got = await t.run<{ results: Found[] }>("get", { ids: ["H-old"] });
      assert.equal(got.results[0].superseded_by, "H-b4", `as ${who} reads it`);
      assert.equal(got.results[0].superseded_author, who === "bob" ? undefined : "bob");
    }
  });
}

Deno.test("one's own tombstone hides what others have of the same entry", async () => {
  await using t = await teamStore();
  await t.run("forget", { ids: ["H-both"] });
  assert.ok(!(await idsOf(t)).includes("H-both"));
  await catchUp(t.open(), { sealBytes: 0 });
  assert.ok(!(await idsOf(t)).includes("H-both"));
});

Deno.test("rows that come after the index are found, and what they hide is not", async () => {
  await using t = await teamStore({ index: true });
  t.append(
    `team/${writerIds[0]}.ndjson`,
    teamLine({ id: "H-ann9", text: "new tokens" }, "ann", 5) + "\n",
  );
  const tombstone = { id: "H-annT", type: "tombstone", text: "", refs: ["H-ann1", "H-mine"] };
  t.append(`team/${writerIds[0]}.ndjson`, teamLine(tombstone, "ann", 6) + "\n");
  await t.open().write("test", () => {});
  const ids = await idsOf(t);
  assert.ok(ids.includes("H-ann9") && ids.includes("H-mine") && !ids.includes("H-ann1"));
  const times = await t.run<{ results: Found[] }>("timeline", {
    id: "H-mine",
    session: "all",
    before: 50,
    after: 50,
  });
  const around = times.results.map(({ id }) => id);
  assert.ok(around.includes("H-ann9") && !around.includes("H-ann1"), around.join());
});

Deno.test("a tombstone of others hides no own row from whoever reads the logs", async () => {
  await using t = await teamStore();
  const { text } = await t.run<{ text: string }>("export", { team: true });
  assert.ok(text.includes('"id":"H-mine"') && !text.includes('"id":"H-bob2"'));
});

Deno.test("an order that is made anew takes the index of the old one with it", async () => {
  await using t = await tempStore();
  // First and last stay where they are, so that the ends of the log do not tell.
  const arrived = [[0, "one"], [1, "two"], [0, "three"], [1, "four"]] as const;
  for (const [seq, [n, word]] of arrived.entries()) {
    const line = teamLine({ id: `H-${word}`, text: `tokens ${word} `.repeat(60) }, "ann", seq + 1);
    await t.open().write("sync", (writer) => appendTeam(writer, writerIds[n], [line]));
  }
  await catchUp(t.open(), { sealBytes: 0 });
  Deno.removeSync(t.path("team/order"));
  await t.open().write("test", () => {});
  assert.deepEqual(await idsOf(t), ["H-four", "H-one", "H-three", "H-two"]);
  assert.deepEqual(t.warnings, []);
});

Deno.test("a store of which the order was lost finds the same, and indexes it anew", async () => {
  await using t = await teamStore({ index: true });
  const before = await idsOf(t);
  Deno.removeSync(t.path("team/order"));
  assert.deepEqual(await idsOf(t), before);
  await t.open().write("test", () => {});
  assert.deepEqual(await idsOf(t), before);
  await catchUp(t.open(), { sealBytes: 0 });
  assert.deepEqual(await idsOf(t), before);
  assert.deepEqual(t.warnings, []);
});

/** Rows without sessions, so that no neighbours count. */
function randomRows(count: number, seed: number): Partial<Entry>[] {
  let state = seed;
  const next = (below: number): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor(state / 65536) % below;
  };
  const words = [
    "token",
    "gateway",
    "retry",
    "cache",
    "lock",
    "index",
    "merge",
    "socket",
    "cookie",
  ];
  return Array.from({ length: count }, (_, i) => ({
    id: `H-r${i}`,
    ts: `2026-01-01T00:${String(Math.floor(i / 60)).padStart(2, "0")}:${
      String(i % 60).padStart(2, "0")
    }.000Z`,
    text: Array.from({ length: 3 + next(9) }, () => words[next(words.length)]).join(" "),
    type: next(3) === 0 ? "decision" : "note",
  }));
}

Deno.test("many logs are searched as one log of the same rows", async () => {
  for (const seed of [1, 2, 3]) {
    const rows = randomRows(200, seed);
    const names = ["ann", "bob", "carol", "dave"].slice(0, 2 + seed % 3);
    const logs = Object.fromEntries(
      names.map((name, n) => [name, rows.filter((_, i) => i % names.length === n)]),
    );
    await using one = await tempStore();
    one.write("history.ndjson", toLog(rows));
    await using many = await tempStore({ files: teamFiles(logs) });
    for (const index of [false, true]) {
      if (index) { for (const t of [one, many]) await catchUp(t.open(), { sealBytes: 0 }); }
      for (const query of ["token gateway", "retry", '"cache lock"', "merge NOT index"]) {
        const shown = async (t: TempStore) => {
          const request = { query, k: 50, all_copies: true };
          const { results, total } = await t.run<
            { total: number; results: (Found & { score_final: number })[] }
          >("search", request);
          return { total, rows: results.map(({ id, score_final }) => [id, score_final]) };
        };
        assert.deepEqual(await shown(many), await shown(one), `${query}, seed ${seed}`);
      }
    }
  }
});
