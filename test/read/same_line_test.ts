import assert from "node:assert/strict";
import { isSameLine, SaidLines, wordsOfLine } from "../../src/read/same_line.ts";

Deno.test("SaidLines finds what comparing every line with every other finds", () => {
  const words = Array.from({ length: 40 }, (_, i) => "w".repeat(1 + i % 7) + i);
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
  const lines = [
    "",
    "  ",
    "one",
    "one!",
    ...Array.from({ length: 400 }, (_, i) => {
      const kept = words.filter((_, at) => at !== random(40) && (i % 3 > 0 || at % 2 === i % 2));
      return kept.slice(random(12), 40 - random(12)).join(" ");
    }),
  ];
  const said = new SaidLines();
  const kept: ReadonlySet<string>[] = [];
  let repeats = 0;
  for (const line of lines) {
    const isNew = kept.every((other) => !isSameLine(wordsOfLine(line), other));
    assert.equal(said.add(line), isNew, line);
    if (isNew) kept.push(wordsOfLine(line));
    else repeats++;
  }
  assert.ok(repeats > 20 && kept.length > 20, `${repeats} of ${lines.length}`);
});
