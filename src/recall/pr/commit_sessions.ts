// The sessions behind some commits: each commit is attributed by its lines, and every session is told with
// when it worked on them and on which files.

import { breathe } from "../../core/breathe.ts";
import { readChanges } from "../../code/blame/changes_of.ts";
import { PathWalk } from "../../code/blame/path_walk.ts";
import { toProblem } from "../../code/blame/to_problem.ts";
import type { GitRepository } from "../../code/git/git_repository.ts";
import type { LineTable } from "../../index/lines/line_table.ts";
import { attribute, type Candidate } from "../../code/why/attribute_change.ts";
import { type Change, toChange } from "../../code/why/change.ts";

/** What a session did for some commits. */
export interface SessionPart {
  session: string;
  commits: string[];
  /** The files of these commits that it wrote, from the repository's root. */
  files: Set<string>;
  /** From its first edit that is in them to the last of them; milliseconds. */
  from: number;
  to: number;
}

/** Whose some commits are. */
export interface CommitSessions {
  sessions: SessionPart[];
  /** Commits that were looked at, without merges; and those that are no session's. */
  commits: number;
  unattributed: number;
  merges: number;
  /** Commits that git does not have here as a whole. */
  unread: number;
}

/** A commit is known by part of its lines. */
const enough = { maxFiles: 5000, maxLines: 20_000 };

/** Finds the sessions behind commits. */
export async function findCommitSessions(
  repository: GitRepository,
  oids: readonly string[],
  { table, signal }: { table: LineTable; signal?: AbortSignal },
): Promise<CommitSessions> {
  const found = new Map<string, SessionPart>();
  const told: CommitSessions = { sessions: [], commits: 0, unattributed: 0, merges: 0, unread: 0 };
  if (oids.length === 0) return told;
  using walk = new PathWalk(repository, { oidBytes: oids[0].length / 2 });
  for (const oid of oids) {
    await breathe(signal);
    const change = await readChange(walk, oid, signal);
    if (change?.commit?.isMerge) {
      told.merges++;
      continue;
    }
    told.commits++;
    if (change === undefined) told.unread++;
    const parts = change === undefined ? [] : attribute(table, change).parts;
    if (change === undefined || parts.length === 0) told.unattributed++;
    else for (const one of parts) addPart(found, change, one);
  }
  told.sessions = [...found.values()].sort((a, b) => a.from - b.from);
  return told;
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

function addPart(
  found: Map<string, SessionPart>,
  { commit, authored }: Change,
  { session, files, committed }: Candidate,
): void {
  const part = found.get(session) ??
    { session, commits: [], files: new Set(), from: Infinity, to: 0 };
  found.set(session, part);
  if (commit !== undefined) part.commits.push(commit.oid);
  const times = [authored, ...committed === undefined ? [] : [committed.time]];
  for (const [path, { edits }] of files) {
    part.files.add(path);
    for (const { claim } of edits.values()) times.push(claim.time);
  }
  part.from = Math.min(part.from, ...times);
  part.to = Math.max(part.to, ...times);
}
