// Globs of paths and names: what they match, and that no pattern takes for ever.

import assert from "node:assert/strict";
import fc from "fast-check";
import { makeGlob } from "../../src/core/glob.ts";
import { globBase } from "../../src/intake/documents/glob_base.ts";

const cases: [string, string[], string[]][] = [
  ["/w/docs/*.md", ["/w/docs/a.md"], ["/w/docs/b/a.md", "/w/docs/a.mdx"]],
  ["/w/**/*.md", ["/w/a.md", "/w/x/y/a.md", "/w/x\ny/a.md"], ["/v/a.md"]],
  ["/w/docs/**", ["/w/docs/a", "/w/docs/b/c.txt"], ["/w/doc"]],
  ["/w/{a,b}/?.md", ["/w/a/1.md", "/w/b/2.md", "/w/a/é.md"], ["/w/c/1.md", "/w/a/12.md"]],
  ["/w/a+b(c).md*", ["/w/a+b(c).md"], ["/w/aab(c).md"]],
  ["{a,{b,c}d}.[ts]", ["a.[ts]", "bd.[ts]", "cd.[ts]"], ["b.[ts]", "a.t"]],
  ["{a,b", ["{a,b"], ["a", "b"]],
  ["a},\\b", ["a},\\b"], ["a"]],
  ["code:src/*#make*", ["code:src/a.ts#makeGlob"], ["code:src/b/a.ts#makeGlob"]],
];
for (const [pattern, yes, no] of cases) {
  Deno.test(`makeGlob() reads ${pattern}`, () => {
    const matches = makeGlob(pattern);
    assert.deepEqual([yes.filter((path) => !matches(path)), no.filter(matches)], [[], []]);
  });
}

Deno.test("makeGlob() agrees with the definition of a glob", () => {
  const part = fc.constantFrom(
    "a",
    "b",
    "/",
    "*",
    "**",
    "**/",
    "?",
    ".",
    "{a,b}",
    "{a*,/}",
    "{,b}",
  );
  const pattern = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(""));
  const text = fc.array(fc.constantFrom("a", "b", "/", "."), { maxLength: 6 })
    .map((letters) => letters.join(""));
  fc.assert(
    fc.property(pattern, text, (glob, sample) => {
      assert.equal(makeGlob(glob)(sample), expand(glob).some((one) => isMatch(one, sample)));
    }),
    { numRuns: 3000 },
  );
});

/** The globs that one with braces stands for; NUL keeps stars in and out of them apart. */
function expand(glob: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(glob);
  if (braces === null) return [glob];
  const [whole, inner] = braces;
  const [before, after] = [glob.slice(0, braces.index), glob.slice(braces.index + whole.length)];
  return inner.split(",").flatMap((one) => expand(`${before}\0${one}\0${after}`));
}

/** What the words say, tried every way: slow and plain. */
function isMatch(glob: string, text: string): boolean {
  if (glob === "") return text === "";
  if (glob[0] === "\0") return isMatch(glob.slice(1), text);
  if (glob.startsWith("**/")) {
    return isMatch(glob.slice(3), text) ||
      [...text].some((letter, i) => letter === "/" && isMatch(glob.slice(3), text.slice(i + 1)));
  }
  const stars = glob.startsWith("**") ? 2 : glob.startsWith("*") ? 1 : 0;
  if (stars > 0) {
    for (let i = 0; i <= text.length; i++) {
      if (isMatch(glob.slice(stars), text.slice(i))) return true;
      if (stars === 1 && text[i] === "/") return false;
    }
    return false;
  }
  const first = glob[0] === "?" ? text !== "" && text[0] !== "/" : glob[0] === text[0];
  return first && isMatch(glob.slice(1), text.slice(1));
}

for (
  const hostile of [
    "*a".repeat(50) + "b",
    "**a".repeat(50) + "b",
    "**/".repeat(50) + "b",
    "{a,a*,*a}".repeat(50) + "b",
    "?*".repeat(50) + "b",
    "{a,".repeat(7) + "*a*a*a*a*a*" + "}".repeat(7) + "b",
  ]
) {
  Deno.test(`makeGlob() ends with ${hostile.slice(0, 24)}… on long texts`, () => {
    const matches = makeGlob(hostile);
    assert.equal(matches("a".repeat(100_000)), false);
    assert.equal(matches("a/".repeat(50_000)), false);
  });
}

Deno.test("makeGlob() refuses patterns that nobody writes", () => {
  assert.throws(() => makeGlob("a".repeat(1001)), {
    code: "USAGE",
    message: `Cannot use the pattern "${"a".repeat(60)}…": it is longer than 1000 characters`,
  });
  assert.throws(() => makeGlob("{".repeat(9) + "}".repeat(9)), {
    code: "USAGE",
    message: 'Cannot use the pattern "{{{{{{{{{}}}}}}}}}": its braces are nested more than 8 deep',
  });
});

Deno.test("globBase() is the directory before the pattern", () => {
  assert.deepEqual(["/w/docs/**/*.md", "/w/a*/b", "*.md"].map(globBase), ["/w/docs", "/w", ""]);
});
