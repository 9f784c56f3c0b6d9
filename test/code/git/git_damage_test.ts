// Repositories that do not hold together, by accident or on purpose: changes are unknown, nothing
// fails, and no more is unpacked than is good for a repository.

import assert from "node:assert/strict";
import { diskFiles } from "../../../src/disk/files.ts";
import { layoutOf } from "../../../src/disk/layout.ts";
import { historyPathOf, openHistory } from "../../../src/code/blame/path_history.ts";
import { GitObjects } from "../../../src/code/git/git_objects.ts";
import {
  openFileHistory,
  refreshFileHistory,
} from "../../../src/recall/edit/signals/file_history.ts";
import { applyDelta } from "../../../src/code/git/git_delta.ts";
import { GitBudget, GitDamage, GitSpent } from "../../../src/code/git/git_object.ts";
import { findRepository } from "../../../src/code/git/git_repository.ts";
import { isMissing } from "../../support/processes/find_program.ts";
import {
  commitOf,
  copyingDelta,
  makeRepository,
  oidOf,
  treeOf,
  writeLoose,
  writePack,
} from "../../support/made_repository.ts";
import { git, projectFiles, tempProject, writeSources } from "../../support/suggest_project.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";
import { hasLinks } from "../../support/not_on_windows.ts";

const [head, tree, blob, other] = [1, 2, 3, 4].map(oidOf);
const megabyte = 1 << 20;

Deno.test({
  name: "flipped bits anywhere in .git leave changes known or unknown, and nothing else happens",
  ignore: isMissing("git"),
}, async () => {
  await using t = await tempProject();
  await git(t.workspace, ["init", "-q", "-b", "main"]);
  for (let i = 0; i < 8; i++) {
    writeSources(t, {
      "src/auth/token_store.ts": `${"export const a = 1;\n".repeat(80)}// ${i}\n`,
    });
    await git(t.workspace, ["add", "-A"]);
    await git(t.workspace, ["commit", "-qm", `${i}`], `2026-01-01T0${i}:00:00Z`);
    if (i === 5) await git(t.workspace, ["gc", "-q"]);
  }
  const outcomes = new Map<boolean, number>();
  const files = listFiles(`${t.workspace}/.git`).filter((path) =>
    !/\.sample$|\/logs\/|COMMIT_EDITMSG|\.(?:rev|bitmap)$/.test(path)
  );
  const random = makeRandom(15);
  for (let round = 0; round < 300; round++) {
    const path = files[random(files.length)];
    const bytes = Deno.readFileSync(path);
    if (bytes.length === 0) continue;
    const damaged = bytes.slice();
    for (let i = random(3); i >= 0; i--) damaged[random(bytes.length)] ^= 1 << random(8);
    replaceFile(path, damaged);
    const why = await refreshAnew(t);
    if (why !== undefined) assert.match(why, /: changes are unknown$/);
    outcomes.set(why === undefined, (outcomes.get(why === undefined) ?? 0) + 1);
    replaceFile(path, bytes);
  }
  assert.ok(outcomes.get(true)! > 20 && outcomes.get(false)! > 20, JSON.stringify([...outcomes]));
  assert.equal(await refreshAnew(t), undefined);
  using history = openHistory(diskFiles, historyPathOf(layoutOf(t.workspace)))!;
  assert.equal(history.count, 8);
});

Deno.test({
  name: "cut files and bytes of 255 in .git leave changes unknown or known",
  ignore: isMissing("git"),
}, async () => {
  await using t = await tempProject();
  await git(t.workspace, ["init", "-q", "-b", "main"]);
  await git(t.workspace, ["add", "-A"]);
  await git(t.workspace, ["commit", "-qm", "one"]);
  await git(t.workspace, ["gc", "-q"]);
  const files = listFiles(`${t.workspace}/.git`).filter((path) => /pack|HEAD|refs/.test(path));
  for (const path of files) {
    const bytes = Deno.readFileSync(path);
    for (const share of [0, 0.1, 0.5, 0.9]) {
      const at = Math.floor(bytes.length * share);
      const filled = bytes.slice();
      filled.fill(255, at);
      for (const damaged of [bytes.subarray(0, at), filled]) {
        replaceFile(path, damaged);
        const why = await refreshAnew(t);
        if (why !== undefined) assert.match(why, /: changes are unknown$/);
      }
    }
    replaceFile(path, bytes);
  }
});

const hostile: [string, (workspace: string) => void, RegExp][] = [
  ["deltas whose bases go round in a circle", (workspace) => {
    const delta = copyingDelta(10, 10, 1);
    makeRepository(workspace, head);
    writePack(workspace, [
      { oid: head, type: 7, base: other, data: delta },
      { oid: other, type: 7, base: head, data: delta },
    ]);
  }, /a chain of deltas does not end/],
  ["a delta that is its own base", (workspace) => {
    makeRepository(workspace, head);
    writePack(workspace, [{ oid: head, type: 7, base: head, data: copyingDelta(10, 10, 1) }]);
  }, /a chain of deltas does not end/],
  ["a commit that deltas blow up", (workspace) => {
    makeRepository(workspace, head);
    writePack(workspace, [
      { oid: other, type: 1, data: new Uint8Array(megabyte) },
      { oid: head, type: 7, base: other, data: copyingDelta(megabyte, megabyte, 4000) },
    ]);
  }, /a commit is too large/],
  ["a delta for another base", (workspace) => {
    makeRepository(workspace, head);
    writePack(workspace, [
      { oid: other, type: 1, data: new Uint8Array(10) },
      { oid: head, type: 7, base: other, data: copyingDelta(11, 5, 1) },
    ]);
  }, /a delta does not fit/],
  ["a directory that holds itself", (workspace) => {
    makeRepository(workspace, head);
    writeLoose(workspace, head, "commit", commitOf(tree));
    writeLoose(workspace, tree, "tree", treeOf([["a", tree, true]]));
  }, /its directories do not end/],
  ["directories that hold the next one fifty times", (workspace) => {
    makeRepository(workspace, head);
    writeLoose(workspace, head, "commit", commitOf(oidOf(100)));
    const names = Array.from({ length: 50 }, (_, i) => `d${i}`);
    for (let level = 100; level < 120; level++) {
      const next = treeOf(names.map((name) => [name, oidOf(level + 1), true]));
      writeLoose(workspace, oidOf(level), "tree", next);
    }
    writeLoose(workspace, oidOf(120), "tree", treeOf([]));
  }, /its directories do not end/],
  ["a directory without an end", (workspace) => {
    makeRepository(workspace, head);
    writeLoose(workspace, head, "commit", commitOf(tree));
    writeLoose(workspace, tree, "tree", new TextEncoder().encode("40000 a"));
  }, /a directory is damaged/],
  ["a commit that is a directory", (workspace) => {
    makeRepository(workspace, head);
    writeLoose(workspace, head, "tree", treeOf([["a", blob, false]]));
  }, /a commit is none/],
  ["an object that inflates without end", (workspace) => {
    makeRepository(workspace, head);
    writeLoose(workspace, head, "commit", new Uint8Array(20 * megabyte));
  }, /a commit is too large/],
  ["branches that name each other", (workspace) => {
    makeRepository(workspace, "ref: refs/heads/a");
    Deno.mkdirSync(`${workspace}/.git/refs/heads`, { recursive: true });
    Deno.writeTextFileSync(`${workspace}/.git/refs/heads/a`, "ref: refs/heads/b\n");
    Deno.writeTextFileSync(`${workspace}/.git/refs/heads/b`, "ref: refs/heads/a\n");
  }, /HEAD names no commit/],
  ["an index whose counts fall", (workspace) => {
    makeRepository(workspace, head);
    writePack(workspace, [{ oid: head, type: 1, data: commitOf(tree) }]);
    const path = `${workspace}/.git/objects/pack/pack-made.idx`;
    const bytes = Deno.readFileSync(path);
    new DataView(bytes.buffer).setUint32(8 + 4 * 100, 0xffffffff);
    Deno.writeFileSync(path, bytes);
  }, /the index of a pack is damaged/],
  ["an index that counts more than it holds", (workspace) => {
    makeRepository(workspace, head);
    writePack(workspace, [{ oid: head, type: 1, data: commitOf(tree) }]);
    const path = `${workspace}/.git/objects/pack/pack-made.idx`;
    const bytes = Deno.readFileSync(path);
    for (let i = 1; i < 256; i++) new DataView(bytes.buffer).setUint32(8 + 4 * i, 0xfffffff0);
    Deno.writeFileSync(path, bytes);
  }, /the index of a pack is damaged/],
];
for (const [name, make, expected] of hostile) {
  Deno.test(`in a repository with ${name}, changes are unknown and suggest answers`, async () => {
    await using t = await tempStore();
    writeSources(t, projectFiles);
    make(t.workspace);
    const { notes } = await t.run<{ notes: string[] }>("suggest", { file: "src/paint/brush.ts" });
    assert.equal(notes.length, 1);
    assert.match(notes[0], expected);
    assert.match(notes[0], /: changes are unknown$/);
  });
}

Deno.test("no more is unpacked than may be", async () => {
  await using t = await tempStore();
  makeRepository(t.workspace, head);
  writePack(t.workspace, [
    { oid: head, type: 1, data: commitOf(tree, [other]) },
    { oid: other, type: 1, data: commitOf(tree, [oidOf(16)]) },
    { oid: oidOf(16), type: 1, data: commitOf(oidOf(17)) },
    // Each of these copies of a megabyte is made from the one before.
    { oid: oidOf(32), type: 2, data: new Uint8Array(megabyte) },
    ...Array.from({ length: 100 }, (_, i) => ({
      oid: i === 99 ? oidOf(17) : oidOf(33 + i),
      type: 7,
      base: oidOf(32 + i),
      data: copyingDelta(megabyte, megabyte, 1),
    })),
  ]);
  const read = (bytes: number): void => {
    const repository = findRepository(t.workspace)!;
    using objects = new GitObjects(repository, head.length / 2, new GitBudget(bytes));
    objects.find(oidOf(17), 8 * megabyte);
  };
  assert.throws(() => read(1000), GitSpent);
  assert.throws(() => read(50 * megabyte), GitSpent);
  read(500 * megabyte);
});

Deno.test("names that lead elsewhere, and times without sense, are left out", async () => {
  await using t = await tempStore();
  makeRepository(t.workspace, head);
  const commit = new TextDecoder().decode(commitOf(tree)).replace("1767225600", "9".repeat(400));
  writeLoose(t.workspace, head, "commit", new TextEncoder().encode(commit));
  const names = ["", ".", "..", "../up.ts", "fine.ts"];
  writeLoose(t.workspace, tree, "tree", treeOf(names.map((name) => [name, blob, false])));
  assert.equal(await refreshAnew(t), undefined);
  using history = openFileHistory(diskFiles, layoutOf(t.workspace))!;
  const found = names.map((name) => history.findCommit(name, { since: 0, until: 1 })?.ts);
  assert.deepEqual(found, [undefined, undefined, undefined, undefined, 0]);
});

Deno.test("applyDelta() takes what fits, and nothing that does not", () => {
  const base = Uint8Array.from([1, 2, 3, 4]);
  assert.deepEqual(
    applyDelta(base, Uint8Array.from([4, 3, 0x91, 1, 2, 1, 9])),
    Uint8Array.from([2, 3, 9]),
  );
  const bad: [string, number[]][] = [
    ["nothing", []],
    ["a size without an end", [0x84, 0x80]],
    ["a base of another size", [5, 1, 1, 9]],
    ["a copy from beyond", [4, 2, 0x91, 3, 2]],
    ["a copy that is cut off", [4, 2, 0x91, 1]],
    ["an insert that is cut off", [4, 2, 2, 9]],
    ["an order of nothing", [4, 1, 0, 1, 9]],
    ["too much", [4, 1, 2, 9, 9]],
    ["too little", [4, 3, 2, 9, 9]],
    ["a result of 4 GB", [4, 0xff, 0xff, 0xff, 0xff, 0x0f]],
  ];
  for (const [name, delta] of bad) {
    assert.throws(() => applyDelta(base, Uint8Array.from(delta)), GitDamage, name);
  }
});

Deno.test("objects are borrowed within the workspace, never from outside of it", async () => {
  await using secret = await tempStore();
  makeRepository(secret.workspace, head);
  writeLoose(secret.workspace, head, "commit", commitOf(tree));
  writeLoose(secret.workspace, tree, "tree", treeOf([["secret.ts", blob, false]]));
  const objects = `${secret.workspace}/.git/objects`;
  const shapes: [string, (workspace: string) => void, string | undefined][] = [
    ["borrowed from outside", (workspace) => {
      Deno.mkdirSync(`${workspace}/.git/objects/info`);
      Deno.writeTextFileSync(`${workspace}/.git/objects/info/alternates`, `${objects}\n`);
    }, "a commit is not there"],
    ["a link to objects outside", (workspace) => {
      Deno.removeSync(`${workspace}/.git/objects`, { recursive: true });
      Deno.symlinkSync(objects, `${workspace}/.git/objects`);
    }, "its objects are outside of it"],
    ["links to single objects outside", (workspace) => {
      for (const name of ["01", "02"]) {
        Deno.symlinkSync(`${objects}/${name}`, `${workspace}/.git/objects/${name}`);
      }
    }, "a commit is too large"],
    ["borrowed from inside", (workspace) => {
      Deno.mkdirSync(`${workspace}/.git/objects/info`);
      copyTree(objects, `${workspace}/lent`);
      Deno.writeTextFileSync(`${workspace}/.git/objects/info/alternates`, "../../lent\n");
    }, undefined],
  ];
  for (const [name, make, why] of shapes) {
    if (!hasLinks && /\blinks?\b/.test(name)) continue;
    await using t = await tempStore();
    makeRepository(t.workspace, head);
    make(t.workspace);
    const said = why && `the git repository cannot be read (${why}): changes are unknown`;
    assert.equal(await refreshAnew(t), said, name);
  }
});

Deno.test({
  name: "a pipe in the place of a file of .git is not waited for",
  ignore: isMissing("mkfifo"),
}, async () => {
  for (const name of ["HEAD", "refs/heads/main", "objects/01/" + head.slice(2), "packed-refs"]) {
    await using t = await tempStore();
    makeRepository(t.workspace, name.startsWith("objects") ? head : "ref: refs/heads/main");
    const path = `${t.workspace}/.git/${name}`;
    Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    if (name === "HEAD") Deno.removeSync(path);
    await new Deno.Command("mkfifo", { args: [path] }).output();
    assert.match(await refreshAnew(t) ?? "", /: changes are unknown$/, name);
  }
});

/** Reads the history as if nothing were known of it. */
async function refreshAnew(t: TempStore): Promise<string | undefined> {
  const layout = layoutOf(t.workspace);
  diskFiles.remove(historyPathOf(layout));
  return await refreshFileHistory(diskFiles, layout);
}

/** git makes its objects read-only. */
function replaceFile(path: string, bytes: Uint8Array): void {
  Deno.removeSync(path);
  Deno.writeFileSync(path, bytes);
}

function listFiles(directory: string): string[] {
  return [...Deno.readDirSync(directory)].flatMap((item) => {
    const path = `${directory}/${item.name}`;
    return item.isDirectory ? listFiles(path) : [path];
  }).sort();
}

function copyTree(from: string, to: string): void {
  for (const path of listFiles(from)) {
    const target = to + path.slice(from.length);
    Deno.mkdirSync(target.slice(0, target.lastIndexOf("/")), { recursive: true });
    Deno.copyFileSync(path, target);
  }
}

/** Numbers below a bound, the same in every run. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}
