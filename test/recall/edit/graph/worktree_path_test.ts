// A file of a git worktree is the file of that name in the workspace, whose store they share.

import assert from "node:assert/strict";
import { toWorkspacePath } from "../../../../src/recall/edit/graph/workspace_path.ts";
import { realPath } from "../../../../src/core/platform_path.ts";

Deno.test("toWorkspacePath() takes a file of a worktree for that of the workspace", () => {
  const root = realPath(Deno.makeTempDirSync({ prefix: "ctx-tree-" }));
  try {
    for (const path of ["main/.git/worktrees/tree", "tree/src", "other/src"]) {
      Deno.mkdirSync(`${root}/${path}`, { recursive: true });
    }
    Deno.writeTextFileSync(`${root}/main/.git/worktrees/tree/gitdir`, `${root}/tree/.git\n`);
    const at = { workspace: `${root}/main`, cwd: `${root}/tree` };
    assert.equal(toWorkspacePath("src/auth.ts", at), "src/auth.ts");
    assert.equal(toWorkspacePath(`${root}/tree/src/auth.ts`, at), "src/auth.ts");
    assert.throws(() => toWorkspacePath(`${root}/other/src/auth.ts`, at), /outside the workspace/);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});
