// Sources that are made to hold up a parser: each ends, and what is not known of it is said.

import assert from "node:assert/strict";
import { diskFiles } from "../../../../src/disk/files.ts";
import { layoutOf } from "../../../../src/disk/layout.ts";
import { openGraph } from "../../../../src/recall/edit/graph/code_graph.ts";
import { findFailures } from "../../../../src/recall/edit/signals/find_reports.ts";
import { findHunks } from "../../../../src/recall/edit/hook_edit.ts";
import { loadParser } from "../../../../src/recall/edit/graph/load_parser.ts";
import type { Language } from "../../../../src/recall/edit/graph/languages.ts";
import { refreshGraph } from "../../../../src/recall/edit/graph/refresh_graph.ts";
import { leastFiles } from "../../../../src/recall/edit/graph/refresh_budget.ts";
import { readImportWorld } from "../../../../src/recall/edit/graph/import_world.ts";
import { parseTestReport } from "../../../../src/recall/edit/signals/failure_report.ts";
import {
  loadIgnoreRules,
  walkWorkspace,
} from "../../../../src/recall/edit/graph/walk_workspace.ts";
import { tempProject, writeSources } from "../../../support/suggest_project.ts";

const many = 200_000;

const brackets: [string, string][] = [
  ["(", "typescript"],
  ["[", "typescript"],
  ["{\n", "typescript"],
  ["f(", "javascript"],
  ["<a b={", "tsx"],
  ["(", "python"],
  ["{", "go"],
  ["a::{", "rust"],
  ["{", "java"],
  ["a<", "typescript"],
];
for (const [shape, language] of brackets) {
  Deno.test(`200 KB of ${JSON.stringify(shape)} in ${language} are too deep to parse`, async () => {
    const text = shape.repeat(many / shape.length);
    assert.equal((await parse(language as Language, text))?.skipped, "too_deep");
  });
}

const slow: [string, string][] = [
  ["(a,b)", "typescript"],
  ["a?", "javascript"],
  ["<a>", "tsx"],
  ["`${a}", "javascript"],
  ["a if ", "python"],
  [" ", "python"],
  ["&", "rust"],
  ["@a ", "java"],
  ["function a(){}", "javascript"],
];
for (const [shape, language] of slow) {
  Deno.test(`parsing 200 KB of ${JSON.stringify(shape)} in ${language} ends`, async () => {
    const facts = await parse(language as Language, shape.repeat(many / shape.length));
    assert.ok(facts?.skipped === undefined || facts.skipped === "too_slow", facts?.skipped);
  });
}

Deno.test("a name, an import and a line that are far too long are left out", async () => {
  const name = "a".repeat(many);
  const facts = await parse(
    "typescript",
    `function ${name}() {}\nimport "./${name}";\nfunction kept() { ${name}(); }\n`,
  );
  assert.deepEqual([facts?.symbols.map((symbol) => symbol.name), facts?.refs, facts?.specs], [
    ["kept"],
    [],
    [],
  ]);
});

Deno.test("uses are told their innermost symbol", async () => {
  const text = "function a() {\n  one();\n  function b() { two(); }\n  three();\n}\nfour();\n";
  const facts = await parse("typescript", text);
  assert.deepEqual(facts?.refs, [["one", 2, 0], ["two", 3, 1], ["three", 4, 0], ["four", 6, -1]]);
});

Deno.test("a source that is too large is listed and never read", async () => {
  await using t = await tempProject();
  using file = Deno.createSync(`${t.workspace}/huge.ts`);
  file.truncateSync(2 ** 40);
  await refreshGraph({ files: diskFiles, layout: layoutOf(t.workspace) });
  using graph = openGraph(diskFiles, layoutOf(t.workspace))!;
  assert.equal(graph.find("huge.ts")?.skipped, "too_large");
  assert.equal(graph.find("src/paint/brush.ts")?.symbols.length, 1);
  const { notes } = await t.run<{ notes: string[] }>("suggest", { file: "huge.ts" });
  assert.ok(notes.includes('"huge.ts" was not parsed (too_large): its symbols are unknown'));
});

Deno.test("a refresh without time goes on for some files, but not for many that are slow", async () => {
  const slowText = "`${a}".repeat(380_000);
  const sources = Object.fromEntries([
    ...[1, 2, 3, 4].map((i) => [`a${i}.js`, slowText]),
    ...Array.from({ length: leastFiles }, (_, i) => [`f${i}.ts`, "export {};\n"]),
  ]);
  await using t = await tempProject({ sources });
  const layout = layoutOf(t.workspace);
  const once = () => refreshGraph({ files: diskFiles, layout, budget: { hasTime: () => false } });
  assert.deepEqual([(await once()).parsed, (await once()).left], [2, leastFiles]);
  using graph = openGraph(diskFiles, layout)!;
  assert.equal(graph.find("a1.js")?.skipped, "too_slow");
});

Deno.test("refreshGraph() lets signals in between files", async () => {
  const text = "export function f(a: string): string {\n  return a;\n}\n".repeat(2000);
  const sources = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`f${i}.ts`, `${text}// ${i}\n`]),
  );
  await using t = await tempProject({ sources });
  // Everything is loaded that would be waited for.
  await parse("typescript", "a");
  await loadIgnoreRules(t.workspace);
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 0);
  const layout = layoutOf(t.workspace);
  await assert.rejects(refreshGraph({ files: diskFiles, layout, signal: stop.signal }), {
    name: "AbortError",
  });
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
  [
    "data that is not closed",
    `<testcase><failure>${"<![CDATA[".repeat(many)}</failure></testcase>`,
  ],
  ["TAP with a long place", `not ok 1\n  at: ${":1".repeat(many)}x\n`],
  ["TAP of failures only", "TAP version 13\n" + "not ok\n\n\n".repeat(many)],
  ["JSON without an end", "[".repeat(many)],
  [
    "a Go test with blank lines",
    JSON.stringify({ Action: "output", Test: "T", Output: "\n".repeat(many * 5) }) +
    '\n{"Action":"fail","Test":"T"}\n',
  ],
];
for (const [name, text] of reports) {
  Deno.test(`parseTestReport() ends with ${name}`, async () => {
    assert.ok((await parseTestReport(text)).length <= 200);
  });
}

Deno.test("of reports that nobody asked for, so much is read and no more", async () => {
  const failed = '<testcase name="t"><failure message="m"/></testcase>';
  await using t = await tempProject({
    sources: { "reports/a.xml": failed, "reports/z.xml": failed },
  });
  const options = { reports: [], now: Date.now(), days: 1 };
  assert.equal((await findFailures(t.workspace, options)).length, 2);
  for (const name of ["b", "c"]) {
    using file = Deno.createSync(`${t.workspace}/reports/${name}.xml`);
    file.truncateSync(8 << 20);
  }
  assert.deepEqual((await findFailures(t.workspace, options)).map(({ report }) => report), [
    "reports/a.xml",
  ]);
});

Deno.test("settings of imports that never end say nothing", async () => {
  for (
    const text of [
      "/*".repeat(100_000),
      ",  ".repeat(80_000),
      "[".repeat(200_000),
      "{".repeat(1 << 20),
    ]
  ) {
    await using t = await tempProject({ sources: { "tsconfig.json": text, "deno.json": text } });
    assert.deepEqual([...readImportWorld(t.workspace, []).aliases], []);
  }
});

Deno.test("an edit of very many parts is placed as far as it goes", () => {
  const text = Array.from({ length: 30_000 }, (_, i) => `line ${i}`).join("\n");
  const edits = Array.from(
    { length: 50_000 },
    () => ({ old_string: "line 29999", new_string: "x" }),
  );
  assert.equal(findHunks({ edits }, text).length, 60);
  const lines = Array.from({ length: 40_000 }, (_, i) => ` no ${i}`).join("\n");
  const patch = `*** Begin Patch\n*** Update File: a\n${lines}\n-line 7\n+x\n*** End Patch\n`;
  assert.deepEqual(findHunks({ patch }, text).map((hunk) => hunk.added), [["x"]]);
  const plain =
    "*** Begin Patch\n*** Update File: a\n@@ line 100\n line 100\n-line 101\n+x\n*** End Patch\n";
  assert.deepEqual(findHunks({ patch: plain }, text), [
    { line: 102, removed: ["line 101"], added: ["x"] },
  ]);
});

async function parse(language: Language, text: string) {
  const parser = await loadParser();
  const bytes = new TextEncoder().encode(text);
  return await parser.parse({ path: "a", language, bytes, mtime: 0 });
}
