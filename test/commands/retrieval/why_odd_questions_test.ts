// Questions to `ctx why` that have no plain answer, asked of the built file: each ends with 0 and says
// "unknown, because …", or answers with what is there.

import assert from "node:assert/strict";
import { notOnWindows } from "../../support/not_on_windows.ts";
import { isMissing } from "../../support/processes/find_program.ts";
import { runProcess } from "../../support/processes/run_ctx.ts";
import { type TempRepository, tempRepository } from "../../support/temp_repository.ts";
import { TempStore, tempStore, toLog } from "../../support/stores/temp_store.ts";
import { toFileUrl } from "../../../src/core/platform_path.ts";

const ignore = isMissing("git");

const line = "export const lifetime = minutes(15);";
const other = "export const renewals = countOf(renewed);";
const file = `${line}\n${other}\n}\n`;

interface Answer {
  session_id?: string;
  because?: string;
  hint?: string;
  missing?: boolean;
  note?: string;
  lines?: string;
  commit?: string;
  committed?: string;
}

/** What is asked, and what must be in the first answer. */
type Case = [
  target: string,
  expected: { because?: RegExp; hint?: string; session?: string; missing?: boolean },
];

Deno.test(
  { name: "why says of a line from before all sessions that it is older", ignore },
  async () => {
    await using w = await workspace();
    const { repository: t, store } = w;
    t.write({ "old.ts": file });
    await t.git("add", "old.ts");
    const before = { GIT_COMMITTER_DATE: "2025-12-01T00:00:00Z" };
    const args = [
      "git",
      "-c",
      "user.name=A",
      "-c",
      "user.email=a@example.org",
      "commit",
      "-qm",
      "Old",
    ];
    const made = await runProcess(args, { cwd: t.path, env: before });
    assert.equal(made.code, 0, made.stderr);
    const [answer] = await ask(store, "old.ts:1");
    assert.deepEqual([answer.because, answer.commit, answer.lines], [
      "it is older than the first recorded edit",
      await t.git("rev-parse", "HEAD"),
      "1",
    ]);
  },
);

Deno.test({
  name: "why says of every odd question why it has no answer",
  ignore: ignore || notOnWindows("links need a privilege, and names have no line ends there"),
}, async () => {
  await using w = await workspace();
  const { repository: t, store } = w;
  const head = await t.commit("Tokens last a while", {
    "src/token.ts": file,
    "a.bin": "\0\0",
  });
  await t.commit("Generated", { "generated.ts": generated("const") });
  Deno.symlinkSync("/etc", `${t.path}/out`);
  Deno.symlinkSync("src/token.ts", `${t.path}/link.ts`);
  await t.git("update-index", "--add", "--cacheinfo", `160000,${head},sub`);
  await t.git("commit", "-q", "-m", "A module of its own");
  t.write({
    "sub/x.ts": "1\n",
    "two\nlines.ts": `${line}\n`,
    "odd:12": "export const never = recorded();\n",
    "fresh.ts": "export const never = recorded();\n",
    "empty.ts": "",
    "src/token.ts": `${file}export const uncommitted = line();\n`,
  });
  await importCommits(t);
  const ambiguous = await findAmbiguous(t);
  const nobody = /^none of its lines were recorded in a session$/;
  const cases: Case[] = [
    ["src/token.ts:1", { session: "S-writer" }],
    ["src/token.ts:1:8", { session: "S-writer" }],
    ["two\nlines.ts:1", { because: /^too few distinctive lines of it were recorded$/ }],
    ["odd:12", { because: nobody }],
    ["odd:12:1", { because: nobody }],
    ["src/token.ts:99", { because: /^"src\/token\.ts" has 4 lines, no line 99$/ }],
    ["src/token.ts:0", { because: /has 4 lines, no line 0$/ }],
    ["src/token.ts:3-1", { because: /^line 1 comes before/, hint: "ctx why src/token.ts:1-3" }],
    ["src/token.ts:4", { because: nobody }],
    ["src/none.ts:1", { because: /^there is no file "src\/none\.ts"$/, missing: true }],
    ["src", { because: /^"src" is a directory, not a file$/ }],
    ["/etc/hostname:1", { because: /^"\/etc\/hostname" is outside the workspace$/ }],
    ["../beside.ts:1", { because: /^"\.\.\/beside\.ts" is outside the workspace$/ }],
    ["out/hostname:1", { because: /is outside the workspace/ }],
    ["link.ts:1", { because: /is a link to "src\/token\.ts"$/ }],
    ["a.bin:1", { because: /is not a text file$/ }],
    [
      "sub/x.ts:1",
      { because: /belongs to a submodule/, hint: "run ctx why in the submodule's directory" },
    ],
    ["fresh.ts:1", { because: nobody }],
    ["empty.ts", { because: /has 0 lines/ }],
    ["generated.ts:99999", { because: nobody }],
    ["generated.ts", { because: nobody }],
    ["wide", { because: nobody }],
    ["wide~1", { because: nobody }],
    ["0123456789", { because: /^there is no file or commit "0123456789"$/, missing: true }],
    ["HEAD~999", { because: /^there is no commit/, hint: "git log --oneline", missing: true }],
    [ambiguous, { because: /matches \d+ commits: / }],
  ];
  for (const [target, expected] of cases) check(target, await ask(store, target), expected);
  const [all] = await ask(store, "generated.ts");
  assert.equal(all.lines, "1-100000");
});

Deno.test(
  { name: "why answers the same without a table of lines, and with a damaged one", ignore },
  async () => {
    await using w = await workspace();
    const { repository: t, store } = w;
    await t.commit("Tokens last a while", { "src/token.ts": file });
    const plain = await ask(store, "src/token.ts:1");
    assert.equal(plain[0].session_id, "S-writer");
    const table = `${store.root}/index/lines.bin`;
    const bytes = Deno.readFileSync(table);
    for (const damaged of [bytes.slice(0, 100), bytes.map((byte) => byte ^ 0xff)]) {
      Deno.writeFileSync(table, damaged);
      assert.deepEqual(await ask(store, "src/token.ts:1"), plain);
      assert.deepEqual(Deno.readFileSync(table), bytes);
    }
    Deno.removeSync(table);
    assert.deepEqual(await ask(store, "src/token.ts:1"), plain);
  },
);

Deno.test({ name: "why and pr look at the worktree that they are asked in", ignore }, async () => {
  await using w = await workspace();
  const { repository: t, store } = w;
  await t.commit("Start", { "a.ts": "1\n" });
  for (const place of [`${t.path}/inside`, `${t.path}-beside`]) {
    await t.git("worktree", "add", "-q", "-b", place.slice(t.path.length + 1), place);
    using _end = { [Symbol.dispose]: () => Deno.removeSync(place, { recursive: true }) };
    Deno.mkdirSync(`${place}/src`);
    Deno.writeTextFileSync(`${place}/src/token.ts`, file);
    await t.git("-C", place, "add", "src");
    const head = await t.git("-C", place, "commit", "-q", "-m", "Tokens last a while")
      .then(() => t.git("-C", place, "rev-parse", "HEAD"));
    for (
      const [cwd, target] of [[`${place}/src`, "token.ts:1"], [place, "HEAD"], [
        t.path,
        `${place}/src/token.ts:1`,
      ]]
    ) {
      const { code, stdout } = await store.ctx(["why", target, "--json"], { cwd });
      const [{ session_id, commit }] = JSON.parse(stdout).results;
      assert.deepEqual([code, session_id, commit], [0, "S-writer", head], `${cwd} ${target}`);
    }
    const { stdout } = await store.ctx(["pr", "main", "--json"], { cwd: place });
    const { commits, sessions } = JSON.parse(stdout);
    assert.deepEqual([commits, sessions.length], [1, 1]);
  }
});

Deno.test({ name: "why says what of a commit cannot be read", ignore }, async () => {
  await using w = await workspace();
  const { repository: t, store } = w;
  await t.commit("Tokens last a while", { "src/token.ts": file });
  const write = async (name: string, edit: (text: string) => string) => {
    const path = `${t.path}/.git/${name}`;
    Deno.writeTextFileSync(path, edit(`${await t.git("cat-file", "commit", "HEAD")}\n`));
    return await t.git("hash-object", "-t", "commit", "-w", "--literally", path);
  };
  const dateless = await write("dateless", (text) => text.replace(/(committer .+>) .+/, "$1 soon"));
  const large = await write("large", (text) => text + "word ".repeat(1 << 18));
  await t.git("update-ref", "refs/heads/main", dateless);
  const because = "the date of its commit cannot be read";
  for (const target of [dateless, "HEAD", "src/token.ts:1"]) {
    const [answer] = await ask(store, target);
    assert.deepEqual([answer.because, answer.commit, answer.committed], [
      because,
      dateless,
      undefined,
    ], target);
  }
  const { stdout } = await store.ctx(["why", "HEAD"]);
  assert.match(stdout, /^\w{10} Tokens last a while \(A Person\)$/m);
  await t.git("update-ref", "refs/heads/main", large);
  for (const target of [large, "HEAD", "src/token.ts:1"]) {
    const [answer] = await ask(store, target);
    assert.match(answer.because ?? "", /\(a commit is too large\)$/, target);
    assert.equal(answer.hint, undefined);
  }
});

Deno.test({ name: "why in a workspace whose git is odd", ignore }, async () => {
  await using empty = await tempStore();
  empty.write("../a.ts", `${line}\n`);
  check("a.ts:1", await ask(empty, "a.ts:1"), {
    because: /^no session in this store recorded an edit$/,
    hint: "ctx import",
  });
  check("HEAD", await ask(empty, "HEAD"), {
    because: /^the workspace is not in a git repository$/,
    hint: "git init",
  });
  check("/etc/hostname:1", await ask(empty, "/etc/hostname:1"), {
    because: /^"\/etc\/hostname" is not in this workspace$/,
  });
  check("a.ts:7", await ask(empty, "a.ts:7"), { because: /has 1 line, no line 7$/ });

  await using w = await workspace();
  const { repository: t, store } = w;
  check("HEAD", await ask(store, "HEAD"), { because: /has no commits yet$/, hint: "git commit" });
  await t.commit("Tokens last a while", { "src/token.ts": file });
  await t.commit("More", { "src/token.ts": `${file}more();\n` });

  await using bare = await tempRepository("--bare");
  await new TempStore(bare.path).run("init");
  check("bare", await ask(new TempStore(bare.path), "a.ts:1"), {
    because: /^the workspace is a bare git repository$/,
  });

  const shallow = `${t.path}/.git/shallow-clone`;
  await t.git("clone", "-q", "--depth", "1", toFileUrl(t.path), shallow);
  const cloned = new TempStore(shallow);
  await cloned.run("init");
  cloned.write("history.ndjson", toLog(rows()));
  const [cut] = await ask(cloned, "src/token.ts:4");
  assert.match(cut.note ?? "", /^the clone is shallow/);
  // Nobody recorded this line: that its oldest commit has others of a session says nothing of it.
  assert.equal(cut.session_id, undefined);
  assert.equal((await ask(cloned, "src/token.ts:1"))[0].session_id, "S-writer");

  await t.git("checkout", "-q", "-b", "side", "HEAD~1");
  await t.commit("Side", { "src/token.ts": `${file}side();\n` });
  await t.tryGit("merge", "main");
  const merging = await ask(store, "src/token.ts:4");
  assert.match(merging[0].note ?? "", /has conflicts; a merge is in progress$/);
  assert.equal(merging[0].commit, undefined);
  assert.equal((await ask(store, "src/token.ts:1"))[0].session_id, "S-writer");
});

Deno.test("a merge is nobody's, and the commits that it brought are the next step", async () => {
  await using w = await workspace();
  const { repository: t, store } = w;
  await t.commit("Tokens last a while", { "src/token.ts": file });
  await t.git("checkout", "-q", "-b", "side");
  await t.commit("Side", { "src/side.ts": "side();\n" });
  await t.git("checkout", "-q", "-");
  await t.git("merge", "-q", "--no-ff", "-m", "Merge side", "side");
  const answers = await ask(store, "HEAD");
  check("HEAD", answers, { because: /^it is a merge$/ });
  assert.match(answers[0].hint ?? "", /^git log --oneline ([0-9a-f]{10})\^\.\.\1$/);
});

async function ask(store: TempStore, target: string): Promise<Answer[]> {
  const { code, stdout, stderr } = await store.ctx(["why", target, "--json"]);
  const { results } = JSON.parse(stdout);
  assert.deepEqual([code, stderr], [results[0].missing ? 3 : 0, ""], target);
  return results;
}

function check(target: string, [answer]: Answer[], expected: Case[1]): void {
  const { because, hint, session, missing } = expected;
  assert.equal(answer.missing, missing, target);
  if (because !== undefined) {
    assert.match(answer.because ?? JSON.stringify(answer), because, target);
  }
  assert.deepEqual([answer.session_id, hint && answer.hint], [session, hint], target);
}

function generated(word: string): string {
  return Array.from({ length: 100_000 }, (_, i) => `${word} value${i} = ${i * 7};\n`).join("");
}

/** A commit with 5,000 files on the branch `wide`, on a thousand of which some share four digits. */
async function importCommits(t: TempRepository): Promise<void> {
  const commit = (number: number): string =>
    `commit refs/heads/wide\nmark :${number}\ncommitter A <a@example.org> ${
      1_700_000_000 + number
    } ` +
    `+0000\ndata 5\nmade\n\n${number > 1 ? `from :${number - 1}\n` : ""}`;
  const files = Array.from(
    { length: 5000 },
    (_, i) => `M 100644 inline wide/file_${i}.ts\ndata 26\nexport const made = 0000;\n`,
  );
  const text = Array.from({ length: 1000 }, (_, i) => commit(i + 1)).join("") + commit(1001) +
    files.join("") + commit(1002) + "M 100644 inline one.ts\ndata 26\nexport const made = 0001;\n";
  const { code, stderr } = await runProcess(["git", "fast-import", "--quiet"], {
    cwd: t.path,
    stdin: text,
  });
  assert.equal(code, 0, stderr);
}

async function findAmbiguous(t: TempRepository): Promise<string> {
  const names = (await t.git("rev-list", "wide")).split("\n").map((oid) => oid.slice(0, 4));
  const twice = names.find((name, i) => names.indexOf(name) !== i && /^[a-f]/.test(name));
  assert.ok(twice);
  return twice;
}

/** A repository whose workspace has a store with a session that wrote the first lines. */
async function workspace(): Promise<
  AsyncDisposable & { repository: TempRepository; store: TempStore }
> {
  const repository = await tempRepository();
  const store = new TempStore(repository.path);
  await store.run("init");
  store.write("history.ndjson", toLog(rows()));
  return { repository, store, [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose]() };
}

function rows(): Record<string, unknown>[] {
  const input = { file_path: "/elsewhere/app/src/token.ts", old_string: "", new_string: file };
  const session_id = "S-writer";
  return [
    {
      session_id,
      ts: "2026-01-01T00:00:00.000Z",
      role: "user",
      type: "turn",
      text: "Tokens should last for fifteen minutes.",
    },
    {
      session_id,
      ts: "2026-01-01T00:00:10.000Z",
      role: "assistant",
      type: "tool_call",
      project: "/elsewhere/app",
      text: "Write: src/token.ts",
      tool: { name: "Edit", effect: "edit", input },
    },
  ];
}
