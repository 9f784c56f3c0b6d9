// Which session is told as where you left off: the newest of this project, on this branch if that has
// one and is not the main branch. Time alone decides: how often a line was used, or who saved it, says nothing about that.

import { mainBranches } from "../../code/git/git_repository.ts";
import { findWorktrees } from "../../disk/worktree.ts";
import { isOfProject, type Surroundings } from "../../read/knowledge_worth.ts";
import { byNewest, findSection, type KnownRow } from "./known_row.ts";
import { packLine } from "./pack_line.ts";

/** The user's last session of this project. Any project will do when one session is asked for. */
export function findLastWork(
  rows: readonly KnownRow[],
  scope: Surroundings & { session?: string },
): KnownRow | undefined {
  const isHere = scope.session === undefined ? ofProject(scope.workspace) : () => true;
  const own = rows.filter((row) =>
    findSection(row) === "last" && row.author === undefined && isHere(row)
  ).sort(byNewest(scope.nowMs));
  // Work goes from a main branch to others and back: there, the last session of any branch is the last.
  const isMain = scope.branch !== undefined && mainBranches.includes(scope.branch);
  const here = isMain ? undefined : own.find((row) => otherBranch(row, scope) === undefined);
  return here ?? own[0];
}

/** The sessions of the days before it, of the same branch: what they edited may lie there uncommitted. */
export function findEarlier(rows: readonly KnownRow[], last: KnownRow): KnownRow[] {
  const time = ({ ts }: KnownRow): number => Date.parse(ts ?? "") || 0;
  return rows.filter((row) =>
    findSection(row) === "last" && row !== last && row.author === undefined &&
    row.project === last.project && row.branch === last.branch &&
    time(row) <= time(last) && time(row) > time(last) - earlierMs
  ).sort((a, b) => time(b) - time(a)).slice(0, mostEarlier);
}

const earlierMs = 3 * 24 * 3_600_000;
const mostEarlier = 4;

/** The order in which sessions are kept ready: the newest of each branch of this project come first. */
export function orderWork(
  rows: readonly KnownRow[],
  { nowMs, workspace }: Surroundings,
): KnownRow[] {
  const newest = rows.toSorted(byNewest(nowMs));
  const here = newest.filter(ofProject(workspace)).filter(({ author }) => author === undefined);
  const byBranch = [...Map.groupBy(here, ({ branch }) => branch).values()].map(([first]) => first);
  return [...new Set([...byBranch, ...here, ...newest])];
}

/** What the line of a session on another branch begins with. */
export function branchNote(row: KnownRow, around: Surroundings): string {
  const branch = otherBranch(row, around);
  return branch === undefined ? "" : `On branch ${packLine(branch, maxBranchChars).text}: `;
}

const maxBranchChars = 80;

/** Whether a row is of work beside the current one: both are on branches, and neither is a main one. */
export function isBeside(row: KnownRow, around: Surroundings): boolean {
  const branches = [otherBranch(row, around), around.branch];
  return branches.every((branch) => branch !== undefined && !mainBranches.includes(branch));
}

function otherBranch({ branch }: KnownRow, around: Surroundings): string | undefined {
  // Agents write "HEAD" where no branch is checked out.
  const isHere = around.branch === undefined || branch === around.branch || branch === "HEAD";
  return isHere ? undefined : branch;
}

/** Worktrees share the store of their main checkout, wherever they are. */
function ofProject(workspace: string): (row: KnownRow) => boolean {
  let worktrees: string[] | undefined;
  return (row) =>
    isOfProject(row, workspace) ||
    (worktrees ??= findWorktrees(workspace)).some((tree) => isOfProject(row, tree));
}
