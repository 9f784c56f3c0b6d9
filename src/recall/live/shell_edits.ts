// The files that a command of a shell is going to change (`sed -i`, `tee`, `>`), for the log of live edits:
// the command names them, but nobody knows which lines it changes.

import { findInWorkspace } from "../edit/graph/workspace_path.ts";
import type { LiveEdit } from "./live_log.ts";

/** Most commands write nothing, and need no reader of shells. Output of errors does not count. */
const mayWrite =
  /(?<![\d&])>(?!&)|\b(?:tee|truncate|cp|mv|install|rm|unlink)\b|\b(?:sed|perl)\b.*\s-(?:\w*i|-in-place)/s;
const maxFiles = 20;

/** Whether a command may change a file. */
export function mayChangeFiles(command: string): boolean {
  return mayWrite.test(command);
}

/** An edit for each file of the workspace that a command names as one that it changes. */
export async function shellEdits(
  command: string,
  by: Pick<LiveEdit, "ts" | "session" | "agent">,
  at: { workspace: string; cwd: string },
): Promise<LiveEdit[]> {
  if (!mayChangeFiles(command)) return [];
  const { readShell } = await import("../../guard/command_runs.ts");
  const paths = new Set(readShell(command).writes.map(({ path }) => path));
  return [...paths].slice(0, maxFiles).flatMap((path): LiveEdit[] => {
    const place = findInWorkspace(path, at);
    return place === undefined ? [] : [{ ...by, tree: place.root, file: place.path, spans: [] }];
  });
}
