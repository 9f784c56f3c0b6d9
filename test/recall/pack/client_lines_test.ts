// A session's start does not repeat what the agent loads by itself, and says how much that saves.

import assert from "node:assert/strict";
import { homeOf } from "../../support/processes/run_ctx.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

async function madeStore(): Promise<TempStore> {
  return await tempStore({
    entries: [
      { type: "preference", text: "Always use pnpm to install packages" },
      { type: "preference", text: "Ask before you delete the data of a customer" },
      { type: "decision", text: "Sessions are kept in Redis for one hour" },
    ],
  });
}

interface Shown {
  text: string;
  left_out: { text?: string; why: string }[];
  notes: string[];
}

async function contextOf(t: TempStore, agent: string): Promise<Shown> {
  const { stdout } = await t.ctx(["context", "now", "--agent", agent, "--json"]);
  return JSON.parse(stdout);
}

Deno.test("what CLAUDE.md says is not sent to Claude Code, and is sent to others", async () => {
  await using t = await madeStore();
  const rules = "# Rules\n\n- **Always** use `pnpm` to install packages.\n";
  Deno.writeTextFileSync(`${t.workspace}/CLAUDE.md`, rules);
  const claude = await contextOf(t, "claude-code");
  assert.ok(!claude.text.includes("pnpm"));
  assert.ok(claude.text.includes("Redis") && claude.text.includes("customer"));
  const [left] = claude.left_out.filter(({ text }) => text?.includes("pnpm"));
  assert.equal(left.why, "the agent loads it from CLAUDE.md");
  assert.match(claude.notes.join(), /^1 line \(\d+ tokens\) not sent: the agent loads CLAUDE\.md$/);
  assert.ok((await contextOf(t, "codex")).text.includes("pnpm"));
});

Deno.test("the user's own files count too, but not what is beyond the agent's limit", async () => {
  await using t = await madeStore();
  const home = homeOf(t.workspace);
  const slug = t.workspace.replace(/[^A-Za-z0-9]/g, "-");
  const memory = `${home}/.claude/projects/${slug}/memory`;
  Deno.mkdirSync(memory, { recursive: true });
  const filler = Array.from({ length: 200 }, (_, at) => `- Line ${at}\n`).join("");
  const first = "- Sessions are kept in Redis for one hour\n";
  const late = "- Ask before you delete the data of a customer\n";
  Deno.writeTextFileSync(`${memory}/MEMORY.md`, first + filler + late);
  const { text } = await contextOf(t, "claude-code");
  assert.ok(!text.includes("Redis"), "the first lines are loaded");
  assert.ok(text.includes("customer"), "the last one is not");
});

Deno.test("a line that says more, or the opposite, is sent", async () => {
  await using t = await tempStore({
    entries: [
      {
        type: "preference",
        text: "Always use pnpm to install packages, except in the old docs folder",
      },
      { type: "preference", text: "Never push to main" },
      { type: "preference", text: "Store the derived totals" },
      { type: "preference", text: "Use npm and not yarn" },
    ],
  });
  const rules = "- Always use pnpm to install packages.\n- Push to main.\n" +
    "- Never store the derived totals.\n- Use yarn and not npm.\n";
  Deno.writeTextFileSync(`${t.workspace}/CLAUDE.md`, rules);
  const { text } = await contextOf(t, "claude-code");
  for (const words of ["docs folder", "Never push", "Store the derived", "Use npm and"]) {
    assert.ok(text.includes(words), words);
  }
});

Deno.test("what a rule found is not sent where the agent's file has a rule about it, in other words", async () => {
  const guess = { type: "preference", record: { by: "rules", grade: "derived" } };
  await using t = await tempStore({
    entries: [
      { ...guess, text: "never make draft prs" },
      { ...guess, text: "never squash the commits of a branch" },
      { type: "preference", text: "never force push branches" },
    ],
  });
  Deno.writeTextFileSync(
    `${t.workspace}/CLAUDE.md`,
    "Never create draft pull requests unless the user asks for a draft.\n\n" +
      "Do not push with force to main branches others use, unless told.\n",
  );
  const { text } = await contextOf(t, "claude-code");
  assert.ok(!text.includes("draft"));
  assert.ok(text.includes("squash"));
  assert.ok(text.includes("force push"), "what was saved is sent unless the file says it");
});
