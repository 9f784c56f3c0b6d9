// The quick look at a file's start.

import assert from "node:assert/strict";
import { Tally } from "../../../src/intake/sources/problem_tally.ts";
import { readHead } from "../../../src/intake/sources/read_head.ts";

Deno.test("a field behind much text of another alphabet is found", () => {
  const file = Deno.makeTempFileSync();
  try {
    const rows = [{ text: "語".repeat(9_000) }, { cwd: "/work/app" }];
    Deno.writeTextFileSync(file, rows.map((row) => JSON.stringify(row)).join("\n"));
    assert.equal(readHead(file, new Tally())?.find("cwd"), "/work/app");
  } finally {
    Deno.removeSync(file);
  }
});
