// Bundles ctx once for every form it ships in: a small entry and a chunk per lazy part. `deno run`
// loads whatever an `import("…")` names before the program starts, used or not; there the chunks are
// named in a way it does not look into, so that a command loads only what it runs. (`deno compile`
// embeds what it sees and loads it when it is used.)

import manifest from "../deno.json" with { type: "json" };
import { mergeChunks } from "./merge_chunks.ts";
import { minify } from "./minify.ts";
import { repository } from "./repository.ts";
import { runDeno } from "./run_deno.ts";
import { holdsMcp, trimMcp } from "./trim_mcp.ts";
import { holdsOrama, trimOrama } from "./trim_orama.ts";
import { browserScripts, bundleScripts } from "./viewer.ts";

/** The module of the bundle that runs the command line. */
export const entryName = "mod.js";

/** What the bundle says of itself in `ctx --version --json`. */
export interface Stamp {
  form: "compiled" | "self-extracting" | "bundle";
  commit?: string;
}

/** What the SSH client uses if it was compiled for the machine, and goes on without. */
const nativeParts = ["--external", "*.node", "--external", "cpu-features"];

/**
 * Bundles mod.ts, its workers and its assets into a flat directory; returns the file names. Not yet
 * minified: merge_chunks.ts reads the code, and minify.ts makes it small.
 */
export async function bundle(into: string): Promise<string[]> {
  const { workers, assets } = await findCompanions();
  await runDeno(
    ["bundle", "-q", "--code-splitting", ...nativeParts, "--outdir", into, "mod.ts", ...workers],
    { cwd: repository },
  );
  for (const worker of workers) await flatten(into, worker.replace(/\.ts$/, ".js"));
  if (workers.length > 0) await Deno.remove(`${into}/src`, { recursive: true });
  for (const name of listFiles(into)) {
    const path = `${into}/${name}`;
    const made = await Deno.readTextFile(path);
    const trimmed = holdsOrama(made) ? trimOrama(made) : holdsMcp(made) ? trimMcp(made) : made;
    const code = delayRequire(nameWorkers(nameVersion(trimmed)));
    // The bundler may leave a chunk without code; an empty file cannot be packed.
    await Deno.writeTextFile(path, code === "" ? "export{};\n" : code);
  }
  for (const path of assets) {
    if (Object.hasOwn(browserScripts, path)) continue;
    await Deno.copyFile(`${repository}${path}`, `${into}/${baseName(path)}`);
  }
  await bundleScripts(into);
  return listFiles(into);
}

/** Copies a bundle and stamps the copy. */
export async function stampBundle(from: string, into: string, stamp: Stamp): Promise<void> {
  await Deno.mkdir(into, { recursive: true });
  for (const name of listFiles(from)) {
    if (!name.endsWith(".js")) {
      await Deno.copyFile(`${from}/${name}`, `${into}/${name}`);
      continue;
    }
    const text = await Deno.readTextFile(`${from}/${name}`);
    const stamped = text.replaceAll("__CTX_FORM__", stamp.form)
      .replaceAll("__CTX_COMMIT__", stamp.commit ?? "");
    if (stamp.form === "compiled") {
      await Deno.writeTextFile(`${into}/${name}`, stamped);
      continue;
    }
    const { code, bytes } = liftBytes(hideLazyImports(stamped), name.replace(/\.js$/, ".bin"));
    await Deno.writeTextFile(`${into}/${name}`, code);
    if (bytes !== undefined) {
      await Deno.writeFile(`${into}/${name.replace(/\.js$/, ".bin")}`, bytes);
    }
  }
  if (stamp.form === "compiled") return;
  await mergeChunks(into);
  await minify(into);
}

/** The files of a directory, sorted; a bundle has no directories. */
export function listFiles(directory: string): string[] {
  return [...Deno.readDirSync(directory)].map((file) => file.name).sort();
}

/** `import("./x.js")` becomes `import((0,"./x.js"))`: the same import, but only when it runs. */
export function hideLazyImports(code: string): string {
  return code.replace(/\bimport\("(\.\/[\w.-]+\.js)"\)/g, (_all, path) => `import((0,"${path}"))`);
}

/**
 * The bundler turns an import of bytes into text that is decoded character by character; as a file of
 * their own they take a quarter less space and half the time to load.
 */
export function liftBytes(code: string, file: string): { code: string; bytes?: Uint8Array } {
  // By hand: of 19 million characters an expression runs out of stack.
  for (const { 0: call, index } of code.matchAll(/\b\w*__toBinary\("/g)) {
    const start = index + call.length;
    const end = code.indexOf('"', start);
    if (end - start < 100_000) continue;
    const read = `Deno.readFileSync(new URL("./${file}",import.meta.url))`;
    return {
      code: `${code.slice(0, index)}${read}${code.slice(end + 2)}`,
      bytes: Uint8Array.fromBase64(code.slice(start, end)),
    };
  }
  return { code };
}

/**
 * The bundler gives every chunk a `require` as soon as one package has a use for it, and loads
 * node:module for that at every start (32 ms, more than an empty script); here only when it is used.
 */
export function delayRequire(code: string): string {
  const made = /import\s*\{\s*createRequire as (\w+)\s*\}\s*from\s*"node:module";/.exec(code);
  if (made === null) return code;
  const [statement, name] = made;
  return code.replace(statement, "").replace(
    new RegExp(`var (\\w+)\\s*=\\s*${name}\\(import\\.meta\\.url\\);`),
    (_all, own) =>
      `var ${own}=(id)=>process.getBuiltinModule("node:module").createRequire(import.meta.url)(id);`,
  );
}

/** The version as it is: all of deno.json came along for it, and goes when merge_chunks.ts bundles. */
function nameVersion(code: string): string {
  return code.replace(/\bdeno_default\.version\b/, () => JSON.stringify(manifest.version));
}

/** What code opens beside itself, as `new URL("./name", import.meta.url)`: workers and assets. */
async function findCompanions(): Promise<{ workers: string[]; assets: string[] }> {
  const found = new Set<string>();
  for (const path of await listSources("src")) {
    if (!path.endsWith(".ts")) continue;
    const text = await Deno.readTextFile(`${repository}${path}`);
    for (const [, name] of text.matchAll(companion)) {
      found.add(new URL(name, `file:///${path}`).pathname.slice(1));
    }
  }
  // The entry is no companion: named twice, its code would move to a chunk that is not the main module.
  found.delete("mod.ts");
  const paths = [...found].sort();
  const names = new Set(paths.map(baseName));
  if (names.size < paths.length) throw new Error("Cannot bundle: two assets have the same name");
  return {
    workers: paths.filter((path) => path.endsWith(".ts")),
    assets: paths.filter((path) => !path.endsWith(".ts")),
  };
}

const companion = /new URL\(\s*"([^"]+)",\s*import\.meta\.url\s*,?\s*\)/g;

/** In the flat bundle every companion lies beside the chunk that opens it; workers are JavaScript. */
function nameWorkers(code: string): string {
  return code.replace(companion, (_all, path) => {
    const name = baseName(path).replace(/\.ts$/, ".js");
    return `new URL("./${name}",import.meta.url)`;
  });
}

/** Moves `src/cli/worker.js` to `worker.js`; its chunks are then beside it. */
async function flatten(directory: string, path: string): Promise<void> {
  const code = await Deno.readTextFile(`${directory}/${path}`);
  await Deno.writeTextFile(
    `${directory}/${baseName(path)}`,
    code.replaceAll(/"(?:\.\.\/)+([\w.-]+\.js)"/g, '"./$1"'),
  );
}

function baseName(path: string): string {
  return path.replace(/^.*\//, "");
}

async function listSources(directory: string): Promise<string[]> {
  const found: string[] = [];
  for await (const item of Deno.readDir(`${repository}${directory}`)) {
    const path = `${directory}/${item.name}`;
    if (item.isDirectory) found.push(...await listSources(path));
    else found.push(path);
  }
  return found.sort();
}
