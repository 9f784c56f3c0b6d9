// The Deno executable that goes into a self-extracting file: the one that runs this for the host,
// and the one that npm has, of the same version, for another target.

import { hostTarget, type Target } from "./target.ts";

/** The path of Deno for a target; downloads into `work` when it is not the host's. */
export async function getDenoFor(target: Target, work: string): Promise<string> {
  if (target === hostTarget()) return Deno.execPath();
  const packed = await packWithNpm(`${target.npm}@${Deno.version.deno}`, work);
  const path = `${work}/deno-${target.name}`;
  await Deno.writeFile(path, getMember(await gunzip(packed), "package/deno"), { mode: 0o755 });
  return path;
}

/** A file in a tar archive. */
export function getMember(tar: Uint8Array<ArrayBuffer>, name: string): Uint8Array<ArrayBuffer> {
  const text = (start: number, length: number): string =>
    new TextDecoder().decode(tar.subarray(start, start + length)).replace(/\0.*$/s, "");
  for (let at = 0; at + 512 <= tar.length;) {
    const size = parseInt(text(at + 124, 12).trim() || "0", 8);
    if (text(at, 100) === name) return tar.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`Cannot unpack: the archive has no "${name}"`);
}

/** Lets npm fetch and verify a package from the registry it is set to. */
async function packWithNpm(name: string, work: string): Promise<Uint8Array<ArrayBuffer>> {
  const { success, stdout, stderr } = await new Deno.Command("npm", {
    args: ["pack", name, "--json", "--pack-destination", work],
  }).output();
  if (!success) throw new Error(`Cannot fetch ${name}: ${new TextDecoder().decode(stderr)}`);
  const [{ filename }] = JSON.parse(new TextDecoder().decode(stdout));
  return await Deno.readFile(`${work}/${filename.replace("@", "").replace("/", "-")}`);
}

async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).bytes();
}
