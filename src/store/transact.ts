// One transaction: the lock, a writer, what a move left to finish, and the state when it ends.

import { guardFiles } from "../disk/guarded_files.ts";
import { layoutOf, refuseLinks } from "../disk/layout.ts";
import { takeLock } from "../disk/lock.ts";
import { refuseNewer, writeState } from "./state.ts";
import type { Files } from "../disk/files.ts";
import { Writer } from "./writer.ts";

export interface StoreOptions {
  workspace: string;
  files: Files;
  now: () => number;
  random: () => string;
  warn: (message: string) => void;
  sync?: boolean;
  lockTimeoutMs?: number;
}

/** Runs an action under the lock of a store; the state is written when it ends. */
export async function transact<T>(
  options: StoreOptions,
  command: string,
  action: (writer: Writer) => T | Promise<T>,
): Promise<T> {
  const { now, random, warn, sync = true, lockTimeoutMs = 10_000 } = options;
  const layout = layoutOf(options.workspace);
  refuseLinks(layout);
  const holder = { pid: Deno.pid, command, since: new Date(now()).toISOString() };
  using lock = await takeLock(layout.lock, { holder, timeoutMs: lockTimeoutMs });
  const files = guardFiles(options.files, lock);
  refuseNewer(files, layout);
  const writer = new Writer({ files, layout, sync, now, random, warn });
  if (files.findSize(layout.move) !== undefined) {
    const { tryFinishMove } = await import("./move.ts");
    warn(tryFinishMove(writer));
  }
  const result = await action(writer);
  writer.state.revision++;
  saveState(writer, warn);
  return result;
}

/** The log is already synced, so a state that cannot be written is a warning: it is rebuilt later. */
function saveState(writer: Writer, warn: (message: string) => void): void {
  try {
    writeState(writer.files, writer.layout, writer.state);
  } catch (error) {
    warn(`state.json was not updated (${error instanceof Error ? error.message : error})`);
  }
}
