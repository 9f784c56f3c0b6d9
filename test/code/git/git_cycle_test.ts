// Commits that are their own ancestors, as only a made repository has them: every walk ends, and what
// depends on their order is unknown.

import assert from "node:assert/strict";
import { keepHistory } from "../../../src/code/blame/keep_history.ts";
import { encodeHistory, historyPathOf, openHistory } from "../../../src/code/blame/path_history.ts";
import { readRange } from "../../../src/code/blame/commit_range.ts";
import { lineHistory } from "../../../src/code/blame/line_history.ts";
import { PathWalk } from "../../../src/code/blame/path_walk.ts";
import { GitDamage } from "../../../src/code/git/git_object.ts";
import { GitProblem } from "../../../src/code/git/git_problem.ts";
import { findRepository } from "../../../src/code/git/git_repository.ts";
import { IndexDamage } from "../../../src/disk/byte_source.ts";
import { diskFiles } from "../../../src/disk/files.ts";
import { layoutOf } from "../../../src/disk/layout.ts";
import {
  commitOf,
  makeRepository,
  oidOf,
  treeOf,
  writeLoose,
} from "../../support/made_repository.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const [a, b, c, main] = [1, 2, 3, 4].map(oidOf);

/** Commits with their parents; each version of the file has a line of its own unless it is said. */
const cycles: [name: string, commits: [string, string[]][], isSame?: boolean][] = [
  ["is its own parent", [[a, [a]]]],
  ["is its own parent twice", [[a, [a, a]]]],
  ["is its grandparent's parent", [[a, [b]], [b, [c]], [c, [a]]]],
  ["is in a cycle that changes nothing", [[a, [b]], [b, [c]], [c, [a]]], true],
  ["comes from a cycle", [[a, [b]], [b, [c]], [c, [b]]]],
  ["merges a cycle", [[a, [b, main]], [main, []], [b, [c]], [c, [b]]]],
];
for (const [name, commits, isSame] of cycles) {
  Deno.test(`why says "unknown" where HEAD ${name}`, async () => {
    await using t = await tempStore({ entries: [edit] });
    makeCommits(t, commits, isSame);
    for (const target of ["a.ts:1", "a.ts"]) {
      const { code, stdout, stderr } = await t.ctx(["why", target, "--json"]);
      assert.deepEqual([code, stderr], [0, ""], target);
      const [answer] = JSON.parse(stdout).results;
      assert.match(answer.because, /\(its commits form a cycle\)$/, target);
      assert.equal(answer.session_id, undefined);
    }
    const { code, stderr } = await t.ctx(["why", "HEAD", "--json"]);
    assert.deepEqual([code, stderr], [0, ""]);
  });

  Deno.test(`every walk of commits ends where HEAD ${name}`, async () => {
    await using t = await tempStore();
    makeCommits(t, commits, isSame);
    const repository = findRepository(t.workspace)!;
    const path = `${t.workspace}/kept.bin`;
    await assert.rejects(keepHistory(repository, { files: diskFiles, path }), GitDamage);
    const range = await readRange(repository, { base: commits.at(-1)![0], head: a, maxCommits: 9 });
    assert.ok(!(range instanceof GitProblem));
    const changes = lineHistory(repository, "a.ts");
    let step = await changes.next();
    for (let left = 20; !step.done; left--) {
      assert.ok(left > 0);
      step = await changes.next();
    }
    using walk = new PathWalk(repository, { oidBytes: 20 });
    assert.equal(walk.findRemoval(a, "b.ts"), undefined);
  });
}

Deno.test("a kept history whose commits form a cycle is not believed", async () => {
  await using t = await tempStore({ entries: [edit] });
  makeCommits(t, [[a, [b]], [b, []]]);
  const path = historyPathOf(layoutOf(t.workspace));
  diskFiles.makeDirectory(path.slice(0, path.lastIndexOf("/")));
  for (const merges of [[], [1, 1]]) {
    const parents = merges.length === 0 ? [1, 0, 0, 0] : [0xffffffff, 0, 0, 1];
    diskFiles.replace(
      path,
      encodeHistory({
        oidBytes: 20,
        oids: Uint8Array.fromHex(b + a),
        commits: Uint32Array.from(parents),
        merges: Uint32Array.from(merges),
        paths: new Uint32Array(),
        changes: Uint32Array.of(),
        blobs: new Uint8Array(),
      }),
      { sync: false },
    );
    using history = openHistory(diskFiles, path)!;
    assert.throws(() => history.findParents(a), IndexDamage);
    assert.throws(() => history.verify(), IndexDamage);
    if (merges.length > 0) continue;
    const { code, stdout, stderr } = await t.ctx(["why", "a.ts:1", "--json"]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.equal(JSON.parse(stdout).results[0].commit, b);
  }
});

const edit = {
  session_id: "S-1",
  role: "assistant",
  type: "tool_call",
  text: "Write: a.ts",
  tool: { name: "Edit", effect: "edit", input: { file_path: "a.ts", new_string: "x\n" } },
} as const;

/** A repository whose HEAD is the first commit; `a.ts` is checked out as that has it. */
function makeCommits(t: TempStore, commits: [string, string[]][], isSame = false): void {
  makeRepository(t.workspace, commits[0][0]);
  commits.forEach(([oid, parents], i) => {
    const number = isSame ? 0 : i;
    const text = new TextEncoder().encode(`export const shared = all();\nown(${number});\n`);
    writeLoose(t.workspace, oidOf(50 + number), "blob", text);
    writeLoose(
      t.workspace,
      oidOf(70 + number),
      "tree",
      treeOf([["a.ts", oidOf(50 + number), false]]),
    );
    writeLoose(t.workspace, oid, "commit", commitOf(oidOf(70 + number), parents));
    if (i === 0) Deno.writeFileSync(`${t.workspace}/a.ts`, text);
  });
}
