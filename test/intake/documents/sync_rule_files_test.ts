// The files that agents load by themselves are found by a search, with file and line, without asking.

import assert from "node:assert/strict";
import { syncCollection } from "../../../src/intake/documents/sync.ts";
import { syncRuleFiles } from "../../../src/intake/documents/sync_rule_files.ts";
import type { Store } from "../../../src/store/store.ts";
import { TempRepository } from "../../support/temp_repository.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";
import { hasLinks } from "../../support/not_on_windows.ts";
import { realPath } from "../../../src/core/platform_path.ts";

/** Where a search finds a word. */
async function placesOf(t: TempStore, word: string): Promise<string[]> {
  const { stdout } = await t.ctx(["search", word, "--json"]);
  const { results }: { results: Record<string, unknown>[] } = JSON.parse(stdout);
  return results.map(({ document, line }) => `${document}:${line}`);
}

/** What a background run of a user with this home directory does. */
function sync(store: Store, home?: string): ReturnType<typeof syncRuleFiles> {
  return syncRuleFiles(store, {
    env: () => home,
    now: Date.now,
    signal: new AbortController().signal,
    progress: () => {},
  });
}

function readHistory(t: TempStore): string {
  return Deno.readTextFileSync(`${t.workspace}/.contextfs/history.ndjson`);
}

function write(t: TempStore, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = `${t.workspace}/${name}`;
    Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    Deno.writeTextFileSync(path, text);
  }
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

Deno.test("a removed collection stays removed", async () => {
  await using t = await tempStore({ entries: [{ text: "hello" }] });
  write(t, { "AGENTS.md": "# Shop\n\n- Tabs.\n" });
  const store = t.open();
  assert.equal((await sync(store))?.documents, 1);
  assert.equal((await t.ctx(["docs", "remove", "rule-files", "--yes"])).code, 0);
  assert.equal(await sync(store), undefined);
});

Deno.test("home files never reach the log, and those of earlier versions are removed", async () => {
  await using t = await tempStore({ entries: [{ text: "hello" }] });
  const home = realPath(await Deno.makeTempDir());
  Deno.mkdirSync(`${home}/.claude`);
  Deno.mkdirSync(`${home}/.codex/memories`, { recursive: true });
  Deno.writeTextFileSync(`${home}/.claude/CLAUDE.md`, "# Mine\n\n- In quokka style.\n");
  Deno.writeTextFileSync(`${home}/.codex/memories/m.md`, "# Mine\n\n- Likes numbats.\n");
  write(t, { "CLAUDE.md": "# Shop\n\n- Tabs.\n\n@~/.claude/CLAUDE.md\n" });
  const store = t.open();
  assert.equal((await sync(store, home))?.documents, 1);
  assert.doesNotMatch(readHistory(t), /quokka|numbat/);
  // As earlier versions left it.
  const sources = ["CLAUDE.md", `${home}/.claude/CLAUDE.md`];
  const added = new Date().toISOString();
  await store.write("docs add", (writer) =>
    writer.appendRows(store.layout.collections, [
      { event: "added", collection: "rule-files", ts: added, sources },
    ]));
  await syncCollection(store, { name: "rule-files", sources, added }, {
    anywhere: true,
    now: Date.now,
    signal: new AbortController().signal,
    progress: () => {},
  });
  assert.equal((await placesOf(t, "quokka")).length, 1);
  assert.equal((await sync(store, home))?.removed, 1);
  assert.deepEqual(await placesOf(t, "quokka"), []);
  assert.equal((await t.ctx(["forget", "--gc", "--yes"])).code, 0);
  assert.doesNotMatch(readHistory(t), /quokka/);
  await Deno.remove(home, { recursive: true });
});

Deno.test("a workspace that is the home directory has no home files in its log", async () => {
  await using t = await tempStore({ entries: [{ text: "hello" }] });
  write(t, { ".claude/CLAUDE.md": "# Mine\n\n- In quokka style.\n" });
  assert.equal(await sync(t.open(), t.workspace), undefined);
  assert.doesNotMatch(readHistory(t), /quokka/);
});

Deno.test("in git, only tracked real files get in", async () => {
  await using t = await tempStore({ entries: [{ text: "hello" }] });
  const { workspace } = t;
  const repository = new TempRepository(workspace);
  await repository.git("init", "-q", "-b", "main");
  write(t, {
    ".gitignore": "*.key\n.env\nCLAUDE.local.md\n",
    "CLAUDE.md":
      "Shop.\n\n# Prices\n\n- By the zanzibar table.\n\n@config/master.key @docs/style.md\n",
    "docs/style.md": "# Style\n\n- Buttons are vermilion.\n",
    "CLAUDE.local.md": "# Mine\n\n- In quokka style.\n",
    "config/master.key": "numbat\n",
    ".env": "wombat\n",
    "docs/bilby.txt": "bilby\n",
    "web/AGENTS.md": "# Not added\n\n- The echidna.\n",
  });
  const links = { "AGENTS.md": ".env", "GEMINI.md": "CLAUDE.md", "QWEN.md": "docs/bilby.txt" };
  for (const [name, to] of hasLinks ? Object.entries(links) : []) {
    Deno.symlinkSync(to, `${workspace}/${name}`);
    await repository.git("add", name);
  }
  await repository.git("add", "CLAUDE.md", "docs", ".gitignore");
  assert.equal((await t.ctx(["reindex"])).code, 0);
  assert.deepEqual(await placesOf(t, "zanzibar"), ["CLAUDE.md:3"]);
  assert.deepEqual(await placesOf(t, "vermilion"), ["docs/style.md:1"]);
  assert.doesNotMatch(readHistory(t), /quokka|numbat|wombat|echidna|bilby/);
  // What git no longer tracks goes.
  await repository.git("rm", "-q", "--cached", "docs/style.md");
  await sync(t.open());
  assert.deepEqual(await placesOf(t, "vermilion"), []);
  // A repository that cannot be read tracks nothing that we know of.
  Deno.writeTextFileSync(`${workspace}/.git/index`, "damaged");
  assert.equal((await sync(t.open()))?.documents, 0);
});

Deno.test("outside git, only the rule files themselves get in", async () => {
  await using t = await tempStore({ entries: [{ text: "hello" }] });
  write(t, {
    "CLAUDE.md": "# Shop\n\n- Tabs.\n\n@config/master.key @web/AGENTS.md\n",
    "config/master.key": "numbat\n",
    "web/AGENTS.md": "# Web\n\n- Buttons are vermilion.\n",
    ".env": "wombat\n",
  });
  if (hasLinks) Deno.symlinkSync(".env", `${t.workspace}/AGENTS.md`);
  assert.equal((await sync(t.open()))?.documents, 2);
  assert.doesNotMatch(readHistory(t), /numbat|wombat/);
  assert.deepEqual(await placesOf(t, "vermilion"), ["web/AGENTS.md:1"]);
});

Deno.test("a file is read again if its time or size changed, whatever the time is", async () => {
  await using t = await tempStore({ entries: [{ text: "hello" }] });
  const path = `${t.workspace}/CLAUDE.md`;
  const [future, past] = [new Date("2100-01-01"), new Date("2001-01-01")];
  write(t, { "CLAUDE.md": "# Shop\n\n- The zanzibar table.\n" });
  Deno.utimeSync(path, future, future);
  const store = t.open();
  assert.equal((await sync(store))?.added, 1);
  assert.equal(await sync(store), undefined, "nothing changed");
  write(t, { "CLAUDE.md": "# Shop\n\n- The wombat table.\n" });
  Deno.utimeSync(path, past, past);
  assert.equal((await sync(store))?.updated, 1);
  const events = Deno.readTextFileSync(store.layout.collections);
  Deno.utimeSync(path, future, future);
  assert.equal((await sync(store))?.unchanged, 1);
  assert.equal(await sync(store), undefined, "nothing changed");
  assert.equal(Deno.readTextFileSync(store.layout.collections), events, "nothing to commit");
});
