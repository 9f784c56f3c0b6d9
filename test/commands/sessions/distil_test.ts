import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { madeSession, type Step } from "../../support/stores/made_session.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

interface Row {
  id: string;
  type: string;
  by: string;
  title: string;
  text: string;
  refs: string[];
  superseded_by?: string;
}

interface Distilled {
  sessions: number;
  written: number;
  removed: number;
  by_type: Record<string, number>;
}

const chosen = "let's use redis for the session store instead of postgres, it expires keys itself";
const work: Step[] = [
  { user: "Where should the sessions of the login service live?" },
  { agent: "Both redis and postgres would do; postgres is there already. Which one do you want?" },
  { user: chosen },
  { edit: "src/session_store.ts" },
  { run: "npm test", output: "Tests: 9 passed, 9 total" },
  {
    agent:
      "The session store writes to redis now: `SessionStore` sets every key with a TTL of 3600.",
  },
];

async function storeWith(steps: Step[], session?: string): Promise<TempStore> {
  return await tempStore({ entries: madeSession(steps, session) });
}

async function list(t: TempStore, input: Record<string, unknown> = {}): Promise<Row[]> {
  return (await t.run<{ records: Row[] }>("records", input)).records;
}

function append(t: TempStore, rows: Entry[]): void {
  const lines = rows.map((row) => JSON.stringify(row) + "\n").join("");
  t.write("history.ndjson", t.read("history.ndjson") + lines);
}

Deno.test("distil writes records once; records lists them with their evidence", async () => {
  await using t = await storeWith(work);
  const { code, stdout } = await t.ctx(["distil"]);
  assert.equal(code, 0);
  assert.match(stdout, /^Wrote \d+ records of 1 session \(.*1 decision.*\)\.\n$/);
  const before = t.read("history.ndjson");
  const again = await t.ctx(["distil", "--all"]);
  assert.equal(again.stdout, "Wrote 0 records of 1 session.\n");
  assert.equal(t.read("history.ndjson"), before);
  const shown = await t.shown(["records", "--type", "decision"]);
  assert.match(shown.stdout, /^H-\w+ {2}decision {2}let's use redis/);
  assert.match(shown.stdout, /rules, derived, of S-made-3 S-made-8\n/);
  await t.ctx(["save", "We rotate weekly", "--type", "preference"]);
  const saved = await t.shown(["records", "--type", "preference", "--limit", "1"]);
  assert.match(saved.stdout, /^H-\w+ {2}preference {2}We rotate weekly\n {2}\S+ \S+, saved\n/);
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("distil --dry-run shows records and writes nothing", async () => {
  await using t = await storeWith(work);
  const before = t.read("history.ndjson");
  const { stdout } = await t.ctx(["distil", "--dry-run"]);
  assert.match(stdout, /decision {2}let's use redis.*\n {2}let's use redis/);
  assert.equal(t.read("history.ndjson"), before);
  assert.equal((await list(t)).length, 0);
});

Deno.test("views of a session leave records out; search and get see them", async () => {
  await using t = await storeWith(work);
  const views = async (): Promise<unknown[]> => [
    await t.run("scan", { session: "S-made" }),
    await t.run("read", { session: "S-made" }),
    await t.run("sessions"),
    await t.run("timeline", { id: "S-made-3" }),
  ];
  const before = await views();
  await t.run("distil");
  assert.deepEqual(await views(), before);
  const [decision] = await list(t, { types: ["decision"] });
  const { results } = await t.run<{ results: { id: string }[] }>("search", {
    query: "redis session store",
    type: "decision",
  });
  assert.deepEqual(results.map(({ id }) => id), [decision.id]);
});

Deno.test("forgetting an entry forgets the records that cite it, and they stay away", async () => {
  for (const now of [false, true]) {
    await using t = await storeWith(work);
    await t.run("distil");
    const before = await list(t);
    const { derived } = await t.run<{ derived: string[] }>("forget", { ids: ["S-made-3"], now });
    const cited = before.filter(({ refs }) => refs.includes("S-made-3")).map(({ id }) => id);
    assert.ok(cited.length > 0);
    assert.deepEqual(derived.toSorted(), cited.toSorted());
    await t.run("distil", { all: true });
    assert.ok((await list(t)).every(({ text }) => !text.includes("let's use redis")));
    if (now) assert.ok(!t.read("history.ndjson").includes("let's use redis"));
  }
});

Deno.test("a forgotten record does not come back, by itself, with --now or after gc", async () => {
  for (const way of ["hide", "now", "gc"]) {
    await using t = await storeWith(work);
    await t.run("distil");
    const [decision] = await list(t, { types: ["decision"] });
    await t.run("forget", { ids: [decision.id], now: way === "now" });
    if (way === "gc") await t.run("gc");
    await t.run("distil", { all: true });
    assert.deepEqual(await list(t, { types: ["decision"] }), [], way);
  }
});

Deno.test("forgotten records stay away when their session goes on", async () => {
  await using t = await storeWith(work);
  await t.run("distil");
  const before = await list(t);
  await t.run("forget", { ids: before.map(({ id }) => id), now: true });
  const more: Step[] = [{ user: "Now the parser: read unicode escapes" }, {
    agent: "The parser reads unicode escapes now. All 14 tests pass.",
  }];
  append(t, madeSession([...work, ...more]).slice(-2));
  await t.run("distil");
  const keys = before.map(({ type, refs }) => `${type} ${refs[0]}`);
  const after = await list(t);
  assert.ok(after.length > 0);
  assert.deepEqual(after.filter(({ type, refs }) => keys.includes(`${type} ${refs[0]}`)), []);
});

Deno.test("a record that was corrected by hand is left alone", async () => {
  await using t = await storeWith(work);
  await t.run("distil");
  const [decision] = await list(t, { types: ["decision"] });
  const text = "Sessions live in redis, since 2026-05, because keys expire there";
  const saved = await t.run<{ id: string }>("save", {
    text,
    type: "decision",
    supersedes: decision.id,
  });
  append(
    t,
    madeSession([...work, { user: "Thanks, now document the redis session store" }]).slice(-1),
  );
  await t.run("distil", { all: true });
  const rows = await list(t, { types: ["decision"], superseded: true });
  assert.deepEqual(rows.map(({ id, by, superseded_by }) => [id, by, superseded_by]), [
    [decision.id, "rules", saved.id],
    [saved.id, "saved", undefined],
  ]);
});

Deno.test("a session that goes on gets new records, and what reads otherwise replaces the old", async () => {
  await using t = await storeWith(work);
  await t.run("distil");
  const [digest] = await list(t, { types: ["digest"] });
  const more: Step[] = [
    ...work,
    { user: "Now add metrics for expired sessions to the dashboard" },
    { edit: "src/metrics.ts" },
    { agent: "I added the metrics to the dashboard: `src/metrics.ts` counts expired sessions." },
  ];
  append(t, madeSession(more).slice(madeSession(work).length));
  const done = await t.run<Distilled>("distil");
  assert.equal(done.sessions, 1);
  assert.ok(done.written > 0);
  const digests = await list(t, { types: ["digest"], superseded: true });
  assert.equal(digests.length, 2);
  assert.equal(
    digests.find(({ id }) => id === digest.id)?.superseded_by,
    digests.find(({ id }) => id !== digest.id)?.id,
  );
  assert.match((await list(t, { types: ["digest"] }))[0].text, /metrics/);
  assert.equal((await t.run<Distilled>("distil")).sessions, 0);
});

Deno.test("a later session's decision takes the place of the one it turns down", async () => {
  // Both lie before the store's clock: what is of the future takes nobody's place.
  const in2025 = (rows: Entry[], month: string): Entry[] =>
    rows.map((row) => ({ ...row, ts: row.ts.replace("2026-05", month) }));
  const first = in2025(madeSession(work), "2025-05");
  const second = in2025(
    madeSession([
      { user: "Have a look at the session store of the login service" },
      { agent: "It writes to redis, and the redis in production has no persistence." },
      { user: "then we go back to postgres for the session store instead of redis" },
      { agent: "Done: the session store writes to postgres again, in the table `sessions`." },
    ], "S-next"),
    "2025-06",
  );
  for (const rows of [[...first, ...second], [...second, ...first]]) {
    await using t = await tempStore({ entries: rows });
    await t.run("distil");
    const current = await list(t, { types: ["decision"] });
    assert.match(current[0].text, /^then we go back to postgres/);
    assert.ok(current.every(({ text }) => !text.startsWith("let's use redis")));
  }
});

Deno.test("records go through export and import contextfs as they are", async () => {
  await using t = await storeWith(work);
  await t.run("distil");
  const file = `${t.workspace}/export.ndjson`;
  Deno.writeTextFileSync(file, (await t.ctx(["export"])).stdout);
  await using copy = await tempStore();
  await copy.run("import", { sources: ["contextfs"], root: file });
  assert.deepEqual(await list(copy), await list(t));
  assert.equal((await copy.run<Distilled>("distil")).sessions, 0);
  assert.equal((await copy.ctx(["export"])).stdout, (await t.ctx(["export"])).stdout);
});

Deno.test("no secret gets into a record, and distilling again does not take it for another", async () => {
  const secret = "AKIAQ3EGVT5RM2WNK7XZ";
  await using t = await storeWith([
    { user: `Use the key ${secret} for the upload job instead of the old one` },
    { agent: `The upload job uses the key ${secret} now instead of the one in the environment.` },
  ]);
  await t.run("distil");
  assert.ok(!JSON.stringify(await list(t)).includes(secret));
  assert.equal((await t.run<Distilled>("distil", { all: true })).written, 0);
});

Deno.test("distil names a session that it does not know; records a type that there is not", async () => {
  await using t = await storeWith(work);
  const unknown = await t.ctx(["distil", "S-nothing"]);
  assert.equal(unknown.code, 3);
  assert.match(
    unknown.stderr,
    /^ctx: Cannot find session "S-nothing": no such session\nhint: /,
  );
  const all = await t.ctx(["distil", "all"]);
  assert.match(
    all.stderr,
    /^ctx: Cannot derive records of session "all": give one session\nhint: ctx records --derive --all/,
  );
  const type = await t.ctx(["records", "--type", "gaol"]);
  assert.match(
    type.stderr,
    /^ctx: Cannot list records of type "gaol": no such type\nhint: the types are goal, /,
  );
});
