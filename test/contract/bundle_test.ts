// The form that ships is a bundle: what is loaded lazily must work there too.

import assert from "node:assert/strict";
import { llmEnv, ScriptedLlm } from "../support/scripted_llm.ts";
import { repository, runProcess } from "../support/run_ctx.ts";
import { tempStore } from "../support/temp_store.ts";

Deno.test("documents, suites, models and settings work in a bundle", async () => {
  await using t = await tempStore({
    entries: [{ id: "H-rotate", text: "We rotate refresh tokens on every use." }],
  });
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "-q",
      "--minify",
      "--code-splitting",
      "--outdir",
      `${t.workspace}/bundle`,
      "mod.ts",
    ],
    cwd: repository,
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  await Deno.writeTextFile(`${t.workspace}/page.md`, "---\ntitle: Page one\n---\n# A\n\ntokens\n");
  await using llm = new ScriptedLlm([{ text: "They rotate [H-rotate]." }]);
  const ctx = async (words: string[], stdin?: string): Promise<string> => {
    const program = [Deno.execPath(), "run", "-A", "--no-check", `${t.workspace}/bundle/mod.js`];
    const options = { cwd: t.workspace, env: { ...llmEnv(llm), HOME: t.workspace }, stdin };
    const result = await runProcess([...program, ...words], options);
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
  await Deno.mkdir(`${t.workspace}/.codex`);
  await Deno.writeTextFile(`${t.workspace}/.codex/config.toml`, 'model = "m"\n');
  assert.match(await ctx(["setup", "codex", "--dry-run"]), /\+\[mcp_servers\.ctx\]/);
});
