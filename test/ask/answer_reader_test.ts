// What a reader sees of an answer while it is streamed, however the model wrapped it and wherever
// the stream is cut.

import assert from "node:assert/strict";
import fc from "fast-check";
import { AnswerReader } from "../../src/ask/answer_reader.ts";
import { parseAnswer } from "../../src/ask/parse_answer.ts";

/** What is shown of a text that comes in pieces of some characters. */
function shown(text: string, size = 1): string {
  const reader = new AnswerReader();
  let said = "";
  for (let i = 0; i < text.length; i += size) said += reader.push(text.slice(i, i + size));
  return said + reader.end();
}

const sources = '"sources":[{"entry_id":"H-a1","quote":"q, \\"answer\\": {"}]';
const prose = 'A "quote", {a brace}, café 😀\n\n- and \\d';
const answer = `"answer":${JSON.stringify(prose)}`;
const escaped = JSON.stringify(prose).replace(
  /[^ -~]/g,
  (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
);

const cases: [name: string, text: string, expected: string][] = [
  ["JSON", `{${answer},${sources}}`, prose],
  ["JSON whose characters are all escaped", `{"answer":${escaped}}`, prose],
  ["JSON that names the sources first", `{${sources}, ${answer}}`, prose],
  ["JSON over several lines", `\n\n{\n  ${answer},\n  ${sources}\n}\n`, prose],
  ["JSON in a fence", "```json\n" + `{${answer}}` + "\n```\n", prose],
  ["JSON in a fence without a language", "```\n\n" + ` {${answer}}` + "\n```", prose],
  ["JSON after some words", `Here it is:\n{${answer}} Done.`, `Here it is:\n${prose}`],
  ["JSON that is cut off", '{"answer":"Tokens rotate\\', "Tokens rotate"],
  ["JSON that is cut off after the answer", '{"answer":"Tokens rotate", "sour', "Tokens rotate"],
  ["quotes that nobody escaped", '{"answer":"He said "yes", twice."}', 'He said "yes", twice.'],
  ["line ends that nobody escaped", '{"answer":"one\ntwo","note":""}', "one\ntwo"],
  ["escapes that JSON does not know", '{"answer":"\\d+ \\uzz"}', "\\d+ \\uzz"],
  [
    "an object without an answer",
    '{"a": {"answer": 1}, "b": "{"} so',
    '{"a": {"answer": 1}, "b": "{"} so',
  ],
  ["an answer that is no text", '{"answer": ["a"]}', '{"answer": ["a"]}'],
  ["prose", "Tokens rotate [H-a1].\n", "Tokens rotate [H-a1].\n"],
  ["prose with braces", "Use {name} or {{x}} or ${y}: {", "Use {name} or {{x}} or ${y}: {"],
  [
    "prose with code",
    "So:\n```ts\nconst a = {b};\n```\nEnd",
    "So:\n```ts\nconst a = {b};\n```\nEnd",
  ],
  ["code in backquotes at a line's start", "`{x}` is it", "`{x}` is it"],
  ["nothing", " \n", ""],
];
for (const [name, text, expected] of cases) {
  Deno.test(`a streamed answer shows prose: ${name}`, () => {
    for (const size of [1, 2, 3, 7, text.length]) assert.equal(shown(text, size), expected);
  });
}

Deno.test("a streamed answer: a brace and a quote in prose hold nothing back for long", () => {
  const begun = [
    'Write { "quoted" and go on',
    'Write { "never closed\nand go on',
    `Write { "${"long ".repeat(20)} and go on`,
    'Write {"a", "b"} or { "c and go on; "d',
  ];
  for (const text of begun) {
    const reader = new AnswerReader();
    const said = [...text].map((piece) => reader.push(piece)).join("");
    assert.equal(said, text, "nothing is held back");
  }
  const reader = new AnswerReader();
  assert.equal(reader.push('Write { "quoted" '), "Write ", "it may become an object");
  assert.equal(reader.push('words, then {"answer" : "yes"}'), '{ "quoted" words, then yes');
  assert.equal(reader.end(), "");
});

Deno.test("a streamed answer: any text in JSON is shown as it is, wherever the stream is cut", () => {
  const text = fc.string({ unit: "binary", maxLength: 60 });
  fc.assert(fc.property(text, fc.integer({ min: 1, max: 9 }), (said, size) => {
    assert.equal(shown(JSON.stringify({ answer: said }), size), said.trimStart());
    assert.equal(
      shown(JSON.stringify({ note: said, answer: said }, null, 2), size),
      said.trimStart(),
    );
  }));
});

Deno.test("a streamed answer: no half of a character is shown, and nothing depends on the cuts", () => {
  const part = fc.constantFrom(
    "{",
    "}",
    '"',
    "answer",
    ":",
    ",",
    "\\",
    "u",
    "😀",
    "`",
    "```",
    "\n",
    "a ",
  );
  const text = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(""));
  fc.assert(fc.property(text, fc.integer({ min: 1, max: 9 }), (said, size) => {
    assert.equal(shown(said, size), shown(said, said.length || 1));
  }));
  const reader = new AnswerReader();
  for (const piece of ['{"answer":"\\ud83d', "\\ude00", '😀"}'.slice(0, 1), '😀"}'.slice(1)]) {
    assert.ok(reader.push(piece).isWellFormed());
  }
  assert.equal(reader.answer, "😀😀");
});

Deno.test("an answer in JSON that is cut off or badly quoted is kept as prose too", () => {
  assert.deepEqual(parseAnswer('{"answer":"Tokens rotate [H-a1], daily'), {
    answer: "Tokens rotate [H-a1], daily",
    sources: [{ entry_id: "H-a1" }],
    form: "json",
  });
  const badly = '```json\n{"answer":"It is "safe" now","sources":["H-bb22"]}\n```';
  assert.deepEqual(parseAnswer(badly), {
    answer: 'It is "safe" now',
    sources: [{ entry_id: "H-bb22" }],
    form: "json",
  });
});
