import assert from "node:assert/strict";
import { type TempStore, tempStore } from "../support/temp_store.ts";

const conversation = "0b7c7f0e-5a55-4a07-9d3f-1f4d5ab1c0de";
const message = "9a1b7f0e-5a55-4a07-9d3f-1f4d5ab1c0de";
const source = { agent: "claude-code", conversation };
const entries = [
  {
    role: "user" as const,
    text: 'fix the "parser"\nplease',
    source: { ...source, message },
    project: "/home/me/my_project",
    branch: "main",
  },
  { role: "assistant" as const, type: "thinking", text: "hm", source },
  { role: "assistant" as const, text: "done", source, model: "claude-opus" },
  {
    role: "tool" as const,
    type: "tool_output",
    text: "ok",
    tool: { name: "Bash" },
    source,
  },
].map((entry) => ({ ...entry, session_id: "S-1" }));

async function readTranscript(t: TempStore, path: string): Promise<Record<string, unknown>[]> {
  const text = await Deno.readTextFile(path);
  assert.ok(text.endsWith("\n"), t.workspace);
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

Deno.test("restore writes a transcript where Claude Code looks for it, as one chain", async () => {
  await using t = await tempStore({ entries });
  const env = (name: string) => name === "HOME" ? t.workspace : undefined;
  const result = await t.run("restore", { session: "S-1" }, { env });
  const path = `${t.workspace}/.claude/projects/-home-me-my-project/${conversation}.jsonl`;
  assert.deepEqual([result.path, result.messages], [path, 3]);
  const lines = await readTranscript(t, path);
  assert.deepEqual(lines.map((line) => line.type), ["user", "assistant", "assistant"]);
  assert.deepEqual(lines.map((line) => line.parentUuid), [
    null,
    lines[0].uuid,
    lines[1].uuid,
  ]);
  assert.equal(lines[0].uuid, message);
  assert.deepEqual(lines[0].message, { role: "user", content: 'fix the "parser"\nplease' });
  assert.deepEqual([lines[0].cwd, lines[0].gitBranch, lines[0].sessionId], [
    "/home/me/my_project",
    "main",
    conversation,
  ]);
  const last = lines[2].message as { content: { text: string }[] };
  assert.equal(last.content[0].text, "[output of Bash]\nok");
});

Deno.test("restore never overwrites a transcript", async () => {
  await using t = await tempStore({ entries });
  const out = `${t.workspace}/out.jsonl`;
  await t.run("restore", { session: "S-1", out });
  const before = await Deno.readTextFile(out);
  const error = await t.fail("restore", { session: "S-1", out });
  assert.equal(error.code, "DENIED");
  assert.equal(await Deno.readTextFile(out), before);
});

Deno.test("restore gives the same bytes every time", async () => {
  await using t = await tempStore({ entries });
  await t.run("restore", { session: "S-1", out: "one.jsonl" });
  await t.run("restore", { session: "S-1", out: "two.jsonl" });
  const [one, two] = ["one", "two"].map((name) =>
    Deno.readTextFileSync(`${t.workspace}/${name}.jsonl`)
  );
  assert.equal(one, two);
});

Deno.test("restore of an unknown session is not found", async () => {
  await using t = await tempStore({ entries });
  assert.equal((await t.fail("restore", { session: "S-none" })).code, "NOT_FOUND");
});
