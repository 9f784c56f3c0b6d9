// What an import knows of the store from the ledger file must be what the logs say, whatever happened to
// either: a wrong "known" loses a row, a wrong "unknown" writes it twice.

import assert from "node:assert/strict";
import fc from "fast-check";
import { Intake } from "../../../src/intake/import/intake.ts";
import { readLedger } from "../../../src/intake/import/ledger.ts";
import { ledgerPath } from "../../../src/intake/import/ledger_file.ts";
import { keyOf } from "../../../src/intake/import/ledger_rows.ts";
import { refreshLedger } from "../../../src/intake/import/refresh_ledger.ts";
import type { Source, SourceSession } from "../../../src/intake/sources/source.ts";
import { diskFiles, type Files } from "../../../src/disk/files.ts";
import { bury, erase } from "../../../src/store/lifecycle/forget_entries.ts";
import { type TempStore, tempStore, testNow } from "../../support/stores/temp_store.ts";

/** One whose messages stay, and one that changes them in place. */
const sources = [
  { name: "made", idScope: "agent" },
  { name: "revised" },
] as Source[];
const talks = ["talk-0", "talk-1", "talk-2"];
const messages = Array.from({ length: 12 }, (_, i) => `m-${i}`);
const hot = "history.ndjson";
const archive = "history.archive.ndjson";

interface Taking {
  source: Source;
  talk: string;
  picks: number[];
  revision: number;
}

async function take(t: TempStore, taking: Taking, files?: Files): Promise<Intake> {
  const { source, talk, picks, revision } = taking;
  const store = t.open(files && { files });
  const intake = new Intake({ store, source, now: () => testNow, dryRun: false });
  const kind = { isUntitled: false, isCopy: false };
  const sink = intake.open({ id: talk } as SourceSession, `S-${talk}`, kind);
  for (const pick of picks) {
    const ts = `2026-01-01T10:00:${String(pick).padStart(2, "0")}.000Z`;
    const changed = source.idScope === "agent" ? {} : { revision: `r${revision}` };
    const text = `Words of ${messages[pick]}, ${revision}.`;
    await sink.entry({ message: messages[pick], ts, role: "user", type: "turn", text, ...changed });
  }
  await sink.end();
  return intake;
}

/** All that an import may ask. */
function answers(t: TempStore, source: Source, options?: { isWhole: boolean }): unknown[] {
  const store = t.open();
  const ledger = readLedger(store, source, options);
  const ids = [...new Set([...store.rows()].map(({ entry }) => entry.id)), "H-unheard"].sort();
  return [
    ...talks.flatMap((talk) =>
      messages.map((message) => {
        const key = keyOf(source, talk, message);
        return [talk, message, ledger.has(key), ledger.findLatest(key)];
      })
    ),
    ...ids.map((id) => [id, ledger.isForgotten(id)]),
    ...talks.map((talk) => [talk, ledger.nextIndex(`S-${talk}`)]),
  ];
}

function compare(t: TempStore, after: string): void {
  for (const source of sources) {
    assert.deepEqual(answers(t, source), answers(t, source, { isWhole: true }), after);
  }
  const ids = [...t.open().rows()].map(({ entry }) => entry.id);
  assert.equal(new Set(ids).size, ids.length, `a row came twice: ${after}`);
}

const fileOf = (source: Source): string => `index/ledger-${source.name}.bin`;

/** What older files of the store there are to come back. */
type Kept = Map<string, Uint8Array>;
interface Step {
  name: string;
  run: (t: TempStore, kept: Kept) => unknown;
}

const anySource = fc.constantFrom(...sources);
const anyTaking: fc.Arbitrary<Taking> = fc.record({
  source: anySource,
  talk: fc.constantFrom(...talks),
  picks: fc.array(fc.nat(messages.length - 1), { minLength: 1, maxLength: 4 }),
  revision: fc.nat(3),
});
const anyPick = fc.double({ min: 0, max: .999, noNaN: true });

function pickId(t: TempStore, pick: number): string[] {
  const ids = [...t.open().entries()].map(({ entry }) => entry.id);
  return ids.length === 0 ? [] : [ids[Math.floor(pick * ids.length)]];
}

const step = (name: string, run: Step["run"]): Step => ({ name, run });
const refresh = (source: Source): Step =>
  step(`refresh ${source.name}`, (t) => refreshLedger(t.open(), source, { minBytes: 1 }));

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: anyTaking.map((taking) =>
      step(`take ${JSON.stringify(taking)}`, async (t) => (await take(t, taking)).flush())
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(anyTaking, anyTaking).map(([one, two]) =>
      step(`two writers ${JSON.stringify([one, two])}`, async (t) => {
        const late = await take(t, one);
        await (await take(t, two)).flush();
        await late.flush();
      })
    ),
  },
  { weight: 5, arbitrary: anySource.map(refresh) },
  {
    weight: 2,
    arbitrary: anyPick.map((pick) =>
      step("forget", async (t) => {
        const ids = pickId(t, pick);
        if (ids.length > 0) await t.open().write("forget", (writer) => bury(writer, ids));
      })
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(anyPick, fc.option(fc.tuple(anySource, fc.nat(99)))).map(([pick, grows]) =>
      step(`erase${grows ? ", then grow past what was there" : ""}`, async (t) => {
        const ids = pickId(t, pick);
        if (ids.length === 0) return;
        for (const source of sources) refreshLedger(t.open(), source, { minBytes: 1 });
        await t.open().write("forget", (writer) => {
          bury(writer, ids);
          erase(writer, new Set(ids));
        });
        if (grows === null) return;
        const [source, revision] = grows;
        await (await take(t, { source, talk: "talk-2", picks: everything, revision })).flush();
      })
    ),
  },
  {
    weight: 2,
    arbitrary: fc.nat(6).map((keep) =>
      step(`compact to ${keep}`, (t) => t.run("compact", { keep, older_than: 0 }))
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom("keep", "restore").map((what) =>
      step(`${what} ledgers`, (t, kept) => {
        for (const name of sources.map(fileOf)) {
          const bytes = kept.get(name);
          if (what === "keep" && t.exists(name)) kept.set(name, t.bytes(name));
          else if (what === "restore" && bytes !== undefined) t.write(name, bytes);
        }
      })
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("keep", "restore").map((what) =>
      step(`${what} logs`, (t, kept) => {
        if (what === "restore" && !kept.has(hot)) return;
        for (const name of [hot, archive, "state.json"]) {
          const bytes = kept.get(name);
          if (what === "keep" && t.exists(name)) kept.set(name, t.bytes(name));
          else if (what === "keep") kept.delete(name);
          else if (bytes !== undefined) t.write(name, bytes);
          else if (t.exists(name)) Deno.removeSync(t.path(name));
        }
      })
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(anySource, anyPick, fc.boolean()).map(([source, pick, cuts]) =>
      step(`damage ${source.name} at ${pick}${cuts ? ", cut" : ""}`, (t) => {
        if (!t.exists(fileOf(source))) return;
        const bytes = t.bytes(fileOf(source));
        // Most of a small file is empty: numbers are at its beginning.
        const at = Math.floor(pick ** 4 * bytes.length);
        bytes[at] ^= 1 + at % 255;
        t.write(fileOf(source), cuts ? bytes.subarray(0, at) : bytes);
      })
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant(
      step("swap the agents' files", (t) => {
        const [one, two] = sources.map(fileOf);
        if (!t.exists(one) || !t.exists(two)) return;
        const bytes = t.bytes(one);
        t.write(one, t.bytes(two));
        t.write(two, bytes);
      }),
    ),
  },
);

Deno.test("whatever happens to logs and ledger files, an import knows what a full read knows", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: 24 }), async (steps) => {
      await using t = await tempStore();
      const kept: Kept = new Map();
      const done: string[] = [];
      for (const { name, run } of steps) {
        await run(t, kept);
        done.push(name);
        compare(t, done.join("\n"));
      }
    }),
    { numRuns: Number(Deno.env.get("CTX_RUNS") ?? 40) },
  );
});

const everything = messages.map((_, i) => i);

Deno.test("a ledger is not used for an older log that grew past what it covers", async () => {
  await using t = await tempStore();
  const [, source] = sources;
  await (await take(t, { source, talk: "talk-0", picks: [0, 1], revision: 0 })).flush();
  const older = [hot, "state.json"].map((name): [string, Uint8Array] => [name, t.bytes(name)]);
  await (await take(t, { source, talk: "talk-1", picks: [0, 1], revision: 0 })).flush();
  refreshLedger(t.open(), source, { minBytes: 1 });
  for (const [name, bytes] of older) t.write(name, bytes);
  await (await take(t, { source, talk: "talk-2", picks: everything, revision: 0 })).flush();
  compare(t, "the rows of talk-1 are gone");
});

Deno.test("rows that move to the archive do not pass for the newest", async () => {
  await using t = await tempStore();
  const [, source] = sources;
  for (const revision of [0, 1]) {
    await (await take(t, { source, talk: "talk-0", picks: everything, revision })).flush();
  }
  refreshLedger(t.open(), source, { minBytes: 1 });
  // As when it is killed before the log is cut.
  const rows = t.read(hot).split("\n").slice(0, messages.length);
  t.write(archive, `${rows.join("\n")}\n`);
  assert.deepEqual(answers(t, source), answers(t, source, { isWhole: true }));
});

Deno.test("no damaged number of a ledger changes an answer", async () => {
  await using t = await tempStore();
  for (const source of sources) {
    await (await take(t, { source, talk: "talk-0", picks: everything, revision: 0 })).flush();
  }
  await t.open().write("forget", (writer) => bury(writer, t.ids().slice(0, 3)));
  for (const source of sources) {
    refreshLedger(t.open(), source, { minBytes: 1 });
    const sound = t.bytes(fileOf(source));
    const whole = answers(t, source, { isWhole: true });
    for (let at = 3; at < 480; at += 8) {
      const bytes = sound.slice();
      bytes[at] ^= 64;
      t.write(fileOf(source), bytes);
      assert.deepEqual(answers(t, source), whole, `byte ${at}`);
    }
  }
});

/** Writes a log of older rows, as an import left them. */
function writeLog(t: TempStore, length: number): string[] {
  const rows = Array.from({ length }, (_, i) =>
    JSON.stringify({
      id: `H-${i}`,
      ts: "2026-01-01T10:00:00.000Z",
      session_id: "S-talk-0",
      index: i + 1,
      source: { agent: "made", conversation: "talk-0", message: `old-${i}` },
      role: "user",
      type: "turn",
      text: "Some words of an older turn.",
    }) + "\n");
  t.write(hot, rows.join(""));
  return rows;
}

Deno.test("a turn reads the end of the log, and of the ledger what it asks for", async () => {
  await using t = await tempStore();
  const rows = writeLog(t, 4_000);
  // As in every store that something was saved in, the rows are counted.
  await t.run("save", { text: "One note." });
  const [source] = sources;
  refreshLedger(t.open(), source);
  let bytes = 0;
  const files: Files = {
    ...diskFiles,
    openReader(path) {
      const reader = diskFiles.openReader(path);
      const readAt = reader?.readAt.bind(reader);
      if (reader === undefined || readAt === undefined) return undefined;
      reader.readAt = (offset, into) => {
        const count = readAt(offset, into);
        if (path === t.path(hot) || path === ledgerPath(t.open(), source)) bytes += count;
        return count;
      };
      return reader;
    },
  };
  const intake = await take(t, { source, talk: "talk-0", picks: [1, 2], revision: 0 }, files);
  assert.ok(bytes < 32_000, `${bytes} bytes were read`);
  await intake.flush();
  const last = [...t.open().rows()].at(-1)?.entry;
  assert.deepEqual([last?.index, last?.source?.message], [4_002, "m-2"]);
  const again = await take(t, { source, talk: "talk-1", picks: [1, 2], revision: 0 });
  await again.flush();
  assert.equal([...t.open().rows()].length, 4_003);
  // A page that is found damaged while the import runs: then the log is read.
  const damaged = t.bytes(fileOf(source));
  damaged[4 * 4096 + 3] ^= 64;
  t.write(fileOf(source), damaged);
  const ledger = readLedger(t.open(), source);
  const old = rows.map((_, i) => ledger.has(keyOf(source, "", `old-${i}`)));
  assert.deepEqual(old.filter((isKnown) => !isKnown), []);
});

Deno.test("a ledger with a damaged page is written anew", async () => {
  await using t = await tempStore();
  const [source] = sources;
  writeLog(t, 4_000);
  await t.run("save", { text: "One note." });
  refreshLedger(t.open(), source);
  const sound = t.bytes(fileOf(source));
  const damaged = sound.slice();
  damaged[5 * 4096 + 3] ^= 64;
  // Whether the log has grown enough or not.
  for (const minBytes of [undefined, 0]) {
    t.write(fileOf(source), damaged);
    refreshLedger(t.open(), source, { minBytes });
    assert.deepEqual(t.bytes(fileOf(source)), sound);
  }
});

/** Changes the name of one message in place, as a program that writes into the open file does. */
function rename(t: TempStore, name: string): void {
  using file = Deno.openSync(t.path(name), { write: true });
  file.seekSync(t.read(name).indexOf('"old-700"') + 1, Deno.SeekMode.Start);
  file.writeSync(new TextEncoder().encode("new"));
  // The clock of a file system has steps.
  file.utimeSync(Date.now() / 1000 + 1, Date.now() / 1000 + 1);
}

const renamed = (t: TempStore): boolean[] => {
  const ledger = readLedger(t.open(), sources[0]);
  return ["old-700", "new-700"].map((message) => ledger.has(keyOf(sources[0], "", message)));
};

/** A store with a ledger, and with rows in the log that came later. */
async function tempLedger(): Promise<TempStore> {
  const t = await tempStore();
  writeLog(t, 1_500);
  await t.run("save", { text: "One note." });
  refreshLedger(t.open(), sources[0]);
  await t.run("save", { text: "Another note." });
  assert.deepEqual(renamed(t), [true, false]);
  return t;
}

Deno.test("a change by hand that keeps the log's length is seen at once", async () => {
  await using t = await tempLedger();
  rename(t, hot);
  assert.deepEqual(renamed(t), [false, true]);
  refreshLedger(t.open(), sources[0]);
  await t.run("save", { text: "A third note." });
  assert.deepEqual(renamed(t), [false, true], "and stays so");
});

Deno.test("a log that an editor replaced is not taken for the one that was read", async () => {
  await using t = await tempLedger();
  const [path, draft] = [t.path(hot), t.path("draft")];
  Deno.copyFileSync(path, draft);
  Deno.renameSync(draft, path);
  rename(t, hot);
  await t.run("save", { text: "A third note." });
  assert.deepEqual(renamed(t), [false, true]);
});

Deno.test("a change by hand that ctx wrote after is found when the ledger is refreshed", async () => {
  await using t = await tempLedger();
  rename(t, hot);
  await t.run("save", { text: "A third note." });
  refreshLedger(t.open(), sources[0]);
  assert.deepEqual(renamed(t), [false, true]);
});

Deno.test("so is one in the archive", async () => {
  await using t = await tempStore();
  writeLog(t, 1_500);
  Deno.renameSync(t.path(hot), t.path(archive));
  await t.run("save", { text: "One note." });
  refreshLedger(t.open(), sources[0]);
  rename(t, archive);
  refreshLedger(t.open(), sources[0]);
  assert.deepEqual(renamed(t), [false, true]);
});

Deno.test("an archive that ends in half a line does not have the ledger written each time", async () => {
  await using t = await tempStore();
  const [source] = sources;
  const [row] = writeLog(t, 1_000);
  const older = t.read(hot).replaceAll("old-", "older-");
  t.write(archive, older);
  await t.run("save", { text: "One note." });
  t.write(archive, older + row.slice(0, 40));
  let writes = 0;
  const replace: Files["replace"] = (path, bytes, options) => {
    if (path === t.path(fileOf(source))) writes++;
    diskFiles.replace(path, bytes, options);
  };
  const files = { ...diskFiles, replace };
  for (let i = 0; i < 3; i++) refreshLedger(t.open({ files }), source);
  assert.equal(writes, 1);
  assert.ok(readLedger(t.open(), source).has(keyOf(source, "", "older-7")));
});

Deno.test("a small log needs no ledger file", async () => {
  await using t = await tempStore();
  const [source] = sources;
  await (await take(t, { source, talk: "talk-0", picks: [1], revision: 0 })).flush();
  refreshLedger(t.open(), source);
  assert.equal(t.exists(fileOf(source)), false);
});
