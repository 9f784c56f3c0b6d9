// Files for callers that are not trusted with the file system: every path must lie inside the
// store, and no component of it may be a link, because the runtime's own sandbox follows links that
// are already there. A file with a second name (hard link) may be anyone's and is refused too.

import { CtxError } from "../core/errors.ts";
import type { Files } from "./files.ts";
import type { Layout } from "./layout.ts";

/** The same files, each path checked before it is used. */
export function confineFiles(files: Files, layout: Layout): Files {
  const check = (path: string): string => {
    refuseOutside(layout, path);
    return path;
  };
  return {
    findSize: (path) => files.findSize(check(path)),
    findBytes: (path) => files.findBytes(check(path)),
    openReader: (path) => files.openReader(check(path)),
    append: (path, bytes, options) => files.append(check(path), bytes, options),
    truncate: (path, size) => files.truncate(check(path), size),
    replace: (path, bytes, options) => files.replace(check(path), bytes, options),
    openWriter: (path) => files.openWriter(check(path)),
    hold: (path) => files.hold(check(path)),
    rename: (from, to) => files.rename(check(from), check(to)),
    remove: (path) => files.remove(check(path)),
    makeDirectory: (path) => files.makeDirectory(check(path)),
    list: (path) => files.list(check(path)),
    listTree: (path) => files.listTree(check(path)),
  };
}

function refuseOutside(layout: Layout, path: string): void {
  const { root } = layout;
  if (path !== root && !path.startsWith(`${root}/`)) throw leadsOut(path);
  const parts = path.slice(root.length).split("/").filter((part) => part !== "");
  let at = root;
  refuseLink(at, path);
  for (const part of parts) {
    if (part === ".." || part === "." || part.includes("\0")) throw leadsOut(path);
    at += `/${part}`;
    refuseLink(at, path);
  }
}

function refuseLink(at: string, path: string): void {
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(at);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return;
    throw error;
  }
  if (info.isSymlink) throw leadsOut(path);
  if (info.isFile && (info.nlink ?? 1) > 1) {
    throw new CtxError("DENIED", `Cannot use "${clip(path)}": the file is hard-linked`, {
      hint: "replace the hard link with a copy",
    });
  }
}

function leadsOut(path: string): CtxError {
  return new CtxError("DENIED", `Cannot use "${clip(path)}": it is outside the workspace`, {
    hint: "use a path inside the workspace, without links",
  });
}

function clip(path: string): string {
  return path.length > 120 ? `${path.slice(0, 120)}…` : path;
}
