// `ctx import --from`: what a place holds is recognised by its content.

import assert from "node:assert/strict";
import type { Receipt } from "../../../src/intake/import/receipt.ts";
import { recognise } from "../../../src/intake/import/recognise.ts";
import { tempStore } from "../../support/stores/temp_store.ts";
import { copyTree, listTree } from "../../support/stores/tree.ts";
import { fromFileUrl } from "../../../src/core/platform_path.ts";

const samples = fromFileUrl(new URL("../../samples", import.meta.url));
/** The agents whose samples are files; Pi's lines are those of omp and OpenClaw too. */
const agents =
  `aider antigravity beads chatgpt claude-code claude-web cline codex contextfs continue copilot cursor droid gemini
  grok kimi kiro mem0 ndjson opencode openhands pi qwen server-memory specstory`.split(/\s+/);

Deno.test("every sample is recognised, as a directory", () => {
  for (const agent of agents) {
    const { found } = recognise(`${samples}/${agent}`);
    assert.deepEqual(found.map(({ source }) => source), [agent]);
  }
});

Deno.test("a file of lines is recognised alone, and under another name", () => {
  const directory = Deno.makeTempDirSync();
  try {
    for (const agent of ["claude-code", "codex", "droid", "grok", "kiro", "pi", "qwen"]) {
      const [file] = listTree(`${samples}/${agent}`)
        .filter((path) => path.endsWith(".jsonl") && !path.includes("session_index"));
      const path = `${directory}/backup.jsonl`;
      Deno.copyFileSync(file, path);
      assert.deepEqual(recognise(path).found, [{ source: agent, roots: [path] }], agent);
    }
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
});

Deno.test("files of several agents in one directory are read each by its own source", async () => {
  await using t = await tempStore();
  const root = `${t.workspace}/mixed`;
  Deno.mkdirSync(root);
  for (const agent of ["claude-code", "droid", "pi"]) {
    for (const file of listTree(`${samples}/${agent}`)) {
      if (!/[0-9a-f]{12}\.jsonl$/.test(file)) continue;
      Deno.copyFileSync(file, `${root}/${file.slice(file.lastIndexOf("/") + 1)}`);
    }
  }
  const { sources } = await t.run<{ sources: Receipt[] }>("import", {
    from: root,
    all_projects: true,
  });
  assert.deepEqual(
    sources.map(({ source, sessions_seen, entries }) => [source, sessions_seen, entries]).sort(),
    [["claude-code", 1, 9], ["droid", 1, 7], ["pi", 1, 9]],
  );
});

Deno.test("the built file imports all that a directory holds, once", async () => {
  await using t = await tempStore();
  const root = `${t.workspace}/backup`;
  for (const agent of ["aider", "codex", "kimi", "qwen"]) {
    copyTree(`${samples}/${agent}`, `${root}/${agent}`);
  }
  const words = ["import", "--from", root, "--all-projects", "--json"];
  const first = await t.ctx(words);
  assert.deepEqual([first.code, first.stderr], [0, ""]);
  const { sources }: { sources: Receipt[] } = JSON.parse(first.stdout);
  assert.deepEqual(sources.map(({ source }) => source).sort(), ["aider", "codex", "kimi", "qwen"]);
  assert.ok(sources.every(({ entries }) => entries > 0), first.stdout);
  assert.equal(JSON.parse((await t.ctx(words)).stdout).entries, 0);
});

Deno.test("a place of nothing known, or a source beside --from, is refused", async () => {
  await using t = await tempStore();
  Deno.writeTextFileSync(`${t.workspace}/notes.json`, '{"a":1}');
  const none = await t.ctx(["import", "--from", "notes.json"]);
  assert.equal(none.code, 3);
  assert.match(
    none.stderr,
    /^ctx: Cannot import from "notes.json": no known history in 1 file .*\nhint: for your own/,
  );
  const both = await t.ctx(["import", "codex", "--from", "notes.json"]);
  assert.equal(both.code, 2);
  assert.match(both.stderr, /--from detects the source itself\nhint: ctx import --from/);
});
