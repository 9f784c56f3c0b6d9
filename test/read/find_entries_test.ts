// `get` and `timeline` on a log that is long enough for the index: the same bytes with an index,
// without one, with rows after the indexed part, and with a damaged one.

import assert from "node:assert/strict";
import fc from "fast-check";
import { makeRandom } from "../../bench/support/generate.ts";
import { catchUp } from "../../src/index/catch_up.ts";
import { useLogIndex } from "../../src/index/log_index.ts";
import { type IndexUse, minIndexedBytes } from "../../src/index/ask_index.ts";
import { findEntries } from "../../src/read/find_entries.ts";
import { loadSessions } from "../../src/read/session_messages.ts";
import { pickTimeWindow } from "../../src/read/time_window.ts";
import { readTimeline } from "../../src/read/read_timeline.ts";
import { firstUserLine } from "../../src/store/session_catalog.ts";
import { runsOf } from "../support/full_length.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

const logs = { archive: "history.archive.ndjson", hot: "history.ndjson" };

/** Ties, and now and then a day that no calendar has or a time that is none. */
const anyTime = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.constantFrom("02-28", "03-03", "03-08", "03-08", "03-09", "03-10", "03-11")
      .map((day) => `2026-${day}T00:00:00.000Z`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("2026-02-30T00", "2026-03-07T24", "2026-13-01T00", "2026-03-32T00")
      .map((hour) => `${hour}:00:00.000Z`),
  },
);

const anyId = fc.nat(24).map((n) => `H-${n}`);
const anyPool = fc.constantFrom("hot", "hot", "archive");
const anyStep = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("entry"),
      pool: anyPool,
      row: fc.record({
        session_id: fc.constantFrom("S-1", "S-2", 'S-ü"', undefined),
        role: fc.constantFrom("user", "assistant"),
        type: fc.constantFrom("turn", "turn", "turn", "doc", "thinking"),
        ts: anyTime,
        index: fc.option(fc.nat(6), { nil: undefined }),
        supersedes: fc.option(anyId, { nil: undefined, freq: 2 }),
        project: fc.constantFrom("p", "q", undefined),
        collection: fc.constantFrom("c", "d"),
        document: fc.constantFrom("one", "two"),
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("forget"), pool: anyPool, id: anyId }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("repeat"), pool: anyPool, id: anyId }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("seal", "seal", "purge") }) },
);
type Step = {
  do: string;
  pool?: "hot" | "archive";
  row?: Record<string, unknown>;
  id?: string;
};

/** Does the steps; entries are numbered as they come, so that others may name them before. */
async function build(t: TempStore, steps: Step[]): Promise<void> {
  const lines = new Map<string, string>();
  for (const [i, step] of steps.entries()) {
    const log = logs[step.pool ?? "hot"];
    if (step.do === "entry") {
      const id = `H-${lines.size}`;
      lines.set(id, JSON.stringify({ id, text: `text of ${id}`, ...step.row }) + "\n");
      t.append(log, lines.get(id) ?? "");
    } else if (step.do === "forget") {
      const row = { id: `T-${i}`, type: "tombstone", text: "", ts: 0, refs: [step.id] };
      t.append(log, JSON.stringify(row) + "\n");
    } else if (step.do === "repeat") {
      t.append(log, lines.get(step.id ?? "") ?? "");
    } else {
      await catchUp(t.open(), { sealBytes: 1, purge: step.do === "purge" });
    }
  }
}

/** Everything that can be asked of a store. */
async function askAll(t: TempStore, use: IndexUse): Promise<Record<string, unknown>> {
  using store = t.open().openView();
  const ids = [...Array.from({ length: 25 }, (_, n) => `H-${n}`), "T-3", "H-none"];
  const answers: Record<string, unknown> = {};
  const together = await findEntries(store, ids, use);
  for (const [n, id] of ids.entries()) {
    const found = (await findEntries(store, [id], use)).get(id);
    assert.deepEqual(found, together.get(id));
    const hidden = found?.row === undefined || found.forgotten;
    answers[id] = hidden ? "not there" : found;
    if (hidden || !found.row) continue;
    for (const everySession of [false, true]) {
      const options = { before: n % 4, after: n % 3, everySession, ...use };
      const window = await readTimeline(store, found.row.entry, options);
      answers[`${id} ${everySession ? "of all" : "of its session"}`] = window;
    }
  }
  for (const id of ["S-1", "S-2", 'S-ü"', "S-none"]) {
    try {
      const [{ session, messages }] = await loadSessions(store, [id], use);
      const { id: own, title, project, source, branch, started, parent } = session;
      const facts = { own, title, project, source, branch, started, parent };
      answers[id] = { ...facts, line: firstUserLine(session), messages };
    } catch (error) {
      answers[id] = String(error);
    }
  }
  return answers;
}

function usesIndex(t: TempStore): boolean {
  const store = t.open();
  using snapshot = store.openSnapshot();
  return useLogIndex(store, snapshot, () => true) ?? false;
}

const sessionEvents = [
  { event: "opened", session_id: "S-1", ts: "2026-03-01T00:00:00.000Z", title: "One", branch: "b" },
  { event: "opened", session_id: "S-2", ts: "2026-03-01T00:00:00.000Z", project: "r" },
  { event: "closed", session_id: "S-1", ts: "2026-03-02T00:00:00.000Z", title: "First" },
].map((event) => JSON.stringify(event) + "\n").join("");

const always = { minBytes: 0 };
const never = { minBytes: Infinity };

Deno.test("ids and timelines are the same with an index, a tail and no index", async () => {
  const property = fc.asyncProperty(
    fc.array<Step>(anyStep, { minLength: 5, maxLength: 40 }),
    fc.array<Step>(anyStep, { maxLength: 8 }),
    async (indexed, tail) => {
      await using t = await tempStore();
      const entry: Step = { do: "entry", row: { session_id: "S-1" } };
      const later = tail.filter((step) => step.do !== "purge" && step.do !== "seal");
      t.append("sessions.ndjson", sessionEvents);
      await build(t, [entry, ...indexed, { do: "seal" }, ...later]);
      assert.ok(usesIndex(t));
      assert.deepEqual(await askAll(t, always), await askAll(t, never));
    },
  );
  await fc.assert(property, { numRuns: runsOf(80) });
});

Deno.test("a damaged index changes no answer", async () => {
  await using t = await tempStore();
  const entry = (n: number): Step => ({
    do: "entry",
    row: {
      session_id: `S-${n % 2 + 1}`,
      ts: 1767225600 + n * 60,
      supersedes: `H-${n - 5}`,
      text: Array.from({ length: 100 }, (_, word) => `word${n * 100 + word}`).join(" "),
    },
  });
  const steps = Array.from(
    { length: 20 },
    (_, n) => n % 7 === 0 ? [entry(n), { do: "seal" }] : entry(n),
  );
  await build(t, [...steps.flat(), { do: "forget", id: "H-3" }, { do: "seal" }, entry(20)]);
  const index = [...Deno.readDirSync(t.path("index"))].map(({ name }) => `index/${name}`)
    .filter((name) => /\.seg$|manifest/.test(name)).sort();
  const kept = index.map((name) => t.bytes(name));
  const answers = await askAll(t, never);
  const random = makeRandom(3);
  const damages = runsOf(120);
  let used = 0;
  for (let round = 0; round < damages; round++) {
    index.forEach((name, i) => t.write(name, kept[i]));
    const at = Math.floor(random() * index.length);
    const bytes = kept[at].slice();
    const byte = Math.floor(random() * bytes.length);
    if (round % 10 === 0) Deno.removeSync(t.path(index[at]));
    else if (round % 3 === 0) t.write(index[at], bytes.subarray(0, byte));
    else {
      bytes.fill(255, byte, byte + 1 + Math.floor(random() * 40));
      t.write(index[at], bytes);
    }
    if (usesIndex(t)) used++;
    assert.deepEqual(await askAll(t, always), answers, `round ${round}: ${index[at]} at ${byte}`);
  }
  assert.ok(used > damages / 12, `${used} damages were met after the index was opened`);
});

Deno.test("an index of a log that was changed since is passed over", async () => {
  await using t = await tempStore();
  const entry: Step = { do: "entry", row: { session_id: "S-1", ts: 1767225600 } };
  await build(t, [entry, entry, entry, { do: "seal" }]);
  t.write(logs.hot, t.read(logs.hot).replace("text of H-1", "TEXT OF H-1"));
  assert.equal(usesIndex(t), false);
  const found = await findEntries(t.open(), ["H-1"], always);
  assert.equal(found.get("H-1")?.row?.entry.text, "TEXT OF H-1");
});

Deno.test("a window in order of time is read through the index", async () => {
  await using t = await tempStore();
  const entry = (day: string): Step => ({ do: "entry", row: { ts: `2026-${day}T00:00:00.000Z` } });
  await build(t, [...["03-09", "03-08", "03-12", "03-02", "03-10"].map(entry), { do: "seal" }]);
  const store = t.open();
  using snapshot = store.openSnapshot();
  const near = async (id: string): Promise<string[] | undefined> => {
    const anchor = (await findEntries(store, [id])).get(id)?.row?.entry;
    assert.ok(anchor);
    const compare = (a: { ts: string }, b: { ts: string }): number => a.ts < b.ts ? -1 : 1;
    return useLogIndex(store, snapshot, (index) => {
      const timed = index.times({ sessionless: true });
      const window = timed && pickTimeWindow(timed, anchor, { before: 1, after: 1, compare });
      return window?.rows.map(({ entry }) => entry.id);
    });
  };
  assert.deepEqual(await near("H-0"), ["H-1", "H-0", "H-4"]);
  assert.deepEqual(await near("H-1"), ["H-3", "H-1", "H-0"]);
});

Deno.test("the last correction that is an entry counts, with an index and without", async () => {
  await using t = await tempStore();
  const entry = (supersedes?: string): Step => ({ do: "entry", row: { supersedes } });
  await build(t, [entry(), entry("H-0"), entry("H-0"), entry("H-3"), { do: "seal" }]);
  const newest = async (): Promise<(string | undefined)[]> => {
    const found = await Promise.all(
      [always, never].map((use) => findEntries(t.open(), ["H-0", "H-3"], use)),
    );
    return found.flatMap((each) => [...each.values()].map((item) => item.superseded_by));
  };
  assert.deepEqual(await newest(), ["H-2", undefined, "H-2", undefined]);
  await t.run("forget", { ids: ["H-2"] });
  assert.deepEqual(await newest(), ["H-1", undefined, "H-1", undefined]);
  await t.run("forget", { ids: ["H-1"] });
  assert.deepEqual(await newest(), [undefined, undefined, undefined, undefined]);
});

/** A line without an entry that makes any log a long one. */
const padding = JSON.stringify({ padding: " ".repeat(minIndexedBytes) }) + "\n";

Deno.test("ctx get and ctx timeline find rows of a long log through its index", async () => {
  await using t = await tempStore();
  t.write(logs.hot, padding);
  const entry: Step = { do: "entry", row: { session_id: "S-1", ts: 1767225600 } };
  await build(t, [entry, entry, { do: "forget", id: "H-0" }, { do: "seal" }, entry]);
  assert.ok(usesIndex(t));
  const answersOf = async (): Promise<[string, number][]> => {
    const calls = [["get", "H-1"], ["get", "H-2"], ["get", "H-0"], ["timeline", "H-2", "--json"]];
    const results = await Promise.all(calls.map((words) => t.ctx(words)));
    return results.map(({ stdout, code }) => [stdout, code]);
  };
  const answers = await answersOf();
  assert.deepEqual(answers.slice(0, 3), [["text of H-1", 0], ["text of H-2", 0], ["", 3]]);
  const window: { results: { id: string }[]; total: number } = JSON.parse(answers[3][0]);
  assert.deepEqual(window.results.map(({ id }) => id), ["H-1", "H-2"]);
  assert.equal(window.total, 2);
  const [segment] = [...Deno.readDirSync(t.path("index"))].filter(({ name }) =>
    /\.seg$/.test(name)
  );
  t.write(`index/${segment.name}`, "broken");
  assert.deepEqual(await answersOf(), answers);
  for (const words of [["get", "H-1"], ["timeline", "H-2"]]) {
    const { stderr } = await t.ctx(words);
    assert.equal(stderr.split("the index is damaged: read without it").length, 2, stderr);
  }
  await Deno.remove(t.path("index"), { recursive: true });
  assert.deepEqual(await answersOf(), answers);
  assert.equal((await t.ctx(["get", "H-1"])).stderr, "");
});
