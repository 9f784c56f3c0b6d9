// A file out of a package of npm: npm fetches and verifies it from the registry it is set to.

/** One file of a package, such as `package/deno` of `@deno/linux-x64-glibc@2.9.5`. */
export async function readFromNpm(
  name: string,
  { member, work }: { member: string; work: string },
): Promise<Uint8Array<ArrayBuffer>> {
  return getMember(await gunzip(await packWithNpm(name, work)), member);
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
