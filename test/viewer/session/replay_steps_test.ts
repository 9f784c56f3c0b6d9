// The files around the edits of a session: rebuilt where every edit fits, unknown where one does not.

import assert from "node:assert/strict";
import { rebuild, toSteps } from "../../../src/viewer/session/replay_steps.ts";

const edit = (old: string, now: string, more: { line?: number; cut?: boolean } = {}) => ({
  path: "a.ts",
  old,
  new: now,
  ...more,
});
const around = (
  edits: ReturnType<typeof edit>[],
  today?: string,
): (string | undefined)[] => {
  const steps = toSteps(edits.map((one, i) => ({ id: `${i}`, edits: [one] })));
  const found = rebuild(steps, new Map(today === undefined ? [] : [["a.ts", today]]));
  return found.map(({ state }) => state && `${state.from}: ${state.before} > ${state.after}`);
};

Deno.test("a file that the session wrote is followed through its edits, up to one that does not fit", () => {
  assert.deepEqual(around([edit("", "a b"), edit("b", "c $1"), edit("z", "y"), edit("", "new")]), [
    "session:  > a b",
    "session: a b > a c $1",
    undefined,
    "session:  > new",
  ]);
});

Deno.test("a file of before is followed back from today's, up to an edit that does not fit", () => {
  assert.deepEqual(around([edit("1", "2"), edit("x", "one"), edit("two", "three")], "one three"), [
    undefined,
    "today: x two > one two",
    "today: one two > one three",
  ]);
  assert.deepEqual(around([edit("a", "b")], "b b"), [undefined], "it fits twice");
  assert.deepEqual(around([edit("a", "b")]), [undefined], "there is no such file today");
  assert.deepEqual(around([edit("a", "b", { cut: true })], "b"), [undefined], "it was shortened");
});

Deno.test("edits with lines are made where they say, and only there", () => {
  assert.deepEqual(around([edit("", "1\n2\n2"), edit("2", "x\ny", { line: 3 })]), [
    "session:  > 1\n2\n2",
    "session: 1\n2\n2 > 1\n2\nx\ny",
  ]);
  assert.deepEqual(around([edit("", "1\n2"), edit("9", "x", { line: 2 })])[1], undefined);
  assert.deepEqual(around([edit("", "new", { line: 2 })], "1\nnew\n2"), [
    "today: 1\n2 > 1\nnew\n2",
  ]);
});
