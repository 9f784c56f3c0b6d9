// What people type for an id: beginnings, signs, an agent's own ids, titles. The same on every surface.

import assert from "node:assert/strict";
import { makeId } from "../../../src/core/id.ts";
import { readTraces } from "../../../src/store/logs/read_traces.ts";
import { connectMcp } from "../../support/processes/mcp_client.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const day = Date.parse("2026-01-01T10:00:00.000Z");

/** Rows as ctx writes them: an id of their time each. */
function rows(...texts: string[]) {
  return texts.map((text, i) => {
    const ms = day + i * 60_000;
    return { id: makeId("H", ms, text), ts: new Date(ms).toISOString(), text };
  });
}

const conversation = "0b9c6f6e-2f0e-4b51-9a37-5d0b9f6f1a11";
const session = makeId("S", day, "one");
const other = makeId("S", day + 3_600_000, "two");
const events = [
  {
    event: "imported",
    session_id: session,
    ts: "2026-01-01T10:00:00Z",
    title: "Fix the parser",
    source: "codex",
    conversation,
  },
  { event: "opened", session_id: other, ts: "2026-01-01T11:00:00Z", title: "Fix the build" },
].map((event) => JSON.stringify(event) + "\n").join("");

async function sessionStore() {
  const [first, second] = rows("the parser is slow", "the build is slow");
  return await tempStore({
    entries: [{ ...first, session_id: session }, { ...second, session_id: other }],
    files: { "sessions.ndjson": events },
  });
}

async function got(t: Awaited<ReturnType<typeof tempStore>>, ...ids: string[]) {
  const { results } = await t.run<{ results: { id: string }[] }>("get", { ids });
  return results.map(({ id }) => id);
}

Deno.test("an entry is found by any unique beginning of its id, in either case, with or without H-", async () => {
  const entries = rows("one", "two", "three");
  await using t = await tempStore({ entries });
  const { id } = entries[1];
  for (
    const said of [
      id,
      id.slice(0, 10),
      id.slice(2, 9),
      id.slice(2),
      id.toUpperCase(),
      id.slice(0, 9).toLowerCase(),
    ]
  ) {
    assert.deepEqual(await got(t, said), [id], said);
  }
  const { anchor_id } = await t.run("timeline", { id: id.slice(2, 10) });
  assert.equal(anchor_id, id);
});

Deno.test("a beginning of several ids is an error that lists them, newest first, and no guess", async () => {
  const entries = rows("one", "two", "three");
  await using t = await tempStore({ entries });
  const error = await t.fail("get", { ids: [entries[0].id.slice(0, 5)] });
  assert.equal(error.code, "NOT_FOUND");
  assert.match(error.message, /^Cannot use "H-1\w\w": it matches 3 entries$/);
  const listed = (error.hint ?? "").match(/H-\w+ {2}\w+ \w+ ago {2}\w+/g)?.map((row) =>
    row.split("  ")
  );
  assert.deepEqual(
    listed?.map(([id, , title]) => [id, title]),
    entries.toReversed().map(({ id, text }) => [id, text]),
  );
  const many = await tempStore({ entries: rows(...Array.from({ length: 12 }, (_, i) => `n${i}`)) });
  await using _ = many;
  assert.match((await many.fail("get", { ids: ["H-1"] })).message, /more than 10 entries/);
  // A trace keeps the message: no words of entries in it.
  assert.doesNotMatch(JSON.stringify(readTraces(t.open())), /two/);
});

Deno.test("a whole id is itself, even where another begins with it", async () => {
  await using t = await tempStore({
    entries: [{ id: "H-7", text: "a" }, { id: "H-77", text: "b" }, { id: "msg_9", text: "c" }],
  });
  assert.deepEqual(await got(t, "H-7"), ["H-7"]);
  assert.deepEqual(await got(t, "77"), ["H-77"]);
  assert.deepEqual(await got(t, "MSG"), ["msg_9"]);
  assert.equal(
    (await t.fail("get", { ids: ["H-8"] })).message,
    'Cannot get "H-8": there is no such entry or session',
  );
});

Deno.test("forgotten entries do not make a beginning ambiguous", async () => {
  const entries = rows("one", "two");
  await using t = await tempStore({ entries });
  await t.run("forget", { ids: [entries[0].id] });
  assert.deepEqual(await got(t, entries[0].id.slice(0, 6)), [entries[1].id]);
});

Deno.test("every command takes a beginning: pin, forget, save --supersedes, --session", async () => {
  await using t = await sessionStore();
  const [first] = t.ids();
  const begun = first.slice(2, 10);
  assert.equal((await t.run("pin", { target: `H-${begun}` })).id, first);
  assert.deepEqual(await t.run("unpin", { target: `H-${begun}` }), { target: first, removed: 1 });
  await t.run("pin", { target: first });
  assert.deepEqual(await t.run("unpin", { target: begun }), { target: first, removed: 1 });
  assert.equal((await t.run("save", { text: "new", supersedes: begun })).supersedes, first);
  const found = await t.run<{ session: string; results: { id: string }[] }>("search", {
    query: "parser",
    session: session.slice(0, 12),
  });
  assert.deepEqual([found.session, found.results[0].id], [session, first]);
  assert.equal(
    (await t.run("save", { text: "joined", session: session.slice(0, 12) })).session_id,
    session,
  );
  assert.equal((await t.run("save", { text: "begun", session: "S-1" })).session_id, "S-1");
  assert.deepEqual((await t.run("forget", { ids: [begun] })).forgotten, [first]);
});

Deno.test("pin takes a word that is no id as a text", async () => {
  await using t = await tempStore({ entries: rows("one") });
  assert.equal((await t.run("pin", { target: "1" })).saved, true);
});

Deno.test("a session is found by its beginning, its agent's own id, and in show, scan and read by its title", async () => {
  await using t = await sessionStore();
  for (
    const said of [
      session.slice(0, 11),
      session.slice(2, 11).toUpperCase(),
      conversation,
      conversation.slice(0, 8),
      "fix the PARSER",
      "parser",
    ]
  ) {
    const { sessions } = await t.run<{ sessions: { id: string }[] }>("show", { sessions: [said] });
    assert.deepEqual(sessions.map(({ id }) => id), [session], said);
  }
  assert.equal((await t.run("scan", { session: "the build" })).session_id, other);
  assert.equal((await t.run("read", { session: "the build" })).session_id, other);
  const several = await t.fail("show", { sessions: ["fix the"] });
  assert.match(several.message, /^Cannot use "fix the": it matches 2 sessions$/);
  assert.match(
    (await t.fail("search", { query: "x", session: "Fix the parser" })).message,
    /no such session/,
  );
});

Deno.test("a session's whole id is itself, even where another begins with it", async () => {
  await using t = await tempStore({
    entries: [{ text: "a", session_id: "S-7" }, { text: "b", session_id: "S-77" }],
  });
  assert.equal((await t.run("scan", { session: "S-7" })).session_id, "S-7");
});

Deno.test("where a session is looked at, an entry stands for its own", async () => {
  await using t = await sessionStore();
  const [first] = t.ids();
  assert.equal((await t.run("scan", { session: first.slice(0, 12) })).session_id, session);
  const error = await t.fail("forget", { session: first });
  assert.match(error.message, /as a session: it is the id of an entry/);
});

Deno.test("a session that is not there is said to be so, not to be empty", async () => {
  await using t = await sessionStore();
  const unknown = makeId("S", day + 7_200_000, "three");
  for (
    const [name, input] of [
      ["search", { query: "parser", session: unknown }],
      ["search", { query: "parser", session: "S-1k729" }],
      ["records", { session: unknown }],
      ["export", { session: unknown }],
      ["show", { sessions: [unknown] }],
      ["read", { session: unknown }],
      ["get", { ids: t.ids(), session: unknown }],
      ["restore", { session: unknown }],
      ["distil", { sessions: ["S-1k729"] }],
    ] as const
  ) {
    const { code, message, hint } = await t.fail(name, input);
    assert.equal(code, "NOT_FOUND", name);
    assert.match(message, /^Cannot find session "S-\w+": no such session$/, name);
    assert.match(hint ?? "", /ctx sessions/, name);
  }
});

Deno.test("timeline of a session's id says what it is and how it is opened", async () => {
  await using t = await sessionStore();
  assert.deepEqual(await t.fail("timeline", { id: session }), {
    code: "NOT_FOUND",
    message: `Cannot use "${session}" as an entry: it is the id of a session`,
    hint: `ctx show ${session}`,
    retryable: false,
  });
});

Deno.test("session: in a query takes beginnings, current and an agent's own id, and says what is no session", async () => {
  await using t = await sessionStore();
  const find = async (query: string) => {
    const { results, retrieval: { notes } } = await t.run<
      { results: { session_id: string }[]; retrieval: { notes: string[] } }
    >("search", { query }, { env: (name) => name === "CTX_SESSION" ? other : undefined });
    return { sessions: results.map(({ session_id }) => session_id), notes };
  };
  assert.deepEqual((await find(`slow session:${session.slice(0, 12)}`)).sessions, [session]);
  assert.deepEqual((await find(`slow session:${conversation}`)).sessions, [session]);
  assert.deepEqual((await find("slow session:current")).sessions, [other]);
  assert.deepEqual((await find(`slow NOT session:${session.slice(2, 12)}`)).sessions, [other]);
  const none = await find("slow session:S-1k729");
  assert.deepEqual(none.sessions, []);
  assert.match(none.notes.join(), /Cannot find session "S-1k729": no such session/);
});

Deno.test("@last is the entry that was saved last: not imported, not forgotten", async () => {
  const [first, second] = rows("saved", "imported");
  await using t = await tempStore({ entries: [first, { ...second, source: { agent: "codex" } }] });
  assert.deepEqual(await got(t, "@last"), [first.id]);
  const { id } = await t.run<{ id: string }>("save", { text: "newer" });
  assert.deepEqual(await got(t, "@last"), [id]);
  await t.run("forget", { ids: ["@last"] });
  assert.deepEqual(await got(t, "@last"), [first.id]);
  await using empty = await tempStore();
  assert.equal(
    (await empty.fail("get", { ids: ["@last"] })).message,
    'Cannot use "@last": nothing has been saved yet',
  );
});

Deno.test("- reads ids from standard input, of rows with tabs the first column", async () => {
  const entries = rows("one", "two");
  await using t = await tempStore({ entries });
  const input = new TextEncoder().encode(
    `${entries[1].id}\tx\ty\n\n${entries[0].id.slice(0, 9)}\n`,
  );
  const readInput = () => Promise.resolve(input);
  const { results } = await t.run<{ results: { text: string }[] }>("get", { ids: ["-"] }, {
    readInput,
  });
  assert.deepEqual(results.map(({ text }) => text), ["two", "one"]);
  const several = await t.fail("timeline", { id: "-" }, { readInput });
  assert.equal(several.message, 'Cannot run timeline: "id" takes one id, not 2');
  const none = await t.fail("get", { ids: ["-"] }, {
    readInput: () => Promise.resolve(new Uint8Array()),
  });
  assert.equal(none.message, "Cannot read ids from standard input: it is empty");
});

Deno.test("traces, suggestions and subscriptions are found by a beginning", async () => {
  await using t = await tempStore({ entries: rows("one") });
  await t.run("search", { query: "one" });
  const { traces: [{ trace_id }] } = await t.run<{ traces: { trace_id: string }[] }>("traces");
  const { trace } = await t.run<{ trace: { trace_id: string } }>("trace", {
    id: trace_id.slice(2, 12),
  });
  assert.equal(trace.trace_id, trace_id);
  const { id } = await t.run<{ id: string }>("subscribe", { patterns: ["file:src/**"] });
  assert.equal((await t.run("poll", { subscription: id.slice(0, 8) })).subscription_id, id);
  assert.deepEqual(await t.run("unsubscribe", { subscription: id.slice(2, 9).toUpperCase() }), {
    id,
    ended: true,
  });
  const event = {
    event: "suggested",
    id: makeId("G", day, "g"),
    ts: "2026-01-01T10:00:00Z",
    trigger: { type: "file", source: "a.ts" },
    items: [{
      type: "decision",
      entity_id: "H-1",
      relevance_score: 0.5,
      reason: "",
      kind: "k",
      fingerprint: "f",
    }],
    latency_ms: 1,
  };
  t.write("suggestions.ndjson", JSON.stringify(event) + "\n");
  assert.equal(
    (await t.run("feedback", { suggestion: event.id.slice(2, 9), verdict: "used" })).suggestion_id,
    event.id,
  );
});

Deno.test("an agent may shorten ids too, and is shown no words of what it did not ask for", async () => {
  const entries = rows("one secret plan", "two");
  await using t = await tempStore({ entries });
  await using client = await connectMcp(t.workspace);
  const ask = async (id: string) => JSON.stringify(await client.call("get", { ids: [id] }));
  assert.match(await ask(entries[1].id.slice(2, 11)), new RegExp(entries[1].id));
  const several = await ask(entries[0].id.slice(0, 5));
  assert.match(several, new RegExp(entries[0].id));
  assert.doesNotMatch(several, /secret plan/);
});
