// A registry of a few packed packages, for installs without a network.

import { sha256 } from "../../../build/sha256.ts";

/** A package and its tar file, compressed or not. */
export interface PackedPackage {
  manifest: { name: string; version: string };
  tarball: Uint8Array<ArrayBuffer>;
}

/** Serves the packages on a port of its own; everything else is not found. */
export function serveRegistry(
  packages: readonly PackedPackage[],
): { url: string } & AsyncDisposable {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { origin, pathname } = new URL(request.url);
    const [name, file] = decodeURIComponent(pathname.slice(1)).split("/-/");
    const found = packages.find(({ manifest }) => manifest.name === name);
    if (found === undefined) return new Response("{}", { status: 404 });
    const { manifest, tarball } = found;
    if (file !== undefined) return new Response(tarball);
    const digest = await sha256(tarball);
    const integrity = `sha256-${Uint8Array.fromHex(digest).toBase64()}`;
    const dist = { tarball: `${origin}/${name}/-/packed.tgz`, integrity };
    return Response.json({
      name,
      "dist-tags": { latest: manifest.version },
      versions: { [manifest.version]: { ...manifest, dist } },
    });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
