// `ctx edit`: the person's own editor, and what it leaves behind.

import assert from "node:assert/strict";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

Deno.test("edit opens the editor with the text and saves what was changed as a correction", async () => {
  await using t = await tempStore({
    entries: [{ text: "We use tabs", type: "decision", title: "Style", tags: ["code"] }],
  });
  const env = await editor(
    t,
    'cat "$2" > seen; ls -l "$2" >> mode; echo "$1" >> mode; echo "We use spaces" > "$2"',
  );
  const run = await t.ctx(["edit", "H-H1"], { env: { EDITOR: `${env.EDITOR} --wait` } });
  assert.equal(run.code, 0, run.stderr);
  assert.equal(Deno.readTextFileSync(`${t.workspace}/seen`), "We use tabs");
  const mode = Deno.readTextFileSync(`${t.workspace}/mode`);
  assert.match(mode, Deno.build.os === "windows" ? /\n--wait\n$/ : /^-rw------- .*\n--wait\n$/);
  const id = run.stdout.trim();
  const row = t.read("history.ndjson").split("\n").map((line) => line && JSON.parse(line))
    .find((entry) => entry.id === id);
  const { text, type, title, tags, supersedes } = row;
  assert.deepEqual({ text, type, title, tags, supersedes }, {
    text: "We use spaces",
    type: "decision",
    title: "Style",
    tags: ["code"],
    supersedes: "H-H1",
  });
  const again = await t.ctx(["edit", "H-H1"], { env });
  assert.deepEqual([again.code, again.stderr.includes(`hint: ctx edit ${id}`)], [2, true]);
  assert.equal((await t.ctx(["undo", "--yes"])).code, 0);
  assert.deepEqual(t.ids(), ["H-H1"]);
});

const idle: Record<string, { script: string; code: number; said: RegExp }> = {
  "left as it was": { script: "true", code: 0, said: /^Nothing changed/ },
  "ended with a line end": { script: 'echo >> "$1"', code: 0, said: /^Nothing changed/ },
  "emptied": { script: 'echo " " > "$1"', code: 0, said: /^Nothing changed/ },
  "removed": { script: 'rm -r "$(dirname "$1")"', code: 2, said: /removed the text; nothing was/ },
  "failed": {
    script: 'echo other > "$1"; exit 1',
    code: 2,
    said: /exited with 1; nothing was changed/,
  },
};

for (const [name, { script, code, said }] of Object.entries(idle)) {
  Deno.test(`a text that was ${name} changes nothing`, async () => {
    await using t = await tempStore({ entries: ["one"] });
    const before = t.read("history.ndjson");
    const run = await t.ctx(["edit", "H-H1"], { env: await editor(t, script) });
    assert.equal(run.code, code, run.stderr);
    assert.match(run.stdout + run.stderr, said);
    assert.equal(t.read("history.ndjson"), before);
  });
}

Deno.test("secrets that were typed in the editor are taken out, and no file stays behind", async () => {
  await using t = await tempStore({ entries: ["one"] });
  const temporary = await Deno.makeTempDir({ prefix: "ctx-test-" });
  const token = `ghp_${"a1B2".repeat(9)}`;
  const env = await editor(t, `echo "token ${token}" > "$1"`);
  const temp = { TMPDIR: temporary, TMP: temporary, TEMP: temporary };
  const run = await t.ctx(["edit", "H-H1"], { env: { ...env, ...temp } });
  assert.equal(run.code, 0, run.stderr);
  assert.ok(!t.read("history.ndjson").includes(token));
  assert.match(run.stderr, /1 secret replaced/);
  assert.deepEqual([...Deno.readDirSync(temporary)], []);
  await Deno.remove(temporary, { recursive: true });
});

Deno.test("an editor that is not there, and an entry that is not, are said", async () => {
  await using t = await tempStore({ entries: ["one"] });
  const missing = await t.ctx(["edit", "H-H1"], { env: { VISUAL: "/nowhere/editor" } });
  assert.equal(missing.code, 7);
  assert.match(missing.stderr, /"\/nowhere\/editor" cannot be started\nhint: set EDITOR/);
  assert.equal((await t.ctx(["edit", "H-none"])).code, 3);
  assert.equal((await t.fail("edit", { id: "H-H1" })).hint, "ctx save TEXT --supersedes H-H1");
});

async function editor(t: TempStore, script: string): Promise<{ EDITOR: string }> {
  const path = `${t.workspace}/editor.sh`;
  await Deno.writeTextFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { EDITOR: Deno.build.os === "windows" ? `sh ${path}` : path };
}
