// `deno task viewer`: bundles the scripts that run in browsers, for runs from source; every build of
// ctx makes its own. They are the page of `ctx ui` (src/viewer), the highlighter that it loads when
// code is shown, and the page inside an exported archive.

import { repository } from "./repository.ts";
import { runDeno } from "./run_deno.ts";

/** The scripts, as the sources name them (by another ending they would count as code of ctx), by entry point. */
export const browserScripts: Readonly<Record<string, string>> = {
  "assets/viewer_script.txt": "src/viewer/page.tsx",
  "assets/highlighter_script.txt": "src/viewer/code/highlighter.ts",
  "assets/archive_script.txt": "src/viewer/archive/archive_page.ts",
};

/** Bundles the scripts into a directory: where runs from source look for them, unless another is named. */
export async function bundleScripts(into = `${repository}assets`): Promise<void> {
  await Promise.all(Object.keys(browserScripts).map((script) => bundleScript(script, into)));
}

/** Bundles one; minified, because browsers load it whole and nothing in it needs `using`. */
async function bundleScript(script: string, into: string): Promise<void> {
  const output = `${into}/${script.slice(script.lastIndexOf("/") + 1)}`;
  const options = ["--platform", "browser", "--minify", "--output", output];
  await runDeno(["bundle", "-q", ...options, browserScripts[script]], { cwd: repository });
}

if (import.meta.main) await bundleScripts();
