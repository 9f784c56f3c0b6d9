// History read from git's own files, against what git itself made; nothing of git is ever run by ctx.

import assert from "node:assert/strict";
import { diskFiles } from "../../../src/disk/files.ts";
import { layoutOf } from "../../../src/disk/layout.ts";
import { openCommits, refreshCommits } from "../../../src/recall/edit/signals/commit_table.ts";
import { readHistory } from "../../../src/code/git/git_history.ts";
import { findHead, findRepository } from "../../../src/code/git/git_repository.ts";
import { git, tempProject, writeSources } from "../../support/suggest_project.ts";
import type { TempStore } from "../../support/temp_store.ts";

Deno.test("readHistory() reads loose and packed objects, deltas and packed refs alike", async () => {
  await using t = await repository();
  const loose = await historyOf(t.workspace);
  assert.deepEqual(loose.map((commit) => commit.subject), ["three", "two", "one"]);
  assert.deepEqual(loose[0].files, ["src/auth/token_store.ts"]);
  assert.deepEqual(loose[1].files, ["src/auth/token_routes.ts", "src/auth/token_service.ts"]);
  await git(t.workspace, ["gc", "-q", "--aggressive"]);
  await git(t.workspace, ["pack-refs", "--all"]);
  assert.deepEqual(await historyOf(t.workspace), loose);
});

Deno.test("readHistory() works in a worktree, a subdirectory and a shallow clone", async () => {
  await using t = await repository();
  const whole = await historyOf(t.workspace);
  await git(t.workspace, ["worktree", "add", "-q", "../../" + nameOf(t) + "-tree", "-b", "side"]);
  const tree = `${t.workspace}-tree`;
  const clone = `${t.workspace}-clone`;
  try {
    assert.deepEqual(await historyOf(tree), whole);
    assert.deepEqual((await historyOf(`${t.workspace}/src/auth`))[0].files, ["token_store.ts"]);
    await git(t.workspace, ["clone", "-q", "--depth", "1", `file://${t.workspace}`, clone]);
    assert.deepEqual((await historyOf(clone)).map((commit) => commit.files), [[]]);
  } finally {
    await Deno.remove(tree, { recursive: true });
    await Deno.remove(clone, { recursive: true });
  }
});

Deno.test("reading history runs no hook and no program that the repository configures", async () => {
  await using t = await repository();
  const trap = `${t.workspace}/trap.sh`;
  Deno.writeTextFileSync(trap, `#!/bin/sh\ntouch ${t.workspace}/sprung\n`, { mode: 0o755 });
  for (const key of ["core.fsmonitor", "diff.external", "core.pager", "core.sshCommand"]) {
    await git(t.workspace, ["config", key, trap]);
  }
  Deno.removeSync(`${t.workspace}/sprung`, { recursive: true });
  await refreshCommits(diskFiles, layoutOf(t.workspace));
  await t.run("suggest", { file: "src/auth/token_service.ts" });
  assert.throws(() => Deno.statSync(`${t.workspace}/sprung`), Deno.errors.NotFound);
});

Deno.test("refreshCommits() adds new commits, and starts over when the branch was rewritten", async () => {
  await using t = await repository();
  const layout = layoutOf(t.workspace);
  assert.equal(await refreshCommits(diskFiles, layout), undefined);
  writeSources(t, { "src/paint/brush.ts": "export {};\n" });
  await git(t.workspace, ["commit", "-qam", "four"], "2026-01-01T04:00:00Z");
  await refreshCommits(diskFiles, layout);
  assert.deepEqual(subjectsOf(t, "src/paint/brush.ts"), ["four", "one"]);
  await git(t.workspace, ["commit", "-q", "--amend", "-m", "five"], "2026-01-01T05:00:00Z");
  await refreshCommits(diskFiles, layout);
  assert.deepEqual(subjectsOf(t, "src/paint/brush.ts"), ["five", "one"]);
});

Deno.test("a .git that leads elsewhere is followed only to a git directory of this workspace", async () => {
  await using secret = await repository();
  const secretGit = `${secret.workspace}/.git`;
  const note = async (t: TempStore): Promise<string> => {
    const { notes, suggestions } = await t.run<{ notes: string[]; suggestions: unknown[] }>(
      "suggest",
      { file: "src/auth/token_service.ts", min_score: 0, limit: 50, repeat: true },
    );
    assert.doesNotMatch(JSON.stringify(suggestions), /three|changed together/);
    return notes.join();
  };
  const shapes: [string, (t: TempStore) => void, RegExp][] = [
    ["a file that names another repository", (t) => {
      Deno.writeTextFileSync(`${t.workspace}/.git`, `gitdir: ${secretGit}\n`);
    }, /not the git directory of this workspace/],
    ["a link to another repository", (t) => {
      Deno.symlinkSync(secretGit, `${t.workspace}/.git`);
    }, /not the git directory of this workspace/],
    ["a common directory elsewhere", (t) => {
      copyHead(secretGit, `${t.workspace}/.git`);
      Deno.writeTextFileSync(`${t.workspace}/.git/commondir`, `${secretGit}\n`);
    }, /leads to no git directory/],
    ["a branch that is a link, and borrowed objects", (t) => {
      copyHead(secretGit, `${t.workspace}/.git`);
      Deno.mkdirSync(`${t.workspace}/.git/objects/info`, { recursive: true });
      Deno.writeTextFileSync(
        `${t.workspace}/.git/objects/info/alternates`,
        `${secretGit}/objects\n`,
      );
      Deno.symlinkSync(`${secretGit}/refs`, `${t.workspace}/.git/refs`);
    }, /HEAD names no commit/],
    ["a directory that is none of git's", (t) => {
      Deno.writeTextFileSync(`${t.workspace}/.git`, `gitdir: ${secret.workspace}/src\n`);
    }, /leads to no git directory/],
    ["a file that names nothing", (t) => {
      Deno.writeTextFileSync(`${t.workspace}/.git`, "root:x:0:0\n");
    }, /names no git directory/],
    ["a HEAD that is a secret", (t) => {
      Deno.mkdirSync(`${t.workspace}/.git/objects`, { recursive: true });
      Deno.writeTextFileSync(`${secret.workspace}/password`, "hunter2\n");
      Deno.symlinkSync(`${secret.workspace}/password`, `${t.workspace}/.git/HEAD`);
    }, /leads to no git directory/],
  ];
  for (const [name, make, expected] of shapes) {
    await using t = await tempProject();
    make(t);
    assert.match(await note(t), expected, name);
    assert.doesNotMatch(await note(t), /hunter2|root:x/, name);
  }
});

Deno.test("a submodule's git directory, which names it, is read", async () => {
  await using t = await repository();
  await using inner = await repository();
  await git(t.workspace, [
    "-c",
    "protocol.file.allow=always",
    "submodule",
    "add",
    "-q",
    `file://${inner.workspace}`,
    "sub",
  ]);
  assert.ok(Deno.statSync(`${t.workspace}/sub/.git`).isFile);
  const subjects = (await historyOf(`${t.workspace}/sub`)).map((commit) => commit.subject);
  assert.deepEqual(subjects, ["three", "two", "one"]);
});

Deno.test("a workspace without git, or before its first commit, has no history", async () => {
  await using t = await tempProject();
  const layout = layoutOf(t.workspace);
  assert.equal(
    await refreshCommits(diskFiles, layout),
    "no git repository: changes are unknown",
  );
  await git(t.workspace, ["init", "-q"]);
  assert.equal(findHead(findRepository(t.workspace)!), undefined);
  const { notes } = await t.run<{ notes: string[] }>("suggest", { file: "src/paint/brush.ts" });
  assert.deepEqual(notes, ["HEAD names no commit: changes are unknown"]);
});

async function repository(): Promise<TempStore> {
  const t = await tempProject();
  await git(t.workspace, ["init", "-q", "-b", "main"]);
  await git(t.workspace, ["add", "-A"]);
  await git(t.workspace, ["commit", "-qm", "one"], "2026-01-01T01:00:00Z");
  writeSources(t, {
    "src/auth/token_service.ts": "export {};\n",
    "src/auth/token_routes.ts": "x;\n",
  });
  await git(t.workspace, ["commit", "-qam", "two"], "2026-01-01T02:00:00Z");
  writeSources(t, { "src/auth/token_store.ts": "export {};\n" });
  await git(t.workspace, ["commit", "-qam", "three"], "2026-01-01T03:00:00Z");
  Deno.mkdirSync(`${t.workspace}/sprung`);
  return t;
}

/** A git directory of its own that only has HEAD. */
function copyHead(from: string, to: string): void {
  Deno.mkdirSync(to);
  Deno.copyFileSync(`${from}/HEAD`, `${to}/HEAD`);
}

function historyOf(directory: string): ReturnType<typeof readHistory> {
  return readHistory(findRepository(directory)!, { maxCommits: 100 });
}

function subjectsOf(t: TempStore, path: string): string[] {
  using commits = openCommits(diskFiles, layoutOf(t.workspace))!;
  return commits.findByFile(path).map((commit) => commit.subject);
}

function nameOf(t: TempStore): string {
  return t.workspace.slice(t.workspace.lastIndexOf("/") + 1);
}
