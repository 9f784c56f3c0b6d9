// Subscriptions: one log, three readers that agree, and delivery that survives failures.

import { suggestionTypes } from "../../../../src/core/row_kinds.ts";
import assert from "node:assert/strict";
import type { Delivery } from "../../../../src/recall/edit/suggested_item.ts";
import { serveEventStream } from "../../../../src/recall/edit/deliver/event_stream.ts";
import { readSubscriptions } from "../../../../src/recall/edit/deliver/subscription.ts";
import { Watcher } from "../../../../src/recall/edit/deliver/watcher.ts";
import {
  deliverDue,
  runWebhookLoop,
  type WebhookLoopOptions,
} from "../../../../src/recall/edit/deliver/webhook_loop.ts";
import {
  projectFiles,
  tempProject,
  until,
  writeSources,
} from "../../../support/suggest_project.ts";
import { type TempStore, tempStore } from "../../../support/stores/temp_store.ts";

const secret = { env: (name: string) => name === "CTX_WEBHOOK_SECRET" ? "s3cret" : undefined };
const service = "src/auth/token_service.ts";

interface Polled {
  cursor: number;
  more: boolean;
  deliveries: Delivery[];
}

Deno.test("poll, SSE and webhook tell the same, each from its own cursor", async () => {
  await using t = await tempProject();
  const poll = await subscribe(t, { patterns: ["file:src/auth/**"] });
  const sse = await subscribe(t, { patterns: ["file:src/auth/**"], via: "sse" });
  const hook = await subscribe(t, {
    patterns: ["file:src/auth/**"],
    via: "webhook",
    url: "http://127.0.0.1:9/",
  });
  await touchTwice(t);
  const polled = await t.run<Polled>("poll", { subscription: poll });
  const posted: Delivery[] = [];
  await deliverDue(webhooks(t, (body) => {
    posted.push(body);
    return 200;
  }));
  const streamed = await readStream(t, sse, polled.deliveries.length);
  const content = (list: Delivery[]): unknown =>
    list.map(({ trigger, suggestions }) => ({ trigger, suggestions }));
  assert.equal(polled.deliveries.length, 2);
  assert.deepEqual(content(streamed), content(polled.deliveries));
  assert.deepEqual(content(posted), content(polled.deliveries));
  const rest = await t.run<Polled>("poll", { subscription: poll, cursor: polled.cursor });
  assert.deepEqual(rest.deliveries, []);
  const page = await t.run<Polled>("poll", { subscription: poll, limit: 1 });
  assert.equal(page.more, true);
  const resumed = await readStream(t, sse, 1, streamed[0].cursor);
  assert.deepEqual(resumed, [streamed[1]]);
  assert.equal(readSubscriptions(t.open().files, t.open().layout).get(hook)?.delivered, 2);
});

Deno.test("a webhook that fails is tried again, in order, and nothing is lost or doubled", async () => {
  await using t = await tempProject();
  const id = await subscribe(t, {
    patterns: ["file:src/auth/**"],
    via: "webhook",
    url: "http://127.0.0.1:9/",
  });
  await touchTwice(t);
  const answers = [500, 503, 200, 500, 200];
  const accepted: string[] = [];
  const waits: number[] = [];
  const stop = new AbortController();
  const options = webhooks(t, (body) => {
    const status = answers.shift() ?? 200;
    if (status === 200) accepted.push(body.trigger.source);
    return status;
  }, stop.signal);
  const loop = runWebhookLoop({
    ...options,
    sleep: (ms, signal) => {
      waits.push(ms);
      return tick(signal);
    },
  });
  await until("two deliveries", () => accepted.length === 2);
  await until("both are on disk", () => subscription(t, id).delivered === 2);
  stop.abort();
  await loop;
  assert.deepEqual(accepted, [service, "src/auth/token_store.ts"]);
  const backoffs = waits.filter((ms) => ms !== options.pollMs);
  assert.deepEqual(backoffs, [1000, 2000, 1000]);
  assert.equal(subscription(t, id).failed_attempts, 0);
});

Deno.test("a webhook that hangs holds up no other and loses nothing", async () => {
  await using t = await tempProject();
  const patterns = ["file:src/auth/**"];
  const slow = await subscribe(t, { patterns, via: "webhook", url: "http://127.0.0.1:1/slow" });
  const fast = await subscribe(t, { patterns, via: "webhook", url: "http://127.0.0.1:1/fast" });
  await touchTwice(t);
  const options = webhooks(t, () => 200);
  const accepted = await deliverDue({
    ...options,
    timeoutMs: 30,
    send: (url, request) =>
      url.pathname === "/slow"
        ? new Promise((_, reject) =>
          request.signal.addEventListener("abort", () => reject(request.signal.reason))
        )
        : options.send(url, request),
  });
  assert.equal(accepted, 2);
  assert.match(subscription(t, slow).last_error!, /no response within 30 ms/);
  assert.equal(subscription(t, slow).cursor, subscription(t, slow).from);
  assert.equal(await deliverDue(options), 2);
  assert.equal(subscription(t, fast).delivered, 2);
  assert.equal(subscription(t, slow).delivered, 2);
});

Deno.test("symbol, topic and entity patterns match changes and new entries", async () => {
  await using t = await tempProject();
  const bySymbol = await subscribe(t, { patterns: ["symbol:rotate*"] });
  const byTopic = await subscribe(t, { patterns: ["topic:authentication tokens"] });
  const byEntity = await subscribe(t, { patterns: [`entity:code:${service}`] });
  await touchTwice(t, async () => {
    await t.run("save", { text: "Authentication rotates every token", type: "decision" });
    await t.run("save", { text: "Paint dries slowly", type: "decision" });
  });
  assert.deepEqual(await sourcesOf(t, bySymbol), [service]);
  assert.equal((await sourcesOf(t, byTopic)).length, 1);
  assert.deepEqual(await sourcesOf(t, byEntity), [service]);
});

Deno.test("subscribe refuses what it cannot do", async () => {
  await using t = await tempProject();
  const bad: [object, string][] = [
    [{ patterns: ["src/**"] }, "USAGE"],
    [{ patterns: ["colour:red"] }, "USAGE"],
    [{ patterns: ["file:../../etc/**"] }, "USAGE"],
    [{ patterns: ["file:src/../../x"] }, "USAGE"],
    [{ patterns: ["file:{src,..}/x"] }, "USAGE"],
    [{ patterns: ["file:/etc/**"] }, "USAGE"],
    [{ patterns: ["file:a"], via: "webhook" }, "USAGE"],
    [{ patterns: ["file:a"], via: "poll", url: "http://127.0.0.1/" }, "USAGE"],
    [{ patterns: ["file:/(?=a)/"] }, "USAGE"],
    [{ patterns: ["topic:/(a/"] }, "USAGE"],
    [{ patterns: ["file:a"], via: "webhook", url: "http://10.0.0.1/" }, "DENIED"],
    [{ patterns: ["file:a"], via: "webhook", url: "ftp://a/" }, "USAGE"],
  ];
  for (const [input, code] of bad) {
    assert.equal((await t.fail("subscribe", input, secret)).code, code, JSON.stringify(input));
  }
  const unsigned = { patterns: ["file:a"], url: "https://hooks.example.org/" };
  assert.match((await t.fail("subscribe", unsigned)).message, /no signing secret/);
  assert.equal((await t.fail("poll", { subscription: "B-x" })).code, "NOT_FOUND");
  assert.equal((await t.fail("unsubscribe", { subscription: "B-x" })).code, "NOT_FOUND");
});

Deno.test("subscribe says how each way delivers", async () => {
  await using t = await tempStore();
  const env = { CTX_WEBHOOK_SECRET: "s" };
  const said = async (...words: string[]): Promise<string> =>
    (await t.ctx(["subscribe", "file:a..b/**", ...words], { env })).stderr;
  assert.match(await said(), /read them with: ctx suggest poll B-/);
  assert.match(
    await said("--via", "sse"),
    /ctx suggest watch --port 4578, then GET \/events\?subscription=B-/,
  );
  assert.equal(
    await said("--via", "webhook", "--url", "https://hooks.example/x"),
    "ctx: suggestions are posted to https://hooks.example/x by `ctx suggest watch`\n",
  );
});

Deno.test("unsubscribe ends it, once; subscriptions --all still shows it", async () => {
  await using t = await tempProject();
  const id = await subscribe(t, { patterns: ["file:**"] });
  assert.deepEqual(await t.run("unsubscribe", { subscription: id }), { id, ended: true });
  assert.deepEqual(await t.run("unsubscribe", { subscription: id }), { id, ended: false });
  const listed = await t.run<{ subscriptions: unknown[] }>("subscriptions");
  const all = await t.run<{ subscriptions: unknown[] }>("subscriptions", { all: true });
  assert.deepEqual([listed.subscriptions.length, all.subscriptions.length], [0, 1]);
});

Deno.test("the event stream refuses other paths and unknown subscriptions", async () => {
  await using t = await tempProject();
  const ask = (path: string): number =>
    serveEventStream(new Request(`http://127.0.0.1/${path}`), {
      store: t.open(),
      signal: new AbortController().signal,
      pollMs: 10,
    }).status;
  assert.equal(ask("events?subscription=B-x"), 404);
  assert.equal(ask("else"), 404);
});

async function subscribe(t: TempStore, input: object): Promise<string> {
  const made = await t.run<{ id: string }>("subscribe", { cooldown_ms: 0, ...input }, secret);
  return made.id;
}

/** A watcher's baseline, then two changes, each dealt with. */
async function touchTwice(t: TempStore, meanwhile?: () => Promise<void>): Promise<void> {
  const watcher = makeWatcher(t);
  await watcher.round();
  writeSources(t, { [service]: projectFiles[service] + "// changed\n" });
  await watcher.round();
  await meanwhile?.();
  const second = "src/auth/token_store.ts";
  writeSources(t, { [second]: projectFiles[second] + "// changed\n" });
  await watcher.round();
}

function makeWatcher(t: TempStore): Watcher {
  return new Watcher({
    store: t.open(),
    now: Date.now,
    random: () => crypto.randomUUID(),
    readSettings: () => ({
      enabled: new Set(suggestionTypes),
      minPrecision: 0.5,
      recentChangeDays: 7,
    }),
  });
}

function webhooks(
  t: TempStore,
  answer: (body: Delivery) => number,
  signal: AbortSignal = new AbortController().signal,
): WebhookLoopOptions {
  return {
    store: t.open(),
    secret: "s3cret",
    allowPrivate: false,
    timeoutMs: 1000,
    now: Date.now,
    readConsent: () => Promise.resolve(() => true),
    resolve: () => Promise.resolve([]),
    send: (_url, { body }) => Promise.resolve(answer(JSON.parse(body))),
    signal,
    sleep: (_ms, stop) => tick(stop),
    pollMs: 7,
    report: () => {},
  };
}

/** One turn of the event loop: the loops under test never wait for real time. */
function tick(_signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

function subscription(
  t: TempStore,
  id: string,
): NonNullable<ReturnType<ReturnType<typeof readSubscriptions>["get"]>> {
  return readSubscriptions(t.open().files, t.open().layout).get(id)!;
}

async function sourcesOf(t: TempStore, id: string): Promise<string[]> {
  const { deliveries } = await t.run<Polled>("poll", { subscription: id });
  return deliveries.map((delivery) => delivery.trigger.source);
}

async function readStream(
  t: TempStore,
  id: string,
  count: number,
  lastEventId?: number,
): Promise<Delivery[]> {
  const headers: Record<string, string> = lastEventId === undefined
    ? {}
    : { "last-event-id": String(lastEventId) };
  const request = new Request(`http://127.0.0.1/events?subscription=${id}`, { headers });
  const stop = new AbortController();
  const response = serveEventStream(request, { store: t.open(), signal: stop.signal, pollMs: 10 });
  const found: Delivery[] = [];
  let text = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const events = text.split("\n\n");
    text = events.pop()!;
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) found.push(JSON.parse(data));
    }
    if (found.length >= count) break;
  }
  stop.abort();
  return found;
}
