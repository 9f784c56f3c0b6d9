// Sources that are made to hold up a parser: each ends, and what is not known of it is said.

import assert from "node:assert/strict";
import { readGraph } from "../../../../src/recall/edit/graph/code_graph.ts";
import { findLines } from "../../../../src/recall/edit/hook_edit.ts";
import { parseSource } from "../../../../src/recall/edit/graph/parse_source.ts";
import type { Language } from "../../../../src/recall/edit/graph/languages.ts";
import { parseJunit } from "../../../../src/recall/edit/signals/failing_tests.ts";
import {
  loadIgnoreRules,
  walkWorkspace,
} from "../../../../src/recall/edit/graph/walk_workspace.ts";
import { tempProject, writeSources } from "../../../support/suggest_project.ts";

const many = 200_000;

const shapes: [string, Language][] = [
  ["(", "script"],
  ["[", "script"],
  ["{\n", "script"],
  ["f(", "script"],
  ["<a b={", "script"],
  ["a<", "script"],
  ["(a,b)", "script"],
  ["a?", "script"],
  ["`${a}", "script"],
  ["/*", "script"],
  ["=/[", "script"],
  ["'", "script"],
  ["function a(){}", "script"],
  ["function ", "script"],
  ["class a{\n", "script"],
  ["  a(\n", "script"],
  [`  a(\n${"            b\n".repeat(12)}`, "script"],
  ["import ", "script"],
  [`import${" ".repeat(50_000)}`, "script"],
  ["(", "python"],
  ["a if ", "python"],
  [" ", "python"],
  ['"""', "python"],
  ["def a\n ", "python"],
  ["from a import (", "python"],
  ["{", "go"],
  ["import (", "go"],
  ["a::{", "rust"],
  ["use a{", "rust"],
  ["&", "rust"],
  ["{", "java"],
  ["@a ", "java"],
  [" a a(", "java"],
];
for (const [shape, language] of shapes) {
  Deno.test(`reading 200 KB of ${JSON.stringify(shape)} in ${language} ends`, () => {
    const text = shape.repeat(many / shape.length);
    assert.ok(parseSource(text, language).refs.length <= 4000);
  });
}

Deno.test("a name, an import and a line that are far too long are left out", () => {
  const name = "a".repeat(many);
  const facts = parseSource(
    `function ${name}() {}\nimport "./${name}";\nfunction kept() { ${name}(); }\n`,
    "script",
  );
  assert.deepEqual([facts.symbols.map((symbol) => symbol.name), facts.refs, facts.specs], [
    ["kept"],
    [],
    [],
  ]);
});

Deno.test("uses are told their innermost symbol", () => {
  const text = "function a() {\n  one();\n  function b() { two(); }\n  three();\n}\nfour();\n";
  assert.deepEqual(parseSource(text, "script").refs, [
    ["one", 2, 0],
    ["two", 3, 1],
    ["three", 4, 0],
    ["four", 6, -1],
  ]);
});

Deno.test("a source that is too large is listed and never read", async () => {
  await using t = await tempProject();
  using file = Deno.createSync(`${t.workspace}/huge.ts`);
  file.truncateSync(2 ** 40);
  const graph = await readGraph(t.workspace);
  assert.equal(graph.find("huge.ts")?.skipped, "too_large");
  assert.equal(graph.find("src/paint/brush.ts")?.symbols.length, 1);
  const { notes } = await t.run<{ notes: string[] }>("suggest", { file: "huge.ts" });
  assert.ok(notes.includes('"huge.ts" was not parsed (too_large): its symbols are unknown'));
});

Deno.test("readGraph() lets signals in between files", async () => {
  const text = "export function f(a: string): string {\n  return a;\n}\n".repeat(2000);
  const sources = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`f${i}.ts`, `${text}// ${i}\n`]),
  );
  await using t = await tempProject({ sources });
  // Everything is loaded that would be waited for.
  await loadIgnoreRules(t.workspace);
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 0);
  await assert.rejects(readGraph(t.workspace, stop.signal), { name: "AbortError" });
});

Deno.test("ignore rules of many ** and directories without end hold nothing up", async () => {
  await using t = await tempProject();
  const deep = "a/".repeat(150);
  writeSources(t, {
    ".gitignore": `${"**/a/".repeat(40)}b\n${"*a".repeat(40)}b\n*.log\n!keep.log\n`,
    [`${deep}x.ts`]: "",
    "a/a/a/y.ts": "",
    "z.log": "",
    "keep.log": "",
    ["a".repeat(200)]: "",
  });
  const rules = await loadIgnoreRules(t.workspace);
  const found = [...walkWorkspace(t.workspace, { rules, wanted: () => true })].map((file) =>
    file.path
  );
  assert.ok(found.includes("a/a/a/y.ts") && found.includes("keep.log"));
  assert.ok(!found.includes("z.log") && !found.includes(`${deep}x.ts`));
});

const reports: [string, string][] = [
  ["tests that are not closed", "<testcase name='a'>".repeat(many)],
  ["quotes that are not closed", `<testcase name="`.repeat(many)],
  ["failures that are not closed", `<testcase>${"<failure>".repeat(many)}</testcase>`],
  ["failures only", "<testcase><failure>".repeat(many)],
  ["attributes without an end", `<testcase ${'a="" '.repeat(many)}><failure/>`],
];
for (const [name, text] of reports) {
  Deno.test(`parseJunit() ends with ${name}`, () => {
    assert.ok(parseJunit(text).length <= 200);
  });
}

Deno.test("an edit of very many parts is read as far as it goes", () => {
  const text = Array.from({ length: 30_000 }, (_, i) => `line ${i}`).join("\n");
  const edits = Array.from(
    { length: 50_000 },
    () => ({ old_string: "line 29999", new_string: "x" }),
  );
  assert.equal(findLines({ args: { edits } }, text).length, 60);
  const lines = Array.from({ length: 40_000 }, (_, i) => ` no ${i}`).join("\n");
  const patch = `*** Begin Patch\n*** Update File: a\n${lines}\n-line 7\n+x\n*** End Patch\n`;
  assert.deepEqual(findLines({ args: { patch } }, text), ["line 7"]);
});
