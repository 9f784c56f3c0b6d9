// Another program named ctx on the PATH: only one that comes first and is not this one counts.

import assert from "node:assert/strict";
import { toOwnPath } from "../../src/core/platform_path.ts";
import { findPrograms } from "../../src/setup/find_programs.ts";
import { findOtherCtx } from "../../src/setup/other_ctx.ts";

Deno.test("findPrograms() finds Windows programs by extension, in PATH order", async () => {
  const root = toOwnPath(await Deno.makeTempDir({ prefix: "ctx-path-" }));
  try {
    for (const name of ["one", "two"]) await Deno.mkdir(`${root}/${name}`);
    for (const file of ["one/code.cmd", "one/code", "two/code.exe"]) {
      await Deno.writeTextFile(`${root}/${file}`, "", { mode: 0o755 });
    }
    const list = `"${root}/one";${root}/two;${root}/one`;
    const found = findPrograms("code", list, "windows");
    assert.deepEqual(found, [`${root}/one/code.cmd`, `${root}/two/code.exe`]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("findOtherCtx() finds the first ctx on the PATH when it is not this one", async () => {
  const root = toOwnPath(await Deno.makeTempDir({ prefix: "ctx-path-" }));
  const isWindows = Deno.build.os === "windows";
  const file = isWindows ? "ctx.exe" : "ctx";
  try {
    for (const name of ["own", "other", "link", "plain"]) await Deno.mkdir(`${root}/${name}`);
    await Deno.writeTextFile(`${root}/own/${file}`, "", { mode: 0o755 });
    await Deno.writeTextFile(`${root}/other/${file}`, "", { mode: 0o755 });
    await Deno.writeTextFile(`${root}/plain/ctx`, "not a program", { mode: 0o644 });
    if (!isWindows) await Deno.symlink(`${root}/own/${file}`, `${root}/link/ctx`);
    const find = (...path: string[]): string | undefined =>
      findOtherCtx(
        (name) =>
          name === "PATH"
            ? path.map((item) => `${root}/${item}`).join(isWindows ? ";" : ":")
            : undefined,
        `${root}/own/${file}`,
      );
    assert.equal(find("own", "other"), undefined);
    if (!isWindows) assert.equal(find("link", "other"), undefined, "a link to this one");
    assert.equal(find("plain", "missing", "own"), undefined);
    assert.equal(find("other", "own"), `${root}/other/${file}`);
    assert.equal(find(), undefined);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
