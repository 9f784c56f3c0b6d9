// Damaged logs: each kind is read as far as it can be, named by doctor, mended by `doctor --fix`
// with its bytes kept aside, and sound on the second look (invariants 2, 3, 4, 7 and 10).

import assert from "node:assert/strict";
import { encodeExact } from "../../src/core/utf8.ts";
import { rowOf, type TempStore, tempStore, toLog } from "../support/stores/temp_store.ts";

/** What doctor found. */
interface Exam {
  healthy: boolean;
  checks: { name: string; status: string; detail: string }[];
}

interface Damage {
  /** The hot log as it is found. */
  log: string | Uint8Array;
  archive?: string;
  /** The ids that can be read before any repair. */
  readable: string[];
  /** doctor's line on it, as `name: detail`. */
  complaint: string;
  /** The ids after `doctor --fix`. */
  mended: string[];
  /** Pieces that must still be somewhere in the logs or the quarantine. */
  survives?: string[];
  /** Whether it is no failure, because the next writer mends it. */
  healthy?: boolean;
}

const one = toLog([{ id: "H-1", text: "one" }]);
const two = toLog([{ id: "H-2", text: "two" }]);
const three = toLog([{ id: "H-3", text: "three" }]);

const damages: Record<string, Damage> = {
  "a torn tail": {
    log: one + two + '{"id":"H-3","ts":"2026-01-01T00:0',
    readable: ["H-1", "H-2"],
    complaint: "tails: incomplete last line in history.ndjson",
    mended: ["H-1", "H-2"],
    survives: ['{\\"id\\":\\"H-3\\",\\"ts\\":\\"2026-01-01T00:0'],
    healthy: true,
  },
  "a whole last row without its newline": {
    log: one + two.trimEnd(),
    readable: ["H-1"],
    complaint: "tails: incomplete last line in history.ndjson",
    mended: ["H-1", "H-2"],
    healthy: true,
  },
  "a log that is one torn line": {
    log: '{"id":"H-1","text":"never finis',
    readable: [],
    complaint: "tails: incomplete last line in history.ndjson",
    mended: [],
    survives: ["never finis"],
    healthy: true,
  },
  "a run of NUL bytes before a row": {
    log: one + "\0".repeat(64) + two + three,
    readable: ["H-1", "H-2", "H-3"],
    complaint: `lines: 1 damaged lines (0 unreadable): nul_bytes at hot:${one.length}`,
    mended: ["H-1", "H-2", "H-3"],
  },
  "a line of NUL bytes only": {
    log: one + "\0".repeat(64) + "\n" + two,
    readable: ["H-1", "H-2"],
    complaint: `lines: 1 damaged lines (1 unreadable): nul_bytes at hot:${one.length}`,
    mended: ["H-1", "H-2"],
  },
  "two rows on one line": {
    log: one + two.trimEnd() + three,
    readable: ["H-1", "H-2", "H-3"],
    complaint: `lines: 1 damaged lines (0 unreadable): joined_rows at hot:${one.length}`,
    mended: ["H-1", "H-2", "H-3"],
  },
  "a torn row with a whole row after it on the line": {
    log: one + '{"id":"H-2","text":"tor' + three,
    readable: ["H-1", "H-3"],
    complaint: `lines: 1 damaged lines (0 unreadable): bad_json at hot:${one.length}`,
    mended: ["H-1", "H-3"],
    survives: ["tor"],
  },
  "bad UTF-8 inside a text": {
    log: bytesOf(
      one,
      '{"id":"H-2","ts":"2026-01-01T00:00:00.000Z","text":"a',
      [0xff],
      'b"}\n',
      three,
    ),
    readable: ["H-1", "H-2", "H-3"],
    complaint: `lines: 1 damaged lines (0 unreadable): bad_utf8 at hot:${one.length}`,
    mended: ["H-1", "H-2", "H-3"],
    survives: [btoa('{"id":"H-2","ts":"2026-01-01T00:00:00.000Z","text":"a\xffb"}')],
  },
  "a line of garbage": {
    log: one + "what is this?\n" + two,
    readable: ["H-1", "H-2"],
    complaint: `lines: 1 damaged lines (1 unreadable): bad_json at hot:${one.length}`,
    mended: ["H-1", "H-2"],
    survives: ["what is this?"],
  },
  "a mark of a merge": {
    log: one + "<<<<<<< HEAD\n" + two,
    readable: ["H-1", "H-2"],
    complaint: "merge: git left a merge conflict in history.ndjson: --fix keeps both sides",
    mended: ["H-1", "H-2"],
    survives: ["<<<<<<< HEAD"],
  },
  "a line of binary garbage": {
    log: bytesOf(one, [0x80, 0xfe, 0x00, 0x01, 0xc3], "\n", two),
    readable: ["H-1", "H-2"],
    complaint: `lines: 1 damaged lines (1 unreadable): bad_utf8 at hot:${one.length}`,
    mended: ["H-1", "H-2"],
    survives: [btoa("\x80\xfe\x00\x01\xc3")],
  },
  "JSON that is no entry": {
    log: one + '{"event":"not an entry"}\n[1,2]\n"text"\n' + two,
    readable: ["H-1", "H-2"],
    complaint: "lines: 3 damaged lines (3 unreadable): " +
      [one.length, one.length + 25, one.length + 31].map((at) => `not_an_entry at hot:${at}`).join(
        ", ",
      ),
    mended: ["H-1", "H-2"],
    survives: ["not an entry", "[1,2]"],
  },
  "an entry without an id": {
    log: one + '{"role":"user","text":"nameless"}\n',
    readable: ["H-1"],
    complaint: `lines: 1 damaged lines (1 unreadable): not_an_entry at hot:${one.length}`,
    mended: ["H-1"],
    survives: ["nameless"],
  },
  "a row behind a byte order mark": {
    log: "\ufeff" + one + two,
    readable: ["H-1", "H-2"],
    complaint: "lines: 1 damaged lines (0 unreadable): bad_json at hot:0",
    mended: ["H-1", "H-2"],
  },
  "the same row twice": {
    log: one + two + one,
    readable: ["H-1", "H-2"],
    complaint: "ids: 1 row has an id that is already in use: H-1",
    mended: ["H-1", "H-2"],
  },
  "two different rows with one id": {
    log: one + toLog([{ id: "H-1", text: "another" }]),
    readable: ["H-1"],
    complaint: "ids: 1 row has an id that is already in use: H-1",
    mended: ["H-1", "H-1-*"],
    survives: ["another"],
  },
  "one row in both pools": {
    log: one + two,
    archive: one,
    readable: ["H-1", "H-2"],
    complaint: "pools: 1 ids are in both logs (hot and archive): H-1",
    mended: ["H-1", "H-2"],
  },
  "different rows with one id in both pools": {
    log: toLog([{ id: "H-1", text: "hot words" }]),
    archive: toLog([{ id: "H-1", text: "archived words" }]),
    readable: ["H-1"],
    complaint: "pools: 1 ids are in both logs (hot and archive): H-1",
    mended: ["H-1", "H-1-*"],
    survives: ["hot words", "archived words"],
  },
};

for (const [name, damage] of Object.entries(damages)) {
  Deno.test(`${name} is read, named, mended without loss and then sound`, async () => {
    await using t = await tempStore({ files: { "history.ndjson": damage.log } });
    if (damage.archive) t.write("history.archive.ndjson", damage.archive);
    const before = t.bytes("history.ndjson");
    assert.deepEqual(t.ids(), damage.readable);

    const exam = await t.run<Exam>("doctor");
    assert.deepEqual(complaintsOf(exam), [damage.complaint]);
    assert.equal(exam.healthy, damage.healthy ?? false);
    assert.deepEqual(t.bytes("history.ndjson"), before, "doctor wrote without --fix");

    const repair = await t.run<Exam>("doctor", { fix: true });
    assert.deepEqual([repair.healthy, complaintsOf(repair)], [true, []]);
    assert.deepEqual(t.ids().map((id) => id.replace(/-[0-9a-f]{6}$/, "-*")), damage.mended);
    for (const piece of damage.survives ?? []) assert.ok(kept(t).includes(piece), piece);

    const second = await t.run<{ fixed: string[]; healthy: boolean }>("doctor", { fix: true });
    assert.deepEqual([second.fixed, second.healthy], [[], true]);
  });
}

Deno.test("doctor ends with 5 where rows are damaged, and with 0 where the next writer mends it", async () => {
  for (const [name, code] of [["a line of garbage", 5], ["a torn tail", 0]] as const) {
    const { log, complaint } = damages[name];
    await using t = await tempStore({ files: { "history.ndjson": log } });
    const exam = await t.ctx(["doctor", "--json"]);
    assert.deepEqual([exam.code, complaintsOf(JSON.parse(exam.stdout))], [code, [complaint]]);
  }
});

Deno.test("empty lines are no damage and stay where they are", async () => {
  await using t = await tempStore({ files: { "history.ndjson": `\n${one}\n  \n\r\n${two}` } });
  assert.deepEqual(t.ids(), ["H-1", "H-2"]);
  assert.deepEqual(await t.ailments(), ["state"]);
  await t.run("doctor", { fix: true });
  assert.equal(t.read("history.ndjson"), `\n${one}\n  \n\r\n${two}`);
});

Deno.test("rows with Windows line ends are sound rows", async () => {
  await using t = await tempStore({
    files: { "history.ndjson": (one + two).replaceAll("\n", "\r\n") },
  });
  assert.deepEqual(t.ids(), ["H-1", "H-2"]);
  assert.deepEqual(await t.ailments(), ["state"]);
});

Deno.test("the next save says that it moved a torn tail aside", async () => {
  await using t = await tempStore({ files: { "history.ndjson": one + '{"id":"H-2","te' } });
  const saved = await t.ctx(["save", "next"]);
  assert.deepEqual([saved.code, saved.stderr], [
    0,
    "ctx: warning: history.ndjson: moved an incomplete last line (15 bytes) to " +
    "history.bad.ndjson\n",
  ]);
  const quarantined = JSON.parse(t.read("history.bad.ndjson"));
  assert.deepEqual({ ...quarantined, ts: "" }, {
    ts: "",
    file: "history.ndjson",
    offset: one.length,
    reason: "torn_tail",
    text: '{"id":"H-2","te',
  });
  assert.deepEqual(t.ids(), ["H-1", saved.stdout.trim()]);
});

Deno.test("the next save says that it completed a last row without its newline", async () => {
  await using t = await tempStore({ files: { "history.ndjson": one + two.trimEnd() } });
  const saved = await t.ctx(["save", "next"]);
  assert.deepEqual([saved.code, saved.stderr], [
    0,
    "ctx: warning: history.ndjson: added the missing newline to the last line\n",
  ]);
  assert.deepEqual(t.ids(), ["H-1", "H-2", saved.stdout.trim()]);
  assert.equal(t.exists("history.bad.ndjson"), false);
});

Deno.test("a repair keeps fields that ctx does not know, and values it would read otherwise", async () => {
  const odd = { ...rowOf({ id: "H-1", text: "odd" }), role: "bot", x_custom: { deep: [1, "é"] } };
  const line = JSON.stringify(odd);
  await using t = await tempStore({ files: { "history.ndjson": line + two } });
  await t.run("doctor", { fix: true });
  const [mended] = t.read("history.ndjson").split("\n").map((text) => text && JSON.parse(text));
  assert.deepEqual(mended.x_custom, { deep: [1, "é"] });
  assert.ok(kept(t).includes("bot"), 'the role "bot" is lost');
});

Deno.test("stats and every reader work on a damaged store and say so", async () => {
  await using t = await tempStore({ files: { "history.ndjson": one + "garbage\n" + two } });
  const stats = await t.ctx(["stats"]);
  assert.deepEqual([stats.code, stats.stderr], [
    0,
    "ctx: some lines are damaged; run: ctx doctor\n",
  ]);
  assert.equal((await t.ctx(["get", "H-2"])).stdout, "two");
  assert.equal((await t.ctx(["export"])).stdout, one + two);
});

/** doctor's checks that are not ok, as `name: detail`. */
function complaintsOf({ checks }: Exam): string[] {
  return checks.filter(({ name, status }) => status !== "ok" && name !== "state")
    .map(({ name, detail }) => `${name}: ${detail}`);
}

/** Everything that is still in the store's logs. */
function kept(t: TempStore): string {
  return t.list().filter((name) => name.endsWith(".ndjson")).map((name) => t.read(name)).join("");
}

function bytesOf(...parts: (string | number[])[]): Uint8Array {
  return new Uint8Array(
    parts.flatMap((part) => typeof part === "string" ? [...encodeExact(part)] : part),
  );
}
