import assert from "node:assert/strict";
import { claudeCode } from "../../../../src/intake/sources/claude_code/claude_code.ts";
import { parseClaudePrompt } from "../../../../src/intake/sources/claude_prompt.ts";
import { collect } from "../../../support/collect.ts";
import { fromFileUrl } from "../../../../src/core/platform_path.ts";

const sample = fromFileUrl(new URL("../../../samples/claude-code/projects", import.meta.url));

Deno.test("claudeCode keeps files, commits, usage, branch, model and titles", async () => {
  const { sessions: [main, agent] } = await collect(claudeCode, sample);
  const [prompt, , , edit, , , bash] = main.entries;
  assert.deepEqual(prompt.files, ["src/auth.ts"]);
  assert.deepEqual(edit.files, ["src/auth.ts"]);
  assert.equal(edit.tool?.effect, "edit");
  assert.deepEqual(edit.usage, {
    id: "msg_1",
    input_tokens: 10,
    output_tokens: 42,
    cache_read_tokens: undefined,
    cache_write_tokens: undefined,
  });
  assert.deepEqual(bash.commits, ["1a2b3c4"]);
  assert.equal(bash.tool?.name, "Bash");
  assert.equal(edit.branch, "feature/login");
  assert.equal(edit.model, "claude-sample");
  assert.equal(main.details.title, "Login form");
  assert.deepEqual(main.details.titles, [{
    message: "uuid-of-elsewhere",
    title: "A title of another session",
  }]);
  assert.equal(agent.session.parent, main.session.id);
  assert.equal(agent.details.title, "Find forms");
});

Deno.test("parseClaudePrompt() tells prompts from what the harness wrote", () => {
  assert.deepEqual(parseClaudePrompt("<ide_selection>x</ide_selection>\nFix it"), {
    kind: "prompt",
    text: "Fix it",
  });
  const command =
    "<command-message>init</command-message>\n<command-name>/init</command-name>\n<command-args>now</command-args>";
  assert.deepEqual(parseClaudePrompt(command), { kind: "prompt", text: "/init now" });
  for (
    const text of [
      "<system-reminder>x</system-reminder>",
      "Caveat: The messages below…",
      "[Request interrupted by user]",
      "<local-command-stdout>ok</local-command-stdout>",
    ]
  ) {
    assert.deepEqual(parseClaudePrompt(text), { kind: "harness" }, text);
  }
  assert.deepEqual(parseClaudePrompt("<bash-stdout>ok</bash-stdout>"), {
    kind: "output",
    text: "ok",
  });
});

Deno.test("what Claude Code puts after an unanswered prompt is no answer", async () => {
  const root = await Deno.makeTempDir();
  const line = (n: number, message: object) => ({
    uuid: `u${n}`,
    parentUuid: n === 0 ? null : `u${n - 1}`,
    timestamp: `2026-05-02T08:00:0${n}.000Z`,
    sessionId: "s1",
    cwd: "/work/app",
    type: n === 0 ? "user" : "assistant",
    message,
  });
  const said = (model: string) => ({
    role: "assistant",
    model,
    content: [{ type: "text", text: "No response requested." }],
  });
  const lines = [
    line(0, { role: "user", content: "Go on" }),
    line(1, said("<synthetic>")),
    line(2, said("claude-sample")),
  ];
  await Deno.mkdir(`${root}/-work-app`);
  await Deno.writeTextFile(
    `${root}/-work-app/s1.jsonl`,
    lines.map((one) => JSON.stringify(one) + "\n").join(""),
  );
  const { sessions: [{ entries }] } = await collect(claudeCode, root);
  assert.deepEqual(entries.map(({ role, model }) => [role, model]), [
    ["user", undefined],
    ["assistant", "claude-sample"],
  ]);
  await Deno.remove(root, { recursive: true });
});
