import assert from "node:assert/strict";
import { holdsPhrase, parseQuery, toPhraseText } from "../../src/retrieval/query.ts";

Deno.test("parseQuery() takes words, phrases, exclusions and filters apart", () => {
  const query = parseQuery('token "retry loop" -legacy role:user tag:auth,api');
  assert.deepEqual(query.terms.map(({ term }) => term), ["token", "retri", "loop"]);
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
    parseQuery("error:timeout --force").terms.filter(({ kind }) => kind === "word")
      .map(({ term }) => term),
    ["error", "timeout", "forc"],
  );
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
