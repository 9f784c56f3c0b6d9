// Whether the store's own files may be read at all: without that nothing else of it can be checked. And
// whether they may be written: without that nothing is captured.

import { isReadOnly } from "../../core/errors.ts";
import type { Files } from "../../disk/files.ts";
import type { Check } from "./inspect.ts";
import { isOwnFile, type Layout } from "../../disk/layout.ts";

/** Why nothing can be written to a store, or undefined; writes nothing itself. */
export function findUnwritable(files: Files, { history: { hot } }: Layout): string | undefined {
  if (files.findSize(hot) === undefined) return undefined;
  try {
    files.append(hot, new Uint8Array(), { sync: false });
    return undefined;
  } catch (error) {
    if (!isReadOnly(error)) throw error;
    return error instanceof Error ? error.message : undefined;
  }
}

/** The failed check that names the files which may not be read; undefined when all may. */
export function checkReadable(files: Files, layout: Layout): Check | undefined {
  const barred = files.list(layout.root).filter((name) => {
    // Locks and .gitignore are not read.
    if (!isOwnFile(name) || name.startsWith(".")) return false;
    try {
      using _reader = files.openReader(`${layout.root}/${name}`);
      return false;
    } catch (error) {
      if (error instanceof Deno.errors.PermissionDenied) return true;
      throw error;
    }
  });
  if (barred.length === 0) return undefined;
  const paths = barred.map((name) => `"${layout.root}/${name}"`).join(", ");
  const detail = `${paths} cannot be read: permission denied; check its owner and permissions`;
  return { name: "files", status: "failed", detail, fixable: false };
}
