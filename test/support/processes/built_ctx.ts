// The built file under test: built once per content of the sources, shared by all test files and
// processes, with one unpacked copy. CTX_BINARY names a file to test instead (a release, another form).

import { type Denort, findDenort } from "../../../build/denort.ts";
import { sha256 } from "../../../build/sha256.ts";
import { hostTarget, plainName } from "../../../build/target.ts";
import { repository } from "../repository.ts";

/** A built file. */
export interface BuiltCtx {
  path: string;
  form: "compiled" | "self-extracting";
  /** The cache directory (XDG_CACHE_HOME) that holds its unpacked copy. */
  cache: string;
}

/** Tells the files of a suite run which file is tested: to find it, all sources are hashed. */
export const builtVariable = "CTX_TEST_BUILT";

/** Whether ctx runs from its sources, for debugging only. */
export const isFromSource = Deno.env.get("CTX_TEST_FROM") === "source";

/** The built file; undefined when testing from source on Windows. */
export async function findBuilt(): Promise<BuiltCtx | undefined> {
  return isFromSource && Deno.build.os === "windows" ? undefined : await builtCtx();
}

/** Why nothing can be built here, or undefined. */
export async function findBuildProblem(): Promise<string | undefined> {
  if (Deno.build.os !== "windows" || Deno.env.get("CTX_BINARY")) return undefined;
  const base = await findBase();
  if (base.found) return undefined;
  return `denort was not found (${base.reason}), and Windows can't start the self-extracting form`;
}

/** Finds denort. Downloads it only on Windows, where ctx must be compiled. */
async function findBase(): Promise<Denort> {
  return await findDenort(hostTarget(), ...(Deno.build.os === "windows" ? [] : [""]));
}

/** The file that `deno task compile` makes here. */
export async function builtCtx(): Promise<BuiltCtx> {
  const told = Deno.env.get(builtVariable);
  if (told !== undefined) return JSON.parse(told);
  const root = await findRoot();
  const named = Deno.env.get("CTX_BINARY");
  if (named) {
    const path = await Deno.realPath(named);
    return { path, form: await formOf(path), cache: await makeCache(`${root}/named`) };
  }
  const directory = `${root}/${await contentHash()}`;
  const cache = await makeCache(directory);
  const problem = await findBuildProblem();
  if (problem !== undefined) {
    throw new Error(`Cannot build ctx: ${problem}. To test from source: CTX_TEST_FROM=source`);
  }
  const form = (await findBase()).found ? "compiled" : "self-extracting";
  const name = plainName(hostTarget());
  const path = `${directory}/${form}/${name}`;
  const made = await builtBundle();
  using _lock = await lockBuilds(root);
  if (await isFile(path)) {
    await Deno.utime(directory, new Date(), new Date());
  } else {
    await pruneOthers(root, directory);
    const work = `${directory}/build`;
    const targets = [hostTarget()];
    const { compile } = await import("../../../build/compile.ts");
    await compile({ targets, form, gzip: true, bundle: made, out: work, say: () => {} });
    await Deno.mkdir(`${directory}/${form}`, { recursive: true });
    await Deno.rename(`${work}/${name}`, path);
    await Deno.remove(work, { recursive: true });
  }
  return { path, form, cache };
}

/** The directory of the bundle that is in the built file, as it is before it is stamped. */
export async function builtBundle(): Promise<string> {
  const root = await findRoot();
  const directory = `${root}/${await contentHash()}`;
  await Deno.mkdir(directory, { recursive: true, mode: 0o700 });
  using _lock = await lockBuilds(root);
  const path = `${directory}/bundle`;
  if (!await isFile(`${path}/mod.js`)) {
    await Deno.remove(`${directory}/bundling`, { recursive: true }).catch(() => {});
    // What builds loads every command; most processes of a suite find the file built.
    const { bundle } = await import("../../../build/bundle.ts");
    await bundle(`${directory}/bundling`);
    await Deno.rename(`${directory}/bundling`, path);
  }
  return path;
}

/** Waits for whoever builds, and keeps others from it until the file is closed. */
async function lockBuilds(root: string): Promise<Deno.FsFile> {
  const lock = await Deno.open(`${root}/lock`, { create: true, write: true });
  await lock.lock(true);
  return lock;
}

/** A hash over the names and bytes of all that goes into a build. */
async function contentHash(): Promise<string> {
  const paths: string[] = [];
  const visit = (path: string): void => {
    for (const item of Deno.readDirSync(`${repository}/${path}`)) {
      if (item.isDirectory) visit(`${path}/${item.name}`);
      else paths.push(`${path}/${item.name}`);
    }
  };
  for (const name of ["src", "build", "assets"]) visit(name);
  paths.push("mod.ts", "deno.json", "deno.lock");
  const hashes = await Promise.all(
    paths.sort().map(async (path) =>
      `${path} ${await sha256(await Deno.readFile(`${repository}/${path}`))}`
    ),
  );
  const all = [Deno.version.deno, ...hashes].join("\n");
  return (await sha256(new TextEncoder().encode(all))).slice(0, 32);
}

/** Where builds are kept. A copy is not unpacked into directories of another user. */
async function findRoot(): Promise<string> {
  const uid = Deno.uid();
  const isOurs = uid === null || (await Deno.stat(repository)).uid === uid;
  const root = isOurs
    ? `${repository}/dist/test`
    : `${Deno.env.get("TMPDIR") ?? "/tmp"}/ctx-test-builds-${uid}`;
  await Deno.mkdir(root, { recursive: true, mode: 0o700 });
  return root;
}

/** Builds of other contents take 250 MB each; one that was used lately may be in use. */
async function pruneOthers(root: string, used: string): Promise<void> {
  const hourAgo = Date.now() - 3_600_000;
  for await (const { name, isDirectory } of Deno.readDir(root)) {
    const path = `${root}/${name}`;
    if (!isDirectory || path === used || name === "named") continue;
    const last = (await Deno.stat(path)).mtime?.getTime() ?? 0;
    if (last < hourAgo) await Deno.remove(path, { recursive: true });
  }
}

async function makeCache(directory: string): Promise<string> {
  await Deno.mkdir(`${directory}/cache`, { recursive: true, mode: 0o700 });
  return `${directory}/cache`;
}

async function isFile(path: string): Promise<boolean> {
  return await Deno.stat(path).then((stat) => stat.isFile, () => false);
}

async function formOf(path: string): Promise<BuiltCtx["form"]> {
  using file = await Deno.open(path);
  const start = new Uint8Array(2);
  await file.read(start);
  return start[0] === 0x23 && start[1] === 0x21 ? "self-extracting" : "compiled";
}
