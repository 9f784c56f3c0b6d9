// What other agents recorded of this workspace and an import would bring in: counted, not read.

import { homeOf, toOwnPath } from "../../core/platform_path.ts";
import { Databases } from "../sources/database/databases.ts";
import { ScratchDirectory } from "../sources/scratch_directory.ts";
import type { Place } from "../sources/source.ts";
import { holdsStore } from "../../disk/layout.ts";
import type { Store } from "../../store/store.ts";
import type { Context } from "../../command/command.ts";
import { countNew } from "./choose_sessions.ts";
import { makeProjectFilter } from "./projects.ts";
import { sourceTable } from "./source_table.ts";

/** The sessions of one agent. */
export interface FoundHistory {
  source: string;
  /** Sessions of this workspace that are not in its store yet, or went on. */
  sessions: number;
  /** Sessions of this workspace that are. */
  known: number;
}

/** Where agents keep their histories on this machine. */
export function placeOf(context: Pick<Context, "env">, workspace: string): Place {
  const os = Deno.build.os === "darwin" || Deno.build.os === "windows" ? Deno.build.os : "linux";
  const home = homeOf(context.env) ?? "/nonexistent";
  return { env: (name) => toPath(context.env(name)), home, os, workspace };
}

/** Agents' variables contain paths. */
function toPath(value: string | undefined): string | undefined {
  return value && toOwnPath(value);
}

/**
 * Counts the sessions of a store's workspace, by agent; agents without any are left out. The store
 * need not be there yet, and is not made.
 */
export async function findHistory(context: Context, store: Store): Promise<FoundHistory[]> {
  const { workspace, index } = store.layout;
  using temporary = holdsStore(workspace) ? undefined : new ScratchDirectory();
  const scratch = temporary?.path ?? index;
  const place = placeOf(context, workspace);
  const belongs = makeProjectFilter(workspace);
  using databases = new Databases();
  const found: FoundHistory[] = [];
  for (const [name, load] of Object.entries(sourceTable)) {
    const source = await load();
    const { fresh, skipped } = await countNew({
      store,
      source,
      roots: source.locate(place),
      place,
      scratch,
      databases,
      now: context.now,
      signal: context.signal,
      dryRun: true,
      belongs,
      onSession: () => {},
    });
    const known = skipped.unchanged ?? 0;
    if (fresh + known > 0) found.push({ source: name, sessions: fresh, known });
  }
  return found;
}
