// Another program named ctx on the PATH: only one that comes first and is not this one counts.

import assert from "node:assert/strict";
import { findOtherCtx } from "../../src/setup/other_ctx.ts";

Deno.test("findOtherCtx() finds the first ctx on the PATH when it is not this one", async () => {
  const root = await Deno.makeTempDir({ prefix: "ctx-path-" });
  try {
    for (const name of ["own", "other", "link", "plain"]) await Deno.mkdir(`${root}/${name}`);
    await Deno.writeTextFile(`${root}/own/ctx`, "", { mode: 0o755 });
    await Deno.writeTextFile(`${root}/other/ctx`, "", { mode: 0o755 });
    await Deno.writeTextFile(`${root}/plain/ctx`, "not a program", { mode: 0o644 });
    await Deno.symlink(`${root}/own/ctx`, `${root}/link/ctx`);
    const find = (...path: string[]): string | undefined =>
      findOtherCtx(
        (name) => name === "PATH" ? path.map((item) => `${root}/${item}`).join(":") : undefined,
        `${root}/own/ctx`,
      );
    assert.equal(find("own", "other"), undefined);
    assert.equal(find("link", "other"), undefined);
    assert.equal(find("plain", "missing", "own"), undefined);
    assert.equal(find("other", "own"), `${root}/other/ctx`);
    assert.equal(find(), undefined);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
