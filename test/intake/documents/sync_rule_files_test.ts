// The files that agents load by themselves are found by a search, with file and line, without asking.

import assert from "node:assert/strict";
import { syncRuleFiles } from "../../../src/intake/documents/sync_rule_files.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

/** Where a search finds a word. */
async function placesOf(t: TempStore, word: string): Promise<string[]> {
  const { stdout } = await t.ctx(["search", word, "--json"]);
  const { results }: { results: Record<string, unknown>[] } = JSON.parse(stdout);
  return results.map(({ document, line }) => `${document}:${line}`);
}

Deno.test("rules are searchable after a reindex, follow their file, and go with it", async () => {
  await using t = await tempStore({ entries: [{ text: "hello" }] });
  const path = `${t.workspace}/CLAUDE.md`;
  Deno.writeTextFileSync(path, "Shop.\n\n# Prices\n\n- Rounded by the zanzibar table.\n");
  Deno.mkdirSync(`${t.workspace}/web`);
  Deno.writeTextFileSync(`${t.workspace}/web/AGENTS.md`, "# Web\n\n- Buttons are vermilion.\n");
  assert.equal((await t.ctx(["reindex"])).code, 0);
  assert.deepEqual(await placesOf(t, "zanzibar"), ["CLAUDE.md:3"]);
  assert.deepEqual(await placesOf(t, "vermilion"), ["web/AGENTS.md:1"]);
  Deno.writeTextFileSync(path, "# Prices\n\n- Rounded by the wombat table.\n");
  Deno.removeSync(`${t.workspace}/web/AGENTS.md`);
  assert.equal((await t.ctx(["reindex"])).code, 0);
  assert.deepEqual(await placesOf(t, "wombat"), ["CLAUDE.md:1"]);
  assert.deepEqual([await placesOf(t, "zanzibar"), await placesOf(t, "vermilion")], [[], []]);
});

Deno.test("a removed collection stays removed; a store that git versions has none of the user's files", async () => {
  await using t = await tempStore({ entries: [{ text: "hello" }] });
  const home = await Deno.makeTempDir();
  Deno.mkdirSync(`${home}/.claude`);
  Deno.writeTextFileSync(`${home}/.claude/CLAUDE.md`, "# Mine\n\n- In quokka style.\n");
  Deno.writeTextFileSync(`${t.workspace}/AGENTS.md`, "# Shop\n\n- Tabs.\n");
  const around = {
    env: () => home,
    now: Date.now,
    signal: new AbortController().signal,
    progress: () => {},
  };
  const store = t.open();
  const own = Deno.readTextFileSync(`${t.workspace}/.contextfs/.gitignore`);
  Deno.writeTextFileSync(`${t.workspace}/.contextfs/.gitignore`, "/index/\n");
  assert.equal((await syncRuleFiles(store, around))?.documents, 1, "versioned");
  Deno.writeTextFileSync(`${t.workspace}/.contextfs/.gitignore`, own);
  assert.equal((await syncRuleFiles(store, around))?.documents, 2);
  assert.equal(await syncRuleFiles(store, around), undefined, "nothing changed");
  assert.equal((await t.ctx(["docs", "remove", "rule-files", "--yes"])).code, 0);
  assert.equal(await syncRuleFiles(store, around), undefined);
  await Deno.remove(home, { recursive: true });
});
