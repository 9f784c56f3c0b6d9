// The pages for newcomers: every path and task they name exists, and the examples of CONTRIBUTING.md
// do what it says when they are put where it says.

import assert from "node:assert/strict";
import manifest from "../../deno.json" with { type: "json" };
import { isFullLength } from "../support/full_length.ts";
import { repository } from "../support/repository.ts";
import { denoEnv, runProcess } from "../support/processes/run_ctx.ts";
import { copyTree } from "../support/stores/tree.ts";
import { notOnWindows } from "../support/not_on_windows.ts";

const pages = [
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "AGENTS.md",
  "README.md",
  "docs/BENCH.md",
  "docs/BINARY.md",
  "docs/FORMAT.md",
  "docs/FROM.md",
  "docs/GLOSSARY.md",
  "docs/IMPORT.md",
  "docs/MCP.md",
  "docs/RECALL.md",
  "docs/SEARCH.md",
];
const contributing = Deno.readTextFileSync(`${repository}/CONTRIBUTING.md`);
/** The blocks of CONTRIBUTING.md that go into a file: its path, and what is said after it. */
const blocks = [
  ...contributing.matchAll(/`([\w./-]+)`(,\s[^:`]*(?:`\w+`)?[^:`]*)?:\n\n```\w+\n([\s\S]*?)```/g),
].map(([, path, where, text]) => ({ path, isWhole: where === undefined, text }));
const made = new Set(blocks.map(({ path }) => path));

for (const page of pages) {
  Deno.test(`every path, link and task in ${page} exists`, () => {
    const text = Deno.readTextFileSync(`${repository}/${page}`);
    const folder = page.replace(/[^/]*$/, "");
    const named = [...text.matchAll(/`((?:src|test|bench|build|docs|assets)\/[\w./-]*)`/g)];
    const linked = [...text.matchAll(/\]\(([\w./-]+)(?:#[\w-]+)?\)/g)];
    const paths = [
      ...named.map(([, path]) => path),
      ...linked.map(([, path]) => `${folder}${path}`),
    ];
    assert.ok(paths.length > 0);
    assert.deepEqual(paths.filter((path) => !made.has(path) && !exists(path)), []);
    const tasks = [...text.matchAll(/\bdeno(?:@[\d.]+)? task (?:-q )?([\w-]+)/g)];
    const known = Object.keys(manifest.tasks);
    assert.deepEqual(tasks.filter(([, task]) => !known.includes(task)).map(([, t]) => t), []);
  });
}

Deno.test("the command and the source of CONTRIBUTING.md work", {
  ignore: notOnWindows("links need a privilege"),
}, async () => {
  const copy = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "ctx-contributing-" }));
  try {
    for (const name of ["src", "test"]) copyTree(`${repository}/${name}`, `${copy}/${name}`);
    for (const name of ["assets", "build", "bench"]) {
      Deno.symlinkSync(`${repository}/${name}`, `${copy}/${name}`);
    }
    for (const name of ["mod.ts", "deno.json", "deno.lock"]) {
      Deno.copyFileSync(`${repository}/${name}`, `${copy}/${name}`);
    }
    for (const { path, isWhole, text } of blocks) put(`${copy}/${path}`, text, isWhole);
    const suite = `${copy}/test/intake/sources/conformance_test.ts`;
    const source = 'import { jotter } from "../../../src/intake/sources/jotter/jotter.ts";\n';
    Deno.writeTextFileSync(suite, source + Deno.readTextFileSync(suite));
    const { code, stdout, stderr } = await runProcess([
      Deno.execPath(),
      ..."test -A --quiet --cached-only".split(" "),
      // Types of all of ctx, once more for two new files: in full runs.
      isFullLength ? "--check" : "--no-check",
      "--filter",
      "/length|jotter/",
      "test/commands/retrieval/length_test.ts",
      "test/intake/sources/conformance_test.ts",
    ], { cwd: copy, env: { ...denoEnv(copy), CTX_TEST_FROM: "source", NO_COLOR: "1" } });
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /ok \| 10 passed \| 0 failed/);
  } finally {
    Deno.removeSync(copy, { recursive: true });
  }
});

/** Writes a whole file, or adds to a table (a line after its opening) or a suite (at its end). */
function put(path: string, text: string, isWhole: boolean): void {
  if (isWhole) {
    Deno.mkdirSync(path.replace(/\/[^/]*$/, ""), { recursive: true });
    return Deno.writeTextFileSync(path, text);
  }
  const before = Deno.readTextFileSync(path);
  const table = /\n(?:export )?const (?:loaders|sourceTable)\b.*\{\n/;
  const after = table.test(before)
    ? before.replace(table, (opening) => opening + text)
    : before + text;
  Deno.writeTextFileSync(path, after);
}

function exists(path: string): boolean {
  try {
    Deno.statSync(`${repository}/${path}`);
    return true;
  } catch {
    return false;
  }
}
