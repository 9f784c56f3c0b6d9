// What becomes of suggestions and of the subscriptions they are made for: states, pauses, patterns.

import { suggestionTypes } from "../../../../src/core/row_kinds.ts";
import assert from "node:assert/strict";
import { findCommand } from "../../../../src/commands/mod.ts";
import { openLocalEmbedder } from "../../../../src/index/vectors/embedder_local.ts";
import { makeTopicCheck } from "../../../../src/index/vectors/topic_likeness.ts";
import type { Delivery } from "../../../../src/recall/edit/suggested_item.ts";
import type { ListedSuggestion } from "../../../../src/recall/edit/deliver/list_suggestions.ts";
import { Watcher, type WatcherOptions } from "../../../../src/recall/edit/deliver/watcher.ts";
import { connectMcp } from "../../../support/processes/mcp_client.ts";
import { projectFiles, tempProject, writeSources } from "../../../support/suggest_project.ts";
import type { TempStore } from "../../../support/stores/temp_store.ts";

const service = "src/auth/token_service.ts";
const store = "src/auth/token_store.ts";

interface Listed {
  total: number;
  suggestions: (ListedSuggestion & { title: string })[];
}

Deno.test("suggestions are pending, shown, used or dismissed, and can be listed by that", async () => {
  await using t = await tempProject();
  const b = await subscribe(t, "file:src/auth/**");
  const { id: g } = await t.run<{ id: string }>("suggest", { file: service, session: "S-1" });
  const watcher = makeWatcher(t);
  await watcher.round();
  edit(t, service, 1);
  await watcher.round();
  const statesOf = async (): Promise<string[]> => (await list(t)).map(({ status }) => status);
  assert.deepEqual(await statesOf(), ["pending", "shown"], "newest first");
  await t.run("poll", { subscription: b });
  assert.deepEqual(await statesOf(), ["shown", "shown"]);
  assert.match(t.read("subscriptions.ndjson"), /"event":"read"/);
  const given = await t.run("feedback", { suggestion: g, verdict: "used", item: 2 });
  assert.deepEqual([given.status, given.used_item_index], ["used", 1]);
  const command = await findCommand("suggestions");
  const told = command?.brief?.({ total: 1, offset: 0, suggestions: await list(t) });
  assert.match(JSON.stringify(told), /"1\. [^"]*\\n2\. [^"\\]* \(used\)/, "as feedback counts");
  const [polled] = await list(t);
  // One dismissed item says nothing about the others.
  const many = polled.suggestions.length > 1;
  const one = await t.run("feedback", { suggestion: polled.id, verdict: "dismissed", item: 1 });
  assert.equal(one.status, many ? "shown" : "dismissed");
  await t.run("feedback", { suggestion: polled.id, verdict: "dismissed" });
  assert.deepEqual(await statesOf(), ["dismissed", "used"]);
  const [used] = await list(t, { status: "used" });
  assert.deepEqual([used.id, used.used_item_index, used.session_id], [g, 1, "S-1"]);
  assert.deepEqual((await list(t, { session: "S-1" })).map(({ id }) => id), [g]);
  assert.deepEqual((await list(t, { trigger: "file_change" })).length, 2);
  assert.deepEqual(await list(t, { trigger: "symbol_focus" }), []);
  assert.match(
    (await t.fail("suggestions", { trigger: "moon" })).hint!,
    /activity or time|activity/,
  );
  assert.equal((await list(t, { limit: 1, offset: 1 }))[0].id, g);
});

Deno.test("a suggestion of an older version is read in today's words", async () => {
  await using t = await tempProject();
  const { id } = await t.run<{ id: string }>("suggest", { file: service });
  const old = t.read("suggestions.ndjson");
  t.write("suggestions.ndjson", old.replace('"type":"file"', '"type":"file_change"'));
  const [row] = await list(t);
  assert.deepEqual([row.id, row.trigger], [id, { type: "file", source: service }]);
});

Deno.test("one suggestion has one title: suggest, suggestions, poll and feedback's log agree", async () => {
  await using t = await tempProject({
    entries: [
      { id: "H-dec", type: "decision", title: "Rotation", text: "Rotate often", files: [service] },
      { id: "H-doc", type: "doc", title: "Guide", text: "Call `rotateToken` from a route." },
    ],
  });
  const { suggestions } = await t.run<{ suggestions: { title: string; summary: string }[] }>(
    "suggest",
    { file: service, limit: 50 },
  );
  const titles = suggestions.map(({ title }) => title);
  for (const label of ["Decision: ", "Doc: "]) {
    assert.ok(titles.some((title) => title.startsWith(label)), `${label} in ${titles.join()}`);
  }
  const [listed] = await list(t);
  const words = (rows: { title: string; summary: string }[]) =>
    rows.map(({ title, summary }) => ({ title, summary }));
  assert.deepEqual(words(listed.suggestions), words(suggestions));
  assert.ok(!t.read("suggestions.ndjson").includes("Rotation"), "an entry's words stay in it");
  const b = await subscribe(t, "file:src/auth/**");
  const watcher = makeWatcher(t);
  await watcher.round();
  edit(t, service, 1);
  await watcher.round();
  const [delivery] = await poll(t, b);
  for (const { title } of delivery.suggestions) assert.ok(titles.includes(title), title);
});

Deno.test("a paused subscription is told nothing, goes on when it is resumed, and an ended one stays so", async () => {
  await using t = await tempProject();
  const b = await subscribe(t, "file:src/auth/**");
  const watcher = makeWatcher(t);
  await watcher.round();
  const paused = await t.run("subscriptions pause", { subscription: b });
  assert.deepEqual(paused, { id: b, enabled: false, changed: true });
  assert.equal((await t.run("subscriptions pause", { subscription: b })).changed, false);
  edit(t, service, 1);
  assert.equal((await watcher.round()).suggested, 0);
  const [listed] = await subscriptions(t);
  assert.deepEqual([listed.enabled, listed.ended, listed.last_triggered_at], [false, false, null]);
  await t.run("subscriptions resume", { subscription: b });
  edit(t, store, 1);
  assert.equal((await watcher.round()).suggested, 1);
  const [again] = await subscriptions(t);
  assert.deepEqual([again.enabled, typeof again.last_triggered_at], [true, "string"]);
  await t.run("unsubscribe", { subscription: b });
  assert.match((await t.fail("subscriptions resume", { subscription: b })).message, /has ended/);
  assert.deepEqual(await subscriptions(t), []);
});

Deno.test("a pattern between slashes is a regular expression, for each kind of pattern", async () => {
  await using t = await tempProject();
  const of = async (pattern: string): Promise<string> => await subscribe(t, pattern);
  const file = await of("file:/_service\\.ts$/");
  const symbol = await of("symbol:/^rotate[A-Z]/");
  const topic = await of("topic:/pass(keys|words) replace/");
  const none = await of("file:/^paint/");
  const watcher = makeWatcher(t);
  await watcher.round();
  edit(t, service, 1);
  edit(t, store, 1);
  await t.run("save", { text: "Today passkeys replace PINs", type: "decision" });
  await watcher.round();
  assert.deepEqual(await sourcesOf(t, file), [service]);
  assert.deepEqual(await sourcesOf(t, symbol), [service]);
  assert.equal((await sourcesOf(t, topic)).length, 1);
  assert.deepEqual(await sourcesOf(t, none), []);
});

Deno.test("a topic is matched by meaning where the embedder is, and by words where it is not", async () => {
  for (const isAbout of [makeTopicCheck(openLocalEmbedder({ whole: false })), undefined]) {
    await using t = await tempProject();
    const b = await subscribe(t, "topic:authentication");
    const watcher = makeWatcher(t, { isAbout });
    await watcher.round();
    const text = "Users log in with a passkey instead of a password";
    const { id } = await t.run<{ id: string }>("save", { text, type: "decision" });
    await t.run("save", { text: "Lunch is at noon on Fridays", type: "decision" });
    await watcher.round();
    assert.deepEqual(await sourcesOf(t, b), isAbout ? [id] : []);
  }
});

Deno.test("what matches a pattern of a lower number is told first, and the delivery names it", async () => {
  await using t = await tempProject();
  const b = await subscribe(t, "file@2:src/auth/**", "file:src/auth/token_store.ts");
  const watcher = makeWatcher(t);
  await watcher.round();
  edit(t, service, 1);
  edit(t, store, 1);
  await watcher.round();
  const triggers = (await poll(t, b)).map(({ trigger: { source, pattern, priority } }) => ({
    source,
    pattern,
    priority,
  }));
  assert.deepEqual(triggers, [
    { source: store, pattern: "file:src/auth/token_store.ts", priority: 1 },
    { source: service, pattern: "file:src/auth/**", priority: 2 },
  ]);
});

Deno.test("what a cooldown held back is told by time", async () => {
  await using t = await tempProject();
  let now = Date.now();
  const b = await subscribe(t, "file:src/auth/**");
  const watcher = makeWatcher(t, { now: () => now });
  await watcher.round();
  edit(t, service, 1);
  await watcher.round();
  await t.run("save", { text: `Rotate daily in ${service}`, type: "decision" });
  edit(t, service, 2);
  await watcher.round();
  now += 60_001;
  await watcher.round();
  assert.deepEqual((await poll(t, b)).map(({ trigger }) => trigger.type), ["file", "time"]);
});

Deno.test("every subscription rests for as long as it says itself", async () => {
  await using t = await tempProject();
  let now = Date.now();
  const [short, long] = await Promise.all([1_000, 60_000].map(async (cooldown_ms) => {
    const patterns = ["file:src/auth/**"];
    return (await t.run<{ id: string }>("subscribe", { patterns, cooldown_ms })).id;
  }));
  const watcher = makeWatcher(t, { now: () => now });
  await watcher.round();
  edit(t, service, 1);
  await watcher.round();
  await t.run("save", { text: `Rotate daily in ${service}`, type: "decision" });
  now += 1_001;
  edit(t, service, 2);
  await watcher.round();
  assert.equal((await poll(t, short)).length, 2);
  assert.equal((await poll(t, long)).length, 1);
});

Deno.test("a server that only reads does not note what was polled", async () => {
  await using t = await tempProject();
  const subscription = await subscribe(t, "file:src/auth/**");
  const watcher = makeWatcher(t);
  await watcher.round();
  edit(t, service, 1);
  await watcher.round();
  const before = t.read("subscriptions.ndjson");
  for (const words of [["--read-only"], []]) {
    await using mcp = await connectMcp(t.workspace, { words: ["--tools", "all", ...words] });
    const { data } = await mcp.call("context_poll", { subscription });
    assert.equal(data.deliveries.length, 1);
    assert.equal(t.read("subscriptions.ndjson") === before, words.length > 0, words.join());
  }
});

Deno.test("a setting changed while a watcher runs holds from the next round on", async () => {
  await using t = await tempProject();
  const b = await subscribe(t, "file:src/auth/**");
  let enabled = new Set(suggestionTypes);
  const watcher = makeWatcher(t, {
    readSettings: () => ({ enabled, minPrecision: 0.5, recentChangeDays: 7 }),
  });
  await watcher.round();
  enabled = new Set(["warning"]);
  edit(t, service, 1);
  await watcher.round();
  const types = (await poll(t, b)).flatMap(({ suggestions }) =>
    suggestions.map(({ type }) => type)
  );
  assert.deepEqual([...new Set(types)], ["warning"]);
});

async function subscribe(t: TempStore, ...patterns: string[]): Promise<string> {
  const { id } = await t.run<{ id: string }>("subscribe", { patterns, cooldown_ms: 60_000 });
  return id;
}

async function list(t: TempStore, filter: object = {}): Promise<Listed["suggestions"]> {
  return (await t.run<Listed>("suggestions", filter)).suggestions;
}

async function subscriptions(t: TempStore): Promise<Record<string, unknown>[]> {
  const found = await t.run<{ subscriptions: Record<string, unknown>[] }>("subscriptions");
  return found.subscriptions;
}

async function poll(t: TempStore, subscription: string): Promise<Delivery[]> {
  return (await t.run<{ deliveries: Delivery[] }>("poll", { subscription })).deliveries;
}

async function sourcesOf(t: TempStore, subscription: string): Promise<string[]> {
  return (await poll(t, subscription)).map(({ trigger }) => trigger.source);
}

function edit(t: TempStore, path: string, n: number): void {
  writeSources(t, { [path]: `${projectFiles[path]}// ${n}\n` });
}

function makeWatcher(t: TempStore, options: Partial<WatcherOptions> = {}): Watcher {
  const { now = Date.now } = options;
  return new Watcher({
    store: t.open({ now }),
    now,
    random: () => crypto.randomUUID(),
    readSettings: () => ({
      enabled: new Set(suggestionTypes),
      minPrecision: 0.5,
      recentChangeDays: 7,
    }),
    ...options,
  });
}
