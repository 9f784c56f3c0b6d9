// `deno task wine [FLAGS… PATHS…]`: runs tests from source with Deno for Windows, under Wine 10 or later
// (patched: docs/BINARY.md). Tests of git need MinGW. Set CTX_WINE_WORK to keep its files.

import { dirname } from "node:path";
import { repository } from "../../build/repository.ts";
import { targets } from "../../build/target.ts";
import { serveUnixPrograms } from "./unix_programs.ts";

const unixPrograms = ["git", "sh", "bash"];

if (import.meta.main) Deno.exit(await testOnWindows(Deno.args));

async function testOnWindows(args: readonly string[]): Promise<number> {
  const [version] = /\d+/.exec(await read("wine", ["--version"])) ?? ["0"];
  if (Number(version) < 10) {
    say("Wine 10 or later is needed: apt install wine wine64 (Debian 13)");
    return 1;
  }
  const work = Deno.env.get("CTX_WINE_WORK") ?? await Deno.makeTempDir({ prefix: "ctx-wine-" });
  const [bin, temporary, prefix] = ["bin", "tmp", "prefix"].map((name) => `${work}/${name}`);
  for (const directory of [bin, temporary]) await Deno.mkdir(directory, { recursive: true });
  const deno = await findDeno(work);
  using server = serveUnixPrograms({ C: `${prefix}/drive_c`, Z: "" });
  await makeUnixPrograms(bin, server.addr.port);
  const info = JSON.parse(await read(Deno.execPath(), ["info", "--json"]));
  const env = {
    WINEPREFIX: prefix,
    WINEDEBUG: "-all",
    DISPLAY: "",
    WINEPATH: onWindows(bin),
    DENO_DIR: onWindows(info.denoDir),
    NO_COLOR: "1",
    CTX_TEST_FROM: "source",
  };
  for (const name of ["TEMP", "TMP"]) {
    const value = ["/v", name, "/d", onWindows(temporary), "/f"];
    await run("wine", ["reg", "add", "HKCU\\Environment", ...value], env);
  }
  // Deno's default cache, for processes that get no DENO_DIR.
  for (const { name } of Deno.readDirSync(`${prefix}/drive_c/users`)) {
    const path = `${prefix}/drive_c/users/${name}/AppData/Local/deno`;
    await Deno.symlink(info.denoDir, path).catch(() => {});
  }
  const paths = args.some((word) => !word.startsWith("-")) ? [] : ["test"];
  return await run(
    "wine",
    [deno, "test", "-A", "--no-check", "--cached-only", "--quiet", ...args, ...paths],
    env,
  );
}

/** The executable in npm's package for Windows, of the version that runs this. */
async function findDeno(work: string): Promise<string> {
  const path = `${work}/package/deno.exe`;
  if (await Deno.stat(path).catch(() => undefined) === undefined) {
    const name = targets.find(({ os }) => os === "windows")!.npm;
    await read("npm", ["pack", `${name}@${Deno.version.deno}`, "--pack-destination", work]);
    const archive = [...Deno.readDirSync(work)].find((file) => file.name.endsWith(".tgz"))!;
    await read("tar", ["-xzf", `${work}/${archive.name}`, "-C", work]);
  }
  return path;
}

async function makeUnixPrograms(bin: string, port: number): Promise<void> {
  const source = `${repository}test/wine/unix_program.c`;
  const words = [`-DPORT=${port}`, "-o", `${bin}/git.exe`, source, "-lws2_32", "-lshell32"];
  try {
    await read("x86_64-w64-mingw32-gcc", words);
  } catch {
    say("MinGW not found: tests that need git are skipped");
    return;
  }
  for (const name of unixPrograms.slice(1)) {
    await Deno.copyFile(`${bin}/git.exe`, `${bin}/${name}.exe`);
  }
}

function onWindows(path: string): string {
  return `Z:${path.replaceAll("/", "\\")}`;
}

function say(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
}

async function run(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<number> {
  const cwd = dirname(`${repository}deno.json`);
  const { code } = await new Deno.Command(program, { args: [...args], env, cwd }).spawn().status;
  return code;
}

async function read(program: string, args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args: [...args] }).output();
  if (!success) throw new Error(`${program} failed: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}
