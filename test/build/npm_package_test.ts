// The npm form: what is packed, and that it installs in an empty home from a registry without a
// network, runs there without Node, and is gone after it was removed.

import assert from "node:assert/strict";
import { writeNpmPackage } from "../../build/npm_package.ts";
import { hostTarget, targets } from "../../build/target.ts";
import { type BareMachine, bareMachine } from "../support/processes/bare_machine.ts";
import { builtBundle } from "../support/processes/built_ctx.ts";
import { isMissing } from "../support/processes/find_program.ts";
import { runProcess, type RunResult } from "../support/processes/run_ctx.ts";
import { type PackedPackage, serveRegistry } from "../support/servers/npm_registry.ts";

const ignore = ["npm", "node", "tar"].some(isMissing) || Deno.build.os === "windows";

Deno.test({ name: "npm installs ctx, which then needs no Node", ignore }, async (t) => {
  await using machine = await bareMachine();
  const main = await packMain(machine.root);
  const deno = await packDeno(machine.root);
  await using registry = serveRegistry([main, deno]);
  const prefix = `${machine.home}/.npm-global`;
  const npm = (...words: string[]): Promise<RunResult> =>
    succeed(
      runProcess(["npm", ...words], {
        cwd: machine.workspace,
        env: {
          HOME: machine.home,
          npm_config_prefix: prefix,
          npm_config_registry: registry.url,
          npm_config_cache: `${machine.root}/npm-cache`,
          npm_config_update_notifier: "false",
          npm_config_fetch_retries: "0",
        },
      }),
    );
  const ctx = (...words: string[]): Promise<RunResult> =>
    succeed(machine.run([`${prefix}/bin/ctx`, ...words]));

  await t.step("what is packed", () => checkContents(machine, main));

  await t.step("npm i -g, and a start, a save and a search without Node", async () => {
    await npm("i", "-g", main.manifest.name);
    assert.match(await Deno.readTextFile(`${prefix}/bin/ctx`), /^#!\/bin\/sh\n/);
    assert.deepEqual(await listInstalled(prefix), [deno.manifest.name]);
    await useCtx(ctx);
    assert.equal((await ctx("--version")).stdout, `ctx ${main.manifest.version}\n`);
  });

  await t.step("the whole tree may move", async () => {
    await Deno.rename(prefix, `${prefix}-moved`);
    const moved = await succeed(machine.run([`${prefix}-moved/bin/ctx`, "search", "lantern"]));
    assert.match(moved.stdout, /lantern/);
    await Deno.rename(`${prefix}-moved`, prefix);
  });

  await t.step("npm uninstall leaves nothing but the stores and the list of them", async () => {
    await npm("uninstall", "-g", main.manifest.name);
    assert.deepEqual(await listFiles(machine.home), [".config/ctx/projects.ndjson"]);
    assert.deepEqual(await listFiles(`${prefix}/lib`), []);
  });

  await t.step("without scripts, ctx starts through Node and does the same", async () => {
    await npm("i", "-g", "--ignore-scripts", main.manifest.name);
    assert.match(await Deno.readTextFile(`${prefix}/bin/ctx`), /^#!\/usr\/bin\/env node\n/);
    const throughNode = (...words: string[]): Promise<RunResult> =>
      succeed(
        runProcess([`${prefix}/bin/ctx`, ...words], {
          cwd: machine.workspace,
          env: { HOME: machine.home, XDG_CACHE_HOME: `${machine.root}/cache` },
        }),
      );
    await useCtx(throughNode);
  });

  await t.step("without Deno's package it says what is missing", async () => {
    const directory = `${prefix}/lib/node_modules/@ctx/ctx`;
    await Deno.remove(`${directory}/node_modules`, { recursive: true });
    const launcher = `${directory}/bin/${Deno.build.os}/ctx`;
    const { code, stderr } = await machine.run([launcher, "status"]);
    assert.equal(code, 7);
    assert.match(stderr, new RegExp(`npm did not install ${deno.manifest.name}`));
  });
});

/** The package as `npm pack` makes it. */
async function packMain(root: string): Promise<PackedPackage> {
  await writeNpmPackage(`${root}/ctx`, await builtBundle());
  const { stdout } = await succeed(
    runProcess(["npm", "pack", "--json", "--offline", "--pack-destination", root], {
      cwd: `${root}/ctx`,
    }),
  );
  const [{ filename }] = JSON.parse(stdout);
  const manifest = JSON.parse(await Deno.readTextFile(`${root}/ctx/package.json`));
  return { manifest, tarball: await Deno.readFile(`${root}/${filename}`) };
}

/** Deno's package for this machine, made of the Deno that runs this. Not compressed: that is slow. */
async function packDeno(root: string): Promise<PackedPackage> {
  const manifest = { name: hostTarget().npm, version: Deno.version.deno };
  await Deno.mkdir(`${root}/package`);
  await Deno.writeTextFile(`${root}/package/package.json`, JSON.stringify(manifest));
  await Deno.copyFile(Deno.execPath(), `${root}/package/deno`);
  await succeed(runProcess(["tar", "-cf", "deno.tar", "package"], { cwd: root }));
  return { manifest, tarball: await Deno.readFile(`${root}/deno.tar`) };
}

async function checkContents(machine: BareMachine, { manifest }: PackedPackage): Promise<void> {
  const { stdout } = await succeed(
    runProcess(["npm", "pack", "--dry-run", "--json", "--offline"], { cwd: `${machine.root}/ctx` }),
  );
  const [{ files }]: { files: { path: string; mode: number }[] }[] = JSON.parse(stdout);
  const [code, others] = [true, false].map((inApp) =>
    files.map(({ path }) => path).filter((path) => path.startsWith("app/") === inApp)
  );
  assert.ok(code.length > 10 && code.every((path) => /^app\/[\w.-]+$/.test(path)));
  assert.deepEqual(others.sort(), [
    "LICENSE",
    "README.md",
    "bin/ctx",
    "bin/darwin/ctx",
    "bin/linux/ctx",
    "man/ctx.1",
    "npm_install.cjs",
    "npm_parts.cjs",
    "package.json",
    "permissions.json",
  ]);
  const { bin, optionalDependencies, publishConfig }: Record<string, unknown> = { ...manifest };
  assert.deepEqual(bin, { ctx: "bin/ctx", contextfs: "bin/ctx" });
  assert.deepEqual(
    optionalDependencies,
    Object.fromEntries(targets.map(({ npm }) => [npm, Deno.version.deno])),
  );
  assert.deepEqual(publishConfig, { access: "public", provenance: true });
}

/** What somebody does first, and the exit code of a failure. */
async function useCtx(ctx: (...words: string[]) => Promise<RunResult>): Promise<void> {
  assert.equal(JSON.parse((await ctx("--version", "--json")).stdout).form, "bundle");
  await ctx("start", "--yes");
  const id = (await ctx("save", "the lantern burns whale oil")).stdout.trim();
  assert.ok((await ctx("search", "lantern oil")).stdout.includes(id));
  assert.equal((await ctx("get", id)).stdout, "the lantern burns whale oil");
  await assert.rejects(ctx("get", "H-none"), /^Error: 3: /);
}

async function succeed(running: Promise<RunResult>): Promise<RunResult> {
  const result = await running;
  if (result.code !== 0) throw new Error(`${result.code}: ${result.stderr}${result.stdout}`);
  return result;
}

async function listInstalled(prefix: string): Promise<string[]> {
  const files = await listFiles(`${prefix}/lib/node_modules/@ctx/ctx/node_modules`);
  return [...new Set(files.map((path) => path.split("/").slice(0, 2).join("/")))]
    .filter((name) => !name.startsWith("."));
}

async function listFiles(directory: string, below = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const item of Deno.readDir(`${directory}/${below}`)) {
    const path = `${below}${item.name}`;
    if (item.isDirectory) found.push(...await listFiles(directory, `${path}/`));
    else found.push(path);
  }
  return found.sort();
}
