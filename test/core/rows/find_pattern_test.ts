import assert from "node:assert/strict";
import { toFindPattern } from "../../../src/core/rows/find_pattern.ts";

Deno.test("a text is found in either case, across line ends, and its signs mean themselves", () => {
  const count = (text: string, where: string): number =>
    [...where.matchAll(toFindPattern(text) ?? /$^/g)].length;
  assert.equal(count(" Token  rotation ", "the token\n\trotation, TOKEN ROTATION"), 2);
  assert.equal(count("a.b(c)[d]*", "a.b(c)[d]* axb(c)[d]*"), 1);
  assert.equal(count("x-y/z|{1}\\", "x-y/z|{1}\\"), 1);
  assert.equal(count("straße 👍", "STRASSE 👍 Straße 👍"), 1);
});

Deno.test("nothing to look for is no pattern, and a long text is looked for by its beginning", () => {
  assert.equal(toFindPattern(" \n"), undefined);
  assert.match("a".repeat(400), toFindPattern("a".repeat(100_000)) ?? /$^/);
});
