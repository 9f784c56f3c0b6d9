// Why a line or a commit is so: from the work tree back to the commit that wrote the line, to the session
// that wrote the commit, to the words that led to it. Every question has an answer; where it is "unknown",
// it says because of what.

import { changesOf } from "../git/blame/changes_of.ts";
import { openRepository } from "../git/blame/open_repository.ts";
import { resolveCommit } from "../git/blame/resolve_commit.ts";
import { GitProblem } from "../git/git_problem.ts";
import type { GitRepository } from "../git/git_repository.ts";
import type { Store } from "../store/store.ts";
import { attribute } from "./attribute_change.ts";
import { mainEdit } from "./attribute_line.ts";
import { toChange } from "./change.ts";
import {
  commitFacts,
  explain,
  toAnswer,
  toUnknown,
  unknown,
  type WhyAnswer,
  type WhyOptions,
} from "./why_answer.ts";

/** Says whose a file, its lines or a commit are. */
export async function askWhy(
  store: Store,
  target: string,
  options: WhyOptions,
): Promise<WhyAnswer[]> {
  const { path, from, to } = parseTarget(target, options.cwd);
  const repository = openRepository(store.layout.workspace);
  const file = toFile(path, options.cwd);
  const isFile = from !== undefined || isThere(file) || /[/\\.]/.test(path);
  if (!isFile || /^HEAD\b/.test(target)) {
    if (repository instanceof GitProblem) return [toUnknown(repository)];
    const oid = resolveCommit(repository, target);
    if (!(oid instanceof GitProblem)) return [await askCommit(store, repository, oid, options)];
    if (oid.reason !== "no-such-commit" || /^HEAD\b/.test(target)) return [toUnknown(oid)];
    return [unknown(`there is no file and no commit "${target}"`, "ctx why FILE:LINE")];
  }
  if (from !== undefined && to !== undefined && to < from) {
    const because = `line ${to} comes before line ${from}`;
    return [{ ...unknown(because, `ctx why ${path}:${to}-${from}`), path }];
  }
  const { askLines } = await import("./ask_lines.ts");
  return await askLines(store, { repository, file, name: path, from, to }, options);
}

/** `FILE`, `FILE:LINE` or `FILE:LINE-LINE`; a file may have such a name itself. */
function parseTarget(target: string, cwd: string): { path: string; from?: number; to?: number } {
  const match = /^(.+?):(\d{1,9})(?:[-,](\d{1,9}))?$/.exec(target);
  if (match === null) return { path: target };
  const isName = !isThere(toFile(match[1], cwd)) && isThere(toFile(target, cwd));
  if (isName) return { path: target };
  const from = Number(match[2]);
  return { path: match[1], from, to: Number(match[3] ?? from) };
}

function toFile(path: string, cwd: string): string {
  return path.startsWith("/") ? path : `${cwd}/${path}`;
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

async function askCommit(
  store: Store,
  repository: GitRepository,
  oid: string,
  { table, signal }: WhyOptions,
): Promise<WhyAnswer> {
  const changes = await changesOf(repository, oid, { signal });
  if (changes instanceof GitProblem) return { ...toUnknown(changes), commit: oid };
  const change = toChange(changes);
  const whole = attribute(table, change);
  const { best, confidence } = whole;
  const answer = best === undefined ? explain(table, whole.because) : await toAnswer(store, {
    session: best.session,
    claim: mainEdit(best),
    by: "commit",
    confidence,
    whole,
  });
  return { ...answer, ...commitFacts(changes.commit) };
}
