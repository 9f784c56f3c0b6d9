// Paths and homes on every system. Inside ctx a path has "/" between its parts, on Windows too, which
// takes both: what comes from the system is turned here, where it comes in.

type Os = typeof Deno.build.os;

/** Whether file modes control who may read and run a file. */
export function hasModes(os: Os = Deno.build.os): boolean {
  return os !== "windows";
}

/** A path as the system gives it, in ctx's own form. */
export function toOwnPath(path: string, os: Os = Deno.build.os): string {
  if (os !== "windows") return path;
  // What Windows puts before paths that may be long.
  const plain = path.replace(/^[\\/]{2}[?.][\\/]UNC[\\/]/i, "//").replace(/^[\\/]{2}[?.][\\/]/, "");
  // Editors write a folder as in its URL, with "/" before the drive.
  return plain.replaceAll("\\", "/").replace(
    /^\/?([a-z]):(?=\/|$)/i,
    (_, drive) => `${drive.toUpperCase()}:`,
  );
}

/** The real path of what is there, in ctx's own form. */
export function realPath(path: string): string {
  return toOwnPath(Deno.realPathSync(path));
}

/** Whether a path begins at a root: `/`, `C:/`, or a share of Windows. */
export function isWholePath(path: string, os: Os = Deno.build.os): boolean {
  return path.startsWith("/") || (os === "windows" && /^(?:[a-z]:[\\/]|\\\\)/i.test(path));
}

/** Makes a path absolute, starting from a directory, in ctx's own form. */
export function resolvePath(path: string, from: string, os: Os = Deno.build.os): string {
  return isWholePath(path, os) ? toOwnPath(path, os) : `${from}/${toOwnPath(path, os)}`;
}

/** A whole path without `.`, `..` and empty parts. */
export function normalizePath(path: string, os: Os = Deno.build.os): string {
  const own = toOwnPath(path, os);
  const root = os === "windows" ? /^(?:[A-Z]:|\/\/[^/]+\/[^/]+)(?=\/|$)/.exec(own)?.[0] ?? "" : "";
  const parts: string[] = [];
  for (const part of own.slice(root.length).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return root.length > 2 && parts.length === 0 ? root : `${root}/${parts.join("/")}`;
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

/** The `file://` URL of a whole path in ctx's own form. */
export function toFileUrl(path: string, os: Os = Deno.build.os): string {
  const parts = path.split("/").map(encodeURIComponent);
  if (os !== "windows") return `file://${parts.join("/")}`;
  if (path.startsWith("//")) return `file:${parts.join("/")}`;
  const drive = /^[A-Za-z]:(?=\/|$)/.exec(path)?.[0];
  return drive ? `file:///${[drive, ...parts.slice(1)].join("/")}` : `file://${parts.join("/")}`;
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
  if (path === undefined) return undefined;
  const [drive, letter] = /^\/?([a-z]):(?=[\\/])/i.exec(path) ?? [];
  if (drive === undefined) return path.startsWith("/") ? path : undefined;
  return `${letter.toUpperCase()}:${path.slice(drive.length).replaceAll("\\", "/")}`;
}

/** An absolute path relative to a directory; undefined if it is outside. */
export function partBelow(path: string, directory: string): string | undefined {
  const root = `${directory}/`;
  // On Windows case does not matter in names.
  const isSame = path.startsWith(root) || (/^[A-Z]:/.test(root) &&
    path.slice(0, root.length).toLowerCase() === root.toLowerCase());
  return isSame ? path.slice(root.length) : undefined;
}

/** The path as programs on this system write it; others are unchanged. */
export function toSystemPath(path: string, os: Os = Deno.build.os): string {
  return os === "windows" && /^(?:[A-Z]:|\/\/)/i.test(path) ? path.replaceAll("/", "\\") : path;
}
