// A word where a file may stand: what it names.

import assert from "node:assert/strict";
import { splitSubject } from "../../../../src/recall/edit/graph/split_subject.ts";
import { tempStore } from "../../../support/stores/temp_store.ts";

Deno.test("a word is a file, a symbol, or a symbol in a file", async () => {
  await using t = await tempStore();
  Deno.writeTextFileSync(`${t.workspace}/rotate`, "");
  const split = (file: string, symbol?: string) =>
    splitSubject({ file, symbol }, { cwd: t.workspace });
  assert.deepEqual(split("src/a.ts"), { file: "src/a.ts", symbol: undefined });
  assert.deepEqual(split("new.ts").symbol, undefined);
  assert.deepEqual(split("rotate").file, "rotate");
  assert.deepEqual(split("open"), { symbol: "open" });
  for (const said of ["Store.open", "Store::open", "open()", "#open"]) {
    assert.deepEqual(split(said), { symbol: "open" }, said);
  }
  assert.deepEqual(split("src/a.ts#open"), { file: "src/a.ts", symbol: "open" });
  assert.deepEqual(split("open", "close"), { file: "open", symbol: "close" });
  assert.deepEqual(split("two words").file, "two words");
});

Deno.test("ctx suggest SYMBOL finds what defines it, and says what nothing defines", async () => {
  await using t = await tempStore();
  Deno.mkdirSync(`${t.workspace}/src`);
  Deno.writeTextFileSync(
    `${t.workspace}/src/rotate.ts`,
    "export function rotateToken(): number {\n  return 1;\n}\n",
  );
  Deno.writeTextFileSync(
    `${t.workspace}/src/use.ts`,
    'import { rotateToken } from "./rotate.ts";\nexport const used = rotateToken();\n',
  );
  const words = ["suggest", "rotateToken", "--min-score", "0", "--json"];
  const { stdout } = await t.ctx(words);
  const { trigger, suggestions } = JSON.parse(stdout);
  assert.deepEqual(trigger, { type: "symbol", source: "rotateToken" });
  assert.ok(suggestions.some((row: { entity_id: string }) => row.entity_id.includes("use.ts")));
  const unknown = await t.ctx(["suggest", "noSuchThing"]);
  assert.match(unknown.stderr, /"noSuchThing" is not defined in this workspace/);
});
