// Syntax colours: every character of a text is in its pieces, in the lines that it was in.

import assert from "node:assert/strict";
import { highlightText } from "../../../src/viewer/code/highlighter.ts";
import { repository } from "../../support/repository.ts";
import { xssPayloads } from "../../support/servers/xss_payloads.ts";

const paths = `a.ts b/c.tsx d.mjs e.py f.go g.rs h.java i.kt j.swift k.c l.hpp m.cs n.rb o.php p.sql
  q.toml r.yml s.json t.css u.scss v.html w.vue x.sh y.md Dockerfile z/Makefile .env a.diff b.lua
  c.exs d.graphql e.dart f.scala`.split(/\s+/);

Deno.test("a text comes back whole, whatever it is and in whichever language", () => {
  const texts = [
    ...Object.values(xssPayloads),
    Deno.readTextFileSync(`${repository}/src/core/rows/edits.ts`),
    "",
    "\n\n",
    'a\r\nb & c &amp; <span class="hljs-string">d</span> \'\n',
    "/* never closed\n * by anyone",
    "const s = `one ${two}\nthree`;",
  ];
  for (const path of paths) {
    for (const text of texts) {
      const lines = highlightText(text, path);
      assert.ok(lines, path);
      assert.equal(lines.map((line) => line.map((piece) => piece.text).join("")).join("\n"), text);
    }
  }
});

Deno.test("pieces say what they are, also where a string goes over lines", () => {
  assert.deepEqual(highlightText("const a = `x\n${b} y`; // so", "src/a.ts"), [
    [{ text: "const", kind: "keyword" }, { text: " a = " }, { text: "`x", kind: "string" }],
    [
      { text: "${b}" },
      { text: " y`", kind: "string" },
      { text: "; " },
      { text: "// so", kind: "comment" },
    ],
  ]);
});

Deno.test("what is no known language, or too long at once, is left plain", () => {
  for (const path of ["LICENSE", "notes.txt", "a.bin", "", ".", "constructor"]) {
    assert.equal(highlightText("const a = 1;", path), undefined, path);
  }
  assert.equal(highlightText("a;".repeat(300_000), "a.ts"), undefined);
});
