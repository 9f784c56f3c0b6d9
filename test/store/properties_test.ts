// The store under random sequences of what can happen to it, held against a plain model: appends,
// forgetting, erasing, repairs, lost and stale states, torn tails, garbage.

import assert from "node:assert/strict";
import fc from "fast-check";
import { diskFiles } from "../../src/disk/files.ts";
import { bury, erase } from "../../src/store/lifecycle/forget_entries.ts";
import { mendStore } from "../../src/store/lifecycle/mend.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

/** What should be there: visible texts by id, in order, and what must be gone from the disk. */
interface Model {
  visible: Map<string, string>;
  erased: string[];
  garbage: string[];
  serial: number;
}

interface Step {
  name: string;
  run: (t: TempStore, model: Model) => Promise<void>;
}

const anyText = fc.string({ unit: "binary", minLength: 0, maxLength: 40 });
const anyPick = fc.double({ min: 0, max: 0.999, noNaN: true });

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: anyText.map(append) },
  { weight: 2, arbitrary: fc.array(anyText, { minLength: 2, maxLength: 4 }).map(appendMany) },
  { weight: 2, arbitrary: anyPick.map(forget) },
  { weight: 2, arbitrary: anyPick.map(eraseOne) },
  { weight: 1, arbitrary: fc.constant(repair()) },
  { weight: 1, arbitrary: fc.constantFrom(loseState(), breakState(), staleState()) },
  { weight: 2, arbitrary: fc.constantFrom("hot", "sessions").map(tear) },
  { weight: 1, arbitrary: fc.constant(dropGarbage()) },
);

Deno.test("any sequence of writes, crashes and repairs keeps what was saved and nothing else", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 25 }), async (steps) => {
      await using t = await tempStore();
      const model: Model = { visible: new Map(), erased: [], garbage: [], serial: 0 };
      for (const step of steps) {
        await step.run(t, model);
        check(t, model);
      }
      await mendStore(t.open());
      check(t, model);
      assert.deepEqual(await t.ailments(), []);
      checkLines(t);
    }),
    { numRuns: 40 },
  );
});

Deno.test("a log cut at any byte loses at most its last row and says so", async () => {
  await using source = await tempStore();
  await source.open().write(
    "save",
    (writer) =>
      writer.append(
        ["one", "zwei 😀", "drei\n三"].map((text) => ({ role: "note", type: "note", text })),
      ),
  );
  const whole = source.bytes("history.ndjson");
  const starts = [...source.open().rows()].map(({ offset, length }) => offset + length);
  await using t = await tempStore();
  for (let size = 0; size <= whole.length; size++) {
    t.warnings.length = 0;
    t.write("state.json", "{}");
    t.write("history.ndjson", whole.subarray(0, size));
    const rows = starts.filter((end) => end < size).length;
    assert.equal(t.ids().length, rows, `cut at ${size}, before the next write`);
    await t.open().write("save", () => {});
    const completed = starts.filter((end) => end <= size && size > 0).length;
    assert.equal(t.ids().length, completed, `cut at ${size}`);
    const isClean = size === 0 || whole[size - 1] === 10;
    assert.equal(t.warnings.length, isClean ? 0 : 1, `cut at ${size}: ${t.warnings}`);
    checkLines(t);
  }
});

function append(text: string): Step {
  return appendMany([text]);
}

function appendMany(texts: string[]): Step {
  return {
    name: "append",
    async run(t, model) {
      // A mark of its own makes each text easy to look for on the disk.
      const marked = texts.map((text) => `<${model.serial++}>${text}`);
      const { entries } = await t.open().write(
        "save",
        (writer) =>
          writer.append(marked.map((text) => ({ role: "note", type: "note", text })), {
            redact: false,
          }),
      );
      for (const entry of entries) model.visible.set(entry.id, entry.text);
    },
  };
}

function forget(pick: number): Step {
  return {
    name: "forget",
    async run(t, model) {
      const id = pickId(model, pick);
      if (id === undefined) return;
      await t.open().write("forget", (writer) => bury(writer, [id]));
      model.visible.delete(id);
    },
  };
}

function eraseOne(pick: number): Step {
  return {
    name: "erase",
    async run(t, model) {
      const id = pickId(model, pick);
      if (id === undefined) return;
      const mark = model.visible.get(id)?.replace(/>[\s\S]*$/, ">") ?? "";
      await t.open().write("forget", (writer) => {
        bury(writer, [id]);
        erase(writer, new Set([id]));
      });
      model.visible.delete(id);
      model.erased.push(mark);
    },
  };
}

function repair(): Step {
  return { name: "repair", run: async (t) => void await mendStore(t.open()) };
}

function loseState(): Step {
  return {
    name: "lose the state",
    run: (t) => Promise.resolve(diskFiles.remove(t.path("state.json"))),
  };
}

function breakState(): Step {
  return {
    name: "break the state",
    run: (t) => Promise.resolve(t.write("state.json", '{"version":1,"lo')),
  };
}

function staleState(): Step {
  return {
    name: "a stale state",
    run: (t) => Promise.resolve(t.write("state.json", '{"version":1}')),
  };
}

function tear(where: string): Step {
  return {
    name: `tear the ${where} log`,
    run(t, model) {
      const piece = `{"id":"torn-${model.serial++}","te`;
      t.append(where === "hot" ? "history.ndjson" : "sessions.ndjson", piece);
      model.garbage.push(piece);
      return Promise.resolve();
    },
  };
}

function dropGarbage(): Step {
  return {
    name: "garbage",
    async run(t, model) {
      await t.open().write("save", () => {});
      const piece = `garbage ${model.serial++}`;
      t.append("history.ndjson", piece + "\n");
      model.garbage.push(piece);
    },
  };
}

function pickId(model: Model, pick: number): string | undefined {
  const ids = [...model.visible.keys()];
  return ids[Math.floor(pick * ids.length)];
}

/** Readers see exactly the model, whatever state the files are in. */
function check(t: TempStore, model: Model): void {
  if (!t.exists("state.json") && !t.exists("history.ndjson")) return;
  const store = t.open();
  const seen = new Map([...store.entries()].map(({ entry }) => [entry.id, entry.text]));
  assert.deepEqual([...seen], [...model.visible]);
  for (const [id, { row, forgotten }] of store.find([...model.visible.keys()])) {
    assert.deepEqual([row?.entry.text, forgotten], [model.visible.get(id), false]);
  }
  const disk = t.list().filter((name) => /ndjson|md|json/.test(name)).map((name) => t.read(name))
    .join("\n");
  for (const mark of model.erased) {
    assert.equal(disk.includes(mark), false, `${mark} is still there`);
  }
  for (const piece of model.garbage) {
    const quoted = JSON.stringify(piece).slice(1, -1);
    assert.ok(disk.includes(piece) || disk.includes(quoted), `${piece} is lost`);
  }
}

/** Every line of every log is one JSON value and every log ends with a newline. */
function checkLines(t: TempStore): void {
  for (const name of t.list().filter((item) => item.endsWith(".ndjson"))) {
    const text = t.read(name);
    assert.ok(text === "" || text.endsWith("\n"), name);
    for (const line of text.split("\n")) if (line !== "") JSON.parse(line);
  }
}
