// What people run, given what a hostile download may hold: every command answers, and SIGTERM ends it.

import assert from "node:assert/strict";
import { notOnWindows } from "../support/not_on_windows.ts";
import { commitOf, makeRepository, oidOf, treeOf, writeLoose } from "../support/made_repository.ts";
import { spawnCtx } from "../support/processes/run_ctx.ts";
import { tempProject, until, writeSources } from "../support/suggest_project.ts";
import type { TempStore } from "../support/stores/temp_store.ts";

const stars = "*a".repeat(50) + "b";
const longName = `${"a".repeat(200)}.ts`;

/** Sources that a parser, a reader of reports and one of ignore files take badly. */
const hostileSources: Record<string, string> = {
  ".gitignore": `${"**/a/".repeat(40)}b\n`,
  "brackets.ts": "(".repeat(200_000),
  "open.py": "[{(".repeat(60_000),
  "line.js": "f(a)(b)[c]`${d}`;".repeat(60_000),
  "junit.xml": "<testcase name='a'>".repeat(400_000),
  "tsconfig.json": "/*".repeat(100_000),
  [longName]: "export const a = 1;\n",
};

Deno.test("ctx suggest answers among hostile sources, and says what it does not know", async () => {
  await using t = await tempProject({ sources: hostileSources });
  makeLoop(t);
  const { code, stdout } = await t.ctx(["suggest", "--file", "brackets.ts", "--json"]);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout).notes, [
    "the git repository cannot be read (its directories do not end): changes are unknown",
  ]);
});

Deno.test("ctx hook pre-edit answers among hostile sources, and to a hostile edit", async () => {
  await using t = await tempProject();
  writeSources(t, hostileSources);
  assert.equal((await t.ctx(["suggest", "--file", "src/auth/token_store.ts"])).code, 0);
  const lines = Array.from({ length: 40_000 }, (_, i) => ` no ${i}`).join("\n");
  const inputs = [
    { file_path: "brackets.ts", content: "[".repeat(400_000) },
    { file_path: "line.js", edits: Array(50_000).fill({ old_string: "f(a)", new_string: "" }) },
    { file_path: "open.py", patch: `*** Update File: open.py\n${lines}\n-x\n+y\n` },
    { file_path: "src/auth/token_store.ts", old_string: "saveToken", new_string: "x" },
  ];
  for (const tool_input of inputs) {
    const { code, stderr } = await t.ctx(["hook", "pre-edit"], {
      stdin: JSON.stringify({ session_id: "s", cwd: t.workspace, tool_input }),
    });
    assert.deepEqual([code, stderr], [0, ""], tool_input.file_path);
  }
});

Deno.test("ctx watch and poll deal with patterns of many stars, also with ones of a clone", async () => {
  await using t = await tempProject();
  writeSources(t, { [longName]: "export const a = 1;\n" });
  const { code, stdout } = await t.ctx(["subscribe", `file:${stars}`, "file:src/**", "--json"]);
  assert.equal(code, 0);
  const id: string = JSON.parse(stdout).id;
  const event = JSON.parse(t.read("subscriptions.ndjson").trim());
  const patterns = ["{".repeat(5000), "*".repeat(5000), `{${`${stars},`.repeat(5)}}`]
    .map((pattern) => ({ type: "symbol", pattern }));
  t.append("subscriptions.ndjson", JSON.stringify({ ...event, id: "B-2", patterns }) + "\n");
  assert.equal((await t.ctx(["watch", "--once"])).code, 0);
  writeSources(t, { [longName]: "export const a = 2;\n", "src/paint/brush.ts": "export {};\n" });
  const round = await t.ctx(["watch", "--once"]);
  assert.equal(round.code, 0);
  assert.match(round.stderr, /^ctx: 2 changes, /);
  assert.equal((await t.ctx(["poll", id])).code, 0);
  const refused = await t.ctx(["subscribe", `file:${"*a".repeat(600)}`]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /it is longer than 1000 characters/);
});

Deno.test("ctx docs add and sync read hostile documents by hostile patterns", async () => {
  await using t = await tempProject();
  const documents = {
    "docs/quotes.md": "> ".repeat(50_000) + "a",
    "docs/lists.md": "# found\n\n" + "- ".repeat(50_000) + "a",
    "docs/heading.md": "# " + "[a](".repeat(50_000),
    "docs/matter.md": `---\na: ${"[".repeat(100_000)}\n---\nbody\n`,
    [`docs/${"a".repeat(200)}.md`]: "# long\n",
  };
  writeSources(t, documents);
  const none = await t.ctx(["docs", "add", "stars", `docs/${stars}`, "--json"]);
  assert.deepEqual([none.code, JSON.parse(none.stdout).documents], [0, 0]);
  const all = await t.ctx(["docs", "add", "all", "docs/**/*.{md,mdx}", "--json"]);
  assert.deepEqual([all.code, JSON.parse(all.stdout).documents], [0, 5]);
  const { skipped } = JSON.parse(all.stdout);
  assert.match(JSON.stringify(skipped), /"docs\/matter\.md".*longer than 16384 characters/);
  writeSources(t, { "docs/lists.md": "1. ".repeat(50_000) });
  const again = await t.ctx(["docs", "sync", "--json"]);
  assert.equal(again.code, 0);
  assert.match(again.stdout, /"collection":"all","documents":5,"added":0,"updated":1/);
});

for (const [name, ended] of [["SIGTERM", ["SIGTERM", 143]], ["SIGINT", [null, 0]]] as const) {
  Deno.test({
    name: `${name} ends ctx watch in the middle of sources that are slow to parse`,
    ignore: notOnWindows("a signal ends a process at once"),
  }, async () => {
    await using t = await tempProject();
    const slow = "`${a}".repeat(380_000);
    writeSources(t, Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((i) => [`a${i}.js`, slow])));
    const child = spawnCtx(["watch"], { cwd: t.workspace, stdin: "null" });
    // The snapshot is kept before anything is parsed.
    await until("the watcher", () => t.exists("watch.json"));
    child.kill(name);
    const { signal, code } = await child.output();
    assert.deepEqual([signal, code], ended);
  });
}

Deno.test("ctx watch --once goes on where .git is damaged", async () => {
  await using t = await tempProject();
  makeLoop(t);
  assert.equal((await t.ctx(["watch", "--once"])).code, 0);
  writeSources(t, { "src/paint/brush.ts": "export {};\n" });
  const { code, stderr } = await t.ctx(["watch", "--once"]);
  assert.deepEqual([code, stderr], [0, "ctx: 1 changes, 0 suggestions, 0 delivered\n"]);
});

/** A repository whose directories hold themselves. */
function makeLoop(t: TempStore): void {
  const [head, tree] = [oidOf(1), oidOf(2)];
  makeRepository(t.workspace, head);
  writeLoose(t.workspace, head, "commit", commitOf(tree));
  writeLoose(t.workspace, tree, "tree", treeOf([["a", tree, true], ["b", tree, true]]));
}
