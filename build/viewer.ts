// `deno task viewer`: bundles the page of `ctx ui` (src/viewer) into two scripts, for runs from source;
// every build of ctx makes its own.

import { repository } from "./repository.ts";
import { runDeno } from "./run_deno.ts";

/**
 * The scripts of the page, as the sources name them (by another ending they would count as code of
 * ctx), and what each is made of: the page itself, and the highlighter that it loads when needed.
 */
export const viewerScripts: Readonly<Record<string, string>> = {
  "assets/viewer_script.txt": "src/viewer/page.tsx",
  "assets/highlighter_script.txt": "src/viewer/code/highlighter.ts",
};

/** Bundles the scripts of the page into a directory. */
export async function bundleViewer(into: string): Promise<void> {
  await Promise.all(Object.keys(viewerScripts).map((script) => bundleScript(script, into)));
}

/** Bundles one; minified, because browsers load it whole and nothing in it needs `using`. */
async function bundleScript(script: string, into: string): Promise<void> {
  const output = `${into}/${script.slice(script.lastIndexOf("/") + 1)}`;
  const options = ["--platform", "browser", "--minify", "--output", output];
  await runDeno(["bundle", "-q", ...options, viewerScripts[script]], { cwd: repository });
}

if (import.meta.main) await bundleViewer(`${repository}assets`);
