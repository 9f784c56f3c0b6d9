import assert from "node:assert/strict";
import fc from "fast-check";
import { holdsPhrase, parseQuery, toPhraseText, toTokens } from "../../src/search/query.ts";

Deno.test("parseQuery() takes words, phrases, exclusions and filters apart", () => {
  const query = parseQuery('token "retry loop" -legacy role:user tag:auth,api');
  assert.deepEqual(toTokens(query.text), ["token", "retri", "loop"]);
  assert.deepEqual(query.phrases, ["retry loop"]);
  assert.deepEqual(query.excluded, [["legaci"]]);
  assert.deepEqual(query.filters, [
    { field: "role", value: "user" },
    { field: "tag", value: "auth,api" },
  ]);
});

Deno.test("parseQuery() reads unknown fields, URLs and lone dashes as words", () => {
  assert.deepEqual(parseQuery("error:timeout https://example.com - --force").filters, []);
  assert.deepEqual(parseQuery("error:timeout - --force").excluded, []);
  assert.deepEqual(
    toTokens(parseQuery("error:timeout --force").text),
    ["error", "timeout", "=errortimeout", "forc"],
  );
});

Deno.test("parseQuery() excludes only words at the end, and no flags", () => {
  const excluded = (text: string): string[][] => parseQuery(text).excluded;
  assert.deepEqual(excluded("cache -legacy -old"), [["legaci"], ["old"]]);
  assert.deepEqual(excluded('cache -"old loop" size'), [["old", "loop"]]);
  for (
    const flags of ["claude -p allow WebSearch", "tar -xf", "find -name x", "-legacy", "-D=one"]
  ) {
    assert.deepEqual(excluded(flags), [], flags);
  }
  assert.deepEqual(toTokens(parseQuery("find -name x").text), ["find", "name", "x"]);
});

Deno.test("parseQuery() survives hostile input", () => {
  const inputs = [
    '"',
    '"""',
    "-",
    "::",
    "a:",
    '-"',
    "\0",
    "(((((",
    "\\",
    "\u202Eabc",
    "🙂🙂",
    "\ud800",
  ];
  for (const input of [...inputs, "x".repeat(100_000), "a b ".repeat(5000)]) parseQuery(input);
});

Deno.test("holdsPhrase() compares whole words, and pieces of unspaced scripts", () => {
  const text = toPhraseText("The Retry-Loop is 日本語のテスト.");
  assert.equal(holdsPhrase(text, "retry loop"), true);
  assert.equal(holdsPhrase(text, "retry lo"), false);
  assert.equal(holdsPhrase(text, "語のテ"), true);
});

Deno.test("parseQuery() reads plain words like those beside something special", () => {
  const word = fc.stringMatching(/^[A-Za-z0-9_.\/'é日]{1,9}$/);
  const space = fc.constantFrom(" ", "  ", "\n", "\t ");
  const words = fc.array(fc.tuple(word, space), { maxLength: 12 }).map((list) =>
    list.flat().join("")
  );
  fc.assert(fc.property(words, (text) => {
    const { text: plain, ...rest } = parseQuery(text);
    const { text: beside, ...other } = parseQuery(`${text} :`);
    assert.deepEqual(rest, other);
    assert.equal(`${plain} :`.trim(), beside);
  }));
});
