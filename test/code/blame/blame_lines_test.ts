// Who wrote a line: what `git blame` says is the measure, on histories that the real git made.

import assert from "node:assert/strict";
import { type Blame, blameLines, type BlameOptions } from "../../../src/code/blame/blame_lines.ts";
import { keepHistory } from "../../../src/code/blame/keep_history.ts";
import { openRepository } from "../../../src/code/blame/open_repository.ts";
import { openHistory } from "../../../src/code/blame/path_history.ts";
import { GitProblem, type GitReason } from "../../../src/code/git/git_problem.ts";
import { diskFiles } from "../../../src/disk/files.ts";
import { isMissing } from "../../support/processes/find_program.ts";
import { type BlameLine, TempRepository, tempRepository } from "../../support/temp_repository.ts";
import { toFileUrl } from "../../../src/core/platform_path.ts";
import { hasLinks } from "../../support/not_on_windows.ts";

const ignore = isMissing("git");
const isCaseBlind = Deno.build.os === "windows";

Deno.test(
  { name: "blameLines() says what git blame says, of histories full of merges", ignore },
  async () => {
    await using t = await grownRepository(31);
    const kept = `${t.path}/.git/kept.bin`;
    await keepHistory(t.repository, { files: diskFiles, path: kept });
    using history = openHistory(diskFiles, kept)!;
    let lines = 0;
    for (const file of (await t.git("ls-files")).split("\n")) {
      const expected = await t.blame(file);
      lines += expected.length;
      assert.deepEqual(linesOf(await blameOf(t, file)), expected, file);
      assert.deepEqual(linesOf(await blameOf(t, file, { history })), expected, `${file}, kept`);
      // One line alone is followed without comparing all of each version.
      for (let line = 1; line <= expected.length; line++) {
        const one = await blameOf(t, file, { from: line, to: line, history });
        assert.deepEqual(linesOf(one), [expected[line - 1]], `${file}:${line}`);
      }
    }
    assert.ok(lines > 200, `${lines} lines`);
  },
);

Deno.test(
  { name: "blameLines() goes on from a kept history that is older than HEAD", ignore },
  async () => {
    await using t = await grownRepository(5);
    const kept = `${t.path}/.git/kept.bin`;
    await keepHistory(t.repository, { files: diskFiles, path: kept, maxCommits: 20 });
    await t.commit("later", { "a.txt": "on top\n" + Deno.readTextFileSync(`${t.path}/a.txt`) });
    using history = openHistory(diskFiles, kept)!;
    assert.deepEqual(linesOf(await blameOf(t, "a.txt", { history })), await t.blame("a.txt"));
    await keepHistory(t.repository, { files: diskFiles, path: kept, maxCommits: 20 });
    using longer = openHistory(diskFiles, kept)!;
    assert.equal(longer.count, history.count + 1);
    assert.deepEqual(
      linesOf(await blameOf(t, "a.txt", { history: longer })),
      await t.blame("a.txt"),
    );
  },
);

Deno.test({ name: "blameLines() tells only the lines that were asked for", ignore }, async () => {
  await using t = await tempRepository();
  const first = await t.commit("one", { "a.txt": "1\n2\n3\n" });
  const second = await t.commit("two", { "a.txt": "1\nzwei\n3\n" });
  t.write({ "a.txt": "1\nzwei\n3\nfour\n" });
  const { lines, commits, count } = await blameOf(t, "a.txt", { from: 2, to: 3 });
  assert.equal(count, 4);
  assert.deepEqual(lines, [
    { line: 2, commit: second, commitLine: 2, commitPath: "a.txt" },
    { line: 3, commit: first, commitLine: 3, commitPath: "a.txt" },
  ]);
  assert.deepEqual(commits.get(first), {
    authored: Date.parse("2026-01-01T00:02:00Z"),
    committed: Date.parse("2026-01-01T00:02:00Z"),
    author: "A Person",
    email: "a@example.org",
    subject: "one",
    isBot: false,
    isMerge: false,
  });
  const { lines: last } = await blameOf(t, "a.txt", { from: 4, to: 9 });
  assert.deepEqual(last, [{ line: 4, commitLine: 4, commitPath: "a.txt" }]);
  const { lines: old } = await blameOf(t, "a.txt", { at: first });
  assert.deepEqual(old.map(({ commit }) => commit), [first, first, first]);
});

Deno.test(
  { name: "blameLines() follows renames, committed and staged, exact and edited", ignore },
  async () => {
    await using t = await tempRepository();
    const text = Array.from({ length: 20 }, (_, i) => `line ${i} of the file\n`);
    await t.commit("one", { "src/old.ts": text.join(""), "src/other.ts": "other\n" });
    await t.git("mv", "src/old.ts", "src/new.ts");
    text[3] = "edited while it was renamed\n";
    await t.commit("two", { "src/new.ts": text.join("") });
    await t.git("mv", "src/new.ts", "newest.ts");
    await t.commit("three");
    assert.deepEqual(linesOf(await blameOf(t, "newest.ts")), await t.blame("newest.ts"));
    await t.git("mv", "newest.ts", "staged.ts");
    const { lines } = await blameOf(t, "staged.ts");
    assert.deepEqual(linesOf({ lines }), await t.blame("staged.ts"));
    assert.deepEqual([...new Set(lines.map((line) => line.commitPath))], [
      "src/old.ts",
      "src/new.ts",
    ]);
  },
);

Deno.test({
  name: "blameLines() in the middle of a merge knows both sides and the conflict",
  ignore,
}, async () => {
  await using t = await tempRepository();
  await t.commit("one", { "a.txt": "1\n2\n3\n4\n5\n6\n7\n" });
  await t.git("checkout", "-q", "-b", "side");
  const side = await t.commit("side", { "a.txt": "1\nside\n3\n4\n5\nsix\n7\n", "b.txt": "new\n" });
  await t.git("checkout", "-q", "main");
  await t.commit("main", { "a.txt": "1\nmain\n3\n4\n5\n6\n7\n" });
  assert.notEqual((await t.tryGit("merge", "-q", "side")).code, 0);
  const blame = await blameOf(t, "a.txt");
  assert.deepEqual(linesOf(blame), await t.blame("a.txt"));
  assert.equal(blame.state, "merge");
  assert.deepEqual(blame.notes, ['"a.txt" has conflicts', "a merge is in progress"]);
  assert.ok(blame.lines.some(({ commit }) => commit === undefined));
  assert.deepEqual((await blameOf(t, "b.txt")).lines.map(({ commit }) => commit), [side]);
});

Deno.test({
  name: "blameLines() in a worktree, a subdirectory, a rebase and with packed refs",
  ignore,
}, async () => {
  await using t = await tempRepository();
  await t.commit("one", { "src/a.txt": "1\n2\n" });
  const last = await t.commit("two", { "src/a.txt": "1\nzwei\n" });
  const expected = await t.blame("src/a.txt");
  const blameIn = async (workspace: string, file: string): Promise<Blame> => {
    const repository = openRepository(workspace);
    assert.ok(!(repository instanceof GitProblem));
    return sure(await blameLines(repository, file));
  };
  const inside = await blameIn(`${t.path}/src`, "a.txt");
  assert.deepEqual([linesOf(inside), inside.path], [expected, "src/a.txt"]);
  await t.git("gc", "-q");
  await t.git("pack-refs", "--all");
  assert.deepEqual(linesOf(await blameOf(t, "src/a.txt")), expected);
  await t.git("worktree", "add", "-q", `${t.path}-tree`, "-b", "tree");
  try {
    assert.deepEqual(linesOf(await blameIn(`${t.path}-tree`, "src/a.txt")), expected);
  } finally {
    await Deno.remove(`${t.path}-tree`, { recursive: true });
  }
  await t.git("checkout", "-q", "-b", "side", "HEAD~1");
  await t.commit("side", { "src/a.txt": "1\nside\n" });
  assert.notEqual((await t.tryGit("rebase", "-q", "main")).code, 0);
  const { state, lines } = await blameOf(t, "src/a.txt");
  assert.equal(state, "rebase");
  assert.deepEqual(linesOf({ lines }), await t.blame("src/a.txt"));
  assert.ok(lines.some(({ commit }) => commit === last));
});

Deno.test({ name: "blameLines() says where a shallow or partial clone ends", ignore }, async () => {
  await using t = await tempRepository();
  await t.commit("one", { "a.txt": "1\n2\n" });
  const second = await t.commit("two", { "a.txt": "1\nzwei\n" });
  await t.commit("three", { "b.txt": "b\n" });
  await t.git("config", "uploadpack.allowFilter", "true");
  await using shallow = new TempRepository(`${t.path}-shallow`);
  await t.git("clone", "-q", "--depth", "2", toFileUrl(t.path), shallow.path);
  const cut = await blameOf(shallow, "a.txt");
  assert.deepEqual(linesOf(cut), await shallow.blame("a.txt"));
  assert.equal(cut.commits.get(second)?.cutOff, "shallow");
  assert.deepEqual(cut.notes, ["the clone is shallow: lines from its oldest commit may be older"]);
  await using partial = new TempRepository(`${t.path}-partial`);
  await t.git("clone", "-q", "--filter=blob:none", toFileUrl(t.path), partial.path);
  const { commits, notes, lines } = await blameOf(partial, "a.txt");
  assert.deepEqual(lines.map(({ commit }) => commit), [second, second]);
  assert.equal(commits.get(second)?.cutOff, "missing");
  assert.deepEqual(notes, [
    "the clone is partial: lines whose history was not fetched may be older",
  ]);
});

Deno.test({ name: "blameLines() says that an older version is too large", ignore }, async () => {
  await using t = await tempRepository();
  await t.commit("one", { "a.txt": `1\n${"long ".repeat(2 << 20)}\n` });
  const second = await t.commit("two", { "a.txt": "1\n2\n" });
  const { commits, notes } = await blameOf(t, "a.txt");
  assert.equal(commits.get(second)?.cutOff, "oversized");
  assert.deepEqual(notes, [
    "an older version or commit is too large to read: lines may be older",
  ]);
});

Deno.test(
  { name: "blameLines() takes lines as unchanged when only their ends differ", ignore },
  async () => {
    await using t = await tempRepository();
    const one = await t.commit("one", { "unix.txt": "1\n2\n", "dos.txt": "1\r\n2\r\n" });
    await t.git("config", "core.autocrlf", "true");
    t.write({ "unix.txt": "1\r\nzwei\r\n", "dos.txt": "1\nzwei\n" });
    for (const file of ["unix.txt", "dos.txt"]) {
      const { lines } = await blameOf(t, file);
      assert.deepEqual(lines.map(({ commit }) => commit), [one, undefined], file);
    }
  },
);

Deno.test({
  name: "blameLines() reads sha256 repositories, odd names and borrowed objects",
  ignore,
}, async () => {
  await using t = await tempRepository("--object-format=sha256");
  const composed = "caf\u00e9.txt";
  await t.commit("one", {
    [composed]: "1\n",
    ...isCaseBlind ? {} : { "Case.txt": "a\n" },
    "case.txt": "b\n",
    "sp ace": "x\n",
  });
  await t.commit("two", { [composed]: "1\n2\n", "case.txt": "b\nc\n" });
  for (const file of [composed, ...isCaseBlind ? [] : ["Case.txt"], "case.txt", "sp ace"]) {
    assert.deepEqual(linesOf(await blameOf(t, file)), await t.blame(file), file);
  }
  // A path may come with accents apart, as some systems write them.
  Deno.renameSync(`${t.path}/${composed}`, `${t.path}/${composed.normalize("NFD")}`);
  assert.equal((await blameOf(t, composed.normalize("NFD"))).path, composed);
  await using outer = await tempRepository();
  await outer.commit("one", { "a.txt": "1\n" });
  await outer.git("clone", "-q", "--shared", ".", "inner");
  const inner = new TempRepository(`${outer.path}/inner`);
  // What lies outside of the workspace is not read, also not when it is lent.
  assert.equal(problemOf(await blameLines(inner.repository, "a.txt")), "missing-objects");
});

Deno.test({
  name: "blameLines() ignores replacements and grafts, and knows bots and merges",
  ignore,
}, async () => {
  await using t = await tempRepository();
  const one = await t.commit("one", { "a.txt": "1\n" });
  await t.git("checkout", "-q", "-b", "side");
  t.write({ "a.txt": "1\n2\n" });
  const bot = "dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>";
  await t.git("commit", "-qam", "Bump", "--author", bot);
  await t.git("checkout", "-q", "main");
  await t.commit("main", { "b.txt": "b\n" });
  await t.git("merge", "-q", "--no-commit", "side");
  await t.commit("merge", { "a.txt": "1\n2\nfrom the merge\n" });
  await t.git("replace", one, await t.git("rev-parse", "side"));
  const { lines, commits } = await blameOf(t, "a.txt");
  const kinds = lines.map(({ commit }) => commits.get(commit!)!);
  assert.deepEqual(kinds.map(({ isBot, isMerge }) => [isBot, isMerge]), [
    [false, false],
    [true, false],
    [false, true],
  ]);
});

Deno.test({ name: "blameLines() says why a file has no answer", ignore }, async () => {
  await using t = await tempRepository();
  await using other = await tempRepository();
  await other.commit("one", { "inside.txt": "1\n" });
  await t.git("submodule", "add", "-q", toFileUrl(other.path), "module");
  await t.commit("one", {
    "a.txt": "1\n2\n",
    "gone.txt": "x\n",
    "data.bin": new Uint8Array([1, 0, 2]),
    "large.txt": "a\n",
    ".gitignore": "*.log\n/out/\n",
    "kept.psd": "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n",
    "src/b.txt": "b\n",
  });
  if (hasLinks) {
    Deno.symlinkSync("a.txt", `${t.path}/link.txt`);
    Deno.symlinkSync(other.path, `${t.path}/away`);
  }
  await t.commit("two");
  Deno.removeSync(`${t.path}/gone.txt`);
  t.write({
    "large.txt": new Uint8Array(9 << 20).fill(97),
    "new.txt": "n\n",
    "x.log": "l\n",
    "out/y.txt": "y\n",
    "kept.psd": "abc",
  });
  const expected: [string, GitReason, string][] = [
    ["missing.txt", "no-file", 'There is no file "missing.txt"'],
    ["gone.txt", "deleted", '"gone.txt" was deleted in the working tree'],
    ["new.txt", "untracked", '"new.txt" is not in git yet'],
    ["x.log", "ignored", '"x.log" is ignored by git: it has no history'],
    ["out/y.txt", "ignored", '"out/y.txt" is ignored by git: it has no history'],
    ["src", "directory", '"src" is a directory, not a file'],
    [".", "directory", '"." is a directory, not a file'],
    ["link.txt", "link", '"link.txt" is a link to "a.txt"'],
    ["data.bin", "binary", '"data.bin" is not a text file'],
    ["large.txt", "huge", '"large.txt" is larger than 8 MB'],
    ["kept.psd", "filtered", '"kept.psd" is stored in Git LFS: git has no history of its lines'],
    [
      "module/inside.txt",
      "submodule",
      '"module/inside.txt" belongs to a submodule, which has its own history',
    ],
    ["module", "submodule", '"module" belongs to a submodule, which has its own history'],
    ["../x.txt", "outside", `"../x.txt" is outside the workspace`],
    ["/etc/hosts", "outside", `"/etc/hosts" is outside the workspace`],
    ["away/inside.txt", "outside", `"away/inside.txt" is outside the workspace`],
    ["a\0b", "outside", `"a\0b" is outside the workspace`],
  ];
  for (const [file, reason, message] of expected) {
    if (!hasLinks && /^(?:link|away)\b/.test(file)) continue;
    const found = await blameLines(t.repository, file);
    assert.ok(found instanceof GitProblem, file);
    assert.deepEqual([found.reason, found.message], [reason, message], file);
  }
  for (const [from, to] of [[3, 3], [0, 1], [2, 1]]) {
    assert.equal(problemOf(await blameLines(t.repository, "a.txt", { from, to })), "past-end");
  }
  const past = await blameLines(t.repository, "a.txt", { from: 3, to: 3 });
  assert.equal(past instanceof GitProblem && past.message, '"a.txt" has 2 lines, no line 3');
  const absolute = await blameOf(t, `${t.path}/src/../a.txt`, { from: 2, to: 2 });
  assert.deepEqual([absolute.path, absolute.lines.length], ["a.txt", 1]);
});

Deno.test({ name: "openRepository() says why a workspace has no history", ignore }, async () => {
  await using t = await tempRepository();
  assert.equal(problemOf(await blameLines(t.repository, "a.txt")), "no-commits");
  await using bare = new TempRepository(`${t.path}-bare`);
  await t.git("init", "-q", "--bare", bare.path);
  Deno.writeTextFileSync(`${t.path}/.git/config`, "[extensions]\n\trefStorage = reftable\n");
  await using none = new TempRepository(await Deno.makeTempDir({ prefix: "ctx-git-" }));
  await using false_ = new TempRepository(await Deno.makeTempDir({ prefix: "ctx-git-" }));
  Deno.writeTextFileSync(`${false_.path}/.git`, `gitdir: ${t.path}/.git\n`);
  const reasons = [bare, t, none, false_].map(({ path }) => problemOf(openRepository(path)));
  assert.deepEqual(reasons, ["bare", "reftable", "no-git", "refused"]);
});

async function blameOf(t: TempRepository, file: string, options?: BlameOptions): Promise<Blame> {
  return sure(await blameLines(t.repository, file, options));
}

function sure(blame: Blame | GitProblem): Blame {
  assert.ok(!(blame instanceof GitProblem), blame instanceof GitProblem ? blame.message : "");
  return blame;
}

function problemOf(found: unknown): GitReason | undefined {
  return found instanceof GitProblem ? found.reason : undefined;
}

function linesOf({ lines }: Pick<Blame, "lines">): BlameLine[] {
  return lines.map(({ commit, commitLine }) => ({ ...commit && { commit }, commitLine }));
}

/** A history of small edits on files with many equal lines, with branches, merges and renames. */
async function grownRepository(seed: number): Promise<TempRepository> {
  const t = await tempRepository();
  let state = seed;
  const below = (bound: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * bound);
  };
  const words = ["", "}", "  return;", "if (x) {", "  call();", "// note"];
  const edit = (file: string): void => {
    const lines = Deno.readTextFileSync(`${t.path}/${file}`).split("\n");
    for (let i = 0; i <= below(3); i++) {
      const fresh = Array.from(
        { length: below(5) },
        () => below(3) === 0 ? `value ${below(1000)}` : words[below(words.length)],
      );
      lines.splice(below(lines.length), below(4), ...fresh);
    }
    t.write({ [file]: lines.join("\n") });
  };
  const files = ["a.txt", "b.txt", "c/d.txt"];
  const start = Array.from({ length: 60 }, (_, i) => i % 4 ? words[i % 6] : `line ${i}`).join("\n");
  await t.commit("start", Object.fromEntries(files.map((file) => [file, start + "\n"])));
  for (let round = 0; round < 12; round++) {
    await t.git("checkout", "-q", "-b", `side-${round}`);
    for (let i = 0; i <= below(2); i++) {
      edit(files[below(files.length)]);
      await t.commit(`side ${round} ${i}`);
    }
    await t.git("checkout", "-q", "main");
    edit(files[below(files.length)]);
    if (round === 6) {
      await t.git("mv", "b.txt", "e.txt");
      files[1] = "e.txt";
    }
    await t.commit(`main ${round}`);
    const { code } = await t.tryGit("merge", "-q", "--no-edit", `side-${round}`);
    if (code !== 0) await t.commit(`merge ${round}`);
  }
  edit("a.txt");
  return t;
}
