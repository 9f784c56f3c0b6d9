// What is read of a text: names, blocks, and no more of either than is bearable.

import assert from "node:assert/strict";
import { readNamedCode } from "../../../src/code/fresh/named_code.ts";
import { mayNameCode } from "../../../src/code/fresh/may_speak_of_code.ts";
import { rowOf } from "../../support/stores/temp_store.ts";

Deno.test("readNamedCode() takes files and paths in backticks, without the line they point at", () => {
  const text = "See `src/wait.js:12`, `lib/a.ts#L3-L9`, `README.md`, `a/b`, src/plain.ts, " +
    "`https://example.org/x.js` and `src/*.ts`.";
  assert.deepEqual(readNamedCode({ text, files: ["Makefile", "src/old.js:7-9"] }).paths, [
    "Makefile",
    "src/old.js",
    "src/wait.js",
    "lib/a.ts",
  ]);
});

Deno.test("readNamedCode() gives a block the names above it, the nearest first", () => {
  const text = `From docs/a.md to src/wait.js:

\`\`\`js
const capped = 6;
\`\`\`
~~~~ts lib/b.ts
const first = 1;
~~~
~~~~
\`\`\`
// src/c.ts
const second = 2;
\`\`\`
Not \`\`\`this\`\`\`, and not what has no end:
\`\`\`
const third = 3;`;
  assert.deepEqual(readNamedCode({ text, files: ["given.go"] }).quotes, [
    { names: ["src/wait.js", "docs/a.md", "given.go"], text: "const capped = 6;" },
    {
      names: ["lib/b.ts", "src/wait.js", "docs/a.md", "given.go"],
      text: "const first = 1;\n~~~",
    },
    {
      names: ["src/c.ts", "lib/b.ts", "src/wait.js", "docs/a.md", "given.go"],
      text: "const second = 2;",
    },
  ]);
});

Deno.test("readNamedCode() reads a bounded part of a hostile text", () => {
  const paths = Array.from({ length: 500 }, (_, i) => `\`src/a${i}.ts\``).join(" ");
  const block = `\`\`\`\n${"const same = 1;\n".repeat(500)}\`\`\`\n`;
  const found = readNamedCode({ text: `${paths}\n${block.repeat(3)}`, files: Array(50).fill("x") });
  assert.equal(found.paths.length, 12);
  assert.deepEqual(found.quotes.map(({ names, text }) => [names.length, text.split("\n").length]), [
    [6, 400],
    [6, 400],
    [6, 400],
  ]);
  assert.equal(readNamedCode({ text: "```\na\n```\n".repeat(100) }).quotes.length, 8);
  const late = `${" ".repeat(1 << 16)}\`src/late.ts\``;
  assert.deepEqual(readNamedCode({ text: late }).paths, []);
  for (const run of ["`", "/", "`/", ".", "# ", "~~~", "`a/", ":1"]) {
    readNamedCode({ text: run.repeat(1 << 20) });
    mayNameCode(rowOf(run.repeat(1 << 20)));
  }
});

Deno.test("mayNameCode() is true of saved text with files, paths in backticks or blocks only", () => {
  const may = (fields: Parameters<typeof rowOf>[0]): boolean => mayNameCode(rowOf(fields));
  assert.equal(may("We use `tabs` and/or spaces, see src/a.ts and `a/b`"), false);
  assert.equal(may("See `src/a.ts:12`"), true);
  assert.equal(may("So:\n```\nx\n```"), true);
  assert.equal(may({ text: "Tabs", files: ["a"] }), true);
  assert.equal(may({ text: "Tabs", files: [] }), false);
  const text = "See `src/a.ts`";
  assert.equal(may({ text, role: "assistant" }), false);
  assert.equal(may({ text, type: "doc" }), false);
  assert.equal(may({ text, type: "decision", record: { by: "rules" } }), false);
});
