// `deno task viewer`: bundles the page of `ctx ui` (src/viewer) into one script, for runs from source;
// every build of ctx makes its own.

import { repository } from "./repository.ts";
import { runDeno } from "./run_deno.ts";

/** The script of the page, as the sources name it; by another ending it would count as code of ctx. */
export const viewerScript = "assets/viewer_script.txt";

/** Bundles the page; minified, because browsers load it whole and nothing in it needs `using`. */
export async function bundleViewer(output: string): Promise<void> {
  const options = ["--platform", "browser", "--minify", "--output", output];
  await runDeno(["bundle", "-q", ...options, "src/viewer/page.tsx"], { cwd: repository });
}

if (import.meta.main) await bundleViewer(`${repository}${viewerScript}`);
