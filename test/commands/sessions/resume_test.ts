// `ctx resume`: what sessions left, from facts, and how one is continued.

import assert from "node:assert/strict";
import { Memory } from "../../../src/cli/picker/memory.ts";
import { openContext } from "../../../src/app/app.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

interface Resumed {
  sessions: { id: string; left: string[]; workspace?: string }[];
  commands: { agent: string; command: string }[];
}

const source = { agent: "codex", conversation: "01990000-aaaa-7bbb-8ccc-ddddeeee0001" };
const asked = { role: "user" as const, text: "Make the retry count configurable, please." };
const rows = [
  { ...asked, session_id: "S-done" },
  { role: "assistant" as const, text: "It is configurable now.", session_id: "S-done" },
  { ...asked, session_id: "S-question" },
  {
    role: "assistant" as const,
    text: "Two ways are possible.\nShould the limit be per host?",
    session_id: "S-question",
  },
  {
    role: "user" as const,
    text: "Now write the documentation of the retry setting.",
    session_id: "S-open",
  },
].map((row, i) => ({
  ...row,
  ts: `2026-05-02T08:00:0${i}.000Z`,
  source: { ...source, conversation: `${source.conversation}-${row.session_id}` },
}));

Deno.test("resume lists sessions, newest first, with what they left", async () => {
  await using t = await tempStore({ entries: rows });
  const { sessions, commands } = await t.run<Resumed>("resume");
  assert.deepEqual(sessions.map(({ id }) => id), ["S-open", "S-question", "S-done"]);
  assert.deepEqual(sessions[0].left, [
    "Unanswered: Now write the documentation of the retry setting.",
  ]);
  assert.deepEqual(sessions[1].left, ["Asked you: Should the limit be per host?"]);
  assert.deepEqual(sessions[2].left, []);
  assert.deepEqual(commands, []);
});

Deno.test("resume --brief leaves out what is done", async () => {
  await using t = await tempStore({ entries: rows });
  const { sessions } = await t.run<Resumed>("resume", { brief: true });
  assert.deepEqual(sessions.map(({ id }) => id), ["S-open", "S-question"]);
});

Deno.test("resume of a session gives a command for its own agent and for the others", async () => {
  await using t = await tempStore({ entries: rows });
  const { commands } = await t.run<Resumed>("resume", { session: "S-open" });
  assert.deepEqual(commands[0], {
    agent: "codex",
    command: `cd ${t.workspace} && codex resume ${source.conversation}-S-open`,
  });
  assert.deepEqual(commands[1], {
    agent: "claude-code",
    command: "ctx handoff S-open --to claude-code",
  });
  assert.equal(commands.length, 5);
  assert.equal((await t.fail("resume", { session: "S-none" })).code, "NOT_FOUND");
});

Deno.test("a hostile conversation id is in no command, and a huge session is read at its end", async () => {
  const evil = { agent: "codex", conversation: "x; rm -rf ~" };
  const many = Array.from({ length: 5000 }, (_, i) => ({
    role: i % 2 === 0 ? "user" as const : "assistant" as const,
    text: i === 4999 ? "\x1b]0;owned\x07Shall I go on?" : `turn ${i}`,
    session_id: "S-1",
    source: evil,
  }));
  await using t = await tempStore({ entries: many });
  const { commands, sessions: [{ left }] } = await t.run<Resumed>("resume", { session: "S-1" });
  assert.ok(commands.every(({ command }) => !command.includes("rm -rf")));
  assert.equal(left.some((line) => line.includes("\x1b")), false);
  assert.match(left.join(), /Shall I go on\?/);
});

Deno.test("resume names files that a session edited and nobody committed", async () => {
  await using t = await tempStore({
    entries: [
      { ...asked, session_id: "S-1", source },
      {
        role: "assistant" as const,
        type: "tool_call",
        text: "edit: retry.ts",
        session_id: "S-1",
        source,
        files: ["retry.ts"],
        tool: { name: "apply_patch", effect: "edit" as const, call_id: "c1" },
      },
      { role: "assistant" as const, text: "Done.", session_id: "S-1", source },
    ].map((row) => ({ ...row, project: "WORKSPACE" })),
  });
  const git = async (...args: string[]): Promise<void> => {
    const { success, stderr } = await new Deno.Command("git", {
      args: ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args],
      cwd: t.workspace,
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
  };
  const log = `${t.workspace}/.contextfs/history.ndjson`;
  Deno.writeTextFileSync(log, Deno.readTextFileSync(log).replaceAll("WORKSPACE", t.workspace));
  await git("init", "-q");
  Deno.writeTextFileSync(`${t.workspace}/retry.ts`, "export {};\n");
  await git("add", "retry.ts");
  await git("commit", "-qm", "first");
  const left = async () => (await t.run<Resumed>("resume")).sessions[0].left;
  assert.deepEqual(await left(), []);
  Deno.writeTextFileSync(`${t.workspace}/retry.ts`, "export const retries = 3;\n");
  assert.deepEqual(await left(), ["Not committed: retry.ts"]);
});

Deno.test("resume finds a session of another project, and says where to hand it off from", async () => {
  await using there = await tempStore({ entries: rows });
  await using t = await tempStore();
  const lists = `${t.workspace}/home/.config`;
  Deno.mkdirSync(`${lists}/ctx`, { recursive: true });
  const env = (name: string): string | undefined => name === "XDG_CONFIG_HOME" ? lists : undefined;
  await there.run("resume", { brief: true }, { env });
  const { sessions, commands } = await t.run<Resumed>("resume", { session: "S-open" }, { env });
  assert.deepEqual(sessions.map(({ id, workspace }) => [id, workspace]), [
    ["S-open", there.workspace],
  ]);
  assert.equal(
    commands.at(-1)?.command,
    `ctx handoff S-open --to qwen --workspace ${there.workspace}`,
  );
  const gone = await t.fail("resume", { session: "S-none" }, { env });
  assert.match(gone.message, /none of your projects has it/);
});

Deno.test("resume and plain ctx offer the same session: no sub-agent's, quarantined or imported one", async () => {
  const later = ["S-child", "S-aside", "S-mem"].map((session_id, i) => ({
    ...{ ...asked, session_id, ts: `2026-05-03T08:00:0${i}.000Z` },
    source: { agent: session_id === "S-mem" ? "claude-mem" : "codex", conversation: session_id },
  }));
  const about = { ts: "2026-05-03T09:00:00.000Z" };
  const events = [
    { ...about, event: "imported", session_id: "S-child", source: "codex", parent: "S-open" },
    { ...about, event: "quarantined", session_id: "S-aside", quarantined: true },
  ].map((event) => JSON.stringify(event) + "\n").join("");
  await using t = await tempStore({
    entries: [...rows, ...later],
    files: { "sessions.ndjson": events },
  });
  const { sessions } = await t.run<Resumed>("resume");
  assert.deepEqual(sessions.map(({ id }) => id), ["S-open", "S-question", "S-done"]);
  using context = openContext({ workspace: t.workspace, env: () => undefined });
  const memory = new Memory(context);
  await memory.open();
  const { rows: [first] } = await memory.list("", { offset: 0, all: false, left: true });
  assert.deepEqual([first.id, first.title], ["S-open", "Left here by codex"]);
});
