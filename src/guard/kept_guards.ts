// The guards as they were when the user last changed them in their own terminal, kept beside their
// approvals: they hold while `.contextfs/guards.jsonc` cannot be read. A clone does not bring them.

import { configFiles } from "../config/load_config.ts";
import { realWorkspace } from "../config/trusted.ts";
import { hashHex } from "../core/hash.ts";
import type { Files } from "../disk/files.ts";
import { parentOf } from "../core/platform_path.ts";
import type { Layout } from "../disk/layout.ts";

type Env = (name: string) => string | undefined;

/** Where they are kept; undefined without a home. */
export function keptPath(workspace: string, env: Env): string | undefined {
  const file = configFiles(undefined, env)[0];
  const name = hashHex(realWorkspace(workspace));
  return file && `${parentOf(file.path)}/guards/${name}.jsonc`;
}

export function keepGuards(files: Files, { guards, workspace }: Layout, env: Env): void {
  const path = keptPath(workspace, env);
  const bytes = files.findBytes(guards);
  if (path === undefined || bytes === undefined) return;
  files.makeDirectory(parentOf(path));
  files.replace(path, bytes, { sync: true });
}

/** The text that was kept; undefined where there is none, or it cannot be read either. */
export function findKept(files: Files, { workspace }: Layout, env: Env): string | undefined {
  const path = keptPath(workspace, env);
  try {
    const bytes = path === undefined ? undefined : files.findBytes(path);
    return bytes && new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}
