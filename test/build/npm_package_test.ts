// The npm form: what is packed, and that it installs in an empty home from a registry without a
// network, runs there without Node, and is gone after it was removed.

import assert from "node:assert/strict";
import { writeNpmPackage } from "../../build/npm_package.ts";
import { hostTarget, targets } from "../../build/target.ts";
import { type BareMachine, bareMachine } from "../support/processes/bare_machine.ts";
import { builtBundle } from "../support/processes/built_ctx.ts";
import { repository } from "../support/repository.ts";
import { findProgram, isMissing } from "../support/processes/find_program.ts";
import { runProcess, type RunResult } from "../support/processes/run_ctx.ts";
import { type PackedPackage, serveRegistry } from "../support/servers/npm_registry.ts";

const ignore = ["npm", "node", "tar"].some(isMissing) || Deno.build.os === "windows";

Deno.test({ name: "npm installs ctx, which then needs no Node", ignore }, async (t) => {
  await using machine = await bareMachine();
  const main = await packMain(machine.root);
  const deno = await packDeno(machine.root);
  await using registry = serveRegistry([main, deno]);
  const prefix = `${machine.home}/.npm-global`;
  const inWorkspace = (words: string[], { home, workspace: cwd } = machine): Promise<RunResult> => {
    const env = {
      HOME: home,
      npm_config_prefix: `${home}/.npm-global`,
      npm_config_registry: registry.url,
      npm_config_cache: `${machine.root}/npm-cache`,
      npm_config_update_notifier: "false",
      npm_config_fetch_retries: "0",
    };
    return succeed(runProcess(words, { cwd, env }));
  };
  const npm = (...words: string[]): Promise<RunResult> => inWorkspace(["npm", ...words]);
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

  await t.step("npx: one line, and the agent's history can be searched", async () => {
    await using other = await bareMachine();
    const history = await writeHistory(other);
    const begin = performance.now();
    const { stdout } = await inWorkspace(
      ["npx", "-y", main.manifest.name, "start", "--yes"],
      other,
    );
    const startMs = performance.now() - begin;
    assert.match(stdout, /import +\d+ entries of 1 session/);
    assert.match(stdout, /connect Claude Code/);
    assert.match(stdout, /npm i -g @ctx\/ctx/);
    // What was written into the agent's settings needs no Node.
    const { mcpServers } = JSON.parse(await Deno.readTextFile(`${other.home}/.claude.json`));
    const { command } = mcpServers.ctx;
    assert.match(await Deno.readTextFile(command), /^#!\/bin\/sh\n/);
    const found = await succeed(other.run([command, "search", "login form"]));
    assert.match(found.stdout, /login form/);
    const seconds = [startMs, performance.now() - begin].map((ms) => (ms / 1000).toFixed(1));
    const line = `npx … start --yes: ${seconds[0]} s, with the first search ${seconds[1]} s\n`;
    Deno.stderr.writeSync(new TextEncoder().encode(line));
    // `ctx setup` says that npm may clear what it started from.
    const listed = await succeed(other.run([command, "setup"]));
    assert.match(listed.stdout, /npx's cache.*npm i -g @ctx\/ctx && ctx setup claude-code/s);
    await succeed(other.run([command, "setup", "claude-code", "--remove", "--yes"]));
    assert.deepEqual(await listFiles(other.home), [history, ".config/ctx/projects.ndjson"]);
  });

  await t.step("npm uninstall leaves nothing but the stores and the list of them", async () => {
    await npm("uninstall", "-g", main.manifest.name);
    assert.deepEqual(await listFiles(machine.home), [".config/ctx/projects.ndjson"]);
    assert.deepEqual(await listFiles(`${prefix}/lib`), []);
  });

  await t.step("npm takes it for every system that it is for", async () => {
    const systems = targets.map(({ os, triple }) => ({
      os: os === "windows" ? "win32" : os,
      cpu: triple.startsWith("aarch64") ? "arm64" : "x64",
    }));
    // As npm itself judges, for another machine than this one.
    const program = `
      const { realpathSync } = require("node:fs");
      const paths = [realpathSync(process.argv[1])];
      const { checkPlatform } = require(require.resolve("npm-install-checks", { paths }));
      const [manifest, systems] = process.argv.slice(2).map((text) => JSON.parse(text));
      for (const system of systems) checkPlatform(manifest, false, system);`;
    const facts = [main.manifest, systems].map((value) => JSON.stringify(value));
    await inWorkspace(["node", "-e", program, findProgram("npm")!, ...facts]);
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

/**
 * Deno's package for this machine: as npm has it in its cache, or else made of the Deno that runs this,
 * not compressed, because that is slow.
 */
async function packDeno(root: string): Promise<PackedPackage> {
  const manifest = { name: hostTarget().npm, version: Deno.version.deno };
  const cached = await runProcess(
    ["npm", "pack", `${manifest.name}@${manifest.version}`, "--offline", "--json"],
    { cwd: root, env: { HOME: Deno.env.get("HOME") ?? "" } },
  );
  if (cached.code === 0) {
    const [{ filename }] = JSON.parse(cached.stdout);
    return { manifest, tarball: await Deno.readFile(`${root}/${filename}`) };
  }
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

/** A session of Claude Code in the workspace, as it leaves one in the home; says where. */
async function writeHistory({ home, workspace }: BareMachine): Promise<string> {
  const name = "11111111-2222-4333-8444-555555555555.jsonl";
  const sample = await Deno.readTextFile(
    `${repository}/test/samples/claude-code/projects/-work-app/${name}`,
  );
  const directory = `.claude/projects/${workspace.replaceAll(/[^A-Za-z0-9]/g, "-")}`;
  await Deno.mkdir(`${home}/${directory}`, { recursive: true });
  await Deno.writeTextFile(
    `${home}/${directory}/${name}`,
    sample.replaceAll('"cwd":"/work/app"', `"cwd":"${workspace}"`),
  );
  return `${directory}/${name}`;
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
