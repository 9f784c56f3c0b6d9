// `deno task npm`: the npm package form in dist/npm, so that `npx` works. Holds the bundle and a
// small launcher; depends on npm's `deno` for the runtime. `npm pack` it there.

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
  openers,
  otherWords,
  pagedCommands,
  pageServers,
  providerCommands,
  selfCommands,
  startFlags,
} from "./permissions.ts";

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
  await Deno.mkdir(`${into}/bin`);
  await Deno.mkdir(`${into}/man`);
  await Deno.copyFile(`${repository}build/npm_launcher.mjs`, `${into}/bin/ctx.mjs`);
  await Deno.chmod(`${into}/bin/ctx.mjs`, 0o755);
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
    paged_commands: pagedCommands,
    page_servers: pageServers,
    openers,
    net_commands: [...providerCommands, ...netCommands],
  });
  await writeJson(`${into}/package.json`, {
    name: manifest.name,
    version: manifest.version,
    description: "A durable memory for AI coding agents and people, in plain files",
    license: "MIT",
    type: "module",
    bin: { ctx: "bin/ctx.mjs", contextfs: "bin/ctx.mjs" },
    man: ["man/ctx.1"],
    files: ["app", "bin", "man", "permissions.json"],
    engines: { node: ">=18" },
    dependencies: { deno: Deno.version.deno },
  });
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await Deno.writeTextFile(path, JSON.stringify(value, null, 2) + "\n");
}

if (import.meta.main) await writeNpmPackage(Deno.args[0] ?? `${repository}dist/npm`);
