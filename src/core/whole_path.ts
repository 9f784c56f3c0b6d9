// Paths as agents of all systems write them. Pure.

/** A path that begins at a root, with "/" between its parts, also one of Windows; else undefined. */
export function toWholePath(path: string | undefined): string | undefined {
  if (path === undefined || path.startsWith("/")) return path;
  if (!/^[a-z]:[\\/]/i.test(path)) return undefined;
  return path[0].toUpperCase() + path.slice(1).replaceAll("\\", "/");
}
