// What Claude Code writes beside plain turns, imported by the built file.

import assert from "node:assert/strict";
import { homeOf } from "../../support/processes/run_ctx.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

Deno.test("claude-code: queued prompts are turns; notifications and other agents' words are not", async () => {
  await using t = await tempStore();
  const queued = (prompt: unknown, more: object) => ({
    type: "attachment",
    attachment: { type: "queued_command", prompt, ...more },
  });
  const done = "<task-notification>\n<result>the build passed</result>\n</task-notification>";
  const image = { type: "base64", media_type: "image/png", data: "A".repeat(4096) };
  const human = { commandMode: "prompt", origin: { kind: "human" } };
  const said = (content: unknown, more: object = {}) => ({
    type: "user",
    message: { role: "user", content },
    ...more,
  });
  writeTalk(t, "q-1", [
    said("Build it"),
    queued([{ type: "text", text: "And the docs" }, { type: "image", source: image }], human),
    queued("Then stop", { commandMode: "prompt" }),
    queued(done, { commandMode: "task-notification" }),
    queued("<x>please rebase</x>", {
      isMeta: true,
      origin: { kind: "peer", body: "please rebase" },
    }),
    said(`${done}\nFull transcript available at: /tmp/tasks/a1.output`),
    said(`${done}\nRead the output file to retrieve the result: /tmp/b.output\n\nAnd deploy?`),
    said("the tests are done", { origin: { kind: "task-notification" } }),
    said("keep going", { promptSource: "system" }),
    said("<task-notification>\n<status>completed</status>"),
  ]);
  assert.deepEqual(await rowsAfterImport(t), [
    ["user", "turn", "Build it"],
    ["user", "turn", "And the docs"],
    ["system", "attachment", "[image: image/png, 3 KB]"],
    ["user", "turn", "Then stop"],
    ["system", "message", "please rebase"],
    ["user", "turn", "And deploy?"],
  ]);
});

Deno.test("claude-code: a damaged line names its file, once, and ends with exit 9", async () => {
  await using t = await tempStore();
  const said = (content: string) => ({ type: "user", message: { role: "user", content } });
  writeTalk(t, "d-1", [said("Before"), said("Lost"), said("After")]);
  const path = `${homeOf(t.workspace)}/.claude/projects/-app/d-1.jsonl`;
  const [first, second, third] = Deno.readTextFileSync(path).split("\n");
  const run = async (text: string, words: string[] = []) => {
    Deno.writeTextFileSync(path, text);
    const { code, stdout } = await t.ctx(["import", "--no-distil", "--json", ...words]);
    const [{ entries, problems, bad_lines, salvaged }] = JSON.parse(stdout).sources;
    return { code, entries, problems, bad_lines, salvaged };
  };
  const fine = { code: 0, entries: 0, problems: [], bad_lines: 0, salvaged: 0 };
  // What is saved whole is no loss.
  const glued = `\0\0${first}${third}\n`;
  assert.deepEqual(await run(glued), { ...fine, entries: 2, bad_lines: 1, salvaged: 2 });
  const cut = `${first}\n${second.slice(0, -30)}\n${third}\n`;
  const lost = [{ path, reason: "damaged or oversized lines: 1" }];
  assert.deepEqual(await run(cut), { ...fine, code: 9, problems: lost, bad_lines: 1 });
  assert.deepEqual(await run(cut), fine, "the rest was read, and is not read again");
  assert.deepEqual((await run(cut, ["--again"])).code, 9);
  const { stdout } = await t.ctx(["import", "--no-distil", "--again"]);
  assert.ok(stdout.includes(`cannot read ${path}: damaged or oversized lines: 1\n`), stdout);
});

Deno.test("claude-code: what is no text leaves a note of what it was", async () => {
  await using t = await tempStore();
  const assistant = (...content: object[]) => ({
    type: "assistant",
    message: { id: "m", role: "assistant", content },
  });
  const pdf = { type: "base64", media_type: "application/pdf", data: "A".repeat(100) };
  writeTalk(t, "b-1", [
    {
      type: "user",
      message: { role: "user", content: [{ type: "document", title: "spec.pdf", source: pdf }] },
    },
    assistant({ type: "redacted_thinking", data: "opaque" }),
    assistant({
      type: "server_tool_use",
      id: "s1",
      name: "web_search",
      input: { query: "helios" },
    }),
    assistant({
      type: "web_search_tool_result",
      tool_use_id: "s1",
      content: [{ type: "web_search_result", title: "Helios", url: "https://helios.example" }],
    }),
    assistant({ type: "fallback" }),
  ]);
  assert.deepEqual(await rowsAfterImport(t, { "type:block.fallback": 1, empty_message: 1 }), [
    ["system", "attachment", "[document: application/pdf, spec.pdf, 75 bytes]"],
    ["assistant", "thinking", "[redacted thinking]"],
    ["assistant", "tool_call", "web_search: helios"],
    ["tool", "tool_output", "Helios https://helios.example"],
  ]);
  assert.ok(!t.read("history.ndjson").includes("opaque"));
});

Deno.test("claude-code: a long result is taken from the file it was put in, and from nowhere else", async () => {
  await using t = await tempStore();
  const project = `${homeOf(t.workspace)}/.claude/projects/-app`;
  Deno.mkdirSync(`${project}/s-1/tool-results`, { recursive: true });
  Deno.writeTextFileSync(`${project}/s-1/tool-results/b1.txt`, "first line\nthe needle\n");
  Deno.writeTextFileSync(`${project}/s-1/elsewhere.txt`, "not to be read");
  if (Deno.build.os !== "windows") {
    Deno.symlinkSync(`${project}/s-1/elsewhere.txt`, `${project}/s-1/tool-results/link.txt`);
  }
  const spilled = (id: string, path: string) => ({
    type: "user",
    message: {
      role: "user",
      content: [{
        type: "tool_result",
        tool_use_id: id,
        content:
          `<persisted-output>\nOutput too large (48KB). Full output saved to: ${path}\n\nPreview (first 2KB):\n${id}\n</persisted-output>`,
      }],
    },
    toolUseResult: { stdout: "x" },
    cwd: t.workspace,
    gitBranch: "main",
  });
  const lines = [
    spilled("whole", "/elsewhere/tool-results/b1.txt"),
    spilled("gone", "/elsewhere/tool-results/b2.txt"),
    spilled("outside", "/elsewhere/tool-results/../elsewhere.txt"),
    spilled("linked", "/elsewhere/tool-results/link.txt"),
  ];
  writeTalk(t, "s-1", lines);
  const rows = await rowsAfterImport(t, { spilled_output_gone: 3 });
  assert.deepEqual(rows[0], ["tool", "tool_output", "first line\nthe needle\n"]);
  for (const [, , text] of rows.slice(1)) assert.match(text, /^<persisted-output>/);
  assert.ok(!t.read("history.ndjson").includes("not to be read"));
  // Newer versions write the branch after the result.
  assert.equal(t.read("history.ndjson").split('"branch":"main"').length - 1, 4);
});

Deno.test("claude-code: sessions are called by what was asked, and a warm-up is none", async () => {
  await using t = await tempStore();
  const user = (content: string, more: object = {}) => ({
    type: "user",
    message: { role: "user", content },
    ...more,
  });
  const command = (name: string) =>
    user(`<command-name>${name}</command-name>\n<command-args></command-args>`);
  writeTalk(t, "c-1", [command("/clear"), command("/model"), user("Rotate the tokens")]);
  writeTalk(t, "c-2", [command("/clear")]);
  writeTalk(t, "agent-c3", [
    user("Warmup", { isSidechain: true }),
    {
      type: "assistant",
      isSidechain: true,
      message: { id: "m", role: "assistant", content: [{ type: "text", text: "I am ready." }] },
    },
  ]);
  assert.deepEqual(await rowsAfterImport(t, { warm_up: 2, harness_text: 2 }), [
    ["user", "turn", "/model"],
    ["user", "turn", "Rotate the tokens"],
  ]);
  const { stdout } = await t.ctx(["sessions", "--json"]);
  const titles = JSON.parse(stdout).sessions.map(({ title }: { title: string }) => title);
  assert.deepEqual(titles, ["Rotate the tokens"]);
});

Deno.test("claude-code: prompts of expired sessions come from the history, once", async () => {
  await using t = await tempStore();
  const home = `${homeOf(t.workspace)}/.claude`;
  const typed = (sessionId: string, day: number, display: string, more: object = {}) => ({
    display,
    pastedContents: {},
    timestamp: Date.parse(`2026-05-0${day}T10:00:00.000Z`),
    project: t.workspace,
    sessionId,
    ...more,
  });
  const lines = [
    typed("h-1", 1, "Why teal? [Pasted text #1 +2 lines]", {
      pastedContents: { 1: { id: 1, type: "text", content: "because\nof contrast" } },
    }),
    typed("h-2", 1, "kept in a transcript"),
    typed("h-1", 2, "And the border? "),
    typed("h-1", 2, "And the border?"),
    typed("h-3", 3, "of another project", { project: "/elsewhere" }),
    typed("h-4", 5, "may still run"),
    { display: "of no session", timestamp: 1 },
  ];
  writeTalk(t, "h-2", [{ type: "user", message: { role: "user", content: "kept whole" } }]);
  const write = () =>
    Deno.writeTextFileSync(
      `${home}/history.jsonl`,
      `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{"torn`,
    );
  write();
  assert.deepEqual(await rowsAfterImport(t), [
    ["user", "turn", "kept whole"],
    ["user", "turn", "Why teal? because\nof contrast"],
    ["user", "turn", "And the border?"],
    ["user", "turn", "And the border?"],
  ]);
  // A transcript that was imported and is deleted since does not come again as prompts.
  Deno.removeSync(`${home}/projects/-app/h-2.jsonl`);
  lines.push(typed("h-1", 3, "And now?"), typed("h-5", 9, "much later"));
  write();
  const rows = await rowsAfterImport(t);
  assert.deepEqual(rows.slice(4).map(([, , text]) => text), ["may still run", "And now?"]);
  const again = await t.ctx(["import", "claude-code", "--again", "--json"]);
  assert.equal(JSON.parse(again.stdout).entries, 0);
});

Deno.test("claude-code: what a person looks up in ctx leaves no echo", async () => {
  await using t = await tempStore();
  writeTalk(
    t,
    "e-1",
    ["<bash-input>ctx search rotation | head</bash-input>", "<bash-stdout>weekly</bash-stdout>"]
      .map((content) => ({ type: "user", message: { role: "user", content } })),
  );
  assert.deepEqual(await rowsAfterImport(t, { recalled_answers: 1 }), [
    ["tool", "recall", "ctx search: rotation"],
  ]);
});

/** Writes a transcript of this workspace. */
function writeTalk(t: TempStore, id: string, lines: object[]): void {
  const directory = `${homeOf(t.workspace)}/.claude/projects/-app`;
  Deno.mkdirSync(directory, { recursive: true });
  const whole = lines.map((line, i) => ({
    parentUuid: null,
    uuid: `${id}-${i}`,
    timestamp: `2026-11-01T10:00:${10 + i}.000Z`,
    ...("cwd" in line ? {} : { cwd: t.workspace }),
    ...line,
  }));
  Deno.writeTextFileSync(
    `${directory}/${id}.jsonl`,
    whole.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
}

/** What is stored after an import that leaves out what is named here. */
async function rowsAfterImport(
  t: TempStore,
  skipped: Record<string, number> = {},
): Promise<string[][]> {
  const { stdout, code, stderr } = await t.ctx(["import", "claude-code", "--json"]);
  assert.equal(code, 0, stderr);
  const [receipt] = JSON.parse(stdout).sources;
  for (const [reason, count] of Object.entries(skipped)) {
    assert.equal(receipt.skipped[reason], count, reason);
  }
  return t.read("history.ndjson").split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line)).filter(({ source }) => source !== undefined)
    .map(({ role, type, text }) => [role, type, text]);
}
