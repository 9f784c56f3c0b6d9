// `deno task npm`: the npm package in dist/npm, for `npm i -g` and `npx`; `npm pack` it there. It
// holds the bundle and small launchers. What differs by platform is Deno, which npm has in packages of
// its own: the one that fits comes as an optional dependency.

import { dirname } from "node:path";
import manifest from "../deno.json" with { type: "json" };
import { bundle, stampBundle } from "./bundle.ts";
import { repository } from "./repository.ts";
import { findCommit } from "./commit.ts";
import {
  bareCommand,
  editorCommands,
  localCommands,
  localFlags,
  netCommands,
  netFlags,
  otherWords,
  providerCommands,
  selfCommands,
  startFlags,
} from "./permissions.ts";
import { fillLauncher } from "./fill_launcher.ts";
import { description, mcpName } from "./server_json.ts";
import { targets } from "./target.ts";

/** Writes the package into a directory, of a bundle that is there already or of a new one. */
export async function writeNpmPackage(into: string, made?: string): Promise<void> {
  const work = await Deno.makeTempDir({ prefix: "ctx-build-" });
  try {
    if (made === undefined) await bundle(work);
    await Deno.remove(into, { recursive: true }).catch(() => {});
    const commit = await findCommit(repository);
    await stampBundle(made ?? work, `${into}/app`, { form: "bundle", commit });
  } finally {
    await Deno.remove(work, { recursive: true });
  }
  for (const os of ["linux", "darwin"] as const) {
    const [x64, arm64] = targets.filter((target) => target.os === os).map(({ npm }) => npm);
    const values = { TARGET: os, PACKAGE: manifest.name, X64: x64, ARM64: arm64 };
    const text = await fillLauncher("npm_launcher.sh", { os, version: manifest.version, values });
    await writeProgram(`${into}/bin/${os}/ctx`, text);
  }
  const readBuild = (name: string): Promise<string> =>
    Deno.readTextFile(`${repository}build/${name}`);
  await writeProgram(`${into}/bin/ctx`, await readBuild("npm_launcher.cjs"));
  for (const name of ["npm_install.cjs", "npm_parts.cjs"]) {
    await Deno.copyFile(`${repository}build/${name}`, `${into}/${name}`);
  }
  await Deno.mkdir(`${into}/man`);
  for (const name of ["README.md", "LICENSE"]) {
    await Deno.copyFile(`${repository}${name}`, `${into}/${name}`);
  }
  await Deno.copyFile(`${repository}docs/ctx.1`, `${into}/man/ctx.1`);
  await writeJson(`${into}/permissions.json`, {
    start: startFlags,
    local: localFlags,
    net: netFlags,
    bare_command: bareCommand,
    local_commands: localCommands,
    self_commands: selfCommands,
    editor_commands: editorCommands,
    other_words: otherWords,
    net_commands: [...providerCommands, ...netCommands],
  });
  await writeJson(`${into}/package.json`, {
    name: manifest.name,
    version: manifest.version,
    mcpName,
    description,
    license: "MIT",
    repository: { type: "git", url: "git+https://github.com/ctx-memory/ctx.git" },
    bin: { ctx: "bin/ctx", contextfs: "bin/ctx" },
    man: ["man/ctx.1"],
    files: ["app", "bin", "man", "npm_install.cjs", "npm_parts.cjs", "permissions.json"],
    scripts: { postinstall: "node npm_install.cjs" },
    engines: { node: ">=18" },
    os: ["linux", "darwin", "win32"],
    cpu: ["x64", "arm64"],
    optionalDependencies: Object.fromEntries(
      targets.map(({ npm }) => [npm, Deno.version.deno]),
    ),
    publishConfig: { access: "public", provenance: true },
  });
}

async function writeProgram(path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
  await Deno.chmod(path, 0o755);
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await Deno.writeTextFile(path, JSON.stringify(value, null, 2) + "\n");
}

if (import.meta.main) await writeNpmPackage(Deno.args[0] ?? `${repository}dist/npm`);
