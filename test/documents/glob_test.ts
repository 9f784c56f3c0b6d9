// Patterns of paths.

import assert from "node:assert/strict";
import { globBase, makeGlob } from "../../src/documents/glob.ts";

const cases: [string, string[], string[]][] = [
  ["/w/docs/*.md", ["/w/docs/a.md"], ["/w/docs/b/a.md", "/w/docs/a.mdx"]],
  ["/w/**/*.md", ["/w/a.md", "/w/x/y/a.md"], ["/v/a.md"]],
  ["/w/docs/**", ["/w/docs/a", "/w/docs/b/c.txt"], ["/w/doc"]],
  ["/w/{a,b}/?.md", ["/w/a/1.md", "/w/b/2.md"], ["/w/c/1.md", "/w/a/12.md"]],
  ["/w/a+b(c).md*", ["/w/a+b(c).md"], ["/w/aab(c).md"]],
];
for (const [pattern, yes, no] of cases) {
  Deno.test(`makeGlob() reads ${pattern}`, () => {
    const matches = makeGlob(pattern);
    assert.deepEqual([yes.filter((path) => !matches(path)), no.filter(matches)], [[], []]);
  });
}

Deno.test("globBase() is the directory before the pattern", () => {
  assert.deepEqual(["/w/docs/**/*.md", "/w/a*/b", "*.md"].map(globBase), ["/w/docs", "/w", ""]);
});
