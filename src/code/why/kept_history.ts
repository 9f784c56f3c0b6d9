// The commits by path, kept beside the index so that a line is followed fast. Made by
// reindex, or when it is first needed; without it the same is found more slowly.

import { openHead, openRepository } from "../blame/open_repository.ts";
import {
  historyPathOf,
  openHistory,
  openHistoryWith,
  type PathHistory,
} from "../blame/path_history.ts";
import { toProblem } from "../blame/to_problem.ts";
import { isUnwritable } from "../../core/errors.ts";
import { GitProblem } from "../git/git_problem.ts";
import type { GitRepository } from "../git/git_repository.ts";
import type { Store } from "../../store/store.ts";
import type { Context } from "../../command/command.ts";

/** Brings the kept history up to HEAD, where there is one. */
export async function refreshHistory(
  store: Store,
  context: Pick<Context, "signal" | "progress">,
): Promise<void> {
  const repository = openRepository(store.layout.workspace);
  if (repository instanceof GitProblem) return;
  const head = openHead(repository);
  if (head instanceof GitProblem) return;
  const { signal, progress } = context;
  using _history = await openKeptHistory(store, { repository, head, signal, progress });
}

/** Opens the kept history as it is good to have; close it. */
export async function openKeptHistory(
  store: Store,
  { repository, head, signal, progress }: Pick<Context, "signal" | "progress"> & {
    repository: GitRepository;
    head: string;
  },
): Promise<PathHistory | undefined> {
  const { files, layout } = store;
  const path = historyPathOf(layout);
  const known = openHistoryWith(head, { files, path });
  if (known !== undefined) return known;
  try {
    if (files.findSize(path) === undefined) progress("reading the git history");
    const { keepHistory } = await import("../blame/keep_history.ts");
    await keepHistory(repository, { files, path, signal });
    return openHistory(files, path);
  } catch (error) {
    // What cannot be kept, or read, is asked of git itself.
    if (isUnwritable(error)) return openHistory(files, path);
    if (toProblem(error) instanceof GitProblem) return undefined;
    throw error;
  } finally {
    progress("");
  }
}
