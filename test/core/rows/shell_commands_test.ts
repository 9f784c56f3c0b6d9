import assert from "node:assert/strict";
import { findLastCheck } from "../../../src/recall/distil/find_open.ts";
import { toExchanges } from "../../../src/core/rows/exchanges.ts";
import { gitCommands } from "../../../src/recall/distil/find_commits.ts";
import { isDecisive, toShellCommands } from "../../../src/core/rows/shell_commands.ts";
import { madeSession } from "../../support/stores/made_session.ts";

const read = (line: string) => toShellCommands(line).map(({ words, next }) => [...words, next]);

for (
  const [line, expected] of [
    ["a && b || c", [["a", "&&"], ["b", "||"], ["c", ""]]],
    ["a; b\nc & d;\n", [["a", ";"], ["b", ";"], ["c", "&"], ["d", ""]]],
    ["a 2>&1 | tail -5", [["a", "|"], ["tail", "-5", ""]]],
    ["a >f 2> /dev/null b &>> g <in", [["a", "b", ""]]],
    [`a 'b; c' "d \\"e\\" && f"g\\ h`, [["a", "b; c", 'd "e" && fg h', ""]]],
    ["X=1 sudo env Y='2 3' a  \t Z=4", [["a", "Z=4", ""]]],
    ["# a; b\nc # d\ne\\\n f#g", [["c", ";"], ["e", "f#g", ""]]],
    ["cat <<'E' > x\na; b\nE\nc", [["cat", ";"], ["c", ""]]],
    ["(a) && b", [["a", ")"], ["b", ""]]],
    ["a <<< b", [["a", ""]]],
    ["a 'b", [["a", "b", ""]]],
    ["a <<E\nb; c", []],
  ] as [string, string[][]][]
) {
  Deno.test(`the commands of ${JSON.stringify(line)}`, () =>
    assert.deepEqual(read(line), expected));
}

Deno.test("a command decides where nothing hides that it failed", () => {
  const decides = (line: string) => isDecisive(toShellCommands(line), 0);
  for (const line of ["a", "a && b", "a;\n", "a 2>&1"]) assert.ok(decides(line), line);
  for (const line of ["a; b", "a | b", "a || b", "a & b", "a\nb", "a && b; c"]) {
    assert.ok(!decides(line), line);
  }
});

Deno.test("a long hostile command is read in linear time", () => {
  // What takes quadratic time does not come back.
  const units = ["<<A\n", "<<A", "git --git ", "git commit -F <<A\n", 'git commit "\\"', "\n", " "];
  for (const unit of [...units, "\n ", "'", '"', "$(", ">", "&", "2>&1 ", "a=b ", "npx ", "\\"]) {
    const many = unit.repeat(200_000 / unit.length);
    for (const line of [`git commit ${many}`, `${many}- git commit -m x`, `npm test${many}x`]) {
      gitCommands(toShellCommands(line), undefined);
      const runs = madeSession([{ run: line, output: many.slice(0, 50_000) }]);
      findLastCheck(toExchanges(runs).flatMap((exchange) => exchange.runs));
      const [run] = toExchanges(madeSession([{ run: "npm test", output: "ok" }]))[0].runs;
      findLastCheck([{ ...run, command: line }]);
    }
  }
});
