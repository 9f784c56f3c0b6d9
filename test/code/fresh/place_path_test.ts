// Where edits of other machines and worktrees are looked for.

import assert from "node:assert/strict";
import { placePath, placeTree } from "../../../src/code/fresh/place_path.ts";

const here = {
  workspace: "/work/shop",
  worktrees: ["/work/shop/.trees/side", "/work/lost"],
  exists: (path: string) => ["/work/shop", "/work/shop/.trees/side", "/work/other"].includes(path),
};

Deno.test("placePath() knows a project under another name, and what is no file of it", () => {
  const cases: [path: string, project: string | undefined, expected: string | undefined][] = [
    ["src/a.ts", undefined, "src/a.ts"],
    ["/work/shop/src/a.ts", "/work/shop", "src/a.ts"],
    // On another machine it had the same name.
    ["/home/a/shop/src/a.ts", "/home/a/shop", "src/a.ts"],
    ["src/a.ts", "/home/a/shop", "src/a.ts"],
    ["/home/a/till/src/a.ts", "/home/a/till", undefined],
    ["/work/other/src/a.ts", "/work/other", undefined],
    // A worktree within it that was removed, one that is there, and one that git still knows.
    ["/work/shop/.claude/trees/x/src/a.ts", "/work/shop/.claude/trees/x", "src/a.ts"],
    ["/work/shop/.trees/side/src/a.ts", "/work/shop/.trees/side", "src/a.ts"],
    ["/work/lost/src/a.ts", "/work/lost", "src/a.ts"],
    ["src/../../other/a.ts", "/work/shop", undefined],
    ["../shop/./src//a.ts", "/work/shop", "src/a.ts"],
    ["/work/shopping/a.ts", "/work/shop", undefined],
    [".git/config", "/work/shop", undefined],
    [".contextfs/history.ndjson", "/work/shop", undefined],
    [".github/ci.yml", "/work/shop", ".github/ci.yml"],
    ["/work/shop", "/work/shop", undefined],
  ];
  for (const [path, project, expected] of cases) {
    assert.equal(placePath(path, project, here), expected, `${path} in ${project}`);
  }
});

Deno.test("placeTree() is the worktree of an edit, as long as it is there", () => {
  assert.equal(placeTree("src/a.ts", "/work/shop/.trees/side", here), "/work/shop/.trees/side");
  assert.equal(placeTree("src/a.ts", "/work/lost", here), undefined);
  assert.equal(placeTree("src/a.ts", "/work/shop", here), undefined);
});
