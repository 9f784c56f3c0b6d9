// What models write as text and mean otherwise is taken, when it can mean one thing only.

import assert from "node:assert/strict";
import { toCtxError } from "../../src/core/errors.ts";
import { parseInput } from "../../src/command/parse_input.ts";
import * as s from "../../src/command/shape.ts";

const command = {
  name: "try",
  input: {
    ids: s.someOf("Ids."),
    k: s.integer("Rows.", { min: 1, max: 50, default: 5 }),
    least: s.optionalNumber("Score.", { min: 0, max: 1 }),
    explain: s.flag("Explain."),
    tags: s.list("Tags."),
    text: s.optionalText("A text."),
  },
};

Deno.test("parseInput() takes numbers, switches and lists that were written as texts", () => {
  const defaults = { ids: ["H-1"], k: 5, explain: false, tags: [] };
  const cases: [object, object][] = [
    [{ ids: "H-1" }, {}],
    [{ ids: '["H-1","H-2"]' }, { ids: ["H-1", "H-2"] }],
    [{ ids: ["H-1"], k: "7", least: "0.5", explain: "true" }, {
      k: 7,
      least: 0.5,
      explain: true,
    }],
    [{ ids: ["H-1"], explain: "false", tags: "[draft]" }, { tags: ["[draft]"] }],
    // What is a text stays one.
    [{ ids: ["H-1"], text: "5" }, { text: "5" }],
  ];
  for (const [given, expected] of cases) {
    assert.deepEqual(parseInput(command, given), { ...defaults, ...expected });
  }
});

Deno.test("parseInput() guesses nothing and names what was given", () => {
  const cases: [object, string][] = [
    [{ ids: "H-1", k: "many" }, '"k" must be a whole number from 1 to 50, not "many"'],
    [{ ids: "H-1", k: "51" }, '"k" must be a whole number from 1 to 50, not "51"'],
    [{ ids: "H-1", k: " 5" }, '"k" must be a whole number from 1 to 50, not " 5"'],
    [{ ids: "H-1", k: "" }, '"k" must be a whole number from 1 to 50, not ""'],
    [{ ids: "H-1", k: true }, '"k" must be a whole number from 1 to 50, not true'],
    [{ ids: "H-1", explain: "yes" }, '"explain" must be true or false, not "yes"'],
    [{ ids: "H-1", explain: 1 }, '"explain" must be true or false, not 1'],
    [{ ids: "" }, '"ids" must be a list of a text that is not empty, not ""'],
    [{ ids: "[1]" }, '"ids" must be a list of a text that is not empty, not "[1]"'],
    [{ ids: 5 }, '"ids" must be a list of a text that is not empty, not 5'],
    [{ ids: "H-1", text: 5 }, '"text" must be a text that is not empty, not 5'],
  ];
  for (const [given, message] of cases) {
    assert.throws(
      () => parseInput(command, given),
      (thrown) => toCtxError(thrown).message === `Cannot run try: ${message}`,
      message,
    );
  }
});
