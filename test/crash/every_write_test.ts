// Every operation of the store is failed at every change it makes to the disk, after many numbers
// of bytes, by a kill, a loss of power and a full disk; after each the store is opened again with
// the real files and held against its invariants. The number of crash points is printed.

import assert from "node:assert/strict";
import { parseConfigText } from "../../src/config/load_config.ts";
import { inspectStore } from "../../src/store/lifecycle/inspect.ts";
import { parseSummary } from "../../src/store/summary.ts";
import { type CrashCase, type Outcome, tryCrashPoints } from "../support/stores/crash_points.ts";
import { isFullLength } from "../support/full_length.ts";
import { repository } from "../support/repository.ts";
import { type TempStore, tempStore, toLog } from "../support/stores/temp_store.ts";

const sample = `${repository}/test/samples/contextfs/store`;

const secret = "the-word-that-must-go";
const entries = [
  { id: "H-1", text: "We decided to rotate tokens", type: "decision", session_id: "S-1" },
  {
    id: "H-2",
    text: `hide ${secret} here`,
    session_id: "S-1",
    files: ["src/auth.ts"],
    source: { agent: "codex", message: "m-2" },
  },
  { id: "H-3", text: "We rotate tokens on every use", supersedes: "H-1", unknown: { kept: true } },
  { id: "H-4", text: "pinned rule\nwith two lines" },
  { id: "H-5", text: "the newest entry, with a longer text ".repeat(6) },
];
const archive = [{ id: "H-A", text: "an old fact" }, { id: "H-B", text: "an old forgotten fact" }];
const tombstone = { id: "H-T", type: "tombstone", text: "", refs: ["H-B"] };
const visible = ["H-A", "H-1", "H-2", "H-3", "H-4", "H-5"];

/** Which ids may be missing after an operation, and which must be once it was acknowledged. */
interface Expected {
  command: string;
  input: object;
  mayGo?: string[];
  mayCome?: number;
  template?: () => Promise<TempStore>;
  check?: (t: TempStore, outcome: Outcome) => void | Promise<void>;
}

const operations: Record<string, Expected> = {
  "save": {
    command: "save",
    input: { text: "a new entry\nof two lines", tags: ["new"] },
    mayCome: 1,
    check(t, { acknowledged, result }) {
      if (acknowledged) assert.equal(t.textOf(String(result?.id)), "a new entry\nof two lines");
    },
  },
  "save after a torn tail": {
    command: "save",
    input: { text: "a new entry" },
    mayCome: 1,
    template: async () => {
      const t = await fullStore();
      t.append("history.ndjson", '{"id":"H-torn","text":"half a ro');
      return t;
    },
    check(t) {
      const everywhere = t.list().map((name) => name.endsWith(".ndjson") ? t.read(name) : "");
      assert.ok(everywhere.some((text) => text.includes("half a ro")), "the torn line is kept");
    },
  },
  "pin": { command: "pin", input: { target: "H-1" } },
  "pin a new text": { command: "pin", input: { target: "a rule" }, mayCome: 1 },
  "unpin": { command: "unpin", input: { target: "H-4" } },
  "session start": { command: "session start", input: { title: "work" } },
  "session end": { command: "session end", input: {} },
  "config set": {
    command: "config set",
    input: { key: "lock_timeout_ms", value: "20000" },
    template: async () => {
      const t = await fullStore();
      t.write("config.jsonc", '{\n  // a comment\n  "lock_timeout_ms": 5000\n}\n');
      return t;
    },
    async check(t, { acknowledged }) {
      const text = t.read("config.jsonc");
      const { lock_timeout_ms } = await parseConfigText(text, "config.jsonc");
      assert.ok(text.includes("// a comment"));
      assert.ok(lock_timeout_ms === 20_000 || (!acknowledged && lock_timeout_ms === 5000));
    },
  },
  "forget": {
    command: "forget",
    input: { ids: ["H-2", "H-4"] },
    mayGo: ["H-2", "H-4"],
    check: goneWhenAcknowledged(["H-2", "H-4"]),
  },
  "forget --now": {
    command: "forget",
    input: { ids: ["H-2", "H-A"], now: true },
    mayGo: ["H-2", "H-A"],
    async check(t, outcome) {
      await goneWhenAcknowledged(["H-2", "H-A"])(t, outcome);
      if (outcome.acknowledged) assert.deepEqual(filesWith(t, secret), []);
    },
  },
  "purge": {
    command: "purge",
    input: { pattern: secret },
    mayGo: ["H-2"],
    async check(t, { acknowledged, result }) {
      if (acknowledged) {
        assert.equal(result?.verified, true);
        assert.deepEqual(filesWith(t, secret), []);
      }
      assert.equal((await t.run("purge", { pattern: secret })).verified, true, "again");
      assert.deepEqual(filesWith(t, secret), []);
    },
  },
  "compact": {
    command: "compact",
    input: { keep: 2, older_than: 0 },
    async check(t, { acknowledged }) {
      await t.run("compact", { keep: 2, older_than: 0 });
      const hot = toIds(t.read("history.ndjson")).filter((id) => id.startsWith("H-"));
      if (acknowledged) assert.ok(hot.includes("H-5") && !hot.includes("H-1"));
      assert.equal(parseSummary(t.read("summary.md")).written?.edited, false);
      assert.ok(t.read("summary.md").includes("written by hand"));
    },
  },
  "save after a killed compact": {
    command: "save",
    input: { text: "finish the move" },
    mayCome: 1,
    template: async () => {
      const t = await fullStore();
      const start = t.bytes("history.archive.ndjson").length;
      t.write("move.json", JSON.stringify({ version: 1, archive_bytes: start }));
      const lines = t.read("history.ndjson").split("\n");
      t.append("history.archive.ndjson", `${lines[0]}\n${lines[1]}\n${lines[2].slice(0, 40)}`);
      return t;
    },
  },
  "gc": {
    command: "gc",
    input: {},
    check(t, { acknowledged }) {
      if (!acknowledged) return;
      assert.deepEqual(filesWith(t, "an old forgotten fact"), []);
      assert.ok(!t.exists("retrieval.traces.ndjson.9"));
      assert.ok(!t.exists("index/orphan.seg"));
    },
  },
  "import": {
    command: "import",
    input: { sources: ["contextfs"], root: sample, all_projects: true },
    mayCome: 3,
    async check(t, { acknowledged }) {
      const input = { sources: ["contextfs"], root: sample, all_projects: true };
      const again = await t.run("import", input);
      if (acknowledged) assert.equal(again.entries, 0, "imported twice");
      const texts = [...t.open().entries()].map(({ entry }) => entry.text);
      for (const text of ["Port 8080.", "Thanks."]) {
        assert.equal(texts.filter((found) => found === text).length, 1, text);
      }
    },
  },
  "reindex": {
    command: "reindex",
    input: {},
    async check(t) {
      const { results } = await t.run<{ results: { id: string }[] }>("search", { query: "tokens" });
      assert.ok(results.some((row) => row.id === "H-3"), "search finds it with any index");
    },
  },
  "doctor --fix": {
    command: "doctor",
    input: { fix: true },
    template: async () => {
      const t = await fullStore();
      const again = t.read("history.ndjson").split("\n")[3];
      t.append("history.ndjson", `not json at all\n${again}\n`);
      t.append("sessions.ndjson", "broken event\n");
      t.write("history.ndjson.77.tmp", "left over");
      return t;
    },
    async check(t) {
      await t.run("doctor", { fix: true });
      assert.deepEqual(await t.ailments(), []);
      assert.deepEqual(filesWith(t, "not json at all"), ["history.bad.ndjson"]);
    },
  },
};

let total = 0;

for (const [name, expected] of Object.entries(operations)) {
  Deno.test(`${name} survives a failure at every write`, async (test) => {
    await using template = await (expected.template ?? fullStore)();
    const crash: CrashCase = {
      template,
      command: expected.command,
      input: expected.input,
      check: (t, outcome) => checkStore(t, outcome, expected),
    };
    const points = await tryCrashPoints(crash);
    total += points;
    await test.step(`${points} crash points, ${total} so far`, () =>
      assert.ok(points >= (isFullLength ? 20 : 3)));
  });
}

/** The invariants that hold after any failure of any operation. */
async function checkStore(t: TempStore, outcome: Outcome, expected: Expected): Promise<void> {
  const mayGo = new Set(expected.mayGo ?? []);
  const must = visible.filter((id) => !mayGo.has(id));
  const seen = t.ids();
  assert.equal(new Set(seen).size, seen.length, "an id is seen twice");
  assert.deepEqual(must.filter((id) => !seen.includes(id)), [], "an entry was lost");
  assert.ok(!seen.includes("H-B"), "a forgotten entry came back");
  const extra = seen.filter((id) => !visible.includes(id));
  assert.ok(extra.length <= (expected.mayCome ?? 0), `entries appeared: ${extra}`);
  const damaged = expected.command === "doctor";
  if (!damaged) assert.deepEqual(await failures(t), []);

  await t.run("save", { text: "the next writer" });
  if (!damaged) {
    assert.deepEqual(await failures(t), []);
    const raw = ["history.archive.ndjson", "history.ndjson"].flatMap((name) => toIds(t.read(name)));
    assert.equal(new Set(raw).size, raw.length, "an id is in two places after the next write");
  }
  assert.deepEqual(must.filter((id) => !t.ids().includes(id)), [], "the next writer lost one");
  assert.ok(
    t.read("history.ndjson").includes('"unknown":{"kept":true}') || !seen.includes("H-3") ||
      t.read("history.archive.ndjson").includes('"unknown":{"kept":true}'),
  );
  assert.ok(t.read("pins.md").startsWith("# Pins"));
  assert.ok(!t.exists("move.json"), "the move was not finished");
  await expected.check?.(t, outcome);
}

function goneWhenAcknowledged(ids: string[]): NonNullable<Expected["check"]> {
  return (t, { acknowledged }) => {
    if (!acknowledged) return;
    assert.deepEqual(t.ids().filter((id) => ids.includes(id)), []);
    for (const id of ids) assert.ok(!t.read("pins.md").includes(id));
  };
}

async function failures(t: TempStore): Promise<string[]> {
  return (await inspectStore(t.open())).filter((check) => check.status === "failed")
    .map((check) => `${check.name}: ${check.detail}`);
}

function toIds(log: string): string[] {
  return log.split("\n").filter(Boolean).map((line): string => JSON.parse(line).id);
}

function filesWith(t: TempStore, text: string): string[] {
  return t.list().filter((name) =>
    !["index", "chat"].includes(name) && t.read(name).includes(text)
  );
}

/** A store with something in every file. */
async function fullStore(): Promise<TempStore> {
  const t = await tempStore({ entries, archive });
  t.append("history.ndjson", toLog([tombstone]));
  t.write("pins.md", "# Pins\n\n- [H-4] pinned rule\n- by hand\n");
  t.write("summary.md", "# Summary\n\nwritten by hand\n");
  t.write(
    "sessions.ndjson",
    '{"event":"opened","session_id":"S-1","ts":"2026-01-01T00:00:00.000Z","title":"first"}\n',
  );
  t.write("history.bad.ndjson", `{"file":"history.ndjson","text":"${secret} half H-2"}\n`);
  t.write("retrieval.traces.ndjson", `{"trace_id":"T-1","query":"${secret}","ranking":["H-2"]}\n`);
  t.write("retrieval.traces.ndjson.9", "{}\n");
  Deno.mkdirSync(t.path("index"));
  t.write("index/manifest.json", '{"segments":["kept"]}');
  t.write("index/kept.seg", "kept");
  t.write("index/orphan.seg", "orphan");
  Deno.mkdirSync(t.path("chat"));
  t.write("chat/one.ndjson", `{"text":"${secret}"}\n{"text":"other"}\n`);
  await t.run("session start", { title: "current" });
  return t;
}
