// Edits by a shell: the command names the file and nobody knows the lines, so another session in the file is
// told and never held. Seen before the command where an agent has a hook there, and after the turn elsewhere.

import assert from "node:assert/strict";
import { mayChangeFiles } from "../../../src/recall/live/shell_edits.ts";
import { homeOf } from "../../support/processes/run_ctx.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

Deno.test("who edits a file that another session changed by a shell is told once, and not held", async () => {
  await using t = await openProject();
  assert.equal(await shell(t, "codex-1", "cd src && sed -i 's/one/two/' a.ts 2>/dev/null"), "");
  const said = contextOf(await edit(t, "claude-1"));
  assert.match(
    said,
    /^ctx: Another live session \(codex\) changed src\/a\.ts just now\. One of you used a shell command, so ctx cannot tell whether you changed the same lines\. Check that the other changes are still there\.\n/,
  );
  assert.equal(await edit(t, "claude-1"), "", "once");
  assert.equal(await edit(t, "claude-2", "src/b.ts"), "", "another file");
  const { sessions } = JSON.parse((await t.ctx(["now", "--json"])).stdout);
  const codex = sessions.find(({ conversation }: { conversation: string }) =>
    conversation === "codex-1"
  );
  const [{ path, lines }, ...others] = codex.files;
  assert.deepEqual([path, lines, others], ["src/a.ts", "", []]);
});

Deno.test("a command that changes a file is told of another session's edit there; one that only reads is not", async () => {
  await using t = await openProject();
  assert.equal(await edit(t, "claude-1"), "");
  assert.equal(await shell(t, "claude-1", "echo > src/a.ts"), "", "its own");
  const reads = ["cat src/a.ts", "sed -n 1,9p src/a.ts 2>/dev/null", "grep one src/a.ts 2>&1"];
  for (const command of reads) assert.equal(await shell(t, "codex-1", command), "", command);
  assert.doesNotMatch(t.read("live.ndjson"), /codex-1/);
  for (const [i, command] of writes.entries()) {
    const said = contextOf(await shell(t, `codex-w${i}`, command));
    assert.match(said, /changed src\/a\.ts just now/, command);
  }
});

/** Each changes src/a.ts. */
const writes = [
  "perl -pi -e 's/one/two/' src/a.ts",
  "echo two > src/a.ts",
  "echo two | tee -a src/a.ts",
  "bash -c 'cat /tmp/x >> src/a.ts'",
  "sed --in-place s/one/two/ src/a.ts",
];

Deno.test("without a hook before commands, the log tells after the turn; an ended session is not live", async () => {
  await using t = await openProject();
  const conversation = "6a2e0c55-8b1b-4a9c-9a59-2f4f4d2f9a11";
  const folder = t.workspace.replace(/[^a-zA-Z0-9]/g, "-");
  const directory = `${homeOf(t.workspace)}/.claude/projects/${folder}`;
  Deno.mkdirSync(directory, { recursive: true });
  const transcript_path = `${directory}/${conversation}.jsonl`;
  const command = "sed -i s/one/two/ src/a.ts";
  const content = [{ type: "tool_use", id: "t1", name: "Bash", input: { command } }];
  const line = {
    uuid: "00000000-0000-4000-8000-000000000001",
    sessionId: conversation,
    cwd: t.workspace,
    timestamp: new Date().toISOString(),
    type: "assistant",
    message: { role: "assistant", content },
  };
  Deno.writeTextFileSync(transcript_path, `${JSON.stringify(line)}\n`);
  const send = async (hook_event_name: string): Promise<void> => {
    const message = { session_id: conversation, transcript_path, cwd: t.workspace };
    const stdin = JSON.stringify({ ...message, hook_event_name });
    assert.equal((await t.ctx(["hook", "claude-code"], { stdin })).code, 0);
  };
  const follow = async (): Promise<void> => {
    const left = { workspace: t.workspace, agent: "claude-code", conversation, moment: "turn" };
    assert.equal((await t.ctx(["hook", "follow", JSON.stringify(left)])).code, 0);
  };
  await send("Stop");
  await follow();
  await follow();
  assert.equal(t.read("live.ndjson").split(conversation).length - 1, 1, "noted once");
  assert.match(contextOf(await edit(t, "claude-2")), /\(claude-code.*changed src\/a\.ts/);
  await send("SessionEnd");
  await follow();
  assert.equal(await edit(t, "claude-3", "src/b.ts"), "");
  const { sessions } = JSON.parse((await t.ctx(["now", "--json"])).stdout);
  const live = sessions.map((session: { conversation: string }) => session.conversation);
  assert.ok(!live.includes(conversation), "it ended");
});

Deno.test("mayChangeFiles() passes over what only looks", () => {
  for (const command of writes) assert.ok(mayChangeFiles(command), command);
  for (const command of ["sed -n 1,20p a", "ls -la", "npm test 2>&1", "git diff 2>/dev/null"]) {
    assert.ok(!mayChangeFiles(command), command);
  }
});

async function openProject(): Promise<TempStore> {
  const t = await tempStore();
  Deno.mkdirSync(`${t.workspace}/src`);
  for (const name of ["a", "b"]) {
    Deno.writeTextFileSync(`${t.workspace}/src/${name}.ts`, "zero\none\nthree\n");
  }
  return t;
}

function edit(t: TempStore, session: string, file = "src/a.ts"): Promise<string> {
  return hook(t, "Edit", {
    session_id: session,
    transcript_path: `/home/u/.claude/projects/p/${session}.jsonl`,
    tool_input: { file_path: `${t.workspace}/${file}`, old_string: "one", new_string: session },
  });
}

function shell(t: TempStore, session: string, command: string): Promise<string> {
  return hook(t, "Bash", {
    session_id: session,
    transcript_path: `/home/u/.codex/sessions/${session}.jsonl`,
    tool_input: { command },
  });
}

async function hook(t: TempStore, tool_name: string, message: object): Promise<string> {
  const base = { cwd: t.workspace, hook_event_name: "PreToolUse", tool_name };
  const stdin = JSON.stringify({ ...base, ...message });
  const { code, stdout, stderr } = await t.ctx(["hook", "pre-edit"], { stdin });
  assert.deepEqual([code, stderr], [0, ""]);
  return stdout;
}

/** What is told beside an edit that goes on. */
function contextOf(stdout: string): string {
  const { permissionDecision, additionalContext } = JSON.parse(stdout).hookSpecificOutput;
  assert.equal(permissionDecision, undefined);
  return additionalContext;
}
