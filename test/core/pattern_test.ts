import assert from "node:assert/strict";
import fc from "fast-check";
import { compilePattern } from "../../src/core/pattern.ts";

const patterns = [
  "a+b",
  "^abc$",
  "\\bfoo\\b",
  "(a|ab)(c|bcd)",
  "[^a-z]+",
  "x{2,3}y",
  "(a*)*b",
  "a|b|",
  "\\d{3}-\\d{4}",
  "^$",
  "foo$",
  "\\Bx",
  "[\\w.-]+@[\\w.-]+",
  "(?:ab)+?c",
  "[a\\-z]",
  "a.c",
  "(?<n>q)u",
  "\\u0041\\x42",
  "a{0}b",
  "[^\\s]x",
  "[a-]",
  "[\\s.]x",
  "\\S\\s",
  "[\\b]",
  "a.$",
];

Deno.test("compilePattern() agrees with JavaScript on what contains a match", () => {
  const text = fc.array(fc.constantFrom(..."abcdfoquxyzAB019@.-_ \n\r\b\u00a0\u2028\v"), {
    maxLength: 12,
  });
  const source = fc.constantFrom(...patterns);
  fc.assert(
    fc.property(source, text, fc.boolean(), (pattern, letters, ignoreCase) => {
      const sample = letters.join("");
      const expected = new RegExp(pattern, ignoreCase ? "i" : "").test(sample);
      assert.equal(compilePattern(pattern, { ignoreCase }).test(sample), expected);
    }),
    { numRuns: 3000 },
  );
});

Deno.test("compilePattern() is linear where JavaScript's own engine hangs", () => {
  const text = "a".repeat(1_000_000);
  for (const source of ["(a*)*b", "(a|a)*b", "(a|aa)+$b", "a*a*a*a*a*b"]) {
    assert.equal(compilePattern(source).test(text), false, source);
  }
});

for (
  const [source, what] of [
    ["(a)\\1", "invalid escape sequence: `\\1`"],
    ["(?=a)b", "invalid or unsupported Perl syntax: `(?=`"],
    ["(?<=a)b", "invalid named capture: `(?<=a)b`"],
    ["a{2000}", "invalid repeat count: `{2000}`"],
    ["((a{500}){500}){2}", "invalid repeat count: `{500}`"],
  ]
) {
  Deno.test(`compilePattern() refuses ${source}`, () => {
    assert.throws(() => compilePattern(source), {
      code: "USAGE",
      message: `Cannot use the pattern "${source}": ${what}`,
    });
  });
}

Deno.test("compilePattern() says what is wrong with a pattern that is none", () => {
  assert.throws(() => compilePattern("(a"), {
    code: "USAGE",
    message: 'Cannot use the pattern "(a": Unterminated group',
  });
});
