import assert from "node:assert/strict";
import { Calendar } from "../../../src/read/overview/read_activity.ts";
import { toActivityScreen } from "../../../src/view/activity_screen.ts";
import { makeView } from "../../../src/command/view.ts";
import { inZone } from "../../support/in_zone.ts";
import { tempStore, testNow } from "../../support/stores/temp_store.ts";
import { notOnWindows } from "../../support/not_on_windows.ts";

interface Told {
  days: { day: string; entries: number; sessions: number }[];
  [field: string]: unknown;
}

const day = (ts: string, session_id?: string) => ({ ts, session_id, text: "said" });

Deno.test("activity: local days with entries, agents, latency, what was given and bytes", async () => {
  await using t = await tempStore({
    entries: [
      { ...day("2026-01-01T10:00:00.000Z", "S-1"), source: { agent: "codex" } },
      day("2026-01-01T11:00:00.000Z", "S-1"),
      day("2026-01-01T12:00:00.000Z", "S-2"),
      day("2025-12-30T12:00:00.000Z"),
      // Before the calendar begins, and after it ends.
      day("2024-12-01T12:00:00.000Z", "S-3"),
      day("2026-03-01T12:00:00.000Z", "S-3"),
    ],
    archive: [day("2025-12-30T13:00:00.000Z", "S-4")],
    files: {
      "retrieval.traces.ndjson": [4, 1, 3, 2, 40].map((duration_ms, i) =>
        JSON.stringify({
          trace_id: `T-${i}`,
          ts: "2026-01-01T00:00:00.000Z",
          command: "search",
          ranking: [],
          duration_ms,
        }) + "\n"
      ).join(""),
      "injections.ndjson": JSON.stringify({
        ts: "2026-01-01T00:00:00.000Z",
        agent: "codex",
        event: "prompt",
        lines: [{ id: "H-H1", tokens: 7 }],
        tokens: 12,
      }) + "\n",
    },
  });
  await Deno.mkdir(t.path("index"), { recursive: true });
  t.write("index/a.vec", "1234");
  t.write("index/b.seg", "12");
  const { days, bytes, ...told } = await t.run<Told>("activity");
  assert.deepEqual(days, [
    { day: "2025-12-30", entries: 2, sessions: 1 },
    { day: "2026-01-01", entries: 3, sessions: 2 },
  ]);
  assert.deepEqual(told, {
    from: "2024-12-28",
    to: "2026-01-02",
    agents: [
      { source: "ctx", sessions: 3, messages: 4, estimated_tokens: 4 },
      { source: "codex", sessions: 1, messages: 2, estimated_tokens: 2 },
    ],
    latency: [{ command: "search", count: 5, p50_ms: 3, p95_ms: 40 }],
    given: { times: 1, lines: 1, tokens: 12 },
  });
  const sizes = Object.entries(bytes as Record<string, number>);
  assert.deepEqual(sizes.filter(([, size]) => size === 0), []);
  assert.equal(Object.fromEntries(sizes).vectors, 4);
});

Deno.test("activity: the index tells the same days as the log", async () => {
  const entries = Array.from({ length: 300 }, (_, i) => ({
    ts: new Date(testNow - i * 7_654_321).toISOString(),
    session_id: i % 4 === 0 ? undefined : `S-${i % 9}`,
    // Long enough that the index is asked at all.
    text: `said ${i} `.repeat(2000),
  }));
  await using t = await tempStore({ entries });
  const read = async () => (await t.run<Told>("activity")).days;
  const parsed = await read();
  await t.run("reindex");
  assert.deepEqual(await read(), parsed);
  await t.run("save", { text: "one more" });
  await t.run("forget", { ids: ["H-H1"] });
  const after = await read();
  const sum = (days: Told["days"]): number => days.reduce((all, { entries }) => all + entries, 0);
  assert.equal(sum(after), sum(parsed));
  t.write("index/manifest.json", "{}");
  assert.deepEqual(await read(), after);
});

Deno.test({
  name: "activity: a day is the user's, also where a clock goes back or forth",
  ignore: notOnWindows("the zone of a process cannot be set"),
}, () => {
  const times = [
    "2025-10-25T21:59:59.999Z",
    "2025-10-25T22:00:00.000Z",
    "2025-10-26T22:59:59.999Z",
    "2025-10-26T23:00:00.000Z",
    "2025-03-30T21:59:59.999Z",
    "2025-03-30T22:00:00.000Z",
  ];
  const days = inZone("Europe/Berlin", () => {
    const calendar = new Calendar(testNow);
    for (const ts of times) calendar.add(Date.parse(ts), undefined);
    return calendar.finish().days;
  });
  assert.deepEqual(days.map(({ day, entries }) => `${day} ${entries}`), [
    "2025-03-30 1",
    "2025-03-31 1",
    "2025-10-25 1",
    "2025-10-26 2",
    "2025-10-27 1",
  ]);
});

Deno.test("activity on a terminal: a calendar, busier days darker, and the sums", () => {
  const screen = toActivityScreen({
    from: "2024-12-28",
    to: "2026-01-02",
    days: [
      { day: "2025-12-29", entries: 1, sessions: 1 },
      { day: "2026-01-01", entries: 99, sessions: 2 },
    ],
    agents: [{ source: "codex", sessions: 2, messages: 100, estimated_tokens: 5 }],
    latency: [{ command: "search", count: 5, p50_ms: 3.14, p95_ms: 40.4 }],
    given: { times: 1, lines: 2, tokens: 12 },
    bytes: { log: 10, archive: 0, index: 0, vectors: 0, traces: 3, other: 0 },
  }, makeView({}));
  const dots = "·".repeat(52);
  assert.equal(
    screen,
    `Mon ${dots}░
    ${dots}·
Wed ${dots}·
    ${dots}█
Fri ${dots}·
    ${dots}
Sun ${dots}

2 active days since 2024-12-28, 100 entries

agents   codex 2 sessions, 100 messages
latency  search median 3.1 ms, 95th percentile 40 ms (5 calls)
context  2 lines, once, 12 tokens
disk     log 10 bytes, traces 3 bytes
`,
  );
});
