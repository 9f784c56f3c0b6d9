// `ctx resume` on a real terminal: choose a session, see where it stood, choose an agent.

import assert from "node:assert/strict";
import { hasTmux, Pty } from "../../support/processes/pty.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const conversation = "01990000-aaaa-7bbb-8ccc-ddddeeee0001";
const entries = ["S-old", "S-new"].flatMap((session_id, i) =>
  [
    { role: "user" as const, text: `Write the documentation of ${session_id}.` },
    { role: "assistant" as const, text: `Shall ${session_id} name the limit?` },
  ].map((row, at) => ({
    ...row,
    session_id,
    ts: `2026-05-02T08:00:${i}${at}.000Z`,
    source: { agent: "codex", conversation: `${conversation}-${i}` },
  }))
);

const ignore = !hasTmux();

Deno.test({
  name: "resume on a terminal: a session, where it stood, its own agent's command",
  ignore,
  async fn() {
    await using t = await tempStore({ entries });
    await using pty = await Pty.start(["resume"], { cwd: t.workspace, columns: 100, rows: 20 });
    const first = await pty.until(/▌.*codex.*S-new/);
    assert.match(first, /Asked you: Shall S-new name the limit\?/);
    await pty.press("Down");
    await pty.until(/▌.*S-old[\s\S]*Asked you: Shall S-old/);
    await pty.press("Enter");
    await pty.until(/▌ codex[\s\S]*claude-code[\s\S]*codex resume/);
    await pty.press("Escape");
    await pty.until(/▌.*S-old/);
    await pty.press("Enter");
    await pty.until(/▌ codex/);
    await pty.press("Enter");
    const left = await pty.until(/exit 0/);
    assert.match(left, new RegExp(`cd .* && codex resume ${conversation}-0`));
    assert.doesNotMatch(left, /▌/);
  },
});

Deno.test({
  name: "another agent gets the session, and the command is printed",
  ignore,
  async fn() {
    await using t = await tempStore({ entries });
    const words = ["resume", "--workspace", t.workspace];
    await using pty = await Pty.start(words, { cwd: "/", columns: 100, rows: 20 });
    await pty.until(/▌.*S-new/);
    await pty.press("Enter");
    await pty.until(/▌ codex/);
    await pty.press("Down");
    await pty.until(/▌ claude-code[\s\S]*ctx handoff S-new --to claude-code/);
    await pty.press("Enter");
    const left = await pty.until(/exit 0/);
    assert.match(left, /Resume: .*claude --resume /);
    assert.match(left, /Undo: ctx undo A-/);
  },
});

Deno.test({
  name: "escape leaves it, and without a terminal there is the list",
  ignore,
  async fn() {
    await using t = await tempStore({ entries });
    await using pty = await Pty.start(["resume"], { cwd: t.workspace });
    await pty.until(/▌.*S-new/);
    await pty.press("Escape");
    assert.doesNotMatch(await pty.until(/exit 0/), /codex/);
    const { stdout } = await t.ctx(["resume"]);
    assert.match(stdout, /^S-new\t/);
  },
});
