// Why a store is the one that is used, in words: for people who have several.

import { parentOf } from "../core/platform_path.ts";
import { findWorkspace, holdsStore, realDirectory } from "./layout.ts";
import { findMainCheckout } from "./worktree.ts";

/** Why, and the store above it that is not seen from here. */
export interface WorkspaceReason {
  why: string;
  hides?: string;
}

/** The reason for the workspace that `findWorkspace` gives for the same place. */
export function explainWorkspace(
  found: string,
  { workspace, cwd }: { workspace?: string; cwd: string },
): WorkspaceReason {
  const above = parentOf(found) === found ? undefined : findWorkspace({ cwd: parentOf(found) });
  return { why: whyOf(found, { workspace, cwd }), ...(above ? { hides: above } : {}) };
}

function whyOf(found: string, { workspace, cwd }: { workspace?: string; cwd: string }): string {
  if (workspace !== undefined) return "chosen with --workspace";
  const here = realDirectory(cwd);
  if (here === found) return "found in this directory";
  for (let at = here; at !== found && parentOf(at) !== at; at = parentOf(at)) {
    const main = findMainCheckout(at);
    if (main !== undefined && holdsStore(found) && !`${here}/`.startsWith(`${found}/`)) {
      return `${at} is a git worktree of ${main}, whose store it shares`;
    }
    if (isSubmodule(at)) {
      return `${at} is a git submodule without a store, so the one above it is used`;
    }
  }
  return "found in the nearest parent directory";
}

/** A submodule's `.git` leads to the modules of the repository around it. */
function isSubmodule(directory: string): boolean {
  try {
    const path = `${directory}/.git`;
    return Deno.lstatSync(path).isFile &&
      /^gitdir: .*\/modules\//.test(Deno.readTextFileSync(path));
  } catch {
    return false;
  }
}
