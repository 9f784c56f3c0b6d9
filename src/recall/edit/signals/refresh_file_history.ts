// Brings the kept history of git up to HEAD for `suggest`; apart, because a hook only reads it.

import { keepHistory } from "../../../code/blame/keep_history.ts";
import { historyPathOf } from "../../../code/blame/path_history.ts";
import { GitDamage, GitSpent } from "../../../code/git/git_object.ts";
import { explainNoHistory, findHead, findRepository } from "../../../code/git/git_repository.ts";
import { CtxError } from "../../../core/errors.ts";
import type { Files } from "../../../disk/files.ts";
import type { Layout } from "../../../disk/layout.ts";

/** Brings the kept history up to HEAD; returns why changes are unknown when they are. */
export async function refreshFileHistory(
  files: Files,
  layout: Layout,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const repository = findRepository(layout.workspace);
  const head = repository && findHead(repository);
  if (repository === undefined || head === undefined) return explainNoHistory(layout.workspace);
  try {
    await keepHistory(repository, { files, path: historyPathOf(layout), signal });
  } catch (error) {
    const isDenied = error instanceof Deno.errors.NotCapable ||
      error instanceof Deno.errors.PermissionDenied ||
      (error instanceof CtxError && error.code === "DENIED");
    // In a read-only place what was kept before still serves.
    if (isDenied) {
      return "newer commits could not be read here: run ctx suggest on the command line";
    }
    if (!(error instanceof GitDamage || error instanceof GitSpent)) throw error;
    return `the git repository cannot be read (${error.message}): changes are unknown`;
  }
}
