// Takes spaces and long names out of the code of a bundle, half of it: Deno reads and checks every byte
// of what a command loads. A stack trace then names places, not functions; the same commit gives the
// same bundle, so they can be looked up. `deno bundle --minify` would also rewrite statements, and then
// drops `using` where a variable is used once, and with it the closing of files and locks
// (test/build/compile_test.ts); so the bundler that Deno has fetched for itself is asked.

import { listFiles } from "./bundle.ts";

/** Shortens all code of a directory, in place. */
export async function minify(directory: string): Promise<void> {
  const names = listFiles(directory).filter((name) => name.endsWith(".js"));
  const { success, stderr } = await new Deno.Command(await findBundler(), {
    // Only ASCII is taken as it is; other code Deno and V8 copy twice, as two bytes a character.
    args: [
      ...[
        "--minify-whitespace",
        "--minify-identifiers",
        "--charset=ascii",
        "--target=esnext",
        "--log-level=error",
      ],
      ...["--allow-overwrite", "--outdir=.", ...names],
    ],
    cwd: directory,
  }).output();
  if (!success) throw new Error(`Cannot minify: ${new TextDecoder().decode(stderr).trim()}`);
}

/** `deno bundle` keeps its bundler in Deno's directory; it ran before. */
async function findBundler(): Promise<string> {
  const info = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { denoDir }: { denoDir: string } = JSON.parse(new TextDecoder().decode(info.stdout));
  for (const { name } of Deno.readDirSync(`${denoDir}/dl`)) {
    if (!name.startsWith("esbuild-")) continue;
    for (const program of Deno.readDirSync(`${denoDir}/dl/${name}`)) {
      return `${denoDir}/dl/${name}/${program.name}`;
    }
  }
  throw new Error(`Cannot minify: "${denoDir}/dl" has no bundler`);
}
