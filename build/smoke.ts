// `deno task smoke DIR`: starts the file that was built for this machine and uses it once: version,
// init, save, search, get. What a release must pass on every machine before it is published.

import { fileNameOf, hostTarget } from "./target.ts";

/** Runs the built file in an empty home and workspace; throws at the first thing that is wrong. */
export async function smokeTest(executable: string): Promise<string> {
  const work = await Deno.makeTempDir({ prefix: "ctx-smoke-" });
  const ctx = async (...args: string[]): Promise<string> => {
    const { success, stdout, stderr } = await new Deno.Command(executable, {
      args,
      cwd: work,
      env: { HOME: work, XDG_CACHE_HOME: `${work}/cache`, XDG_CONFIG_HOME: `${work}/config` },
    }).output();
    const text = new TextDecoder().decode(stdout);
    if (!success) throw new Error(`ctx ${args[0]}: ${text}${new TextDecoder().decode(stderr)}`);
    return text;
  };
  try {
    const { form, version }: { form: string; version: string } = JSON.parse(
      await ctx("--version", "--json"),
    );
    await ctx("init");
    const id = (await ctx("save", "refresh tokens rotate on every use")).trim();
    const found = await ctx("search", "token rotation");
    if (!found.includes(id)) throw new Error(`ctx search did not find ${id}: ${found}`);
    const text = await ctx("get", id);
    if (!text.includes("rotate on every use")) throw new Error(`ctx get gave ${text}`);
    return `${version} (${form})`;
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

if (import.meta.main) {
  const path = await Deno.realPath(`${Deno.args[0]}/${fileNameOf(hostTarget())}`);
  const line = `${path}: ctx ${await smokeTest(path)} works\n`;
  Deno.stdout.writeSync(new TextEncoder().encode(line));
}
