// The sources of a workspace: what is understood of each language, and which files are read.

import assert from "node:assert/strict";
import { readGraph } from "../../../../src/recall/edit/graph/code_graph.ts";
import { findCallees, findCallers } from "../../../../src/recall/edit/graph/code_relations.ts";
import { tempProject, writeSources } from "../../../support/suggest_project.ts";

const languages: Record<string, { sources: Record<string, string>; target: [string, string] }> = {
  typescript: {
    sources: {
      "a.ts": "/** @deprecated go on */\nexport function helpOut(): void {}\n",
      "b.ts": 'import { helpOut } from "./a.ts";\nexport function run(): void {\n  helpOut();\n}\n',
    },
    target: ["a.ts", "helpOut"],
  },
  tsx: {
    sources: {
      "Box.tsx": "/** @deprecated */\nexport const Box = () => <b />;\n",
      "App.tsx": 'import { Box } from "./Box";\nexport function run() {\n  return <Box />;\n}\n',
    },
    target: ["Box.tsx", "Box"],
  },
  javascript: {
    sources: {
      "lib/a.js": "/** @deprecated */\nfunction helpOut() {}\nmodule.exports = { helpOut };\n",
      "b.js": 'const a = require("./lib/a");\nfunction run() {\n  a.helpOut();\n}\n',
    },
    target: ["lib/a.js", "helpOut"],
  },
  python: {
    sources: {
      "pkg/__init__.py": "",
      "pkg/a.py": '@deprecated("go on")\ndef help_out():\n    pass\n',
      "pkg/b.py": "from .a import help_out\n\ndef run():\n    help_out()\n",
    },
    target: ["pkg/a.py", "help_out"],
  },
  go: {
    sources: {
      "go.mod": "module example.org/x\n",
      "a/a.go": "package a\n\n// HelpOut helps.\n//\n// Deprecated: go on.\nfunc HelpOut() {}\n",
      "b/b.go": 'package b\n\nimport "example.org/x/a"\n\nfunc run() {\n\ta.HelpOut()\n}\n',
    },
    target: ["a/a.go", "HelpOut"],
  },
  rust: {
    sources: {
      "src/lib.rs": "mod a;\nmod b;\n",
      "src/a.rs": '#[deprecated(since = "1")]\npub fn help_out() {}\n',
      "src/b.rs": "use crate::a::help_out;\npub fn run() {\n    help_out();\n}\n",
    },
    target: ["src/a.rs", "help_out"],
  },
  java: {
    sources: {
      "x/A.java":
        "package x;\npublic class A {\n  @Deprecated\n  public static void helpOut() {}\n}\n",
      "y/B.java": "package y;\nimport x.A;\nclass B {\n  void run() {\n    A.helpOut();\n  }\n}\n",
    },
    target: ["x/A.java", "helpOut"],
  },
};

for (const [language, { sources, target: [path, name] }] of Object.entries(languages)) {
  Deno.test(`readGraph() knows callers, callees and deprecations in ${language}`, async () => {
    await using t = await tempProject({ sources });
    const graph = await readGraph(t.workspace);
    const callers = findCallers(graph, path, name).filter((item) => item.path !== path);
    assert.deepEqual(callers.map((item) => item.symbol), ["run"]);
    const user = graph.find(callers[0].path)!;
    const callees = findCallees(graph, user);
    assert.ok(callees.some((item) => item.path === path && item.name === name));
    const deprecated = callees.filter((item) => item.deprecated !== undefined);
    assert.deepEqual(deprecated.map((item) => item.name), [name]);
  });
}

Deno.test("callers are found through a barrel, and by a name that one file alone defines", async () => {
  await using t = await tempProject({
    sources: {
      "lib/tool.ts": "export function sharpenTool(): void {}\n",
      "lib/mod.ts": 'export * from "./tool.ts";\n',
      "a.ts": 'import { sharpenTool } from "./lib/mod.ts";\nsharpenTool();\n',
      "b.js": "function run() {\n  tools.sharpenTool();\n}\n",
      "c.ts": "export function open(): void {}\n",
      "d.ts": "export function open(): void {}\nopen();\n",
    },
  });
  const graph = await readGraph(t.workspace);
  const callers = (path: string, name: string) =>
    findCallers(graph, path, name).map((one) => one.path);
  assert.deepEqual(callers("lib/tool.ts", "sharpenTool"), ["a.ts", "b.js"]);
  assert.deepEqual(callers("c.ts", "open"), [], "another file has its own");
});

const one = "export const one = 1;\n";

Deno.test("readGraph() respects .gitignore at every level and leaves out node_modules", async () => {
  await using t = await tempProject({
    sources: {
      ".gitignore": "build/\n*.gen.ts\n!keep.gen.ts\n",
      "sub/.gitignore": "/local.ts\n",
      "a.ts": one,
      "x.gen.ts": one,
      "keep.gen.ts": one,
      "build/b.ts": one,
      "sub/local.ts": one,
      "sub/deep/local.ts": one,
      "node_modules/p/i.js": one,
    },
  });
  const graph = await readGraph(t.workspace);
  const paths = graph.findDefinitions("one").map((facts) => facts.path);
  assert.deepEqual(paths, ["a.ts", "keep.gen.ts", "sub/deep/local.ts"]);
});

Deno.test("readGraph() takes broken syntax, binary files and 10,000 lines as they are", async () => {
  const lines = Array.from({ length: 10_000 }, (_, i) => `export const value${i} = ${i};`);
  await using t = await tempProject({
    sources: {
      "broken.ts": "export function fine(): void {}\nexport function ( {{{ class",
      "long.ts": lines.join("\n"),
    },
  });
  writeSources(t, { "binary.ts": new Uint8Array([1, 0, 2, 0]) });
  const graph = await readGraph(t.workspace);
  assert.equal(graph.find("broken.ts")?.broken, true);
  assert.ok(graph.find("broken.ts")?.symbols.some((symbol) => symbol.name === "fine"));
  assert.equal(graph.find("long.ts")?.symbols.length, 10_000);
  assert.equal(graph.find("binary.ts")?.skipped, "binary");
});
