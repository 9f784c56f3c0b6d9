// Paths and homes on every system. Inside ctx a path has "/" between its parts, on Windows too, which
// takes both: what comes from the system is turned here, where it comes in.

type Os = typeof Deno.build.os;

/** A path as the system gives it, in ctx's own form. */
export function toOwnPath(path: string, os: Os = Deno.build.os): string {
  if (os !== "windows") return path;
  // What Windows puts before paths that may be long.
  const plain = path.replace(/^[\\/]{2}[?.][\\/]UNC[\\/]/i, "//").replace(/^[\\/]{2}[?.][\\/]/, "");
  return plain.replaceAll("\\", "/").replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}

/** The real path of what is there, in ctx's own form. */
export function realPath(path: string): string {
  return toOwnPath(Deno.realPathSync(path));
}

/** Whether a path begins at a root: `/`, `C:/`, or a share of Windows. */
export function isWholePath(path: string, os: Os = Deno.build.os): boolean {
  return path.startsWith("/") || (os === "windows" && /^(?:[a-z]:[\\/]|\\\\)/i.test(path));
}

/** The directory above, of a path in ctx's own form; a root is above itself. */
export function parentOf(directory: string, os: Os = Deno.build.os): string {
  if (os === "windows") {
    const root = /^(?:[a-z]:\/|\/\/[^/]+\/[^/]+)/i.exec(directory)?.[0];
    if (root !== undefined) {
      const up = directory.replace(/\/[^/]*$/, "");
      return up.length < root.length ? root : up;
    }
  }
  return directory.replace(/\/[^/]*$/, "") || "/";
}

/** The directories of PATH, in ctx's own form. */
export function splitPathList(list: string | undefined, os: Os = Deno.build.os): string[] {
  return (list ?? "").split(os === "windows" ? ";" : ":")
    // Windows lets an entry stand in quotes.
    .map((path) => os === "windows" ? toOwnPath(path.replaceAll('"', ""), os) : path)
    .map((path) => path.replace(/([^:/])\/+$/, "$1")).filter((path) => path !== "");
}

/** The path of a `file://` URL, in ctx's own form. */
export function fromFileUrl(url: URL | string, os: Os = Deno.build.os): string {
  const { hostname, pathname } = new URL(url);
  const path = decodeURIComponent(pathname);
  if (os !== "windows") return path;
  return hostname === "" ? path.replace(/^\/([a-z]:)/i, "$1") : `//${hostname}${path}`;
}

/** The user's home, in ctx's own form; undefined where none is set. */
export function homeOf(
  env: (name: string) => string | undefined,
  os: Os = Deno.build.os,
): string | undefined {
  const home = env("HOME") || env("USERPROFILE");
  return home ? toOwnPath(home, os) : undefined;
}

/** A path that begins at a root, with "/" between its parts, also one of Windows; else undefined. */
export function toWholePath(path: string | undefined): string | undefined {
  if (path === undefined || path.startsWith("/")) return path;
  if (!/^[a-z]:[\\/]/i.test(path)) return undefined;
  return path[0].toUpperCase() + path.slice(1).replaceAll("\\", "/");
}
