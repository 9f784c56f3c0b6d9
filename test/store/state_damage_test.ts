// `state.json` lost, torn, stale or from the future: it is rebuilt from the logs (invariant 5), and
// a newer format is refused with nothing touched (invariant 8).

import assert from "node:assert/strict";
import { type TempStore, tempStore, toLog } from "../support/stores/temp_store.ts";

const logs = {
  archive: ["archived"],
  entries: ["one", { id: "H-T", type: "tombstone", text: "", refs: ["H-gone"] }, "three"],
};

interface StateDamage {
  state: string | undefined;
  detail: string;
  warning?: string;
}

const rebuilt = "state.json was unreadable and has been rebuilt from the logs";
const stateDamages: Record<string, StateDamage> = {
  "a missing state": {
    state: undefined,
    detail: "state.json is missing; it will be rebuilt on the next write",
  },
  "a half-written state": {
    state: '{\n  "version": 1,\n  "revi',
    detail: "state.json is corrupt; it will be rebuilt on the next write",
    warning: rebuilt,
  },
  "an empty state": {
    state: "",
    detail: "state.json is corrupt; it will be rebuilt on the next write",
    warning: rebuilt,
  },
  "a state of NUL bytes": {
    state: "\0".repeat(200),
    detail: "state.json is corrupt; it will be rebuilt on the next write",
    warning: rebuilt,
  },
  "a state that is a list": {
    state: "[]",
    detail: "state.json is corrupt; it will be rebuilt on the next write",
    warning: rebuilt,
  },
  "a state behind the logs": {
    state: '{"version":1,"revision":7,"session_id":null,"logs":' +
      '{"archive":{"bytes":0,"rows":0,"tombstones":0},"hot":{"bytes":0,"rows":0,"tombstones":0}}}',
    detail: "state.json is behind; it will be rebuilt on the next write",
  },
  "a state with impossible counts": {
    state: '{"version":1,"logs":{"hot":{"bytes":-5,"rows":1,"tombstones":0,"tail":"x"}}}',
    detail: "state.json is behind; it will be rebuilt on the next write",
  },
  "a state without counts": {
    state: '{"version":1}',
    detail: "state.json is behind; it will be rebuilt on the next write",
  },
};

for (const [name, { state, detail, warning }] of Object.entries(stateDamages)) {
  Deno.test(`${name} hides no entry and is rebuilt by the next write`, async () => {
    await using t = await damagedBy(state);
    assert.deepEqual(t.ids(), ["H-A1", "H-H1", "H-H3"]);
    const { checks, healthy } = await t.run<Exam>("doctor");
    assert.deepEqual([checks.find((check) => check.name === "state")?.detail, healthy], [
      detail,
      true,
    ]);
    const saved = await t.ctx(["save", "next"]);
    assert.deepEqual([saved.code, saved.stderr], [0, warning ? `ctx: warning: ${warning}\n` : ""]);
    const after = JSON.parse(t.read("state.json"));
    for (const log of Object.values<{ tail?: string }>(after.logs)) delete log.tail;
    assert.deepEqual(after.logs, {
      archive: { bytes: t.bytes("history.archive.ndjson").length, rows: 1, tombstones: 0 },
      hot: { bytes: t.bytes("history.ndjson").length, rows: 4, tombstones: 1 },
    });
    assert.deepEqual(await t.ailments(), []);
  });
}

Deno.test("a rebuilt state finds the current session again from the events", async () => {
  await using t = await tempStore();
  await t.run("session start", { title: "closed" });
  const first = await t.run<{ session_id: string }>("session current");
  await t.run("session end");
  const second = await t.run<{ session_id: string }>("session start", { title: "open" });
  assert.notEqual(first.session_id, second.session_id);
  Deno.removeSync(t.path("state.json"));
  assert.equal(
    (await t.run<{ session_id: string }>("session current")).session_id,
    second.session_id,
  );
  await t.run("save", { text: "joins it" });
  assert.equal(JSON.parse(t.read("state.json")).session_id, second.session_id);
});

Deno.test("a state field that ctx does not know survives every write", async () => {
  await using t = await tempStore({ entries: ["one"] });
  const state = JSON.parse(t.read("state.json"));
  t.write("state.json", JSON.stringify({ ...state, x_other: { keep: true } }));
  await t.run("save", { text: "two" });
  await t.run("forget", { ids: ["H-H1"], now: true });
  assert.deepEqual(JSON.parse(t.read("state.json")).x_other, { keep: true });
});

Deno.test("a state of a newer version is refused by every command and nothing is touched", async () => {
  await using t = await tempStore({
    files: {
      "history.ndjson": toLog(["one"]) + '{"id":"H-torn","te',
      "state.json": '{"version":2,"revision":1}\n',
      "pins.md": "- [H-H1] one\n",
    },
  });
  const before = snapshot(t);
  const error = {
    code: "STORE_TOO_NEW",
    message:
      `Cannot open the store: "${t.root}/state.json" has format version 2, and this version of ctx supports 1`,
    hint: "upgrade ctx; nothing was changed",
    retryable: false,
  };
  const calls: [string, object][] = [
    ["init", {}],
    ["save", { text: "x" }],
    ["get", { ids: ["H-H1"] }],
    ["timeline", { id: "H-H1" }],
    ["ls", {}],
    ["pins", {}],
    ["pin", { target: "H-H1" }],
    ["sessions", {}],
    ["stats", {}],
    ["export", {}],
    ["forget", { ids: ["H-H1"], now: true }],
    ["doctor", {}],
    ["doctor", { fix: true }],
    ["config set", { key: "redact", value: "false" }],
  ];
  for (const [name, input] of calls) {
    assert.deepEqual(await t.fail(name, input), error, name);
  }
  assert.deepEqual(snapshot(t), before);
  const process = await t.ctx(["get", "H-H1"]);
  assert.deepEqual([process.code, process.stdout], [5, ""]);
});

Deno.test("a log that is gone, emptied or shorter than it was is damage", async () => {
  await using t = await tempStore();
  await t.run("save", { text: "one" });
  await t.run("save", { text: "two" });
  const log = t.read("history.ndjson");
  t.write("history.ndjson", log.slice(0, log.indexOf("\n") + 1));
  assert.equal(await lossOf(t), `history.ndjson is shorter than it was: 2 rows, now 1${restore}`);
  Deno.removeSync(t.path("history.ndjson"));
  assert.equal(await lossOf(t), `history.ndjson is shorter than it was: 2 rows, now 0${restore}`);
  const exam = await t.ctx(["doctor"]);
  assert.deepEqual([exam.code, exam.stderr], [5, ""]);
  assert.deepEqual(t.ids(), []);
  const saved = await t.ctx(["save", "three"]);
  assert.deepEqual([saved.code, saved.stderr], [
    0,
    "ctx: warning: history.ndjson is shorter than it was: 2 rows, now 0\n",
  ]);
  assert.deepEqual(t.ids(), [saved.stdout.trim()]);
  assert.equal(await lossOf(t), `history.ndjson is shorter than it was: 2 rows, now 1${restore}`);
  await using restored = await tempStore({
    files: { "history.ndjson": log + t.read("history.ndjson"), "state.json": t.read("state.json") },
  });
  assert.equal(await lossOf(restored), undefined);
  await restored.run("save", { text: "four" });
  assert.deepEqual(await restored.ailments(), []);
  const { fixed } = await t.run<Exam>("doctor", { fix: true });
  assert.deepEqual(fixed, ["accepted that history.ndjson is shorter than it was: 2 rows, now 1"]);
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("what an emptied log had is known from the index or the sessions when the state is lost", async () => {
  await using t = await tempStore();
  await t.run("save", { text: "one" });
  await t.run("reindex");
  t.write("history.ndjson", "");
  Deno.removeSync(t.path("state.json"));
  assert.equal(await lossOf(t), `history.ndjson is shorter than when it was indexed${restore}`);
  Deno.removeSync(t.path("index"), { recursive: true });
  assert.equal(await lossOf(t), undefined);
  t.write("sessions.ndjson", '{"event":"imported","session_id":"S-1","ts":"2026-01-01"}\n');
  assert.equal(await lossOf(t), `history.ndjson is empty, though sessions were imported${restore}`);
});

const restore = ": restore it from a backup; ctx doctor --fix accepts the loss";

/** What doctor says is lost; it must then call the store damaged. */
async function lossOf(t: TempStore): Promise<string | undefined> {
  const { checks, healthy } = await t.run<Exam>("doctor");
  const failed = checks.filter((check) => check.status === "failed");
  assert.equal(healthy, failed.length === 0);
  return failed.map((check) => check.detail)[0];
}

interface Exam {
  healthy: boolean;
  fixed: string[];
  checks: { name: string; status: string; detail: string }[];
}

async function damagedBy(state: string | undefined): Promise<TempStore> {
  const t = await tempStore(logs);
  if (state === undefined) Deno.removeSync(t.path("state.json"));
  else t.write("state.json", state);
  return t;
}

function snapshot(t: TempStore): Record<string, string> {
  return Object.fromEntries(
    t.list().filter((name) => name !== ".lock").map((name) => [name, t.read(name)]),
  );
}
