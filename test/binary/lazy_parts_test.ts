// What is loaded lazily must work in the built file too.

import assert from "node:assert/strict";
import { llmEnv, ScriptedLlm } from "../support/servers/scripted_llm.ts";
import { tempStore } from "../support/stores/temp_store.ts";

Deno.test("documents, suites, models and settings work in the built file", async () => {
  await using t = await tempStore({
    entries: [{ id: "H-rotate", text: "We rotate refresh tokens on every use." }],
  });
  await Deno.writeTextFile(`${t.workspace}/page.md`, "---\ntitle: Page one\n---\n# A\n\ntokens\n");
  await using llm = new ScriptedLlm([{ text: "They rotate [H-rotate]." }]);
  const ctx = async (words: string[], stdin?: string): Promise<string> => {
    const result = await t.ctx(words, { env: llmEnv(llm), stdin });
    assert.equal(result.code, 0, result.stderr);
    return result.stdout + result.stderr;
  };
  assert.equal(
    await ctx(["docs", "add", "pages", "page.md"]),
    "pages: 1 document, 1 added (1 section written, 0 forgotten)\n",
  );
  assert.match(await ctx(["docs", "list", "pages"]), /Page one/);
  assert.match(await ctx(["ask", "how do tokens rotate?"]), /They rotate[\s\S]*llm/);
  assert.match(await ctx(["chat", "how do tokens rotate?"]), /They rotate/);
  assert.match(await ctx(["eval", "-"], "- query: how do tokens rotate?\n"), /1 of 1 passed/);
  t.write("config.jsonc", "{\n  // kept\n}\n");
  await ctx(["config", "set", "lock_timeout_ms", "2000"]);
  assert.match(t.read("config.jsonc"), /2000[\s\S]*\/\/ kept/);
  await Deno.mkdir(`${t.home}/.codex`);
  await Deno.writeTextFile(`${t.home}/.codex/config.toml`, 'model = "m"\n');
  assert.match(await ctx(["setup", "codex", "--dry-run"]), /\+\[mcp_servers\.ctx\]/);
});
