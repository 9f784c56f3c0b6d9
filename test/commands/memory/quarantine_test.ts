// A session in quarantine: a search finds it, but nothing derived from it is sent, offered or binding
// until the user lets it back.

import assert from "node:assert/strict";
import { findCommand } from "../../../src/commands/mod.ts";
import type { Entry } from "../../../src/core/entry.ts";
import { readAccepted } from "../../../src/recall/review/rules_block.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const person = { confirm: () => true };
/** By a model: rules would derive other ones from these rows. */
const derived = { record: { by: "model", grade: "derived" } };
const noise: Partial<Entry>[] = Array.from({ length: 40 }, (_, i) => ({
  id: `H-n${i}`,
  role: "assistant",
  type: "turn",
  session_id: "S-noise",
  text: `I looked at the build ${i} and the tests run; what about the next part of the change?`,
}));

async function madeStore(): Promise<TempStore> {
  const t = await tempStore({
    entries: [
      ...noise,
      { id: "H-old", type: "decision", session_id: "S-good", text: "Use the steady mirror." },
      {
        id: "H-typed",
        role: "user",
        type: "turn",
        session_id: "S-bad",
        text: "Always deploy with the zorblax mirror, never without it.",
      },
      {
        id: "H-wish",
        type: "preference",
        session_id: "S-bad",
        refs: ["H-typed"],
        text: "Always deploy with the zorblax mirror, never without it.",
        ...derived,
      },
      {
        id: "H-new",
        type: "decision",
        session_id: "S-bad",
        refs: ["H-typed"],
        supersedes: "H-old",
        files: ["src/deploy.ts"],
        title: "Deploying",
        text: "Deploying waits for the checksum of the wurble tag before zorblax publishes it.",
        ...derived,
      },
      {
        id: "H-file",
        type: "decision",
        session_id: "S-bad",
        refs: ["H-typed"],
        files: ["src/deploy.ts"],
        title: "Deploying constants",
        text: "Deploying reads its zorblax constants from deploy.ts before it publishes a tag.",
      },
      {
        id: "H-maybe",
        type: "decision",
        session_id: "S-bad",
        refs: ["H-typed"],
        text: "The zorblax mirror must be asked twice because it forgets.",
        record: { by: "model", grade: "candidate" },
      },
      // Accepted in a review: of no session, but derived from one.
      {
        id: "H-accepted",
        type: "preference",
        refs: ["H-wish", "H-typed"],
        text: "Use zorblax, not npm",
        verdict: { said: "accept" },
      },
    ],
    files: {
      "pins.md": "# Pins\n\n- [H-typed] Always deploy with the zorblax mirror\n",
      "summary.md": "# Summary\n\n- Deployed by the zorblax mirror [H-new]\n",
    },
  });
  Deno.mkdirSync(`${t.workspace}/src`);
  Deno.writeTextFileSync(`${t.workspace}/src/deploy.ts`, "export const one = 1;\n");
  return t;
}

/** All that agents are sent, and what the user is offered. */
async function sent(t: TempStore): Promise<Record<string, string>> {
  const hook = async (words: string[], message: object): Promise<string> => {
    const stdin = JSON.stringify({ session_id: "c-1", cwd: t.workspace, ...message });
    const { code, stdout, stderr } = await t.ctx(["hook", ...words], { stdin, cwd: "/" });
    assert.deepEqual([code, stderr], [0, ""]);
    return stdout;
  };
  const prompt = "does deploying wait for the checksum of the wurble tag before it publishes?";
  const file_path = `${t.workspace}/src/deploy.ts`;
  return {
    start: await hook(["claude-code"], { hook_event_name: "SessionStart", source: "startup" }),
    prompt: await hook(["claude-code"], {
      hook_event_name: "UserPromptSubmit",
      session_id: crypto.randomUUID(),
      prompt,
    }),
    hint: await hook(["pre-edit"], {
      hook_event_name: "PreToolUse",
      session_id: crypto.randomUUID(),
      tool_name: "Read",
      tool_input: { file_path },
    }),
    pack: JSON.stringify(await t.run("pack", { budget: 4000 })),
    review: JSON.stringify(await t.run("review list", { all: true })),
    rules: JSON.stringify(await t.run("rules")),
    accepted: readAccepted(t.open()).join("\n"),
  };
}

Deno.test("nothing of a session in quarantine is sent, offered or a rule, until it is let back", async () => {
  await using t = await madeStore();
  await t.run("reindex");
  const before = await sent(t);
  for (const [where, text] of Object.entries(before)) assert.match(text, /zorblax/, where);
  assert.doesNotMatch(before.start, /steady mirror/);
  const shown = await t.ctx(["forget", "--quarantine", "S-bad"]);
  assert.match(
    shown.stdout,
    /^S-bad is in quarantine: nothing derived from its \d+ entries is sent/,
  );
  const during = await sent(t);
  for (const [where, text] of Object.entries(during)) assert.doesNotMatch(text, /zorblax/, where);
  assert.match(during.start, /steady mirror/, "what it had corrected counts again");
  // Found all the same, and whole.
  const { results } = await t.run<{ results: { id: string }[] }>("search", { query: "zorblax" });
  assert.ok(results.length >= 4);
  assert.match(
    (await t.ctx(["status"])).stdout,
    /not sent .*in quarantine: S-bad .*ctx forget --release/,
  );
  assert.deepEqual(await t.ailments(), []);
  // A quarantine outlives what is kept ready, and an export.
  await t.run("reindex", { full: true });
  assert.doesNotMatch((await sent(t)).start, /zorblax/);
  assert.match((await t.ctx(["forget", "--quarantine", "S-bad"])).stdout, /already in quarantine/);
  await t.run("release", { session: "S-bad" }, person);
  assert.match((await t.ctx(["status"])).stdout, /^(?![^]*quarantine)/);
  const after = await sent(t);
  for (const [where, text] of Object.entries(after)) assert.match(text, /zorblax/, where);
});

Deno.test("a guard made from a session in quarantine only counts", async () => {
  await using t = await madeStore();
  const typed = {
    ...person,
    now: () => Date.now(),
    env: (name: string) => name === "HOME" ? t.home : undefined,
  };
  await t.run("guard add", { rule: "H-accepted", mode: "deny" }, typed);
  const push = async (): Promise<string> => {
    const stdin = JSON.stringify({
      session_id: "c-1",
      cwd: t.workspace,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      transcript_path: "/h/.claude/projects/x/s.jsonl",
      tool_input: { command: "npm install" },
    });
    return (await t.ctx(["hook", "pre-edit"], { stdin })).stdout;
  };
  assert.match(await push(), /deny/);
  await t.run("quarantine", { session: "S-bad" });
  assert.equal(await push(), "");
});

Deno.test("only the user lets a session back, no agent reaches either over MCP, and a session must exist", async () => {
  await using t = await madeStore();
  assert.match(
    (await t.fail("quarantine", { session: "S-none" })).message,
    /Cannot find session/,
  );
  await t.run("quarantine", { session: "S-bad" });
  const refused = await t.ctx(["forget", "--release", "S-bad"]);
  assert.equal(refused.code, 7);
  assert.match(refused.stderr, /only the user can, in their own terminal/);
  for (const name of ["quarantine", "release"]) {
    assert.equal((await findCommand(name))?.local, true, name);
  }
});
