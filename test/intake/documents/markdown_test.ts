// Markdown to sections: nothing is lost, nothing is re-printed, headings are where they are.

import assert from "node:assert/strict";
import fc from "fast-check";
import { parseMarkdown, toPlainText } from "../../../src/intake/documents/markdown.ts";
import { maxSectionChars, parsePlainText } from "../../../src/intake/documents/section.ts";

const page = `---
title: The guide
description: All of it
tags: [setup, linux]
---

Words before any heading.

# Guide to \`ctx\`

Intro.

\`\`\`sh
# no heading
\`\`\`

## Install **now**

| key | value |
|---|---|
| a | 1 |

> ## quoted, no heading

Second level
------------

- item
  ### inside an item

### Deep [link](https://example.org) {#deep}
End.
`;

Deno.test("parseMarkdown() cuts by heading and keeps the headings above", async () => {
  const parsed = await parseMarkdown(page);
  assert.deepEqual([parsed.title, parsed.description, parsed.tags], [
    "The guide",
    "All of it",
    ["setup", "linux"],
  ]);
  assert.deepEqual(
    parsed.sections.map(({ path, level, line }) => [path.join(" › "), level, line]),
    [
      ["", 0, 6],
      ["Guide to ctx", 1, 9],
      ["Guide to ctx › Install now", 2, 17],
      ["Guide to ctx › Second level", 2, 25],
      ["Guide to ctx › Second level › Deep link", 3, 31],
    ],
  );
});

Deno.test("parseMarkdown() gives sections that join to the document's body", async () => {
  const { sections } = await parseMarkdown(page);
  const body = page.slice(page.indexOf("---\n", 4) + 4);
  assert.equal(sections.map(({ text }) => text).join(""), body);
});

Deno.test("parseMarkdown() loses nothing of any text", async () => {
  const piece = fc.constantFrom(
    "# A\n",
    "## B\n\n",
    "text\n",
    "\n",
    "```\n",
    "- x\n",
    "    code\n",
    "| a |\n|---|\n",
    "> q\n",
    "===\n",
    "[r]: /u\n",
    "<div>\n",
    "\t# t\n",
    "é漢\n",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      const text = pieces.join("");
      fc.pre(!text.startsWith("---"));
      const { sections } = await parseMarkdown(text);
      if (text.trim() !== "") assert.equal(sections.map((s) => s.text).join(""), text);
    }),
    { numRuns: 300 },
  );
});

Deno.test("parseMarkdown() splits an oversized section at paragraph borders", async () => {
  const paragraph = "word ".repeat(150).trim() + ".\n\n";
  const { sections } = await parseMarkdown(`# Long\n\n${paragraph.repeat(20)}`);
  assert.ok(sections.length > 3);
  assert.deepEqual(sections.map(({ part }) => part), sections.map((_, i) => i + 1));
  for (const { text, path } of sections) {
    assert.ok(text.length <= maxSectionChars);
    assert.ok(text.endsWith(".\n\n"), "cut inside a paragraph");
    assert.deepEqual(path, ["Long"]);
  }
});

Deno.test("parseMarkdown() reads Windows line ends, a byte order mark and broken front matter", async () => {
  const parsed = await parseMarkdown("\ufeff---\r\ntitle: [unclosed\r\n---\r\n# One\r\ntext\r\n");
  assert.equal(parsed.sections.length, 1);
  assert.equal(parsed.sections[0].text, "# One\ntext\n");
  assert.ok(parsed.fault);
});

Deno.test("parsePlainText() cuts at empty lines and joins to the text", () => {
  const text = Array.from({ length: 40 }, (_, i) => `paragraph ${i} ${"x".repeat(300)}`).join(
    "\n\n",
  );
  const { sections } = parsePlainText(text);
  assert.ok(sections.length > 2);
  assert.equal(sections.map((section) => section.text).join(""), text);
});

Deno.test("toPlainText() takes marks off a heading", () => {
  assert.equal(
    toPlainText("Use `a_b` and **c** [d](e) _f_ snake_case_g {#id}"),
    "Use a_b and c d f snake_case_g",
  );
});

const hostile: [string, string][] = [
  ["quotes in quotes", "> ".repeat(50_000) + "a"],
  ["lists in lists", "- ".repeat(50_000) + "a"],
  ["numbers in numbers", "1. ".repeat(30_000)],
  ["quotes and lists in turn", "> - ".repeat(25_000)],
  ["brackets in a heading", "# " + "[".repeat(100_000)],
  ["links in a heading", "# " + "[a](".repeat(25_000)],
  ["marks in a heading", "# " + "{#".repeat(50_000)],
  ["blanks in a heading", "# a" + " ".repeat(100_000) + "b"],
  ["brackets", "[a](".repeat(25_000)],
  ["tags", "<div>".repeat(20_000)],
  ["comments that are not closed", "<!--".repeat(25_000)],
  ["a table of bars", "|a|b|\n|-|-|\n" + "|".repeat(100_000)],
  ["front matter without an end", `---\na: ${"[".repeat(100_000)}\n---\n# a\n`],
];
for (const [name, source] of hostile) {
  Deno.test(`parseMarkdown() ends with ${name}, and loses nothing of the body`, async () => {
    const { sections } = await parseMarkdown(source);
    const body = source.replace(/^---\n[^]*\n---\n/, "");
    const joined = sections.map((section) => section.text).join("");
    assert.ok(joined.trimEnd() === body.trimEnd(), `${joined.length} of ${body.length}`);
    assert.ok(sections.every(({ path }) => path.every((heading) => heading.length <= 500)));
  });
}

Deno.test("parseMarkdown() keeps a list of twelve levels one block", async () => {
  const list = Array.from({ length: 14 }, (_, i) => `${"  ".repeat(i)}- level ${i}\n`).join("");
  const { sections } = await parseMarkdown(`# a\n\n${list}\n# b\n`);
  assert.deepEqual(sections.map(({ path }) => path), [["a"], ["b"]]);
});
