// Why a line or a commit is so: from the work tree back to the commit that wrote the line, to the session
// that wrote the commit, to the words that led to it. Every question has an answer; where it is "unknown",
// it says because of what.

import { isWholePath, resolvePath, toOwnPath } from "../../core/platform_path.ts";
import { changesOf } from "../blame/changes_of.ts";
import { findWorkTree } from "../blame/find_work_tree.ts";
import { openRepository } from "../blame/open_repository.ts";
import { resolveCommit } from "../blame/resolve_commit.ts";
import { GitProblem } from "../git/git_problem.ts";
import type { GitRepository } from "../git/git_repository.ts";
import { findTracked } from "../git/tracked_files.ts";
import type { Store } from "../../store/store.ts";
import { attribute } from "./attribute_change.ts";
import { mainEdit } from "./attribute_line.ts";
import { toChange } from "./change.ts";
import {
  commitFacts,
  explain,
  toAnswer,
  toOthers,
  toUnknown,
  unknown,
  type WhyOptions,
} from "./why_answer.ts";
import type { WhyAnswer } from "./why_row.ts";

/** So many sessions of one commit are told, each this sure. */
const maxParts = 5;
const partConfidence = 0.7;
/** So many files of one name are listed. */
const maxFiles = 10;

/** Says whose a file, its lines or a commit are. */
export async function askWhy(
  store: Store,
  target: string,
  options: WhyOptions,
): Promise<WhyAnswer[]> {
  const { path, from, to } = parseTarget(target, options.cwd);
  let file = resolvePath(path, options.cwd);
  let name = path;
  const isHere = isThere(file);
  const isFile = from !== undefined || isHere || /[/\\.]/.test(path);
  const directory = isFile ? file.slice(0, file.lastIndexOf("/")) : options.cwd;
  const workspace = findWorkTree(store.layout.workspace, directory);
  const repository = openRepository(workspace);
  const isHead = /^HEAD\b/.test(target);
  if (!isFile || isHead) {
    if (repository instanceof GitProblem) return [toUnknown(repository)];
    const oid = resolveCommit(repository, target);
    if (!(oid instanceof GitProblem)) return await askCommit(store, repository, oid, options);
    if (oid.reason !== "no-such-commit" || isHead) return [toUnknown(oid)];
  }
  if (!isHere) {
    const [found, ...others] = findByEnd(workspace, path);
    if (others.length > 0) return [severalFiles([found, ...others], { path, target })];
    if (found !== undefined) [name, file] = [found, `${workspace}/${found}`];
    else if (!isFile) {
      const answer = unknown(`there is no file or commit "${target}"`, "ctx why FILE:LINE");
      return [{ ...answer, missing: true }];
    }
  }
  if (from !== undefined && to !== undefined && to < from) {
    const because = `line ${to} comes before line ${from}`;
    return [{ ...unknown(because, `ctx why ${path}:${to}-${from}`), path }];
  }
  const { askLines } = await import("./ask_lines.ts");
  return await askLines(store, { workspace, repository, file, name, from, to }, options);
}

/** `FILE`, `FILE:LINE`, `FILE:LINE-LINE`, or with a column as compilers write it. */
function parseTarget(target: string, cwd: string): { path: string; from?: number; to?: number } {
  const forms = [/^(.+?):(\d{1,9})(?:[-,](\d{1,9})|:\d{1,9})?$/s, /^(.+):(\d{1,9})()$/s];
  const read = forms.flatMap((form) => {
    const [, path, from, to] = form.exec(target) ?? [];
    if (path === undefined) return [];
    return [{ path, from: Number(from), to: Number(to || from) }];
  });
  // A file may have such a name itself.
  const all = [...read, { path: target }];
  return all.find(({ path }) => isThere(resolvePath(path, cwd))) ?? all[0];
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * The files of a workspace that a path may mean which is not there: sessions tell paths from the
 * directory that they ran in.
 */
function findByEnd(workspace: string, path: string): string[] {
  const end = toOwnPath(path).replace(/^(?:\.{1,2}\/)+/, "");
  if (end === "" || isWholePath(path)) return [];
  return findTracked(workspace, "").filter((one) =>
    (one === end || one.endsWith(`/${end}`)) && isThere(`${workspace}/${one}`)
  );
}

function severalFiles(
  files: string[],
  { path, target }: { path: string; target: string },
): WhyAnswer {
  const told = files.slice(0, maxFiles).join(", ");
  const rest = files.length > maxFiles ? ` and ${files.length - maxFiles} more` : "";
  const because = `${files.length} files end in "${path}": ${told}${rest}`;
  return unknown(because, `ctx why ${files[0]}${target.slice(path.length)}`);
}

/** Who wrote a commit: one session, several that each wrote a part, or nobody. */
async function askCommit(
  store: Store,
  repository: GitRepository,
  oid: string,
  { table, signal }: WhyOptions,
): Promise<WhyAnswer[]> {
  const changes = await changesOf(repository, oid, { signal });
  if (changes instanceof GitProblem) return [{ ...toUnknown(changes), commit: oid }];
  const whole = attribute(table, toChange(changes));
  const { best, parts } = whole;
  const facts = commitFacts(changes.commit);
  if (parts.length === 0) {
    const answer = { ...explain(table, whole.because), others: toOthers(whole), ...facts };
    const short = oid.slice(0, 10);
    if (changes.commit.isMerge) answer.hint ??= `git log --oneline ${short}^..${short}`;
    return [answer];
  }
  const answers: WhyAnswer[] = [];
  for (const part of best === undefined ? parts.slice(0, maxParts) : [best]) {
    const claim = mainEdit(part);
    const answer = await toAnswer(store, {
      session: part.session,
      claims: claim === undefined ? [] : [claim],
      by: "commit",
      confidence: best === undefined ? partConfidence : whole.confidence,
      whole,
    });
    answers.push({ ...answer, ...facts });
  }
  return answers;
}
