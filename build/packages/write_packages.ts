// `deno task packages [--checksums FILE] [DIR]`: everything by which people find ctx in the lists of
// their tools, from one definition, into dist/packages.

import { repository } from "../repository.ts";
import { writePlugins } from "./plugins.ts";

/** Writes all packages into a directory of their own. */
export async function writePackages(into: string): Promise<void> {
  await Deno.remove(into, { recursive: true }).catch(() => {});
  await writePlugins(`${into}/plugins`);
}

if (import.meta.main) await writePackages(Deno.args[0] ?? `${repository}dist/packages`);
