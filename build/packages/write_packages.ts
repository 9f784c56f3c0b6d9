// `deno task packages [DIR] [SHA256SUMS]`: everything by which people find ctx in the lists of their
// tools, from one definition, into dist/packages. With the checksums of a release also what names them.

import { repository } from "../repository.ts";
import { makeServerJson } from "../server_json.ts";
import { writeEditorPackages } from "./editor_packages.ts";
import { writePlugins } from "./plugins.ts";
import { writeReleasePackages } from "./release_packages.ts";
import { writeFiles } from "./write_files.ts";

/** Writes all packages into a directory of their own. */
export async function writePackages(into: string, checksums?: string): Promise<void> {
  await Deno.remove(into, { recursive: true }).catch(() => {});
  await writePlugins(`${into}/plugins`);
  await writeEditorPackages(into);
  await writeFiles(into, { "server.json": makeServerJson() });
  if (checksums !== undefined) await writeReleasePackages(into, checksums);
}

if (import.meta.main) {
  const [into = `${repository}dist/packages`, sums] = Deno.args;
  await writePackages(into, sums && await Deno.readTextFile(sums));
}
