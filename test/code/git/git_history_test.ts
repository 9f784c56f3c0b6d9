// History read from git's own files, against what git itself made; nothing of git is ever run by ctx.

import assert from "node:assert/strict";
import { diskFiles } from "../../../src/disk/files.ts";
import { layoutOf } from "../../../src/disk/layout.ts";
import {
  openFileHistory,
  refreshFileHistory,
} from "../../../src/recall/edit/signals/file_history.ts";
import { findHead, findRepository } from "../../../src/code/git/git_repository.ts";
import { git, tempProject, writeSources } from "../../support/suggest_project.ts";
import type { TempStore } from "../../support/stores/temp_store.ts";
import { hasLinks } from "../../support/not_on_windows.ts";
import { toFileUrl } from "../../../src/core/platform_path.ts";

Deno.test("findCommit() reads loose and packed objects, deltas and packed refs alike", async () => {
  await using t = await repository();
  const loose = await lastCommits(t.workspace);
  assert.deepEqual(loose, ["two", "two", "three", "one"]);
  await git(t.workspace, ["gc", "-q", "--aggressive"]);
  await git(t.workspace, ["pack-refs", "--all"]);
  Deno.removeSync(`${t.workspace}/.contextfs/index`, { recursive: true });
  assert.deepEqual(await lastCommits(t.workspace), loose);
});

Deno.test("findCommit() works in a worktree, a subdirectory and a shallow clone", async () => {
  await using t = await repository();
  const whole = await lastCommits(t.workspace);
  const tree = `${t.workspace}-tree`;
  await git(t.workspace, ["worktree", "add", "-q", tree, "-b", "side"]);
  const clone = `${t.workspace}-clone`;
  try {
    assert.deepEqual(await lastCommits(tree), whole);
    assert.deepEqual(await lastCommits(`${t.workspace}/src/auth`, ["token_store.ts"]), ["three"]);
    await git(t.workspace, ["clone", "-q", "--depth", "1", toFileUrl(t.workspace), clone]);
    const cut = await lastCommits(clone);
    assert.deepEqual(cut, cut.map(() => undefined), "what is behind the cut is unknown");
  } finally {
    await Deno.remove(tree, { recursive: true });
    await Deno.remove(clone, { recursive: true });
  }
});

Deno.test("findCommit() keeps to its times, and passes over what changed another file too", async () => {
  await using t = await repository();
  await refreshFileHistory(diskFiles, layoutOf(t.workspace));
  using history = openFileHistory(diskFiles, layoutOf(t.workspace))!;
  const at = (hour: number): number => Date.parse(`2026-01-01T0${hour}:00:00Z`);
  const find = (since: number, until: number, without?: string): string | undefined =>
    history.findCommit(service, { since: at(since), until: at(until), without })?.subject;
  assert.deepEqual([find(1, 9), find(3, 9), find(0, 1)], ["two", undefined, "one"]);
  assert.equal(find(0, 9, "src/auth/token_routes.ts"), undefined);
  assert.equal(find(0, 9, "src/auth/token_store.ts"), "two");
});

Deno.test("reading history runs no hook and no program that the repository configures", async () => {
  await using t = await repository();
  const trap = `${t.workspace}/trap.sh`;
  Deno.writeTextFileSync(trap, `#!/bin/sh\ntouch ${t.workspace}/sprung\n`, { mode: 0o755 });
  for (const key of ["core.fsmonitor", "diff.external", "core.pager", "core.sshCommand"]) {
    await git(t.workspace, ["config", key, trap]);
  }
  Deno.removeSync(`${t.workspace}/sprung`, { recursive: true });
  await refreshFileHistory(diskFiles, layoutOf(t.workspace));
  await t.run("suggest", { file: "src/auth/token_service.ts" });
  assert.throws(() => Deno.statSync(`${t.workspace}/sprung`), Deno.errors.NotFound);
});

Deno.test("refreshFileHistory() adds new commits, also when the branch was rewritten", async () => {
  await using t = await repository();
  const brush = ["src/paint/brush.ts"];
  assert.deepEqual(await lastCommits(t.workspace, brush), ["one"]);
  writeSources(t, { "src/paint/brush.ts": "export {};\n" });
  await git(t.workspace, ["commit", "-qam", "four"], "2026-01-01T04:00:00Z");
  assert.deepEqual(await lastCommits(t.workspace, brush), ["four"]);
  await git(t.workspace, ["commit", "-q", "--amend", "-m", "five"], "2026-01-01T05:00:00Z");
  assert.deepEqual(await lastCommits(t.workspace, brush), ["five"]);
});

Deno.test("a .git that leads elsewhere is followed only to a git directory of this workspace", async () => {
  await using secret = await repository();
  const secretGit = `${secret.workspace}/.git`;
  const note = async (t: TempStore): Promise<string> => {
    const { notes, suggestions } = await t.run<{ notes: string[]; suggestions: unknown[] }>(
      "suggest",
      { file: "src/auth/token_service.ts", min_score: 0, limit: 50, repeat: true },
    );
    assert.doesNotMatch(JSON.stringify(suggestions), /three/);
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
    }, /does not lead to a git directory/],
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
    }, /does not lead to a git directory/],
    ["a file that names nothing", (t) => {
      Deno.writeTextFileSync(`${t.workspace}/.git`, "root:x:0:0\n");
    }, /does not name a git directory/],
    ["a HEAD that is a link to a secret", (t) => {
      Deno.mkdirSync(`${t.workspace}/.git/objects`, { recursive: true });
      Deno.writeTextFileSync(`${secret.workspace}/password`, "hunter2\n");
      Deno.symlinkSync(`${secret.workspace}/password`, `${t.workspace}/.git/HEAD`);
    }, /does not lead to a git directory/],
  ];
  for (const [name, make, expected] of shapes) {
    if (!hasLinks && isLink.test(name)) continue;
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
    toFileUrl(inner.workspace),
    "sub",
  ]);
  assert.ok(Deno.statSync(`${t.workspace}/sub/.git`).isFile);
  assert.deepEqual(await lastCommits(`${t.workspace}/sub`), ["two", "two", "three", "one"]);
});

Deno.test("a workspace without git, or before its first commit, has no history", async () => {
  await using t = await tempProject();
  const layout = layoutOf(t.workspace);
  assert.equal(
    await refreshFileHistory(diskFiles, layout),
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

const service = "src/auth/token_service.ts";
const files = [
  service,
  "src/auth/token_routes.ts",
  "src/auth/token_store.ts",
  "src/paint/brush.ts",
];

const isLink = /\blink\b/;

/** The subjects of the commits that changed files last. */
async function lastCommits(workspace: string, paths = files): Promise<(string | undefined)[]> {
  const layout = layoutOf(workspace);
  assert.equal(await refreshFileHistory(diskFiles, layout), undefined);
  using history = openFileHistory(diskFiles, layout)!;
  const ever = { since: 0, until: Infinity };
  return paths.map((path) => history.findCommit(path, ever)?.subject);
}
