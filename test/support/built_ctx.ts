// The built `dist/ctx` under test: built once per state of the sources and shared by all test files
// and processes. CTX_BINARY names a file to test instead (a release, or another form).

import { compile } from "../../build/compile.ts";
import { findDenort } from "../../build/denort.ts";
import { sha256 } from "../../build/sha256.ts";
import { hostTarget } from "../../build/target.ts";
import { repository } from "./run_ctx.ts";

/** A built file. */
export interface BuiltCtx {
  path: string;
  form: "compiled" | "self-extracting";
}

/** The file that `deno task compile` makes here; asks no network. */
export async function builtCtx(): Promise<BuiltCtx> {
  const named = Deno.env.get("CTX_BINARY");
  if (named) return { path: await Deno.realPath(named), form: await formOf(named) };
  const denort = await findDenort(hostTarget(), "");
  return await build(denort.found ? "compiled" : "self-extracting");
}

async function build(form: BuiltCtx["form"]): Promise<BuiltCtx> {
  const directory = `${repository}/dist/test-${form}`;
  await Deno.mkdir(directory, { recursive: true });
  using lock = await Deno.open(`${directory}/lock`, { create: true, write: true });
  await lock.lock(true);
  const state = await fingerprint();
  const built = await Deno.readTextFile(`${directory}/state`).catch(() => "");
  if (built !== state) {
    const targets = [hostTarget()];
    await compile({ targets, form, gzip: false, out: directory, say: () => {} });
    await Deno.writeTextFile(`${directory}/state`, state);
  }
  return { path: `${directory}/ctx`, form };
}

/** Names and change times of all that goes into a build. */
async function fingerprint(): Promise<string> {
  const lines: string[] = [Deno.version.deno];
  const visit = (path: string): void => {
    for (const item of Deno.readDirSync(path)) {
      const inner = `${path}/${item.name}`;
      if (item.isDirectory) visit(inner);
      else lines.push(`${inner} ${Deno.statSync(inner).mtime?.getTime()}`);
    }
  };
  for (const name of ["src", "build", "assets"]) visit(`${repository}/${name}`);
  for (const name of ["mod.ts", "deno.json"]) {
    lines.push(`${name} ${Deno.statSync(`${repository}/${name}`).mtime?.getTime()}`);
  }
  return await sha256(new TextEncoder().encode(lines.sort().join("\n")));
}

async function formOf(path: string): Promise<BuiltCtx["form"]> {
  using file = await Deno.open(path);
  const start = new Uint8Array(2);
  await file.read(start);
  return start[0] === 0x23 && start[1] === 0x21 ? "self-extracting" : "compiled";
}
