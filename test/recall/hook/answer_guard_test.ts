// Rules that bind, as agents meet them: the hook before a tool, and at the end of a turn.

import assert from "node:assert/strict";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const person = { confirm: () => true, now: () => Date.now() };

Deno.test("a guard that denies stops the command in the form of each agent; others go on", async () => {
  await using t = await tempStore();
  await guard(t, "never push to main", "deny");
  const push = { tool_name: "Bash", tool_input: { command: "git add -A && git push origin main" } };
  const claude = await tool(t, { ...push, transcript_path: "/h/.claude/projects/x/s.jsonl" });
  assert.equal(claude.hookSpecificOutput.permissionDecision, "deny");
  const said = claude.hookSpecificOutput.permissionDecisionReason;
  assert.match(said, /The user's rule: "never push to main" \(push-main, since \d{4}-\d\d-\d\d\)/);
  assert.match(said, /Only the user can allow it once.*ctx guard pass push-main/);
  const codex = await tool(t, {
    ...push,
    transcript_path: "/h/.codex/sessions/s.jsonl",
    tool_input: { command: ["bash", "-lc", "git push origin HEAD:main"] },
  });
  assert.equal(codex.hookSpecificOutput.permissionDecision, "deny");
  const gemini = await tool(t, {
    ...push,
    hook_event_name: "BeforeTool",
    tool_name: "run_shell_command",
  });
  assert.equal(gemini.decision, "deny");
  const cursor = await tool(t, {
    hook_event_name: "beforeShellExecution",
    command: "git push origin main",
  });
  assert.equal(cursor.permission, "deny");
  for (const command of ["git push origin work", "git status", "echo git push origin main"]) {
    assert.equal(await tool(t, { tool_name: "Bash", tool_input: { command } }), undefined, command);
  }
});

Deno.test("a new guard only counts, an ask asks who can ask, and what nobody approved here only counts", async () => {
  await using t = await tempStore();
  await guard(t, "use pnpm, not npm");
  await guard(t, "never commit without asking me", "ask");
  const npm = { tool_name: "Bash", tool_input: { command: "npm i" } };
  assert.equal(await tool(t, npm), undefined);
  const commit = { tool_name: "Bash", tool_input: { command: "git commit -m x" } };
  const claude = await tool(t, { ...commit, transcript_path: "/h/.claude/s.jsonl" });
  assert.equal(claude.hookSpecificOutput.permissionDecision, "ask");
  const codex = await tool(t, { ...commit, transcript_path: "/h/.codex/s.jsonl" });
  assert.equal(codex.hookSpecificOutput.permissionDecision, undefined);
  assert.match(codex.hookSpecificOutput.additionalContext, /never commit without asking/);
  // Made stricter in the file, by a clone or an agent: it waits for the user.
  t.write("guards.jsonc", t.read("guards.jsonc").replace('"shadow"', '"deny"'));
  assert.equal(await tool(t, npm), undefined);
  const { events } = await t.run<{ events: { mode: string; guard: string }[] }>("guard log");
  assert.deepEqual(events.map(({ guard, mode }) => `${guard} ${mode}`), [
    "pnpm-npm shadow",
    "commit-without-asking ask",
    "commit-without-asking ask",
    "pnpm-npm shadow",
  ]);
});

Deno.test("edits are stopped by what they add; guards themselves are not an agent's to change", async () => {
  await using t = await tempStore();
  await guard(t, "no default exports", "deny");
  const write = (file_path: string, content: string) =>
    tool(t, {
      tool_name: "Write",
      tool_input: { file_path: `${t.workspace}/${file_path}`, content },
    });
  const denied = await write("src/a.ts", "export default 1;\n");
  assert.match(denied.hookSpecificOutput.permissionDecisionReason, /Found: export default 1;/);
  assert.equal(await write("src/a.md", "export default 1;\n"), undefined);
  const own = await write(".contextfs/guards.jsonc", "{}");
  assert.equal(own.hookSpecificOutput.permissionDecision, "deny");
  const bash = {
    tool_name: "Bash",
    tool_input: { command: "echo '{}' > .contextfs/guards.jsonc" },
  };
  assert.equal((await tool(t, bash)).hookSpecificOutput.permissionDecision, "deny");
  const look = { tool_name: "Bash", tool_input: { command: "cat .contextfs/guards.jsonc" } };
  assert.equal(await tool(t, look), undefined);
});

Deno.test("an agent cannot loosen what binds it with its shell, and may look and commit", async () => {
  await using t = await tempStore();
  await guard(t, "never force push", "deny");
  for (
    const command of [
      "cd .contextfs && echo '{}' > guards.jsonc",
      "rm -rf .contextfs",
      "mv .contextfs /tmp/x",
      "sed -i s/deny/shadow/ .contextfs/guards.jsonc",
      "git checkout -- .contextfs/guards.jsonc",
      "python3 -c \"open('.contextfs/guards.jsonc','w')\"",
      "ctx guard set force-push --mode shadow",
      "script -qc 'ctx guard pass force-push' /dev/null; ctx guard pass force-push",
      `echo '{}' > ${t.home}/.config/ctx/config.jsonc`,
      "ctx setup claude-code --remove",
      "ctx forget --release S-1",
      "ctx forget --quarantine S-1",
      "git clean -fdx",
      "find . -delete",
      "find .contextfs -type f -delete",
      "cat <<'EOF' | bash\nrm -rf .contextfs\nEOF",
      "echo 'rm -rf .contextfs' | sh",
    ]
  ) {
    const answer = await tool(t, { tool_name: "Bash", tool_input: { command } });
    assert.match(
      answer?.hookSpecificOutput.permissionDecisionReason ?? command,
      /agents may not change guards or approvals/,
    );
  }
  for (
    const command of [
      "sed -n 1,20p .contextfs/guards.jsonc",
      "git add .contextfs/guards.jsonc && git commit -m 'see .contextfs/guards.jsonc'",
      "ctx guard list && ctx guard log",
      "cp a.ts .",
      "rm -rf dist && touch guards.ts",
      "git clean -fd && git clean -ndx",
      "find . -name '*.pyc' -delete",
      "cat <<'EOF' | grep -c rm\nrm -rf .contextfs\nEOF",
      "ctx setup && ctx forget S-1",
    ]
  ) assert.equal(await tool(t, { tool_name: "Bash", tool_input: { command } }), undefined, command);
});

Deno.test("a file of guards that cannot be read is told by status and doctor, and an agent's change waits", async () => {
  await using t = await tempStore();
  await guard(t, "never force push");
  const set = await t.ctx(["guard", "set", "force-push", "--mode", "deny"]);
  assert.match(set.stderr, /only counts until the user approves it in their own terminal/);
  assert.deepEqual(await t.ailments(), []);
  t.write("guards.jsonc", "{ broken");
  assert.deepEqual(await t.ailments(), ["guards"]);
  assert.match((await t.ctx(["status"])).stdout, /", line 1: .*your last guards are still checked/);
});

Deno.test("files that are not changed are not changed by a shell either", async () => {
  await using t = await tempStore();
  await guard(t, "never edit files in dist/ or `db/schema.sql`", "deny");
  await guard(t, "no default exports", "deny");
  const isDenied = async (command: string): Promise<boolean> =>
    await tool(t, { tool_name: "Bash", tool_input: { command } }) !== undefined;
  for (
    const command of [
      "echo x > dist/a.js",
      "cat > db/schema.sql <<'EOF'\nselect 1;\nEOF",
      "sed -i 's/a/b/' dist/a.js",
      "cd db && rm schema.sql",
      "ls | tee -a dist/list.txt",
      "cat > src/b.ts <<'EOF'\nexport default 1;\nEOF",
    ]
  ) assert.ok(await isDenied(command), command);
  for (
    const command of [
      "rm -rf dist && npm run build",
      "sed 's/dist/x/' dist/a.js > /tmp/a.js",
      "cp dist/a.js /tmp/",
      "cat dist/a.js 2>/dev/null",
      "sed -i 's/dist/out/' package.json",
    ]
  ) assert.ok(!await isDenied(command), command);
});

Deno.test("a file that is written anew is judged by its new lines", async () => {
  await using t = await tempStore();
  await guard(t, "no default exports", "deny");
  await Deno.writeTextFile(`${t.workspace}/old.ts`, "export default 1;\n");
  const write = (content: string) =>
    tool(t, { tool_name: "Write", tool_input: { file_path: `${t.workspace}/old.ts`, content } });
  assert.equal(await write("export default 1;\nexport const a = 2;\n"), undefined);
  assert.notEqual(await write("export default 2;\n"), undefined);
});

Deno.test("ctx trust lists where data goes, not guards", async () => {
  await using t = await tempStore();
  await guard(t, "never force push", "deny");
  const { targets } = await t.run<{ targets: object[] }>("trust", {}, withHome(t));
  assert.deepEqual(targets, []);
});

Deno.test("a denial does not depend on its log", async () => {
  await using t = await tempStore();
  await guard(t, "never force push", "deny");
  await Deno.mkdir(`${t.workspace}/.contextfs/guards.ndjson`);
  const push = { tool_name: "Bash", tool_input: { command: "git push --force" } };
  assert.equal((await tool(t, push)).hookSpecificOutput.permissionDecision, "deny");
});

Deno.test("guard test says what the hook would: of the files that a command writes, too", async () => {
  await using t = await tempStore();
  await guard(t, "never edit files in dist/");
  const test = async (command: string): Promise<string[]> => {
    const { breaches } = await t.run<{ breaches: { guard: string }[] }>("guard test", { command });
    return breaches.map(({ guard }) => guard);
  };
  assert.deepEqual(await test("echo 1 > dist/a.js"), ["edit-files-dist"]);
  assert.deepEqual(await test("echo 1 > src/a.js"), []);
});

Deno.test("the user lets one pass; two passes raise the question whether the rule still holds", async () => {
  await using t = await tempStore();
  await guard(t, "never force push", "deny");
  const push = { tool_name: "Bash", tool_input: { command: "git push --force" } };
  const isDenied = async (): Promise<boolean> => await tool(t, push) !== undefined;
  assert.ok(await isDenied());
  const refused = await t.fail("guard pass", { id: "force-push" });
  assert.equal(refused.code, "DENIED");
  for (let i = 0; i < 2; i++) {
    await t.run("guard pass", { id: "force-push" }, person);
    assert.ok(!await isDenied());
    assert.ok(await isDenied());
  }
  const { guards: [one] } = await t.run<{ guards: Record<string, unknown>[] }>(
    "guard list",
    {},
    withHome(t),
  );
  assert.deepEqual([one.caught, one.passed], [3, 2]);
  assert.match(String(one.note), /you allowed it 2 times/);
});

Deno.test("only a person loosens a guard", async () => {
  await using t = await tempStore();
  await guard(t, "never force push", "deny");
  for (const input of [{ mode: "shadow" }, { remove: true }]) {
    const error = await t.fail("guard set", { id: "force-push", ...input });
    assert.equal(error.code, "DENIED");
  }
  const unknown = await t.fail("guard set", { id: "no-such", remove: true }, person);
  assert.equal(unknown.code, "NOT_FOUND");
  await t.run("guard set", { id: "force-push", remove: true }, person);
  const push = { tool_name: "Bash", tool_input: { command: "git push --force" } };
  assert.equal(await tool(t, push), undefined);
});

Deno.test("a turn does not end before the tests ran after the last edit; it is said once", async () => {
  await using t = await tempStore();
  await guard(t, "run `deno task ok` before you finish", "deny");
  const end = async (rows: object[]): Promise<string> => {
    const path = writeTranscript(t, rows);
    const stop = { hook_event_name: "Stop", session_id: "s", transcript_path: path };
    const input = JSON.stringify({ ...stop, cwd: t.workspace });
    return (await t.ctx(["hook", "claude-code"], { stdin: input })).stdout;
  };
  const edit = call("Edit", { file_path: `${t.workspace}/a.ts`, old_string: "a", new_string: "b" });
  const told = JSON.parse(await end([...edit]));
  assert.equal(told.decision, "block");
  assert.match(told.reason, /run `deno task ok` before you finish/);
  assert.equal(await end([...edit]), "");
  const other = call("Edit", {
    file_path: `${t.workspace}/a.ts`,
    old_string: "b",
    new_string: "c",
  });
  const ran = call("Bash", { command: "cd . && deno task ok" });
  assert.equal(await end([...edit, ...other, ...ran]), "");
});

Deno.test("what is not to be read is read by no tool and no command; templates and names are", async () => {
  await using t = await tempStore();
  await guard(t, "never read .env", "deny");
  for (
    const [tool_name, tool_input] of [
      ["Read", { file_path: `${t.workspace}/.env` }],
      ["read_file", { absolute_path: `${t.workspace}/app/.env` }],
      ["read", { filePath: ".env" }],
      ["Bash", { command: "cat .env" }],
      ["Bash", { command: "cd app && grep -n KEY .env | head" }],
      ["Bash", { command: "set -a; source ./.env; env" }],
      ["Bash", { command: "base64 < .env" }],
      ["Bash", { command: "cp .env /tmp/x" }],
    ] as const
  ) {
    const answer = await tool(t, { tool_name, tool_input });
    assert.equal(
      answer?.hookSpecificOutput.permissionDecision,
      "deny",
      JSON.stringify(tool_input),
    );
  }
  for (
    const [tool_name, tool_input] of [
      ["Read", { file_path: `${t.workspace}/.env.example` }],
      ["Read", { file_path: `${t.workspace}/src/env.ts` }],
      ["Bash", { command: "grep -rn '.env' README.md" }],
      ["Bash", { command: "cp .env.example .env" }],
      ["Bash", { command: "ls -la .env && echo .env >> .gitignore" }],
    ] as const
  ) assert.equal(await tool(t, { tool_name, tool_input }), undefined, JSON.stringify(tool_input));
});

Deno.test("while the file of guards is broken, the last that the user approved hold, and the line is told", async () => {
  await using t = await tempStore();
  await guard(t, "use pnpm, not npm", "deny");
  const good = t.read("guards.jsonc");
  const bash = (command: string) => tool(t, { tool_name: "Bash", tool_input: { command } });
  // A merge that nobody resolved.
  t.write("guards.jsonc", good.replace('  "guards"', '<<<<<<< HEAD\n  "guards"'));
  const denied = (await bash("npm i")).hookSpecificOutput;
  assert.equal(denied.permissionDecision, "deny");
  assert.match(denied.permissionDecisionReason, /use pnpm, not npm.*\n.*guards\.jsonc", line 2: /);
  const told = await bash("ls");
  assert.deepEqual(Object.keys(told), ["systemMessage"]);
  assert.match(told.systemMessage, /line 2: .*your last guards are still checked/);
  const mended = await bash("echo '{}' > .contextfs/guards.jsonc");
  assert.equal(mended.hookSpecificOutput.permissionDecision, "deny", "not an agent's to mend");
  // What cannot be opened at all.
  Deno.removeSync(`${t.workspace}/.contextfs/guards.jsonc`);
  Deno.mkdirSync(`${t.workspace}/.contextfs/guards.jsonc`);
  assert.equal((await bash("npm i")).hookSpecificOutput.permissionDecision, "deny");
  Deno.removeSync(`${t.workspace}/.contextfs/guards.jsonc`);
  t.write("guards.jsonc", good);
  assert.equal(await bash("ls"), undefined);
  // What the user ended stays ended.
  await t.run("guard set", { id: "pnpm-npm", remove: true }, withHome(t));
  t.write("guards.jsonc", "{ not json");
  assert.deepEqual(Object.keys(await bash("npm i")), ["systemMessage"]);
});

Deno.test("guards that cannot be read and were never approved here stop nothing, and the user is told at each call", async () => {
  await using t = await tempStore();
  t.write("guards.jsonc", "{ not json");
  const npm = { tool_name: "Bash", tool_input: { command: "npm i" } };
  const claude = await tool(t, npm);
  assert.deepEqual(Object.keys(claude), ["systemMessage"]);
  assert.match(claude.systemMessage, /^ctx cannot read the guards: .*guards\.jsonc/);
  const cursor = await tool(t, { hook_event_name: "beforeShellExecution", command: "npm i" });
  assert.equal(cursor.permission, "allow");
  const plugin = JSON.stringify(message(t, { ...npm, hook_event_name: "BeforeTool" }));
  const { stdout } = await t.ctx(["hook", "opencode"], { stdin: plugin });
  assert.equal(stdout, "", "an answer would be a refusal");
  assert.match((await t.ctx(["status"])).stdout, /no guard is checked: Cannot/);
});

Deno.test("ctx hook guard refuses, and gives no hints", async () => {
  await using t = await tempStore();
  await guard(t, "use pnpm, not npm", "deny");
  const npm = { tool_name: "Bash", tool_input: { command: "npm i" } };
  const { stdout } = await t.ctx(["hook", "guard"], { stdin: JSON.stringify(message(t, npm)) });
  assert.equal(JSON.parse(stdout).hookSpecificOutput.permissionDecision, "deny");
});

Deno.test("a guard that refused what was then done by hand asks whether it still holds; so does one passed twice", async () => {
  await using t = await tempStore();
  await guard(t, "never edit files in `locked/`", "deny");
  const edit = {
    tool_name: "Write",
    tool_input: { file_path: `${t.workspace}/locked/a.txt`, content: "price = 9\n" },
  };
  assert.equal((await tool(t, edit)).hookSpecificOutput.permissionDecision, "deny");
  const note = async (): Promise<string | undefined> => {
    const { guards } = await t.run<{ guards: { note?: string }[] }>("guard list", {}, withHome(t));
    return guards[0].note;
  };
  assert.equal(await note(), undefined);
  Deno.mkdirSync(`${t.workspace}/locked`);
  Deno.writeTextFileSync(`${t.workspace}/locked/a.txt`, "# prices\nprice = 9\n");
  assert.match(
    await note() ?? "",
    /a change to locked\/a\.txt that it refused was made anyway; if you no longer need the rule/,
  );
  const id = "edit-files-locked";
  const first = await t.run<{ passes: number }>("guard pass", { id }, withHome(t));
  assert.equal(first.passes, 1);
  assert.equal(await tool(t, { ...edit, session_id: "t" }), undefined);
  assert.equal(await note(), undefined, "the user let it pass since");
  const second = await t.run<{ passes: number }>("guard pass", { id }, withHome(t));
  assert.equal(second.passes, 2);
  assert.equal(await tool(t, { ...edit, session_id: "u" }), undefined);
  assert.match(
    await note() ?? "",
    /you allowed it 2 times; if you no longer need the rule/,
  );
});

Deno.test("guard list names the connected agents that cannot refuse, or are not asked yet", async () => {
  await using t = await tempStore();
  await guard(t, "use pnpm, not npm", "deny");
  const list = async (): Promise<string[]> =>
    (await t.run<{ unchecked: string[] }>("guard list", {}, withHome(t))).unchecked;
  assert.deepEqual(await list(), []);
  const words = ["--no-check", "--allow-reads", "no", "--ask-agent", "no"];
  for (const client of ["kiro", "cursor", "gemini"]) await t.ctx(["setup", client, ...words]);
  assert.deepEqual(await list(), [
    "Cursor cannot block edits; only commands are checked.",
    "Kiro cannot block anything, so it is not checked.",
  ]);
  const settings = `${t.home}/.gemini/settings.json`;
  const text = Deno.readTextFileSync(settings);
  Deno.writeTextFileSync(settings, text.replaceAll(/run_shell_command\|/g, ""));
  assert.match(
    (await list()).join("\n"),
    /Gemini CLI is not checked yet: ctx setup gemini --guard/,
  );
});

async function guard(t: TempStore, rule: string, mode?: string): Promise<void> {
  await t.run("guard add", { rule, ...(mode ? { mode } : {}) }, withHome(t));
}

function withHome(t: TempStore): object {
  return { ...person, env: (name: string) => name === "HOME" ? t.home : undefined };
}

function message(t: TempStore, more: object): object {
  return { hook_event_name: "PreToolUse", session_id: "s", cwd: t.workspace, ...more };
}

// deno-lint-ignore no-explicit-any
async function tool(t: TempStore, more: object): Promise<any> {
  const result = await t.ctx(["hook", "pre-edit"], { stdin: JSON.stringify(message(t, more)) });
  assert.equal(result.code, 0, result.stderr);
  return result.stdout === "" ? undefined : JSON.parse(result.stdout);
}

let count = 0;

/** A call of a tool and its result, as Claude Code writes them down. */
function call(name: string, input: object): object[] {
  const id = `toolu_${++count}`;
  const ts = new Date(Date.now() - 60_000 + count * 1000).toISOString();
  const base = { sessionId: "s", timestamp: ts };
  return [
    {
      ...base,
      type: "assistant",
      uuid: `a${count}`,
      message: { role: "assistant", content: [{ type: "tool_use", id, name, input }] },
    },
    {
      ...base,
      type: "user",
      uuid: `u${count}`,
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "ok" }] },
    },
  ];
}

function writeTranscript(t: TempStore, rows: object[]): string {
  const directory = `${t.home}/.claude/projects/${t.workspace.replace(/[^A-Za-z0-9]/g, "-")}`;
  Deno.mkdirSync(directory, { recursive: true });
  const first = {
    type: "user",
    uuid: "u0",
    sessionId: "s",
    timestamp: new Date(Date.now() - 120_000).toISOString(),
    message: { role: "user", content: "Make a into b" },
  };
  const lines = [first, ...rows].map((row) => JSON.stringify({ cwd: t.workspace, ...row }));
  Deno.writeTextFileSync(`${directory}/s.jsonl`, `${lines.join("\n")}\n`);
  return `${directory}/s.jsonl`;
}
