// Whether `deno compile` can have its base, the runtime without the tools (`denort`): named by
// DENORT_BIN, kept in Deno's cache, or to be had from Deno's download host.

import type { Target } from "./target.ts";

/** Where the base is, or why there is none. */
export type Denort = { found: true; where: string } | { found: false; reason: string };

/** Looks for the base of a target; asks the download host last (none with ""), for five seconds. */
export async function findDenort(target: Target, host = "https://dl.deno.land"): Promise<Denort> {
  const named = Deno.env.get("DENORT_BIN");
  if (named) {
    if (await exists(named)) return { found: true, where: named };
    return { found: false, reason: `DENORT_BIN is "${named}", which is not there` };
  }
  const file = `release/v${Deno.version.deno}/denort-${target.triple}.zip`;
  const directory = await findDenoDirectory();
  if (directory !== undefined && await exists(`${directory}/dl/${file}`)) {
    return { found: true, where: `${directory}/dl/${file}` };
  }
  if (host === "") return { found: false, reason: "it is not in Deno's cache" };
  const url = `${host}/${file}`;
  try {
    const response = await fetch(url, { method: "HEAD", signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    if (response.ok) return { found: true, where: url };
    return { found: false, reason: `Deno's download host answered ${response.status}` };
  } catch {
    return { found: false, reason: "Deno's download host cannot be reached" };
  }
}

async function findDenoDirectory(): Promise<string | undefined> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json"],
    stderr: "null",
  }).output();
  if (!success) return undefined;
  const info: { denoDir?: string } = JSON.parse(new TextDecoder().decode(stdout));
  return info.denoDir;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
