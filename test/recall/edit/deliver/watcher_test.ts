// The watcher: every change is told once, over cooldowns, restarts and kills.

import { suggestionTypes } from "../../../../src/core/row_kinds.ts";
import assert from "node:assert/strict";
import type { Delivery } from "../../../../src/recall/edit/suggested_item.ts";
import { Watcher } from "../../../../src/recall/edit/deliver/watcher.ts";
import { spawnCtx } from "../../../support/processes/run_ctx.ts";
import {
  projectFiles,
  tempProject,
  until,
  writeSources,
} from "../../../support/suggest_project.ts";
import { Crash, failingFiles } from "../../../support/stores/failing_files.ts";
import type { TempStore } from "../../../support/stores/temp_store.ts";
import type { Files } from "../../../../src/disk/files.ts";

const service = "src/auth/token_service.ts";

Deno.test("a change during the cooldown is dealt with after it, not dropped", async () => {
  await using t = await tempProject();
  let now = Date.now();
  const id = await subscribe(t, 60_000);
  const watcher = makeWatcher(t, { now: () => now });
  await watcher.round();
  edit(t, service, 1);
  assert.equal((await watcher.round()).suggested, 1);
  // Something new to say, while it cools down.
  await t.run("save", { text: `Rotate daily in ${service}`, type: "decision" });
  edit(t, service, 2);
  const { suggested, due_ms } = await watcher.round();
  assert.equal(suggested, 0);
  assert.ok(due_ms! > 0 && due_ms! <= 60_000);
  now += 60_001;
  assert.equal((await makeWatcher(t, { now: () => now }).round()).suggested, 1);
  assert.equal((await deliveries(t, id)).length, 2);
});

Deno.test("what changed while no watcher ran is told at the next start, and once", async () => {
  await using t = await tempProject();
  const id = await subscribe(t);
  await makeWatcher(t).round();
  edit(t, service, 1);
  assert.equal((await makeWatcher(t).round()).suggested, 1);
  assert.equal((await makeWatcher(t).round()).suggested, 0);
  Deno.utimeSync(`${t.workspace}/${service}`, new Date(), new Date());
  assert.equal((await makeWatcher(t).round()).suggested, 0, "a touch is no change");
  assert.equal((await deliveries(t, id)).length, 1);
});

Deno.test("watch takes a damaged snapshot in its stride, and one with the checksum of older versions", async () => {
  await using t = await tempProject();
  await subscribe(t);
  await t.ctx(["watch", "--once"]);
  const kept = t.read("watch.json");
  t.write("watch.json", kept.slice(0, -9));
  const { code, stderr } = await t.ctx(["watch", "--once"]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /watch\.json was damaged/);
  t.write("watch.json", `0badcafe\n${kept}`);
  edit(t, service, 1);
  assert.match((await t.ctx(["watch", "--once"])).stderr, /^ctx: 1 changes, 1 suggestions/);
});

Deno.test("deleting index/ loses no change that happened while no watcher ran", async () => {
  for (const loss of ["by hand", "forget --now"]) {
    await using t = await tempProject();
    const id = await subscribe(t);
    const { id: note } = await t.run<{ id: string }>("save", { text: "to be forgotten" });
    await t.run("reindex");
    await makeWatcher(t).round();
    edit(t, service, 1);
    if (loss === "by hand") Deno.removeSync(t.path("index"), { recursive: true });
    else await t.run("forget", { ids: [note], now: true });
    assert.equal((await makeWatcher(t).round()).suggested, 1, loss);
    assert.equal((await deliveries(t, id)).length, 1, loss);
  }
});

Deno.test("an entry that was compacted before the watcher saw it is still told, and once", async () => {
  await using t = await tempProject();
  await t.run("save", { text: "an older note" });
  const { id } = await t.run<{ id: string }>("subscribe", { patterns: ["topic:passkeys"] });
  await makeWatcher(t).round();
  await t.run("save", { text: "We decided that passkeys replace passwords", type: "decision" });
  await t.run("compact", { keep: 0, older_than: 0 });
  assert.equal((await makeWatcher(t).round()).suggested, 1);
  assert.equal((await makeWatcher(t).round()).suggested, 0);
  assert.equal((await deliveries(t, id)).length, 1);
});

Deno.test("entity: of another session tells nothing to whoever is held to one", async () => {
  await using t = await tempProject();
  const save = async (session: string): Promise<string> =>
    (await t.run<{ id: string }>("save", {
      text: `${service} rotates tokens for ${session}`,
      type: "decision",
      files: [service],
      session,
    })).id;
  const entries = { other: await save("S-other"), own: await save("S-own") };
  const ids: Record<string, string> = {};
  for (const [name, entry] of Object.entries(entries)) {
    const made = await t.run<{ id: string }>("subscribe", { patterns: [`entity:${entry}`] });
    ids[name] = made.id;
  }
  const events = t.read("subscriptions.ndjson").trim().split("\n").map((line) => JSON.parse(line));
  const pinned = events.map((event) =>
    `${JSON.stringify({ ...event, session_id: "S-own", pinned_session: "S-own" })}\n`
  );
  t.write("subscriptions.ndjson", pinned.join(""));
  await t.ctx(["watch", "--once"]);
  edit(t, service, 1);
  await t.ctx(["watch", "--once"]);
  const told = async (id: string): Promise<number> => (await deliveries(t, id)).length;
  assert.deepEqual([await told(ids.other), await told(ids.own)], [0, 1]);
});

Deno.test("file: and symbol: patterns match new entries whose files name a matching path", async () => {
  await using t = await tempProject();
  const subscribeTo = async (pattern: string): Promise<string> =>
    (await t.run<{ id: string }>("subscribe", { patterns: [pattern] })).id;
  const file = await subscribeTo("file:src/auth/**");
  const symbol = await subscribeTo("symbol:rotate*");
  const other = await subscribeTo("file:src/paint/**");
  await t.ctx(["watch", "--once"]);
  const save = async (text: string, type: string, files: string[]): Promise<string> =>
    (await t.run<{ id: string }>("save", { text, type, files })).id;
  const rotated = await save("Rotate on every use", "decision", [service]);
  const noted = await save("Absolute paths are the same file", "note", [
    `${t.workspace}/src/auth/token_store.ts`,
  ]);
  await save("Not about any file", "decision", []);
  await save("Talk is not told", "turn", [service]);
  const { stdout, stderr } = await t.ctx(["watch", "--once"]);
  assert.match(stdout + stderr, /3 suggestions/);
  const told = async (id: string): Promise<string[]> =>
    (await deliveries(t, id)).map((delivery) => delivery.trigger.source);
  assert.deepEqual(await told(file), [rotated, noted]);
  assert.deepEqual(await told(symbol), [rotated]);
  assert.deepEqual(await told(other), []);
  await t.ctx(["watch", "--once"]);
  assert.equal((await told(file)).length, 2, "once");
});

Deno.test("a watcher that dies at any write tells each change once after its restart", async () => {
  let deaths = 0;
  for (let n = 1;; n++) {
    await using t = await tempProject();
    const id = await subscribe(t);
    await makeWatcher(t).round();
    edit(t, service, 1);
    edit(t, "src/auth/token_store.ts", 1);
    const files = failingFiles(n);
    let survived = true;
    try {
      await makeWatcher(t, { files }).round();
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      survived = false;
      deaths++;
    }
    await makeWatcher(t).round();
    const told = (await deliveries(t, id)).map((delivery) => delivery.trigger.source).sort();
    assert.deepEqual(told, [service, "src/auth/token_store.ts"], `death at write ${n}`);
    if (survived) break;
  }
  assert.ok(deaths >= 4, `${deaths} deaths`);
});

Deno.test("a killed ctx watch loses no change and repeats none", async () => {
  await using t = await tempProject();
  const id = await subscribe(t);
  await t.ctx(["watch", "--once"]);
  const edited: string[] = [];
  for (let i = 0; i < 4; i++) {
    const child = startWatch(t);
    try {
      await child.ready;
      const path = i % 2 === 0 ? service : "src/auth/token_store.ts";
      await t.run("save", { text: `Rule ${i}`, type: "decision", files: [path] });
      edit(t, path, i + 1);
      edited.push(path);
      // Killed before it could have noticed, or right after it told: both must come out the same.
      if (i % 2 === 1) await until("it is told", async () => (await deliveries(t, id)).length > i);
    } finally {
      child.kill();
      await child.ended;
    }
  }
  await t.ctx(["watch", "--once"]);
  const told = await deliveries(t, id);
  assert.deepEqual(told.map((delivery) => delivery.trigger.source).sort(), edited.sort());
  const hashes = told.map(({ trigger }) => `${trigger.source} ${trigger.hash}`);
  assert.equal(new Set(hashes).size, hashes.length);
});

Deno.test("only one ctx watch runs in a workspace", async () => {
  await using t = await tempProject();
  const child = startWatch(t);
  try {
    await child.ready;
    const { code, stderr } = await t.ctx(["watch", "--once"]);
    assert.equal(code, 4);
    assert.match(stderr, /ctx watch/);
  } finally {
    child.kill();
    await child.ended;
  }
});

async function subscribe(t: TempStore, cooldown_ms = 0): Promise<string> {
  const input = { patterns: ["file:src/**"], cooldown_ms };
  return (await t.run<{ id: string }>("subscribe", input)).id;
}

function edit(t: TempStore, path: string, n: number): void {
  writeSources(t, { [path]: `${projectFiles[path]}// ${n}\n` });
}

async function deliveries(t: TempStore, subscription: string): Promise<Delivery[]> {
  return (await t.run<{ deliveries: Delivery[] }>("poll", { subscription })).deliveries;
}

function makeWatcher(t: TempStore, options: { now?: () => number; files?: Files } = {}): Watcher {
  const { now = Date.now, files } = options;
  return new Watcher({
    store: t.open({ now, ...(files === undefined ? {} : { files }) }),
    now,
    random: () => crypto.randomUUID(),
    readSettings: () => ({
      enabled: new Set(suggestionTypes),
      minPrecision: 0.5,
      recentChangeDays: 7,
    }),
  });
}

/** A real `ctx watch`; ready once it says so. */
function startWatch(t: TempStore): { ready: Promise<void>; ended: Promise<unknown>; kill(): void } {
  const child = spawnCtx(["watch"], { cwd: t.workspace, stdin: "null" });
  const ready = Promise.withResolvers<void>();
  const reading = (async () => {
    let text = "";
    for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.includes("ctx: ready")) ready.resolve();
    }
    ready.reject(new Error(`ctx watch ended: ${text}`));
    ready.promise.catch(() => {});
  })();
  return {
    ready: ready.promise,
    ended: Promise.all([child.status, reading, child.stdout.cancel()]),
    kill: () => child.kill("SIGKILL"),
  };
}
