import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { madeSession, type Step } from "../../support/stores/made_session.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

interface Summary {
  since?: string;
  until?: string;
  sessions: { id: string; title: string; items: number }[];
  items: {
    id: string;
    day: string;
    kind: string;
    session_id?: string;
    text: string;
    refs: string[];
  }[];
  over_budget: number;
  notes?: string[];
}

const work: Step[] = [
  { user: "Where should the sessions of the login service live?" },
  { agent: "Both redis and postgres would do; postgres is there already. Which one do you want?" },
  { user: "let's use redis for the session store instead of postgres, it expires keys itself" },
  { edit: "src/session_store.ts" },
  { run: "npm test", output: "Tests: 9 passed, 9 total" },
  {
    agent:
      "The session store writes to redis now: `SessionStore` sets every key with a TTL of 3600.\n\nNext steps: a metric for the number of expired keys is still missing.",
  },
];

/** That work, on a day at noon, in every zone that day. */
function workOn(day: string, session: string): Entry[] {
  return madeSession(work, session).map((row) => ({
    ...row,
    ts: row.ts.replace("2026-05-01T09", `${day}T12`),
  }));
}

async function sum(t: TempStore, input: Record<string, unknown> = {}): Promise<Summary> {
  return await t.run<Summary>("summarize", input);
}

// The clock of these tests stands at 2 January 2026.
const entries = [
  ...workOn("2025-11-20", "S-old"),
  ...workOn("2025-12-30", "S-week"),
  ...madeSession([{ user: "hello" }, { agent: "Hello! How can I help?" }], "S-chat").map((row) => ({
    ...row,
    ts: row.ts.replace("2026-05-01T09", "2025-12-31T12"),
  })),
];

Deno.test("summarize tells what was asked, decided, done and left open, with evidence that is there", async () => {
  await using t = await tempStore({ entries });
  const { items, sessions, notes } = await sum(t, { period: "week" });
  assert.deepEqual(new Set(items.map(({ day }) => day)), new Set(["2025-12-30"]));
  assert.deepEqual(
    new Set(items.map(({ kind }) => kind)),
    new Set(["asked", "decided", "done", "open"]),
  );
  const kinds = items.map(({ kind }) => kind);
  const order = ["asked", "decided", "done", "fixed", "open"];
  assert.deepEqual(kinds, kinds.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
  const decided = items.find(({ kind }) => kind === "decided");
  assert.match(decided?.text ?? "", /use redis for the session store/);
  const ids = new Set(entries.map(({ id }) => id));
  for (const { refs, text } of items) {
    assert.ok(refs.length > 0 && refs.every((id) => ids.has(id)));
    assert.ok(text.length <= 200);
  }
  // A session that came to nothing is named, not passed over.
  assert.deepEqual(sessions.map(({ id, items }) => [id, items > 0]), [
    ["S-chat", false],
    ["S-week", true],
  ]);
  assert.deepEqual(notes, [
    "2 sessions without records yet: read for this answer; to keep the records: ctx records --derive",
  ]);
});

Deno.test("summarize is the same before and after sessions are distilled, and the second time", async () => {
  await using t = await tempStore({ entries });
  const { notes: _, ...before } = await sum(t, { since: "2025-11-01" });
  await t.ctx(["distil"]);
  const after = await sum(t, { since: "2025-11-01" });
  assert.deepEqual(after, before);
  assert.deepEqual(await sum(t, { since: "2025-11-01" }), after);
  assert.deepEqual([...new Set(after.items.map(({ session_id }) => session_id))], [
    "S-week",
    "S-old",
  ]);
});

Deno.test("summarize: periods, bounds, one session, and what cannot be meant", async () => {
  await using t = await tempStore({ entries });
  await t.ctx(["distil"]);
  const ids = async (input: Record<string, unknown>): Promise<string[]> =>
    (await sum(t, input)).sessions.map(({ id }) => id);
  assert.deepEqual(await ids({}), []);
  assert.deepEqual(await ids({ period: "month" }), ["S-chat", "S-week"]);
  assert.deepEqual(await ids({ period: "last month" }), ["S-chat", "S-week"]);
  assert.deepEqual(await ids({ period: "November 2025" }), ["S-old"]);
  assert.deepEqual(await ids({ period: "2025-11-20" }), ["S-old"]);
  assert.deepEqual(await ids({ period: "90d" }), ["S-chat", "S-week", "S-old"]);
  assert.deepEqual(await ids({ until: "2025-11-30" }), ["S-old"]);
  assert.deepEqual(await ids({ session: "S-old" }), ["S-old"]);
  assert.deepEqual(await ids({ project: "elsewhere", period: "year" }), []);
  const both = await t.ctx(["summarize", "week", "--since", "2025-11-01"]);
  assert.deepEqual([both.code, both.stdout], [2, ""]);
  const unknown = await t.ctx(["summarize", "--period", "fortnightly"]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /Cannot read the period "fortnightly"\nhint: write day, week/);
});

Deno.test("what was saved outside of sessions is part of a day, and of no session or project", async () => {
  await using t = await tempStore({ entries });
  await t.run("save", { text: "We rotate refresh tokens on every use", type: "decision" });
  await t.run("save", { text: "The bucket is named attic", type: "note" });
  const { items, sessions } = await sum(t);
  assert.deepEqual(
    [sessions, items.map(({ kind, session_id, text }) => [kind, session_id, text])],
    [[], [["decided", undefined, "We rotate refresh tokens on every use"]]],
  );
  assert.deepEqual((await sum(t, { session: "S-old" })).items.filter((row) => !row.session_id), []);
  assert.deepEqual((await sum(t, { project: "elsewhere" })).items, []);
});

Deno.test("summarize keeps to a budget: less of each session, and it says how much is missing", async () => {
  await using t = await tempStore({ entries });
  await t.ctx(["distil"]);
  const all = await sum(t, { period: "year" });
  const less = await sum(t, { period: "year", budget: 300 });
  assert.ok(less.items.length < all.items.length && less.items.length > 0);
  assert.equal(less.over_budget, all.items.length - less.items.length);
});

Deno.test("ctx summarize on a pipe is tab-separated; nothing to sum up is said so", async () => {
  await using t = await tempStore({ entries });
  await t.ctx(["distil"]);
  const { stdout } = await t.ctx(["summarize", "--since", "2025-12-01", "--until", "2025-12-31"]);
  for (const line of stdout.trimEnd().split("\n")) {
    assert.match(line, /^H-\w+\t2025-12-30\t(?:asked|decided|done|open)\tS-week\t\S/);
  }
  const nothing = await t.shown(["summarize", "2024"]);
  assert.match(nothing.stdout, /^Nothing to summarize since 2024-01-01T[^.]+\. ctx sessions lists/);
});
