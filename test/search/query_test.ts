import assert from "node:assert/strict";
import fc from "fast-check";
import {
  holdsPhrase,
  parseQuery,
  toPhraseText,
  toTokens,
  wordsOf,
} from "../../src/search/query.ts";

Deno.test("parseQuery() takes words, phrases, exclusions and filters apart", () => {
  assert.deepEqual(
    parseQuery(
      'token "retry loop" +"exact words" NOT legacy NOT "old loop" -"dead code" role:user ' +
        'tag:auth,api since:"2 weeks ago" NOT type:decision',
    ),
    {
      text: "token retry loop exact words",
      phrases: ["retry loop"],
      required: ["exact words"],
      excluded: [
        { terms: ["legaci"] },
        { terms: ["old", "loop"], phrase: "old loop" },
        { terms: ["dead", "code"], phrase: "dead code" },
      ],
      filters: [
        { field: "role", value: "user" },
        { field: "tag", value: "auth,api" },
        { field: "since", value: "2 weeks ago" },
        { field: "type", value: "decision", not: true },
      ],
      notes: [],
    },
  );
});

/** What people paste and type that looks like an operator and is none: all of it is searched for. */
const traps = [
  "claude -p allow WebSearch",
  "a - b",
  "foo:bar baz",
  'an "unclosed quote',
  'a 5" disk and a 3" disk',
  "npm run --flag",
  "git log --since",
  "git log --since=yesterday",
  "find . -name x",
  "tar -xf",
  "-D=one",
  "https://example.com/a?b=c -",
  "file:///etc/hosts is empty",
  "C:\\Users\\me\\x.ts fails",
  "c:\\temp",
  "C++ a + b +1 c++",
  "cargo +nightly fmt",
  "chmod +x run.sh",
  "error: cannot find module",
  "{ type: string }",
  "scope:global",
  'tag:" x',
  "a:b:c ::",
  "column IS NOT NULL",
  "404 NOT FOUND",
  "CREATE TABLE IF NOT EXISTS",
  "why did it NOT compile",
  "we should NOT use redis",
  "it is NOT a bug",
  "CANNOT connect",
  "NOT",
  "x NOT",
  "NOT -p",
  '"" x',
];

Deno.test("parseQuery() reads flags, code, paths and stress as words", () => {
  for (const trap of traps) {
    const { text, notes: _notes, ...rest } = parseQuery(trap);
    assert.deepEqual(rest, { phrases: [], required: [], excluded: [], filters: [] }, trap);
    assert.deepEqual(toTokens(text), toTokens(trap), trap);
  }
});

Deno.test("parseQuery() says when a dash at the end or a lone NOT does not exclude", () => {
  const notes = (text: string): string[] => parseQuery(text).notes;
  assert.deepEqual(notes("go test -race"), [
    '"-race" is searched as a word; to exclude it: NOT race',
  ]);
  assert.deepEqual(notes("auth NOT JWT"), [
    '"NOT JWT" is searched as words; to exclude it: NOT "JWT"',
  ]);
  assert.deepEqual(notes("NOT implemented"), [
    "NOT needs something to search for: searched as words",
  ]);
  assert.deepEqual(toTokens(parseQuery("NOT implemented").text), ["implement"]);
  for (
    const text of [
      "-race",
      "find -name x",
      "tar -xf",
      "cache NOT legacy",
      "x IS NOT NULL",
      "404 NOT FOUND",
    ]
  ) {
    assert.deepEqual(notes(text), [], text);
  }
});

Deno.test("parseQuery() loses no word: it is searched for, required, excluded or a filter", () => {
  const word = fc.constantFrom("retry", "NOT", "LOOP", "-x", "--since", "+1", "+word", "role:user");
  const part = fc.oneof(
    word,
    fc.string(),
    fc.string().map((text) => `"${text}"`),
    fc.constant('"'),
  );
  fc.assert(fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
    const input = parts.join(" ");
    const { text, excluded, filters } = parseQuery(input);
    const values = filters.flatMap(({ field, value }) => [field, value]);
    const phrases = excluded.flatMap(({ phrase = "" }) => phrase);
    const kept = new Set([
      ...wordsOf([text, ...values, ...phrases].join(" ")),
      ...excluded.flatMap(({ terms }) => terms),
    ]);
    assert.deepEqual(wordsOf(input).filter((term) => !kept.has(term)), [], input);
  }));
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
