// The document hive-mind (session index, scan, exact reads, the retrieval agent), phrase by phrase:
// called as it is written there with `ctx` before it, on the command line and as tools.

import assert from "node:assert/strict";
import { openContext } from "../../../src/app/app.ts";
import { loadCommands } from "../../../src/commands/mod.ts";
import { makeCatalog } from "../../../src/serve/mcp/catalog.ts";
import { homeOf } from "../../support/processes/run_ctx.ts";
import { checkPhrases, different, phrase } from "../../support/phrases.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const conversation = "11111111-1111-4111-8111-111111111111";
const commands = (await loadCommands()).filter((command) => !command.local);

/** Long texts of one letter each, so that what is kept of them can be counted. */
const long = (letter: string): string => letter.repeat(900);

/** The document's example as Claude Code writes it, then one message of every kind that is cut. */
function transcript(cwd: string): object[] {
  let count = 0;
  const line = (type: string, time: string, fields: object): object => ({
    parentUuid: count === 0 ? null : `u${count}`,
    isSidechain: false,
    cwd,
    sessionId: conversation,
    gitBranch: "main",
    type,
    uuid: `u${++count}`,
    timestamp: `2026-05-01T10:${time}.000Z`,
    ...fields,
  });
  const say = (time: string, ...content: object[]): object =>
    line("assistant", time, { message: { id: `m${count}`, role: "assistant", content } });
  const call = (time: string, name: string, input: object): object =>
    say(time, { type: "tool_use", id: `t${name}`, name, input });
  const give = (time: string, name: string, content: string, fields: object = {}): object =>
    line("user", time, {
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: `t${name}`, content }],
      },
      ...fields,
    });
  const file = Array.from({ length: 156 }, (_, i) => `${String(i + 1).padStart(6)}→line`);
  return [
    line("user", "00:05", {
      message: {
        role: "user",
        content: `Help me implement the login feature with OAuth ${long("u")}`,
      },
    }),
    say(
      "00:12",
      { type: "thinking", thinking: "Read the file first, then look at the tests.." },
      { type: "text", text: `I'll help ${long("a")}` },
      { type: "tool_use", id: "tRead", name: "Read", input: { file_path: `${cwd}/src/auth.ts` } },
    ),
    give("00:15", "Read", file.join("\n")),
    call("00:16", "Bash", { command: "npm test" }),
    give("00:18", "Bash", `Tests passed ${long("b")}`),
    call("00:25", "Edit", {
      file_path: `${cwd}/src/auth.ts`,
      old_string: `func ${long("o")}`,
      new_string: `async func ${long("n")}`,
    }),
    give("00:26", "Edit", "The file has been updated.", {
      toolUseResult: {
        filePath: `${cwd}/src/auth.ts`,
        structuredPatch: [{
          oldStart: 7,
          oldLines: 1,
          newStart: 7,
          newLines: 1,
          lines: ["-func login", "+async func login"],
        }],
      },
    }),
    call("00:30", "Grep", { pattern: "login\\(", path: cwd }),
    give("00:31", "Grep", `Found 2 files\n${cwd}/src/auth.ts\n${cwd}/${long("f")}`),
    call("00:32", "WebFetch", { url: "https://example.org/oauth" }),
    give("00:33", "WebFetch", long("w")),
    call("00:34", "Task", { description: "Look at the callers", prompt: "Look" }),
    give("00:35", "Task", long("t")),
    call("00:36", "BashOutput", { command: long("p") }),
    give("00:37", "BashOutput", ""),
    say("00:40", { type: "thinking", thinking: long("h") }),
    line("user", "01:00", { message: { role: "user", content: "Now the logout." } }),
    line("system", "01:05", { subtype: "away_summary", content: long("s") }),
  ];
}

/** A store that has taken the transcript over; nothing else wrote to it. */
async function extracted(): Promise<TempStore & AsyncDisposable> {
  const t = await tempStore();
  const folder = `${homeOf(t.workspace)}/.claude/projects/x`;
  Deno.mkdirSync(folder, { recursive: true });
  const lines = transcript(t.workspace).map((line) => `${JSON.stringify(line)}\n`);
  Deno.writeTextFileSync(`${folder}/${conversation}.jsonl`, lines.join(""));
  await t.run("import", {
    sources: ["claude-code"],
    root: `${homeOf(t.workspace)}/.claude`,
    no_distil: true,
  });
  return t;
}

/** The one session of the store. */
async function idOf(t: TempStore): Promise<string> {
  const { sessions } = await t.run<{ sessions: { id: string }[] }>("sessions");
  return sessions[0].id;
}

/** Calls a tool as an agent does; gives its data and its text. */
async function callTool(
  t: TempStore,
  name: string,
  input: object,
): Promise<{ data: Record<string, unknown>; text: string }> {
  using context = openContext({ workspace: t.workspace, env: () => undefined });
  const { tools } = makeCatalog({ commands, context, tools: "all" });
  const tool = tools.find(({ definition }) => definition.name === name);
  const answer = await tool?.call({ ...input }, { signal: new AbortController().signal });
  const [content] = answer?.content ?? [];
  assert.ok(content?.type === "text" && !answer?.isError, `${name}: ${JSON.stringify(content)}`);
  return { data: answer?.structuredContent ?? {}, text: content.text };
}

/** The lines of a scan, the same on the command line and as a tool. */
async function scan(t: TempStore, words: string[] = [], input: object = {}): Promise<string[]> {
  const id = await idOf(t);
  const { code, stdout } = await t.ctx(["hive-mind", "scan", id, ...words]);
  assert.equal(code, 0);
  const { data } = await callTool(t, "scan", { session: id, turns: true, ...input });
  assert.equal(data.text, stdout);
  return stdout.trimEnd().split("\n");
}

/** What a scan keeps of the texts of one letter. */
function keptOf(lines: string[], letter: string): number {
  const run = new RegExp(`${letter}{3,}(?=\\.\\.\\.)`);
  return lines.flatMap((line) => run.exec(line)?.[0] ?? []).at(0)?.length ?? 0;
}

const said = (words: string, check: Parameters<typeof phrase>[2]): void =>
  phrase("hive-mind", words, check);

said("Session 10A complete: extracted sessions exist", async () => {
  await using t = await extracted();
  const { stdout } = await t.ctx(["import", "claude-code", "--json"]);
  assert.equal(JSON.parse(stdout).entries, 0, "all of it is there");
  assert.equal((await t.run<{ total: number }>("sessions")).total, 1);
});

said("hive-mind index: table with session ID, date, title, message count", async () => {
  await using t = await extracted();
  const id = await idOf(t);
  const { stdout } = await t.shown(["hive-mind", "index"]);
  assert.match(stdout, new RegExp(`^${id} +2026-05-01 10:0\\d +18 entries .*Help me implement`));
  const rows = JSON.parse((await t.ctx(["hive-mind", "index", "--json"])).stdout);
  const { started, title, first_user_line, message_count } = rows.sessions[0];
  assert.deepEqual([rows.total, started, message_count], [1, "2026-05-01T10:00:05.000Z", 18]);
  assert.match(title ?? first_user_line, /^Help me implement the login feature/);
  const { text } = await callTool(t, "list", {});
  assert.match(text, new RegExp(`${id}.*2026-05-01.*20.*[^]*Help me implement`));
});

said("hive-mind index shows all extracted sessions", async () => {
  await using t = await extracted();
  const others = Array.from({ length: 25 }, (_, i) => `S-other${i}`);
  for (const session of others) await t.run("save", { text: "another", session });
  const { stdout } = await t.ctx(["hive-mind", "index"]);
  const ids = stdout.trimEnd().split("\n").map((row) => row.split("\t")[0]);
  const { sessions } = await t.run<{ sessions: { id: string }[] }>("sessions", { limit: 100 });
  assert.deepEqual(ids.toSorted(), sessions.map(({ id }) => id).toSorted());
  assert.equal(ids.length, 26);
});

said("hive-mind scan <session-id>: single-line per message, cat -n style", async () => {
  await using t = await extracted();
  const lines = await scan(t);
  assert.equal(lines.length, 18);
  for (const [i, line] of lines.entries()) {
    assert.match(line, /^ {4}[ \d]\d\t\[(?:user|assistant|system)\] 10:0\d:\d\d \| \S/);
    assert.equal(Number(line.slice(0, 6)), i + 1);
  }
});

said("hive-mind scan <session-id> --tokens-per-msg=N", async () => {
  await using t = await extracted();
  assert.equal(keptOf(await scan(t, ["--tokens-per-msg=30"], { tokens_per_msg: 30 }), "w"), 60);
});

said("--tokens-per-msg (default: 50)", async () => {
  await using t = await extracted();
  assert.deepEqual(
    await scan(t),
    await scan(t, ["--tokens-per-msg", "50"], { tokens_per_msg: 50 }),
  );
});

/** The document's table: what, the letter of its text here, characters before that, the limit. */
const limits: [what: string, letter: string, before: number, limit: number][] = [
  ["user plain text", "u", 47, 200],
  ["user tool_result: Bash stdout", "b", 13, 150],
  ["user tool_result: Glob/Grep filenames", "f", 12, 100],
  ["user tool_result: Edit old/new strings", "o", 5, 80],
  ["user tool_result: WebFetch content", "w", 0, 100],
  ["user tool_result: Task content", "t", 0, 100],
  ["assistant text", "a", 10, 80],
  ["assistant thinking", "h", 0, 50],
  ["assistant tool_use params", "p", 0, 60],
  ["system content", "s", 0, 80],
];

for (const [what, letter, before, limit] of limits) {
  said(`${what}: base limit ${limit} chars`, async () => {
    await using t = await extracted();
    assert.equal(keptOf(await scan(t), letter), limit - before);
  });
}

said("At --tokens-per-msg=100, limits double", async () => {
  await using t = await extracted();
  const lines = await scan(t, ["--tokens-per-msg=100"], { tokens_per_msg: 100 });
  for (const [what, letter, before, limit] of limits) {
    assert.equal(keptOf(lines, letter), limit * 2 - before, what);
  }
});

said("At --tokens-per-msg=25, limits halve", async () => {
  await using t = await extracted();
  const lines = await scan(t, ["--tokens-per-msg=25"], { tokens_per_msg: 25 });
  for (const [what, letter, before, limit] of limits) {
    assert.equal(keptOf(lines, letter), Math.max(0, limit / 2 - before), what);
  }
});

said("the patch of an Edit result is hidden in scan, only shown in full read", async () => {
  await using t = await extracted();
  const id = await idOf(t);
  assert.ok((await scan(t)).every((line) => !line.includes("@@")));
  const patch = "--- src/auth.ts\n+++ src/auth.ts\n@@ -7,1 +7,1 @@\n-func login\n+async func login";
  const { stdout } = await t.ctx(["hive-mind", "read", id, "7"]);
  assert.ok(JSON.parse(stdout).messages[0].patch.includes(patch));
  assert.ok((await t.ctx(["show", id, "--format", "full"])).stdout.includes(patch));
  const { data, text } = await callTool(t, "read", { session: id, ranges: "9" });
  assert.ok(JSON.stringify(data).includes("+async func login") && text.includes(patch));
});

different(
  "hive-mind",
  "structuredPatch",
  "an edit's patch is kept as `patch`, in the form of a diff, whichever agent made it.",
  async () => {
    await using t = await extracted();
    const { stdout } = await t.ctx(["hive-mind", "read", await idOf(t), "7"]);
    assert.deepEqual(
      ["structuredPatch", "patch"].map((name) => name in JSON.parse(stdout).messages[0]),
      [false, true],
    );
  },
);

/** The lines of the document's example; its dots stand for what is cut. */
const examples: [line: number, words: string, pattern: RegExp][] = [
  [
    1,
    '[user] 10:00:05 | "Help me implement the login feature with OAuth..."',
    /^ {5}1\t\[user\] 10:00:05 \| "Help me implement the login feature with OAuth u+\.\.\."$/,
  ],
  [
    2,
    "[assistant] 10:00:12 | [thinking:45c] I'll help... [Read: src/auth.ts]",
    /^ {5}2\t\[assistant\] 10:00:12 \| \[thinking:45c\] .{45} I'll help a+\.\.\. \[Read: src\/auth\.ts\]$/,
  ],
  [
    3,
    "[user] 10:00:15 | [Read: src/auth.ts → 156 lines]",
    /^ {5}3\t\[user\] 10:00:15 \| \[Read: src\/auth\.ts → 156 lines\]$/,
  ],
  [
    5,
    '[user] 10:00:18 | [Bash: npm test → 0] "Tests passed..."',
    /^ {5}5\t\[user\] 10:00:18 \| \[Bash: npm test → 0\] "Tests passed b+\.\.\."$/,
  ],
  [
    6,
    '[assistant] 10:00:25 | [Edit: src/auth.ts] old:"func..." new:"async func..."',
    /^ {5}6\t\[assistant\] 10:00:25 \| \[Edit: src\/auth\.ts\] old:"func o+\.\.\." new:"async func n+\.\.\."$/,
  ],
];

for (const [number, words, pattern] of examples) {
  said(words, async () => {
    await using t = await extracted();
    assert.match((await scan(t))[number - 1], pattern);
  });
}

/** The entries that a read prints as JSON, by their own numbers; the same as a tool. */
async function read(t: TempStore, ranges: string): Promise<number[]> {
  const id = await idOf(t);
  const { stdout } = await t.ctx(["hive-mind", "read", id, ranges]);
  const numbers = JSON.parse(stdout).messages.map((one: { message_index: number }) =>
    one.message_index
  );
  const { data } = await callTool(t, "read", { session: id, ranges, turns: true });
  const rows = data.messages as { n: number }[];
  assert.deepEqual(rows.map(({ n }) => n), numbers);
  return numbers;
}

for (
  const [ranges, numbers] of [
    ["5", [5]],
    ["5-10", [5, 6, 7, 8, 9, 10]],
    ["1,5,10-15", [1, 5, 10, 11, 12, 13, 14, 15]],
  ] as const
) {
  said(`hive-mind read <session-id> ${ranges}`, async () => {
    await using t = await extracted();
    assert.deepEqual(await read(t, ranges), numbers);
    // The second line of a scan holds what is three entries here.
    assert.deepEqual(await read(t, "2"), [2, 2, 2]);
  });
}

said("index, scan and read count the same messages", async () => {
  await using t = await extracted();
  const id = await idOf(t);
  const json = async (...words: string[]) =>
    JSON.parse((await t.ctx(["hive-mind", ...words, "--json"])).stdout);
  const [{ message_count }] = (await json("index")).sessions;
  const { total: scanned, shown } = await json("scan", id);
  const { total, messages } = await json("read", id, "1-");
  const last = Math.max(...messages.map((one: { message_index: number }) => one.message_index));
  assert.deepEqual([message_count, scanned, shown, total, last], Array(5).fill(18));
  const skipped = await json("read", id, "1-2", "--max-tokens", "500");
  assert.deepEqual(skipped.skipped, [2]);
});

said("read skips the metadata line automatically", async () => {
  await using t = await extracted();
  const { stdout } = await t.ctx(["hive-mind", "read", await idOf(t), "1"]);
  const [{ role, text }] = JSON.parse(stdout).messages;
  assert.equal(role, "user");
  assert.match(text, /^Help me implement the login feature with OAuth/);
});

said("read outputs full JSON entries", async () => {
  await using t = await extracted();
  const { stdout } = await t.ctx(["hive-mind", "read", await idOf(t), "6-7"]);
  const rows = t.read("history.ndjson").trim().split("\n").map((row) => JSON.parse(row));
  const { messages } = JSON.parse(stdout);
  assert.equal(messages.length, 2);
  for (const { message_index: _, estimated_tokens, ...entry } of messages) {
    assert.ok(estimated_tokens > 0);
    assert.deepEqual(entry, rows.find(({ index }) => index === entry.index));
  }
});

said("hive-mind read <id> <indices> returns full message content", async () => {
  await using t = await extracted();
  const id = await idOf(t);
  const whole = [`Tests passed ${long("b")}`, `func ${long("o")}`, `async func ${long("n")}`];
  const { stdout } = await t.ctx(["hive-mind", "read", id, "5,6"]);
  const { text } = await callTool(t, "read", { session: id, ranges: "5,6", turns: true });
  for (const words of whole) {
    assert.ok(stdout.includes(words));
    assert.ok(text.includes(words));
  }
});

/** What a client's agent is given, and what the prompt says. */
async function agentTexts(t: TempStore): Promise<{ file: string; prompt: string }> {
  const home = homeOf(t.workspace);
  const env = (name: string): string | undefined =>
    ({ HOME: home, CTX_EXECUTABLE: "/opt/ctx" })[name];
  await t.run("setup", { client: "claude-code", no_check: true, no_graph: true }, { env });
  using context = openContext({ workspace: t.workspace, env: () => undefined });
  const { prompts } = makeCatalog({ commands, context });
  const prompt = prompts.find(({ name }) => name === "retrieval_agent");
  return {
    file: Deno.readTextFileSync(`${home}/.claude/agents/ctx-retrieval.md`),
    prompt: prompt?.render({ question: "Which login?" }) ?? "",
  };
}

said("Retrieval agent: agents/retrieval.md", async () => {
  await using t = await tempStore();
  const { file, prompt } = await agentTexts(t);
  const again = await t.ctx([
    "setup",
    "claude-code",
    "--no-check",
    "--no-graph",
    "--remove",
    "--yes",
  ]);
  assert.match(again.stdout, /Removed .*ctx-retrieval\.md/);
  assert.match(file, /^---\nname: ctx-retrieval\ndescription: "/);
  const workflow = (text: string): string =>
    /^1\. Index[^]*Recalled text is data/m.exec(text)?.[0].replace(/`[^` ]*ctx /g, "`ctx ") ?? "";
  assert.ok(workflow(prompt).length > 500);
  assert.equal(workflow(file), workflow(prompt), "the prompt says the same");
});

const points: [words: string, pattern: RegExp, isInFileOnly?: true][] = [
  [
    "Use aggressively whenever historical context might help",
    /Use it aggressively, whenever/,
    true,
  ],
  ["Especially valuable in plan mode", /above all in plan mode/, true],
  [
    "Natural language prompt from main agent describes what to look for",
    /in plain words what to look for/,
  ],
  [
    "Workflow: index → filter candidates → scan with appropriate detail → read specific messages",
    /1\. Index[^]*2\. Filter candidates[^]*3\. Scan with fitting detail[^]*4\. Read/,
  ],
  [
    "Output: Concise factual findings with session references",
    /concise facts, each with its session, message and date/,
  ],
  [
    "More total messages across sessions → lower tokens-per-msg",
    /More messages in all .* less detail/,
  ],
  [
    "tokens_per_msg = clamp(20, 100, 5000 / total_messages)",
    /tokens_per_msg = clamp\(20, 100, 5000 \/ total_messages\)/,
  ],
  ["Target: ~100k tokens max for full retrieval workflow", /below 100,000 tokens in all/],
];

for (const [words, pattern, isInFileOnly] of points) {
  said(words, async () => {
    await using t = await tempStore();
    const { file, prompt } = await agentTexts(t);
    assert.match(file, pattern);
    if (!isInFileOnly) assert.match(prompt, pattern);
  });
}

said("Retrieval agent successfully finds relevant past context", async () => {
  await using t = await extracted();
  const listed = await callTool(t, "list", {});
  const [{ id }] = listed.data.sessions as { id: string }[];
  const tokens_per_msg = Math.min(100, Math.max(20, 5000 / 20));
  const { data } = await callTool(t, "scan", { session: id, tokens_per_msg });
  const line = String(data.text).split("\n").find((one) => one.includes("async func"));
  const { text } = await callTool(t, "read", {
    session: id,
    ranges: `${Number(line?.slice(0, 6))}`,
  });
  assert.ok(text.includes(`new_string: async func ${long("n")}`));
});

checkPhrases("hive-mind");
