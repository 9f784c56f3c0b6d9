import assert from "node:assert/strict";
import { claudeCode } from "../../../../src/intake/sources/claude_code/claude_code.ts";
import { parseWithoutResult } from "../../../../src/intake/sources/claude_code/read_claude.ts";
import { parseClaudePrompt } from "../../../../src/intake/sources/claude_prompt.ts";
import { collect } from "../../../support/collect.ts";
import { fixtureRoot, readFixtures } from "../../../support/fixtures.ts";

const sample = new URL("../../../samples/claude-code/projects", import.meta.url).pathname;

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

Deno.test("parseWithoutResult() leaves lines of another shape to the whole parser", () => {
  const line = '{"uuid":"u","cwd":"/w","message":{},"toolUseResult":{"agentId":"a1"}}';
  assert.deepEqual(parseWithoutResult(line), {
    uuid: "u",
    cwd: "/w",
    message: {},
    toolUseResult: { agentId: "a1" },
  });
  assert.deepEqual(
    parseWithoutResult(
      '{"uuid":"u","message":{},"toolUseResult":{"stdout":"a","cwd":"/x"},"userType":"e","cwd":"/w","version":"2.1.114","gitBranch":"main"}',
    ),
    { uuid: "u", message: {}, cwd: "/w", gitBranch: "main" },
  );
  for (const result of ['{"cwd":"/x"}', '{"a":1,"cwd":"/x"}', '"no cwd"']) {
    const only = `{"uuid":"u","message":{},"toolUseResult":${result}}`;
    assert.equal(parseWithoutResult(only), undefined, "the whole line may know more");
    assert.equal(parseWithoutResult(only.replace(/}$/, ',"n":{"b":1}}')), undefined);
  }
  assert.equal(parseWithoutResult('{"toolUseResult":{},"uuid":"u","message":{}}'), undefined);
  assert.equal(parseWithoutResult('{"message":{"a":1,"toolUseResult":2},"uuid":"u"}'), undefined);
  assert.equal(
    parseWithoutResult('{"uuid":"u","message":{},"toolUseResult":{"x":"cut{"parentUuid":null}'),
    undefined,
  );
});

Deno.test("claudeCode gives the same rows with and without the shortcut over tool results", async () => {
  for (const { path, source, kind } of readFixtures()) {
    if (source !== "claude-code" || !path.endsWith(".jsonl") || kind === "derived") continue;
    for (const line of Deno.readTextFileSync(`${fixtureRoot}/${path}`).split("\n")) {
      const short = line === "" ? undefined : parseWithoutResult(line);
      if (short === undefined) continue;
      const whole = JSON.parse(line);
      for (
        const name of ["uuid", "message", "timestamp", "type", "cwd", "gitBranch", "isSidechain"]
      ) {
        assert.deepEqual((short as Record<string, unknown>)[name], whole[name], path);
      }
    }
  }
  await Promise.resolve();
});
