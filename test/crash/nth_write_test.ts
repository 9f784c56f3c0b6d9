// The run dies at its first change, then at its second, and so on until it succeeds. After each
// death: what was there is there, nothing is in two minds, and the next writer puts it right.

import assert from "node:assert/strict";
import { Crash, failingFiles } from "../support/stores/failing_files.ts";
import { type TempStore, tempStore, toLog } from "../support/stores/temp_store.ts";

interface Scenario {
  prepare: () => Promise<TempStore>;
  command: string;
  input: object;
  /** What must hold however far the run came. */
  check: (t: TempStore, succeeded: boolean) => void | Promise<void>;
}

const kept = ["first", "second", "third"];

const scenarios: Record<string, Scenario> = {
  "save": {
    prepare: () => tempStore({ entries: kept }),
    command: "save",
    input: { text: "a new entry" },
    check(t, succeeded) {
      const found = texts(t);
      assert.deepEqual(found.slice(0, 3), kept);
      if (succeeded) assert.deepEqual(found.slice(3), ["a new entry"]);
    },
  },
  "save after a torn tail": {
    prepare: async () => {
      const t = await tempStore({ entries: kept });
      t.append("history.ndjson", '{"id":"H-torn","text":"half a ro');
      return t;
    },
    command: "save",
    input: { text: "a new entry" },
    async check(t) {
      assert.deepEqual(texts(t).slice(0, 3), kept);
      await t.run("save", { text: "the next writer" });
      assert.ok(t.read("history.bad.ndjson").includes("half a ro"), "the torn bytes are gone");
    },
  },
  "forget --now": {
    prepare: () => tempStore({ entries: kept, archive: ["archived"] }),
    command: "forget",
    input: { ids: ["H-H2"], now: true },
    check(t, succeeded) {
      const left = texts(t).filter((text) => text !== "second");
      assert.deepEqual(left, ["archived", "first", "third"]);
      if (succeeded) assert.ok(!t.read("history.ndjson").includes("second"));
    },
  },
  // What repeats a row without naming it is found by the row: it must go while that is there.
  "forget --now of a row that others repeat": {
    prepare: () =>
      tempStore({
        entries: [...kept, { id: "H-9", text: "my pin is 4821 ok", session_id: "S-9" }],
        files: {
          "history.bad.ndjson":
            '{"file":"history.ndjson","text":"\\"text\\":\\"my pin is 4821 ok"}\n',
          "sessions.ndjson": JSON.stringify({
            event: "titled",
            session_id: "S-9",
            ts: "2026-01-01T00:00:00.000Z",
            title: "my pin is 4821 ok",
          }) + "\n",
        },
      }),
    command: "forget",
    input: { ids: ["H-9"], now: true },
    async check(t) {
      const isThere = t.read("history.ndjson").includes('"id":"H-9"');
      if (isThere) await t.run("forget", { ids: ["H-9"], now: true });
      const left = t.list().filter((name) =>
        name.endsWith("ndjson") && t.read(name).includes("4821")
      );
      assert.deepEqual(left, [], `the row was ${isThere ? "there" : "gone"}`);
      assert.deepEqual(texts(t), kept);
    },
  },
  "doctor --fix": {
    prepare: () =>
      tempStore({
        archive: ["archived"],
        files: {
          "history.ndjson": toLog(kept) + "garbage that is no row\n" +
            toLog([{ id: "H-9", text: "joined" }]).trimEnd() + toLog([{ id: "H-8", text: "rows" }]),
          "sessions.ndjson": "no event\n",
        },
      }),
    command: "doctor",
    input: { fix: true },
    async check(t, succeeded) {
      assert.deepEqual(texts(t), ["archived", ...kept, "joined", "rows"]);
      if (succeeded) assert.deepEqual(await t.ailments(), []);
      const everything = t.list().filter((name) => name.endsWith(".ndjson")).map((name) =>
        t.read(name)
      ).join("");
      assert.ok(everything.includes("garbage that is no row"), "the garbage is lost");
      assert.ok(everything.includes("no event"), "the bad event is lost");
    },
  },
  "session start": {
    prepare: () => tempStore({ entries: kept }),
    command: "session start",
    input: { title: "A session" },
    check(t, succeeded) {
      assert.deepEqual(texts(t), kept);
      const sessions = [...t.open().readSessions().values()].map(({ title }) => title);
      assert.deepEqual(sessions, succeeded ? ["A session"] : sessions.slice(0, 1));
    },
  },
};

for (const [name, { prepare, command, input, check }] of Object.entries(scenarios)) {
  Deno.test(`${name} that dies at any of its changes loses nothing`, async () => {
    let deaths = 0;
    for (let failAt = 1;; failAt++) {
      await using t = await prepare();
      const files = failingFiles(failAt);
      let succeeded = false;
      try {
        await t.run(command, input, { files });
        succeeded = files.changes < failAt;
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
      }
      await check(t, succeeded);
      await t.run("save", { text: "after" });
      await t.run("doctor", { fix: true });
      assert.deepEqual(await t.ailments(), [], `after dying at change ${failAt}`);
      if (succeeded) break;
      deaths++;
    }
    assert.ok(deaths >= 2, `it made only ${deaths} changes`);
  });
}

function texts(t: TempStore): string[] {
  return [...t.open().entries()].map(({ entry }) => entry.text);
}
