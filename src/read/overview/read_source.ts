// A file of the work tree with the story of each of its lines, for the page: only files that git
// tracks, only text, nothing outside of the workspace.

import { askLines } from "../../code/why/ask_lines.ts";
import type { WhyAnswer } from "../../code/why/why_row.ts";
import { openRepository } from "../../code/blame/open_repository.ts";
import { findTracked } from "../../code/git/tracked_files.ts";
import type { Context } from "../../command/command.ts";
import { CtxError } from "../../core/errors.ts";
import { findRealPath, findSmallText } from "../../disk/outside_files.ts";
import { withLines } from "../../index/lines/line_table.ts";

/** The files that can be shown. */
export interface SourceFiles {
  files: string[];
}

/** A file, and whose its lines are. */
export interface SourceText {
  path: string;
  text: string;
  /** As `ctx why` answers; `lines` says which are meant. */
  stories: WhyAnswer[];
}

const maxBytes = 2 << 20;
/** A page shows a whole file: more of its history than a terminal wants to read. */
const pageLimits = { commits: 150, answers: 300 };

/** The files that git tracks in the workspace. */
export async function listSource(context: Context): Promise<SourceFiles> {
  const { layout } = await context.openStore();
  return { files: findTracked(layout.workspace, "").sort() };
}

/** Reads a file, and says whose its lines are. */
export async function readSource(path: string, context: Context): Promise<SourceText> {
  const store = await context.openStore();
  const { workspace } = store.layout;
  const file = `${workspace}/${path}`;
  const root = findRealPath(workspace);
  // A link that is tracked may lead to what is not: to another file, .git or the store.
  const isShown = root !== undefined && findTracked(workspace, "").includes(path) &&
    findRealPath(file) === `${root}/${path}`;
  const text = isShown ? findSmallText(file, maxBytes) : undefined;
  if (text === undefined || text.includes("\0")) {
    throw new CtxError("NOT_FOUND", `Cannot show "${path}": it is not a text file that git tracks`);
  }
  const { signal, progress, cwd } = context;
  const repository = openRepository(workspace);
  const asked = { repository, workspace, file, name: path, limits: pageLimits };
  const stories = await withLines(store, {
    signal,
    work: (table) => askLines(store, asked, { table, cwd, now: context.now(), signal, progress }),
  });
  return { path, text, stories };
}
