// `deno task viewer`: bundles the scripts that run in browsers, the page of `ctx ui` (src/viewer) and that
// of exported archives (src/viewer/archive), for runs from source; every build of ctx makes its own.

import { repository } from "./repository.ts";
import { runDeno } from "./run_deno.ts";

/** The scripts, as the sources name them, by where they begin; by another ending they would count as code of ctx. */
export const browserScripts: Readonly<Record<string, string>> = {
  "assets/viewer_script.txt": "src/viewer/page.tsx",
  "assets/archive_script.txt": "src/viewer/archive/archive_page.ts",
};

/** Bundles such a script; minified, because browsers load it whole and nothing in it needs `using`. */
export async function bundleScript(script: string, output: string): Promise<void> {
  const options = ["--platform", "browser", "--minify", "--output", output];
  await runDeno(["bundle", "-q", ...options, browserScripts[script]], { cwd: repository });
}

/** Bundles all of them where runs from source look for them. */
export async function bundleScripts(): Promise<void> {
  for (const script of Object.keys(browserScripts)) {
    await bundleScript(script, `${repository}${script}`);
  }
}

if (import.meta.main) await bundleScripts();
