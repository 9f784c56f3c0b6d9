// Hints in a project that only has `ctx init` and hooks: what one session did and why is known to the next
// when it reads the file, because the hooks' own work in the background made it so.

import assert from "node:assert/strict";
import { dirname } from "node:path";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const file = "src/limiter.ts";
const written = [
  "export function takeToken(bucket: Bucket): boolean {",
  "  bucket.refill(clock.now() - bucket.touched);",
  "  return bucket.tokens-- > 0;",
  "}",
];
const message = "Limit requests by account in memory\n\n" +
  "Keep the buckets in memory instead of Redis, because a round trip doubles the latency. " +
  "Accounts are bound to one machine by the balancer, so no two machines count the same account, " +
  "and a restart that forgets the buckets lets at most one burst through, which the gateway " +
  "behind it takes well. Redis stays for the sessions, which have to survive a restart, and its " +
  "client is still opened at the start so that a missing server is noticed early.";

Deno.test("the second session of a project is told of the first one's decision, when it reads the file", async () => {
  await using t = await tempStore();
  Deno.mkdirSync(`${t.workspace}/src`);
  Deno.writeTextFileSync(`${t.workspace}/${file}`, `${written.join("\n")}\n`);
  const first = { session_id: "first", cwd: t.workspace, transcript_path: writeTranscript(t) };
  for (const hook_event_name of ["Stop", "SessionEnd"]) {
    await hook(t, "claude-code", { ...first, hook_event_name });
  }
  const second = { session_id: "second", cwd: t.workspace, hook_event_name: "PreToolUse" };
  const input = { file_path: `${t.workspace}/${file}` };
  const read = { ...second, tool_name: "Read", tool_input: input };
  const told = JSON.parse(await hook(t, "pre-edit", read)).hookSpecificOutput.additionalContext;
  assert.match(told, /Keep the buckets in memory instead of Redis, because a round trip/);
  // Stashed for a test and taken back: nothing was given up.
  assert.doesNotMatch(told, /revert|stash|dropped/i);
  const edit = { ...input, old_string: written.slice(1, 3).join("\n"), new_string: "" };
  assert.equal(await hook(t, "pre-edit", { ...second, tool_name: "Edit", tool_input: edit }), "");
});

Deno.test("a decision is told at the files of its commit: not at others of its session, nor at lock files", async () => {
  await using t = await tempStore();
  const rows = [file, "desk/src/label.rs", "deno.lock", ".planning/STATE.md"];
  for (const path of rows) {
    Deno.mkdirSync(dirname(`${t.workspace}/${path}`), { recursive: true });
    Deno.writeTextFileSync(`${t.workspace}/${path}`, `${written.join("\n")}\n`);
  }
  const path = writeTranscript(t, {
    before: ["desk/src/label.rs"],
    with: ["deno.lock", ".planning/STATE.md"],
  });
  const first = { session_id: "first", cwd: t.workspace, transcript_path: path };
  for (const hook_event_name of ["Stop", "SessionEnd"]) {
    await hook(t, "claude-code", { ...first, hook_event_name });
  }
  const told: string[] = [];
  for (const path of rows) {
    const input = { file_path: `${t.workspace}/${path}` };
    // Read, and then some of its lines are replaced, each in a session of its own.
    for (const more of [{}, { old_string: written.slice(0, 3).join("\n"), new_string: "" }]) {
      const answer = await hook(t, "pre-edit", {
        session_id: `second ${path} ${Object.keys(more).length}`,
        cwd: t.workspace,
        hook_event_name: "PreToolUse",
        tool_name: "old_string" in more ? "Edit" : "Read",
        tool_input: { ...input, ...more },
      });
      if (/Keep the buckets in memory/.test(answer)) told.push(path);
    }
  }
  assert.deepEqual(told, [file, file]);
});

async function hook(t: TempStore, agent: string, message: object): Promise<string> {
  const { code, stdout, stderr } = await t.ctx(["hook", agent], { stdin: JSON.stringify(message) });
  assert.deepEqual([code, stderr], [0, ""]);
  return stdout;
}

/** The conversation of a session as Claude Code keeps it. */
function writeTranscript(
  t: TempStore,
  edited: { before?: string[]; with?: string[] } = {},
): string {
  const rows: object[] = [];
  const add = (role: "user" | "assistant", content: unknown): void => {
    const before = rows.length === 0 ? null : `m${rows.length}`;
    rows.push({
      type: role,
      uuid: `m${rows.length + 1}`,
      parentUuid: before,
      sessionId: "first",
      cwd: t.workspace,
      timestamp: new Date(Date.UTC(2026, 0, 1, 10, rows.length)).toISOString(),
      message: { role, content },
    });
  };
  const call = (id: string, name: string, input: object, output: string): void => {
    add("assistant", [{ type: "tool_use", id, name, input }]);
    add("user", [{ type: "tool_result", tool_use_id: id, content: output }]);
  };
  add("user", "Limit the requests of an account with a token bucket");
  const content = `${written.join("\n")}\n`;
  const write = (path: string): void =>
    call(`c-${path}`, "Write", { file_path: `${t.workspace}/${path}`, content }, "File created");
  for (const path of edited.before ?? []) write(path);
  if (edited.before !== undefined) {
    const subject = "Print labels for the desk";
    const command = `git add -A && git commit -m "${subject}"`;
    call("c0", "Bash", { command }, `[main 0a1b2c3] ${subject}\n 1 file`);
  }
  for (const path of [file, ...edited.with ?? []]) write(path);
  call(
    "c2",
    "Bash",
    { command: "git stash && deno test; git stash pop" },
    "ok | 3 passed\nDropped",
  );
  const command = `git commit -m "$(cat <<'EOF'\n${message}\nEOF\n)"`;
  call("c3", "Bash", { command }, "[main 1a2b3c4] Limit requests by account in memory\n 1 file");
  add("assistant", [{
    type: "text",
    text: "Requests are limited by account, and it is committed.",
  }]);
  const directory = `${t.home}/.claude/projects/app`;
  Deno.mkdirSync(directory, { recursive: true });
  Deno.writeTextFileSync(
    `${directory}/first.jsonl`,
    rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
  );
  return `${directory}/first.jsonl`;
}
