// The Deno executable that goes into a self-extracting file: the one that runs this for the host,
// and the one that npm has, of the same version, for another target.

import { readFromNpm } from "./npm_archive.ts";
import { hostTarget, type Target } from "./target.ts";

/** The path of Deno for a target; downloads into `work` when it is not the host's. */
export async function getDenoFor(target: Target, work: string): Promise<string> {
  if (target === hostTarget()) return Deno.execPath();
  const member = "package/deno";
  const bytes = await readFromNpm(`${target.npm}@${Deno.version.deno}`, { member, work });
  const path = `${work}/deno-${target.name}`;
  await Deno.writeFile(path, bytes, { mode: 0o755 });
  return path;
}
