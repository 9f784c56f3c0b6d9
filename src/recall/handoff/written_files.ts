// What a handoff wrote, so that `ctx undo` removes exactly that: files by their SHA-256, and directories
// that were made for them.

import { CtxError } from "../../core/errors.ts";
import type { Files } from "../../disk/files.ts";
import { removeEmpty } from "../../disk/write_new.ts";
import type { WrittenFile } from "../../store/logs/act_log.ts";

/** The fingerprints of files. */
export async function toWritten(
  list: readonly { path: string; bytes: Uint8Array }[],
): Promise<WrittenFile[]> {
  return await Promise.all(
    list.map(async ({ path, bytes }) => ({ path, sha256: await sha256(bytes) })),
  );
}

/** The files that are still as they were written, and drafts of them; DENIED when one was changed. */
export async function findUnchanged(files: Files, list: readonly WrittenFile[]): Promise<string[]> {
  const there: string[] = [];
  for (const { path, sha256: before } of list) {
    const bytes = files.findBytes(path);
    if (bytes === undefined) {
      // Whoever was killed while it wrote left a part of it beside.
      const [, directory, name] = /^(.*)\/([^/]*)$/.exec(path) ?? ["", "", path];
      const drafts = files.list(directory).filter((one) =>
        one.startsWith(`${name}.`) && /^\d+\.tmp$/.test(one.slice(name.length + 1))
      );
      there.push(...drafts.map((one) => `${directory}/${one}`));
      continue;
    }
    if (await sha256(bytes) !== before) {
      throw new CtxError("DENIED", `Cannot undo the handoff: "${path}" has changed since`, {
        hint: "the agent has continued this session; delete it in the agent instead",
      });
    }
    there.push(path);
  }
  return there;
}

/** Removes files, and the directories made for them that are empty now. */
export function removeWritten(
  files: Files,
  { paths, directories }: { paths: readonly string[]; directories: readonly string[] },
): void {
  for (const path of paths) files.remove(path);
  removeEmpty(directories);
}

async function sha256(bytes: Uint8Array): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes))).toHex();
}
