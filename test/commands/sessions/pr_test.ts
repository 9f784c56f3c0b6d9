// `ctx pr`: Markdown for a pull request, from real branches made with git and sessions that wrote them.

import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { isMissing } from "../../support/processes/find_program.ts";
import { type TempRepository, tempRepository } from "../../support/temp_repository.ts";
import { TempStore, toLog } from "../../support/stores/temp_store.ts";

const ignore = isMissing("git");
const limiter = [
  "export function takeToken(bucket: Bucket): boolean {",
  "  bucket.refill(clock.now() - bucket.touched);",
  "  return bucket.tokens-- > 0;",
  "}",
];
const retry = [
  "export async function retryLater(job: Job): Promise<void> {",
  "  await queue.delay(job, backoff(job.attempts));",
  "}",
];

Deno.test(
  {
    name: "pr tells what was asked, decided, dropped and left open for the commits of a branch",
    ignore,
  },
  async () => {
    await using repository = await madeBranch();
    const limit = (await repository.git("rev-parse", "HEAD~1")).slice(0, 9);
    const t = await storeIn(repository, [
      prompt("S-a", "Can you please limit requests by account with a token bucket?"),
      edit("S-a", "src/limiter.ts", limiter, repository.path),
      decision("S-a", "H-dec1", "We decided to keep the buckets in memory. It saves a round trip."),
      decision("S-a", "H-dec2", "We tried a Lua script in Redis, but it doubled the latency."),
      decision("S-a", "H-open", "Bursts of anonymous visitors are not limited yet.", {
        type: "open",
      }),
      decision("S-other", "H-dec3", "We decided to rewrite everything in Haskell."),
    ]);
    const { code, stdout, stderr } = await t.ctx(["pr", "main"]);
    assert.deepEqual([code, stderr], [
      0,
      "ctx: 1 session without records yet: read for this answer; to keep the records: ctx records --derive\n",
    ]);
    assert.equal(
      stdout,
      [
        "### Asked",
        "",
        `- Limit requests by account with a token bucket (${limit})`,
        "",
        "### Decided",
        "",
        `- We decided to keep the buckets in memory. It saves a round trip. (${limit})`,
        "",
        "### Tried and dropped",
        "",
        `- We tried a Lua script in Redis, but it doubled the latency. (${limit})`,
        "",
        "### Left open",
        "",
        `- Bursts of anonymous visitors are not limited yet. (${limit})`,
        "",
        "_From 1 recorded session; 1 of 2 commits did not come from a recorded session._ `ctx why COMMIT` shows more.",
        "",
      ].join("\n"),
    );
    // `main` is found without being named, and programs get the rows.
    const { stdout: json } = await t.ctx(["pr", "--json"]);
    const data = JSON.parse(json);
    assert.deepEqual(
      [data.base, data.commits, data.unattributed, data.merges, data.text],
      ["main", 2, 1, 0, stdout],
    );
    assert.deepEqual(data.sessions.map(({ id }: { id: string }) => id), ["S-a"]);
    assert.deepEqual(
      data.results.map(({ id, kind }: { id: string; kind: string }) => [id, kind]).slice(1),
      [["H-dec1", "decision"], ["H-dec2", "dead_end"], ["H-open", "open"]],
    );
  },
);

Deno.test(
  {
    name: "cost --pr counts the requests behind the commits of a branch, and the rest beside them",
    ignore,
  },
  async () => {
    await using repository = await madeBranch();
    const { path } = repository;
    // A million tokens in cost five dollars; each request asks for another share of it.
    const asked = (entry: Partial<Entry>, id: string, share: number): Partial<Entry> => ({
      ...entry,
      model: "claude-opus-4-5",
      usage: { id, input_tokens: share * 1e6, output_tokens: 0 },
    });
    const said = (session_id: string, text: string): Partial<Entry> => ({
      ...{ role: "assistant", type: "turn", text, session_id },
    });
    const t = await storeIn(repository, [
      prompt("S-a", "Limit requests by account with a token bucket."),
      asked(said("S-a", "I look at it first."), "r1", 1),
      asked(edit("S-a", "src/limiter.ts", limiter, path), "r2", 2),
      prompt("S-a", "What is the weather like?"),
      asked(said("S-a", "I cannot know that."), "r3", 4),
      prompt("S-b", "Write the job queue."),
      asked(edit("S-b", "src/retry.ts", retry, path), "r4", 8),
    ]);
    const all = await t.run<{ usd: number }>("cost", {}, { cwd: path });
    assert.equal(all.usd, 75);
    const own = await t.run<{ usd: number; requests: number; pr: object }>(
      "cost",
      { pr: "main" },
      { cwd: path },
    );
    assert.deepEqual([own.usd, own.requests], [15, 2]);
    assert.deepEqual(own.pr, {
      base: "main",
      commits: 2,
      unattributed: 1,
      other_usd: 20,
      other_tokens: 4e6,
    });
    const one = await t.run<{ usd: number; pr: { commits: number } }>(
      "cost",
      { pr: "HEAD~1..HEAD" },
      { cwd: path },
    );
    assert.deepEqual([one.usd, one.pr.commits], [0, 1]);
  },
);

Deno.test(
  { name: "pr makes a page that loads nothing, and leads to the messages", ignore },
  async () => {
    await using repository = await madeBranch();
    const secret = "AKIAQ3EGVT5RM2WNK7XZ";
    const t = await storeIn(repository, [
      prompt("S-a", "Limit requests by account with a <b>token</b> bucket, please"),
      edit("S-a", "src/limiter.ts", limiter, repository.path),
      decision("S-a", "H-dec1", `We decided on <script>alert(1)</script> over ${secret}.`),
    ]);
    const told = await t.run<Told>("pr", { base: "main", format: "html" });
    assert.equal(told.title, "main..HEAD");
    assert.deepEqual(told.results.map(({ id, at }) => at === id), [true, true]);
    assert.match(told.text, /default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/);
    assert.match(told.text, /<li>Limit requests by account with a &lt;b&gt;token/);
    assert.match(told.text, /We decided on &lt;script&gt;alert\(1\)/);
    assert.match(told.text, /<li><code>[0-9a-f]{9}<\/code> Limit rates<\/li>/);
    assert.doesNotMatch(told.text, /<script|<link|<img|https?:|url\(/);
    assert.ok(!told.text.includes(secret));
    assert.equal(
      (await t.run<Told>("pr", { base: "HEAD~2..HEAD~1", format: "html" })).title,
      "Limit rates",
    );
  },
);

interface Told {
  title: string;
  text: string;
  results: { id: string; at: string }[];
}

Deno.test({
  name: "pr --list names commits, pull requests and branches, and who wrote each",
  ignore,
}, async () => {
  await using repository = await madeBranch();
  await repository.git("checkout", "-q", "main");
  await repository.git("merge", "-q", "--no-ff", "-m", "Merge pull request #7 from a/work", "work");
  await repository.commit("Print labels (#9)", { "label.ts": "export const label = 'parcel';\n" });
  await repository.git("checkout", "-q", "-b", "next");
  await repository.commit("Retry later", { "src/retry.ts": retry.join("\n") });
  await repository.git("checkout", "-q", "main");
  await repository.git("branch", "-q", "merged", "work");
  const t = await storeIn(repository, [
    edit("S-a", "src/limiter.ts", limiter, repository.path),
    edit("S-b", "src/retry.ts", retry, repository.path),
  ]);
  interface Listed {
    changes: { kind: string; name: string; range?: string; sessions: { id: string }[] }[];
  }
  const { changes } = await t.run<Listed>("changes");
  const short = async (name: string) => (await repository.git("rev-parse", name)).slice(0, 12);
  const [label, merge, first] = [await short("main"), await short("main~1"), await short("main~2")];
  assert.deepEqual(
    changes.map((
      { kind, name, range, sessions },
    ) => [kind, name, range, sessions.map(({ id }) => id)]),
    [
      ["branch", "next", "main..next", ["S-b"]],
      ["pull_request", "#9", `${label}^..${label}`, []],
      ["pull_request", "#7", `${merge}^1..${merge}^2`, ["S-a"]],
      ["commit", first, undefined, []],
    ],
  );
  // What is listed can be described.
  for (const { range } of changes) {
    if (range) {
      assert.equal((await t.run<{ because?: string }>("pr", { base: range })).because, undefined);
    }
  }
  const { stdout } = await t.ctx(["pr", "--list", "--limit", "1"]);
  assert.deepEqual(stdout.trimEnd().split("\n").length, 2);
  assert.match(stdout, /Retry later/);
});

Deno.test({ name: "pr leaves out what a session decided for other work", ignore }, async () => {
  await using repository = await madeBranch();
  const t = await storeIn(repository, [
    edit("S-a", "src/limiter.ts", limiter, repository.path),
    decision("S-a", "H-old", "We decided to move the docs to another site.", {
      ts: "2025-12-20T10:00:00.000Z",
    }),
    decision("S-a", "H-next", "We decided to sell the company.", {
      ts: "2026-02-01T10:00:00.000Z",
    }),
    decision("S-a", "H-near", "We decided to limit by account.", {
      files: ["src/limiter.ts"],
    }),
    decision("S-a", "H-elsewhere", "We decided to draw the logo anew.", { files: ["logo.svg"] }),
  ]);
  const { results } = await t.run<{ results: { id: string }[] }>("pr", { base: "main" });
  assert.deepEqual(results.map(({ id }) => id), ["H-near"]);
});

Deno.test({
  name: "pr: what a later decision replaced is a dead end, what it repeats is told once",
  ignore,
}, async () => {
  await using repository = await madeBranch();
  const t = await storeIn(repository, [
    edit("S-a", "src/limiter.ts", limiter, repository.path),
    decision("S-a", "H-one", "Go with a fixed window of ten seconds."),
    decision("S-a", "H-two", "Go with a token bucket, refilled on demand.", {
      supersedes: "H-one",
    }),
    decision("S-a", "H-three", "Every account gets eighty tokens and bursts of ten"),
    decision("S-a", "H-four", "Every account gets eighty tokens and bursts of ten.", {
      supersedes: "H-three",
    }),
  ]);
  const { results } = await t.run<{ results: Record<string, string>[] }>("pr", { base: "main" });
  assert.deepEqual(results.map(({ id, kind, because }) => [id, kind, because]), [
    ["H-one", "dead_end", "replaced later"],
    ["H-two", "decision", undefined],
    ["H-four", "decision", undefined],
  ]);
});

Deno.test({ name: "pr gives nothing away and cannot be broken out of", ignore }, async () => {
  await using repository = await madeBranch();
  const secret = "AKIAQ3EGVT5RM2WNK7XZ";
  const t = await storeIn(repository, [
    edit("S-a", "src/limiter.ts", limiter, repository.path),
    { role: "user", text: "Please be quick, my cat Mitzi waits", session_id: "S-a", type: "turn" },
    decision(
      "S-a",
      "H-dec1",
      `We decided on ${repository.path}/src/limiter.ts over /home/jane/notes/plan.md with ${secret}, ` +
        "@octocat agrees in #12 and https://github.com/o/r/issues/3 <img src=x> ![x](http://x/y.png) " +
        "as jane@laptop: says",
    ),
  ]);
  const { stdout } = await t.ctx(["pr", "main"], { env: { HOSTNAME: "mybox42" } });
  const [line] = stdout.split("\n").filter((line) => line.startsWith("- We decided"));
  assert.equal(
    line.replace(/ \([0-9a-f]{9}\)$/, ""),
    "- We decided on src/limiter.ts over \\[path\\] with \\[REDACTED:aws-access-key-id\\], " +
      "@&#8203;octocat agrees in \\#&#8203;12 and https:&#8203;//github.com/o/r/issues/3 " +
      "&lt;img src=x&gt; !\\[x\\](http:&#8203;//x/y.png) as \\[address\\]: says",
  );
  for (const word of [secret, repository.path, "jane", "Mitzi"]) assert.ok(!stdout.includes(word));
  const { stdout: json } = await t.ctx(["pr", "main", "--json"]);
  for (const word of [secret, "jane", "Mitzi"]) assert.ok(!json.includes(word), word);
});

Deno.test({
  name: "pr tells what an agent said did not do, and never what a tool printed",
  ignore,
}, async () => {
  await using repository = await madeBranch();
  const printed = "Tried to reach the limiter but failed: connection refused";
  const output = { role: "tool" as const, type: "tool_output", text: `x\n${printed}\n` };
  const fix = { type: "fix", refs: ["H-out"] };
  const t = await storeIn(repository, [
    edit("S-a", "src/limiter.ts", limiter, repository.path),
    { id: "H-out", session_id: "S-a", ...output },
    decision("S-a", "H-fix", `${printed}\nI first tried a longer timeout, but it hung.`, fix),
  ]);
  const { results } = await t.run<{ results: Record<string, string>[] }>("pr", { base: "main" });
  assert.deepEqual(results.map(({ kind, text }) => [kind, text]), [
    ["dead_end", "I first tried a longer timeout, but it hung."],
  ]);
});

Deno.test({
  name: "pr tells one branch nothing of another that the same session worked on",
  ignore,
}, async () => {
  await using repository = await tempRepository();
  await repository.commit("First", { "README.md": "# Rates\n" });
  for (const [branch, path, lines] of [["a", "limiter", limiter], ["b", "retry", retry]] as const) {
    await repository.git("checkout", "-q", "-b", branch, "main");
    await repository.commit(`Work on ${path}`, { [`src/${path}.ts`]: lines.join("\n") });
  }
  await repository.git("checkout", "-q", "main");
  const t = await storeIn(repository, [
    prompt("S-a", "Limit requests by account with a token bucket"),
    { ...edit("S-a", "src/limiter.ts", limiter, repository.path), id: "H-limit" },
    decision("S-a", "H-dec1", "Buckets stay in memory, it saves a round trip.", {
      refs: ["H-limit"],
    }),
    prompt("S-a", "Thanks! Failed jobs should be retried with growing delays"),
    prompt("S-a", "yes, do that"),
    { ...edit("S-a", "src/retry.ts", retry, repository.path), id: "H-retry" },
    decision("S-a", "H-dec2", "A job is given up after eight attempts, or queues fill.", {
      refs: ["H-retry"],
    }),
  ]);
  const told = async (range: string): Promise<string[]> => {
    const { results } = await t.run<{ results: { text: string }[] }>("pr", { base: range });
    return results.map(({ text }) => text);
  };
  // Neither is checked out.
  assert.deepEqual(await told("main..a"), [
    "Limit requests by account with a token bucket",
    "Buckets stay in memory, it saves a round trip.",
  ]);
  assert.deepEqual(await told("main...b"), [
    "Failed jobs should be retried with growing delays",
    "A job is given up after eight attempts, or queues fill.",
  ]);
  assert.deepEqual(await told("a..b"), await told("main..b"));
});

Deno.test({
  name: "pr asks nothing of the reader that only those who were there understand",
  ignore,
}, async () => {
  await using repository = await madeBranch();
  const prompts = [
    "yes please",
    "commit the limiter changes and push them to the account branch",
    "this should be hidden for anonymous accounts:",
    "but the account limiter has no bursts, so we would need those as well?",
    "one of them involves a bucket that is not refilled by account",
    "the account limiter should be updated with this info and its bursts",
    "I like the bucket idea and you described the account bursts really well",
    "5 seems like a low hanging fruit",
    "Here is the limiter:\n✓ bucket refills by account\n✗ bucket bursts by region",
  ];
  for (const text of prompts) {
    const t = await storeIn(repository, [
      prompt("S-a", text),
      edit("S-a", "src/limiter.ts", limiter, repository.path),
    ]);
    const { results } = await t.run<{ results: unknown[] }>("pr", { base: "main" });
    assert.deepEqual(results, [], text);
    await Deno.remove(`${repository.path}/.contextfs`, { recursive: true });
  }
});

Deno.test({
  name: "pr asks in the words that were typed, without what points to the talk around them",
  ignore,
}, async () => {
  await using repository = await madeBranch();
  const t = await storeIn(repository, [
    prompt(
      "S-a",
      "once you're done with that, it seems like anonymous accounts get past the limiter. " +
        "you can check the balancer to figure that one out.",
    ),
    edit("S-a", "src/limiter.ts", limiter, repository.path),
  ]);
  const { results } = await t.run<{ results: { text: string }[] }>("pr", { base: "main" });
  assert.deepEqual(results.map(({ text }) => text), ["anonymous accounts get past the limiter."]);
});

Deno.test({
  name: "pr names the files of a prompt that has only a small part in its commit",
  ignore,
}, async () => {
  await using repository = await madeBranch();
  await repository.commit("Rework the gateway", {
    "src/retry.ts": retry.join("\n"),
    ...Object.fromEntries(["a", "b"].map((name) => [
      `src/${name}.ts`,
      `export const ${name} = gateway.open("${name}");\n`,
    ])),
  });
  const t = await storeIn(repository, [
    prompt("S-a", "Failed jobs should be retried with growing delays"),
    edit("S-a", "src/retry.ts", retry, repository.path),
  ]);
  const { stdout } = await t.ctx(["pr", "main"]);
  assert.match(
    stdout,
    /^- Failed jobs .* growing delays \(only src\/retry\.ts\) \([0-9a-f]{9}\)$/m,
  );
});

Deno.test({
  name: "pr: a squashed commit has the decisions of the commits that went into it, and no others",
  ignore,
}, async () => {
  await using repository = await tempRepository();
  await repository.commit("First", { "README.md": "# Rates\n" });
  await repository.git("checkout", "-q", "-b", "work");
  await repository.commit("Gateway: limits and retries (#7)", {
    "src/limiter.ts": limiter.join("\n"),
    "src/retry.ts": retry.join("\n"),
  });
  const filler =
    "The page of the gateway shows what was done to a request, and by whom it was sent. ";
  const run = (n: number, subject: string, why: string): Partial<Entry>[] => {
    const command = `git add -A && git commit -m "${subject}\n\n${why} ${filler.repeat(4)}"`;
    const row = { session_id: "S-a", tool: { name: "Bash", call_id: `c${n}` } };
    const input = { effect: "run", input: { command } };
    return [
      {
        ...row,
        role: "assistant",
        type: "tool_call",
        text: `Bash: ${command}`,
        tool: { ...row.tool, ...input },
      },
      { ...row, role: "tool", type: "tool_output", text: `[work 1a2b3c${n}] ${subject}\n 1 file` },
    ];
  };
  const limit = "Buckets stay in memory instead of Redis, which saves a round trip.";
  const again = "Jobs wait with growing delays instead of being tried at once.";
  const t = await storeIn(repository, [
    prompt("S-a", "Limit requests by account and retry failed jobs with growing delays"),
    edit("S-a", "src/limiter.ts", limiter, repository.path),
    ...run(1, "feat: limit requests by account", limit),
    edit("S-a", "src/retry.ts", retry, repository.path),
    ...run(2, "feat: retry failed jobs later", again),
    edit("S-a", "src/logo.ts", ["export const logo = draw();"], repository.path),
    ...run(3, "feat: draw the logo of the gateway", "It is drawn at the start instead of loaded."),
  ]);
  const { results } = await t.run<{ results: { kind: string; text: string }[] }>("pr", {
    base: "main",
  });
  assert.deepEqual(results.map(({ kind, text }) => `${kind}: ${text}`), [
    "asked: Limit requests by account and retry failed jobs with growing delays",
    `decision: feat: limit requests by account: ${limit}`,
    `decision: feat: retry failed jobs later: ${again}`,
  ]);
});

Deno.test(
  { name: "pr stays short enough for a forge, and says what it left out", ignore },
  async () => {
    await using repository = await madeBranch();
    const t = await storeIn(repository, [
      edit("S-a", "src/limiter.ts", limiter, repository.path),
      ...Array.from(
        { length: 300 },
        (_, i) => decision("S-a", `H-d${i}`, `Choice choice${i} ${"<&>#1@a_".repeat(90)}`),
      ),
    ]);
    const { text, left_out, results } = await t.run<
      { text: string; left_out: number; results: unknown[] }
    >("pr", { base: "main" });
    assert.ok(text.length <= 65_536, `${text.length}`);
    const told = text.split("\n").filter((line) => line.startsWith("- Choice")).length;
    assert.deepEqual([told + left_out, results.length], [300, 300]);
    assert.match(text, new RegExp(`- … and ${left_out} earlier\n`));
    assert.match(text, /_From 1 recorded session; .*\n$/);
  },
);

Deno.test(
  { name: "pr without any session behind the commits says so in a line", ignore },
  async () => {
    await using repository = await madeBranch();
    const t = await storeIn(repository, [
      decision("S-a", "H-dec1", "We decided to keep the buckets in memory."),
    ]);
    const { code, stdout } = await t.ctx(["pr", "main"]);
    assert.deepEqual([code, stdout], [0, "_None of 2 commits came from a recorded session._\n"]);
    const none = await t.ctx(["pr", "HEAD"]);
    assert.deepEqual([none.code, none.stdout], [
      0,
      "Nothing to describe: HEAD has no commits that are not in HEAD\n",
    ]);
    const wrong = await t.ctx(["pr", "mian"]);
    assert.deepEqual([wrong.code, wrong.stdout], [3, ""]);
    assert.match(
      wrong.stderr,
      /^ctx: Cannot compare with "mian": there is no commit "mian"\nhint: /,
    );
  },
);

Deno.test({
  name: "pr: merges count for nobody, and a session behind several commits is one",
  ignore,
}, async () => {
  await using repository = await madeBranch();
  await repository.git("checkout", "-q", "main");
  await repository.commit("Meanwhile", { "other.ts": "export const other = compute(42);\n" });
  await repository.git("checkout", "-q", "work");
  await repository.git("merge", "-q", "--no-ff", "-m", "Merge main", "main");
  await repository.commit("Retry", { "src/retry.ts": retry.join("\n") });
  const t = await storeIn(repository, [
    edit("S-a", "src/limiter.ts", limiter, repository.path),
    edit("S-a", "src/retry.ts", retry, repository.path),
    decision("S-a", "H-dec1", "We decided to retry with a growing delay."),
  ]);
  const { stdout } = await t.ctx(["pr", "main"]);
  assert.equal(stdout.match(/^- .*$/gm)?.length, 1);
  assert.match(
    stdout,
    /_From 1 recorded session; 1 of 3 commits did not come from a recorded session; 1 merge not counted\._/,
  );
});

Deno.test(
  { name: "pr knows what a branch goes into: upstream, the remote's head, main", ignore },
  async () => {
    await using repository = await madeBranch();
    const t = await storeIn(repository, []);
    const baseOf = async (): Promise<string> => (await t.run<{ base: string }>("pr")).base;
    assert.equal(await baseOf(), "main");
    await repository.git("update-ref", "refs/remotes/origin/trunk", "main");
    await repository.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk");
    assert.equal(await baseOf(), "origin/HEAD");
    // A branch that was pushed follows its own name: that is not what it goes into.
    await repository.git("update-ref", "refs/remotes/origin/work", "HEAD");
    await repository.git("config", "branch.work.remote", "origin");
    await repository.git("config", "branch.work.merge", "refs/heads/work");
    assert.equal(await baseOf(), "origin/HEAD");
    await repository.git("update-ref", "refs/remotes/origin/next", "main");
    await repository.git("config", "branch.work.merge", "refs/heads/next");
    assert.equal(await baseOf(), "origin/next");
  },
);

Deno.test({
  name: "pr has a clear answer without git, without a base, and in a shallow clone",
  ignore,
}, async () => {
  await using alone = await tempRepository();
  const empty = await storeIn(alone, []);
  assert.equal(
    (await empty.ctx(["pr"])).stdout,
    "Nothing to describe: the current branch has no commits yet (git commit)\n",
  );
  await alone.commit("First", { "a.ts": "export const first = 1;\n" });
  const nowhere = await empty.ctx(["pr"]);
  assert.deepEqual([nowhere.code, nowhere.stdout], [2, ""]);
  assert.match(
    nowhere.stderr,
    /^ctx: Cannot find the base branch: .*\nhint: name it: ctx pr BASE/,
  );

  await Deno.remove(`${alone.path}/.git`, { recursive: true });
  const without = await empty.ctx(["pr"]);
  assert.deepEqual([without.code, without.stdout], [
    0,
    "Nothing to describe: the workspace is not in a git repository (git init)\n",
  ]);

  await using whole = await madeBranch();
  await using clone = await tempRepository();
  await clone.git("remote", "add", "origin", `file://${whole.path}`);
  await clone.git("fetch", "-q", "--depth", "1", "origin", "work", "main:refs/remotes/origin/main");
  await clone.git("checkout", "-q", "FETCH_HEAD");
  const shallow = await (await storeIn(clone, [])).ctx(["pr", "origin/main"]);
  assert.deepEqual([shallow.code, shallow.stdout], [
    0,
    "Nothing to describe: HEAD and origin/main have no commit in common here; the clone is shallow " +
    "(git fetch --unshallow)\n",
  ]);
});

Deno.test({ name: "pr answers for a commit of 5,000 files", ignore }, async () => {
  await using repository = await madeBranch();
  const files = Object.fromEntries(
    Array.from({ length: 5000 }, (_, i) => [`gen/${i}.ts`, `export const made${i} = ${i};\n`]),
  );
  await repository.commit("Generated", files);
  const t = await storeIn(repository, [edit("S-a", "src/limiter.ts", limiter, repository.path)]);
  const { stdout } = await t.ctx(["pr", "main"]);
  assert.match(
    stdout,
    /^_From 1 recorded session; 2 of 3 commits did not come from a recorded session; nothing /,
  );
});

/** A branch `work` with two commits that `main` does not have: the limiter, and one by hand. */
async function madeBranch(): Promise<TempRepository> {
  const repository = await tempRepository();
  await repository.commit("First", { "README.md": "# Rates\n" });
  await repository.git("checkout", "-q", "-b", "work");
  await repository.commit("Limit rates", { "src/limiter.ts": limiter.join("\n") });
  await repository.commit("By hand", { "hand.md": "Nobody recorded this very line.\n" });
  return repository;
}

async function storeIn(
  { path }: TempRepository,
  entries: Partial<Entry>[],
): Promise<TempStore> {
  const t = new TempStore(path);
  await t.run("init");
  const rows = entries.map((entry, i) => ({ ts: minute(i), ...entry }));
  if (rows.length > 0) t.write("history.ndjson", toLog(rows));
  return t;
}

/** Shortly before the commits. */
function minute(i: number): string {
  return new Date(Date.UTC(2025, 11, 31, 23, 50, i)).toISOString();
}

function prompt(session_id: string, text: string): Partial<Entry> {
  return { role: "user", type: "turn", text, session_id };
}

function decision(
  session_id: string,
  id: string,
  text: string,
  more: Partial<Entry> = {},
): Partial<Entry> {
  return { id, session_id, text, role: "note", type: "decision", ...more };
}

function edit(session: string, path: string, lines: string[], project: string): Partial<Entry> {
  const input = { file_path: `${project}/${path}`, old_string: "", new_string: lines.join("\n") };
  return {
    role: "assistant",
    type: "tool_call",
    text: "Edit",
    session_id: session,
    project,
    files: [path],
    tool: { name: "Edit", input, effect: "edit", call_id: path },
  };
}
