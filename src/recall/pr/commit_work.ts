// The work behind commits. Each commit is attributed by its lines; for every session that wrote it,
// this finds the edits whose lines are in it.

import { breathe } from "../../core/breathe.ts";
import { readChanges } from "../../code/blame/changes_of.ts";
import { PathWalk } from "../../code/blame/path_walk.ts";
import { toProblem } from "../../code/blame/to_problem.ts";
import type { GitRepository } from "../../code/git/git_repository.ts";
import type { LineClaim, LineTable } from "../../index/lines/line_table.ts";
import { attribute, type Candidate, weights } from "../../code/why/attribute_change.ts";
import { type Change, toChange } from "../../code/why/change.ts";

export interface CommitPart {
  session: string;
  commit: string;
  subject: string;
  /** When the commit was written; milliseconds. */
  time: number;
  /** Its files that the session wrote, from the repository's root. */
  files: string[];
  /** Whether most of its files are not the session's. */
  isSmall: boolean;
  /** The session's edits that are in it, with how many of its lines. */
  edits: { claim: LineClaim; lines: number }[];
}

export interface CommitWork {
  parts: CommitPart[];
  /** What each commit calls itself, the oldest first. */
  subjects: Map<string, string>;
  /** Commits that were looked at, without merges; and those that are no session's. */
  commits: number;
  unattributed: number;
  merges: number;
  /** Commits that git does not have here as a whole. */
  unread: number;
}

const enough = { maxFiles: 5000, maxLines: 20_000 };
/** A session that did not make a commit has this part of its lines, or so much weight of lines of its own. */
const leastShare = 0.25;
const leastLead = 5 * weights.least;

/** Finds the work behind commits, which are given newest first. */
export async function findCommitWork(
  repository: GitRepository,
  oids: readonly string[],
  { table, signal }: { table: LineTable; signal?: AbortSignal },
): Promise<CommitWork> {
  const work: CommitWork = {
    parts: [],
    subjects: new Map(),
    commits: 0,
    unattributed: 0,
    merges: 0,
    unread: 0,
  };
  if (oids.length === 0) return work;
  using walk = new PathWalk(repository, { oidBytes: oids[0].length / 2 });
  for (const oid of oids.toReversed()) {
    await breathe(signal);
    const change = await readChange(walk, oid, signal);
    if (change?.commit?.isMerge) {
      work.merges++;
      continue;
    }
    work.commits++;
    if (change === undefined) work.unread++;
    else if (change.commit !== undefined) work.subjects.set(oid, change.commit.subject);
    const parts = change === undefined ? [] : findParts(table, change);
    if (parts.length === 0) work.unattributed++;
    work.parts.push(...parts);
  }
  return work;
}

/** A commit's lines; undefined when git has not all of it here. */
async function readChange(
  walk: PathWalk,
  oid: string,
  signal?: AbortSignal,
): Promise<Change | undefined> {
  // Behind it the history was cut off: all files would seem to be its own.
  if (walk.isShallow(oid)) return undefined;
  try {
    return toChange(await readChanges(walk, { oid, ...enough, signal }));
  } catch (error) {
    toProblem(error);
    return undefined;
  }
}

function findParts(table: LineTable, change: Change): CommitPart[] {
  const { parts, added, removed } = attribute(table, change);
  const isOwn = (part: Candidate): boolean =>
    part.committed !== undefined ||
    part.lead >= leastLead ||
    part.lead >= weights.least && part.added + part.removed >= leastShare * (added + removed);
  return parts.filter(isOwn).map(({ session, files }) => ({
    session,
    commit: change.commit?.oid ?? "",
    subject: change.commit?.subject ?? "",
    time: change.authored,
    files: [...files.keys()],
    isSmall: 2 * files.size < change.files.length,
    edits: [...files.values()].flatMap(({ edits }) => [...edits.values()]),
  }));
}
