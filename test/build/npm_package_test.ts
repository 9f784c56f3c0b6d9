// The npm form: what `npm pack` would publish, and that its launcher runs ctx.

import assert from "node:assert/strict";
import { writeNpmPackage } from "../../build/npm_package.ts";
import { builtBundle } from "../support/processes/built_ctx.ts";
import { isMissing } from "../support/processes/find_program.ts";
import { runProcess } from "../support/processes/run_ctx.ts";

Deno.test({
  name: "npm pack holds the bundle, the launcher and the man page, and it runs",
  ignore: isMissing("npm") || isMissing("node"),
  async fn(t) {
    const work = await Deno.realPath(await Deno.makeTempDir({ prefix: "ctx-npm-" }));
    try {
      const directory = `${work}/ctx`;
      await writeNpmPackage(directory, await builtBundle());
      await t.step("its contents", async () => {
        const { code, stdout, stderr } = await runProcess(
          ["npm", "pack", "--dry-run", "--json", "--offline"],
          { cwd: directory },
        );
        assert.equal(code, 0, stderr);
        const [{ files }]: { files: { path: string; mode: number }[] }[] = JSON.parse(stdout);
        const paths = files.map((file) => file.path);
        const code_ = paths.filter((path) => path.startsWith("app/"));
        assert.ok(code_.length > 10 && code_.every((path) => /^app\/[\w.-]+$/.test(path)));
        assert.deepEqual(paths.filter((path) => !path.startsWith("app/")).sort(), [
          "LICENSE",
          "README.md",
          "bin/ctx.mjs",
          "man/ctx.1",
          "package.json",
          "permissions.json",
        ]);
        const { bin, dependencies } = JSON.parse(
          await Deno.readTextFile(`${directory}/package.json`),
        );
        assert.deepEqual(bin, { ctx: "bin/ctx.mjs", contextfs: "bin/ctx.mjs" });
        assert.deepEqual(dependencies, { deno: Deno.version.deno });
      });
      await t.step("its launcher", async () => {
        const deno = `${directory}/node_modules/deno`;
        await Deno.mkdir(deno, { recursive: true });
        await Deno.writeTextFile(`${deno}/package.json`, '{"name":"deno"}');
        await Deno.symlink(Deno.execPath(), `${deno}/deno`);
        const ctx = ["node", `${directory}/bin/ctx.mjs`];
        const version = await runProcess([...ctx, "--version", "--json"], { cwd: work });
        assert.equal(version.code, 0, version.stderr);
        assert.equal(JSON.parse(version.stdout).form, "bundle");
        assert.equal((await runProcess([...ctx, "init"], { cwd: work })).code, 0);
        const saved = await runProcess([...ctx, "save", "-"], { cwd: work, stdin: "a b\n" });
        const got = await runProcess([...ctx, "get", saved.stdout.trim()], { cwd: work });
        assert.deepEqual([got.code, got.stdout], [0, "a b\n"]);
        assert.equal((await runProcess([...ctx, "get", "H-none"], { cwd: work })).code, 3);
      });
    } finally {
      await Deno.remove(work, { recursive: true });
    }
  },
});
