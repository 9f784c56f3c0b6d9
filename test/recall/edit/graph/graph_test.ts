// The symbol graph: what it understands of each language, and how it stays up to date.

import assert from "node:assert/strict";
import { diskFiles } from "../../../../src/disk/files.ts";
import { mending, TableDamage } from "../../../../src/recall/edit/tables/table_damage.ts";
import { layoutOf } from "../../../../src/disk/layout.ts";
import { openGraph } from "../../../../src/recall/edit/graph/code_graph.ts";
import { findCallees, findCallers } from "../../../../src/recall/edit/graph/code_relations.ts";
import type { FileFacts } from "../../../../src/recall/edit/graph/file_facts.ts";
import {
  refreshGraph,
  type RefreshResult,
} from "../../../../src/recall/edit/graph/refresh_graph.ts";
import { tempProject, writeSources } from "../../../support/suggest_project.ts";
import type { TempStore } from "../../../support/temp_store.ts";

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
  Deno.test(`refreshGraph() knows callers, callees and deprecations in ${language}`, async () => {
    await using t = await tempProject({ sources });
    await refresh(t);
    using graph = openGraph(diskFiles, layoutOf(t.workspace))!;
    const callers = findCallers(graph, path, name).filter((item) => item.path !== path);
    assert.deepEqual(callers.map((item) => item.symbol), ["run"]);
    const user = graph.find(callers[0].path)!;
    const callees = findCallees(graph, user);
    assert.ok(callees.some((item) => item.path === path && item.name === name));
    const deprecated = callees.filter((item) => item.deprecated !== undefined);
    assert.deepEqual(deprecated.map((item) => item.name), [name]);
  });
}

Deno.test("refreshGraph() parses only what changed, and a reader sees it at once", async () => {
  await using t = await tempProject();
  assert.deepEqual(await refresh(t), { files: 5, parsed: 5, removed: 0, left: 0, rebuilt: true });
  assert.deepEqual(await refresh(t), { files: 5, parsed: 0, removed: 0, left: 0, rebuilt: false });
  writeSources(t, {
    "src/paint/brush.ts":
      'import { rotateToken } from "../auth/token_service.ts";\nrotateToken("x");\n',
  });
  assert.deepEqual(await refresh(t, ["src/paint/brush.ts"]), {
    files: 5,
    parsed: 1,
    removed: 0,
    left: 0,
    rebuilt: false,
  });
  assert.ok(callersOf(t).includes("src/paint/brush.ts"));
  Deno.removeSync(`${t.workspace}/src/paint/brush.ts`);
  assert.equal((await refresh(t)).removed, 1);
  assert.ok(!callersOf(t).includes("src/paint/brush.ts"));
});

Deno.test("refreshGraph() resolves an import to a file that comes later", async () => {
  await using t = await tempProject({
    sources: { "a.ts": 'import { late } from "./late.ts";\nlate();\n' },
  });
  await refresh(t);
  writeSources(t, { "late.ts": "export function late(): void {}\n" });
  await refresh(t);
  using graph = openGraph(diskFiles, layoutOf(t.workspace))!;
  assert.deepEqual(graph.findImporters("late.ts").map((facts) => facts.path), ["a.ts"]);
});

Deno.test("refreshGraph() respects .gitignore at every level and leaves out node_modules", async () => {
  await using t = await tempProject({
    sources: {
      ".gitignore": "build/\n*.gen.ts\n!keep.gen.ts\n",
      "sub/.gitignore": "/local.ts\n",
      "a.ts": "",
      "x.gen.ts": "",
      "keep.gen.ts": "",
      "build/b.ts": "",
      "sub/local.ts": "",
      "sub/deep/local.ts": "",
      "node_modules/p/i.js": "",
    },
  });
  await refresh(t);
  using graph = openGraph(diskFiles, layoutOf(t.workspace))!;
  const paths = [...graph.table.readAll()].map((facts) => (facts as FileFacts).path);
  assert.deepEqual(paths, ["a.ts", "keep.gen.ts", "sub/deep/local.ts"]);
});

Deno.test("refreshGraph() takes broken syntax, binary files and 10,000 lines as they are", async () => {
  const lines = Array.from({ length: 10_000 }, (_, i) => `export const value${i} = ${i};`);
  await using t = await tempProject({
    sources: {
      "broken.ts": "export function fine(): void {}\nexport function ( {{{ class",
      "long.ts": lines.join("\n"),
    },
  });
  writeSources(t, { "binary.ts": new Uint8Array([1, 0, 2, 0]) });
  await refresh(t);
  using graph = openGraph(diskFiles, layoutOf(t.workspace))!;
  assert.equal(graph.find("broken.ts")?.broken, true);
  assert.ok(graph.find("broken.ts")?.symbols.some((symbol) => symbol.name === "fine"));
  assert.equal(graph.find("long.ts")?.symbols.length, 10_000);
  assert.equal(graph.find("binary.ts")?.skipped, "binary");
});

Deno.test("openGraph() says there is none, or that it is cut short; mending builds it anew", async () => {
  await using t = await tempProject();
  const layout = layoutOf(t.workspace);
  assert.equal(openGraph(diskFiles, layout), undefined);
  await refresh(t);
  const path = `${layout.index}/graph.bin`;
  Deno.truncateSync(path, Deno.statSync(path).size - 1);
  assert.throws(() => openGraph(diskFiles, layout), TableDamage);
  const warnings: string[] = [];
  await mending(diskFiles, (message) => warnings.push(message), () => refresh(t));
  assert.match(warnings.join(), /^graph\.bin was damaged/);
  assert.ok(callersOf(t).length > 0);
});

async function refresh(t: TempStore, only?: string[]): Promise<RefreshResult> {
  return await refreshGraph({ files: diskFiles, layout: layoutOf(t.workspace), only });
}

function callersOf(t: TempStore): string[] {
  using graph = openGraph(diskFiles, layoutOf(t.workspace))!;
  return findCallers(graph, "src/auth/token_service.ts", "rotateToken").map((item) => item.path);
}
