// What a model says, in whatever wrapping.

import assert from "node:assert/strict";
import fc from "fast-check";
import { citedIn, parseAnswer } from "../../src/ask/parse_answer.ts";
import { holdsQuote, verifySources } from "../../src/ask/verify_sources.ts";

const json = '{"answer":"A {brace} and \\"quote\\".","sources":[{"entry_id":"H-a1","quote":"q"}]}';
const expected = { answer: 'A {brace} and "quote".', sources: [{ entry_id: "H-a1", quote: "q" }] };

const wrappings: Record<string, string> = {
  "raw JSON": json,
  "JSON with spaces around": `\n\n  ${json}\n`,
  "a fence with a language": "```json\n" + json + "\n```",
  "a fence without one": "text\n```\n" + json + "\n```\nmore",
  "words on both sides": `I think {so}: ${json} — done}`,
};
for (const [name, text] of Object.entries(wrappings)) {
  Deno.test(`parseAnswer() reads ${name}`, () => {
    assert.deepEqual(parseAnswer(text), { ...expected, form: "json" });
  });
}

Deno.test("parseAnswer() takes prose as it is, with the ids it cites", () => {
  assert.deepEqual(parseAnswer("Yes [H-one1, H-two2], see H-three."), {
    answer: "Yes [H-one1, H-two2], see H-three.",
    sources: [{ entry_id: "H-one1" }, { entry_id: "H-two2" }, { entry_id: "H-three" }],
    form: "prose",
  });
  assert.deepEqual(citedIn("[a](b) [x] nothing"), []);
});

Deno.test("parseAnswer() takes odd sources for what they are", () => {
  const text = '{"answer":"a","sources":["H-a1",{"id":"H-b2"},7,{"quote":"x"},null]}';
  assert.deepEqual(parseAnswer(text).sources, [{ entry_id: "H-a1" }, { entry_id: "H-b2" }]);
});

Deno.test("parseAnswer() never throws", () => {
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => {
    parseAnswer(text);
    parseAnswer(`{"answer":${text}`);
  }));
  parseAnswer("{".repeat(50_000));
});

const entry = {
  title: "Rotation",
  text: "We **rotate** refresh tokens\n  on every “use”, always.",
};
const quotes: [string, boolean][] = [
  ["rotate refresh tokens on every", true],
  ["We rotate refresh tokens", true],
  ['on every "use"', true],
  ["We rotate … always", true],
  ["always … We rotate", false],
  ["rotation", true],
  ["rotate access tokens", false],
  ["…", false],
];
Deno.test("holdsQuote() forgives spacing, marks and ellipses, and nothing else", () => {
  for (const [quote, holds] of quotes) assert.equal(holdsQuote(entry, quote), holds, quote);
});

Deno.test("verifySources() keeps what was shown and says why the rest goes", () => {
  const claims = [
    { entry_id: "H-a", quote: "refresh tokens" },
    { entry_id: "H-a", quote: "refresh tokens" },
    { entry_id: "H-a" },
    { entry_id: "H-a", quote: "made up" },
    { entry_id: "H-b", quote: "refresh" },
  ];
  assert.deepEqual(verifySources(claims, (id) => id === "H-a" ? [entry] : []), {
    kept: [{ entry, entry_id: "H-a", quote: "refresh tokens" }, { entry, entry_id: "H-a" }],
    dropped: [
      { entry_id: "H-a", reason: "quote_not_found" },
      { entry_id: "H-b", reason: "not_read" },
    ],
  });
});
