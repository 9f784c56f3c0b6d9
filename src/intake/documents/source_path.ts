// Where the sources of a collection may lie: a workspace's own inside the workspace, because its
// list of collections comes with a clone; the user's own anywhere.

import { normalizePath, resolvePath } from "../../core/platform_path.ts";
import { findRealPath } from "../../disk/outside_files.ts";
import { CtxError } from "../../core/errors.ts";
import { globBase, isGlob } from "./glob_base.ts";

/** A source as it was said, as it is stored: inside the workspace relative, else absolute. */
export function toSource(
  said: string,
  options: { cwd: string; workspace: string; anywhere: boolean },
): string {
  const absolute = normalizePath(resolvePath(said, options.cwd));
  const base = isGlob(absolute) ? globBase(absolute) : absolute;
  const real = findRealPath(base || "/");
  const resolved = real === undefined ? absolute : real + absolute.slice(base.length);
  if (options.anywhere) return resolved;
  requireInside(resolved, options.workspace, said);
  return resolved === options.workspace ? "." : resolved.slice(options.workspace.length + 1);
}

/** A stored source as an absolute path; one that leads out of the workspace is refused. */
export function toAbsolute(
  source: string,
  workspace: string,
  options: { anywhere: boolean },
): string {
  const path = normalizePath(resolvePath(source, workspace));
  if (options.anywhere) return path;
  const base = isGlob(path) ? globBase(path) : path;
  const real = findRealPath(base || "/");
  requireInside(real === undefined ? path : real + path.slice(base.length), workspace, source);
  return path;
}

/** The name of a document: its path in the workspace, or the whole path outside of it. */
export function toDocumentName(path: string, workspace: string): string {
  return path.startsWith(workspace + "/") ? path.slice(workspace.length + 1) : path;
}

function requireInside(path: string, workspace: string, said: string): void {
  if (path === workspace || path.startsWith(workspace + "/")) return;
  throw new CtxError("DENIED", `Cannot use "${said}": it is outside the workspace`, {
    hint: "to add it to your own store: ctx docs add NAME PATH --global",
  });
}
