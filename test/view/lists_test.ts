// Lists at every width: nothing is wider than the terminal, and where a row stands is always told.

import assert from "node:assert/strict";
import { toList } from "../../src/view/lists.ts";
import { makeTerminalView } from "../../src/view/terminal_view.ts";

Deno.test("a row says where it stands at every width, beside its text or below it", () => {
  const row = {
    facts: ["H-1k728hvbwp3wd", "today 06:03", "tool_call"],
    text: "The cart keeps prices as floats and rounds only when it shows them. ".repeat(4),
    where: "#3 Cart prices are wrong after a change of currency",
  };
  for (let width = 60; width <= 200; width++) {
    const view = makeTerminalView({ width, color: false, now: 0 });
    const lines = toList([row, row], { view }).split("\n");
    assert.equal(lines.filter((line) => line.includes("#3 Cart prices")).length, 2, `${width}`);
    assert.ok(lines.every((line) => line.length <= width), `${width}`);
  }
});
