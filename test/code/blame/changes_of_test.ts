// What a commit changed, against what the real git made of it.

import assert from "node:assert/strict";
import {
  changesOf,
  type ChangesOptions,
  type CommitChanges,
} from "../../../src/code/blame/changes_of.ts";
import { GitProblem } from "../../../src/code/git/git_problem.ts";
import { isMissing } from "../../support/processes/find_program.ts";
import { type TempRepository, tempRepository } from "../../support/temp_repository.ts";

const ignore = isMissing("git");

Deno.test(
  { name: "changesOf() tells files, lines and renames against the first parent", ignore },
  async () => {
    await using t = await tempRepository();
    const first = await t.commit("one", {
      "a.txt": "1\n2\n3\n",
      "old/name.txt": "same\ncontent\nhere\nlast\n",
      "gone.txt": "bye\n",
    });
    await t.git("mv", "old", "new");
    Deno.removeSync(`${t.path}/gone.txt`);
    const second = await t.commit("two\n\nWhy.\n\nReviewed-by: B\nSession: s-1\n  more", {
      "a.txt": "1\nzwei\n3\nvier\n",
      "new/name.txt": "same\ncontent\nhere\nlast\nadded\n",
      "data.bin": new Uint8Array([0, 1]),
    });
    const { commit, files, isCut } = await read(t, second);
    assert.deepEqual(commit.parents, [first]);
    assert.deepEqual(commit.trailers, [
      { key: "Reviewed-by", value: "B" },
      { key: "Session", value: "s-1 more" },
    ]);
    assert.equal(isCut, false);
    assert.deepEqual(files.map(({ blob: _, ...file }) => file), [
      {
        path: "a.txt",
        kind: "changed",
        added: [{ line: 2, text: "zwei" }, { line: 4, text: "vier" }],
        removed: [{ line: 2, text: "2" }],
      },
      { path: "data.bin", kind: "added", added: [], removed: [], passedOver: "binary" },
      { path: "gone.txt", kind: "removed", added: [], removed: [{ line: 1, text: "bye" }] },
      {
        path: "new/name.txt",
        oldPath: "old/name.txt",
        kind: "renamed",
        added: [{ line: 5, text: "added" }],
        removed: [],
      },
    ]);
    const root = await read(t, first);
    assert.deepEqual(root.files.map(({ kind, added }) => [kind, added.length]), [
      ["added", 3],
      ["added", 1],
      ["added", 4],
    ]);
    assert.ok(await changesOf(t.repository, "0".repeat(40)) instanceof GitProblem);
  },
);

Deno.test({ name: "changesOf() is bounded, and says what it passed over", ignore }, async () => {
  await using t = await tempRepository();
  const generated = Array.from({ length: 100_000 }, (_, i) => `${i}\n`).join("");
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, i) => [`many/${String(i).padStart(3, "0")}.txt`, `${i}\n`]),
  );
  const commit = await t.commit("all", { ...files, "generated.txt": generated, "z.txt": "z\n" });
  const all = await read(t, commit);
  assert.deepEqual([all.files.length, all.isCut], [302, true]);
  assert.deepEqual(all.files.filter(({ passedOver }) => passedOver).map(({ path }) => path), [
    "generated.txt",
  ]);
  const few = await read(t, commit, { maxFiles: 10, maxLines: 3, maxBytes: 1000 });
  assert.deepEqual([few.files.length, few.isCut], [10, true]);
  assert.deepEqual(few.files.map(({ passedOver }) => passedOver), [
    "huge",
    undefined,
    undefined,
    undefined,
    ...Array(6).fill("beyond"),
  ]);
});

async function read(
  t: TempRepository,
  commit: string,
  options?: ChangesOptions,
): Promise<CommitChanges> {
  const found = await changesOf(t.repository, commit, options);
  assert.ok(!(found instanceof GitProblem));
  return found;
}
