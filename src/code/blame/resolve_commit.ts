// What people write for a commit (`HEAD~2`, a branch, a tag, the start of a name) → the commit.

import type { GitObjects } from "../git/git_objects.ts";
import { GitProblem } from "../git/git_problem.ts";
import { findRef, findTextIn, type GitRepository } from "../git/git_repository.ts";
import { openHead } from "./open_repository.ts";
import { PathWalk } from "./path_walk.ts";
import { toProblem } from "./to_problem.ts";

const maxTags = 10;
const maxSteps = 10_000;
const maxShown = 5;

/** The commit that a name means, or why it means none. */
export function resolveCommit(repository: GitRepository, name: string): string | GitProblem {
  const head = openHead(repository);
  if (head instanceof GitProblem) return head;
  try {
    using walk = new PathWalk(repository, { oidBytes: head.length / 2 });
    const [, base, steps] = /^(.*?)((?:~\d*|\^\d*|\^\{commit\})*)$/.exec(name.trim()) ?? [];
    const start = base === "" || base === undefined
      ? noSuch(name)
      : findStart(repository, { base, head, walk });
    return start instanceof GitProblem ? start : takeSteps(walk, { start, steps, name });
  } catch (error) {
    return toProblem(error);
  }
}

function noSuch(name: string): GitProblem {
  return new GitProblem("no-such-commit", `There is no commit "${name}"`, "git log --oneline");
}

function findStart(
  repository: GitRepository,
  { base, head, walk }: { base: string; head: string; walk: PathWalk },
): string | GitProblem {
  if (base === "HEAD" || base === "@") return head;
  const isOdd = base.includes("..") || base.includes("\0") || base.includes("@{") ||
    /\s/.test(base);
  if (isOdd) return noSuch(base);
  const named = /^[A-Z_]+_HEAD$/.test(base)
    ? findTextIn(repository.gitDirectory, base, 4096)?.split(/\s/, 1)[0]
    : ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"].map((place) => place + base)
      .filter((path) => path.startsWith("refs/")).map((path) => findRef(repository, path))
      .find((oid) => oid !== undefined);
  const found = named === undefined ? undefined : peel(walk.objects, named);
  if (found !== undefined) return found;
  if (!/^[0-9a-f]{4,64}$/i.test(base)) return noSuch(base);
  const names = walk.objects.namesWith(base.toLowerCase());
  const commits = new Set(
    [...names].map((oid) => peel(walk.objects, oid))
      .filter((oid) => oid !== undefined),
  );
  const [first, second] = commits;
  if (first === undefined) return noSuch(base);
  if (second === undefined) return first;
  const shown = [...commits].slice(0, maxShown).map((oid) => oid.slice(0, 12)).join(", ");
  return new GitProblem("ambiguous", `"${base}" matches ${commits.size} commits: ${shown}`);
}

/** The commit that an object is or is a tag of; undefined for files and directories. */
function peel(objects: GitObjects, oid: string): string | undefined {
  for (let [at, left] = [oid, maxTags]; left > 0; left--) {
    const object = objects.find(at);
    if (object?.kind === "commit") return at;
    if (object?.kind !== "tag") return undefined;
    const next = /^object ([0-9a-f]+)$/m.exec(new TextDecoder().decode(object.data))?.[1];
    if (next === undefined) return undefined;
    at = next;
  }
  return undefined;
}

function takeSteps(
  walk: PathWalk,
  { start, steps, name }: { start: string; steps: string; name: string },
): string | GitProblem {
  let at = start;
  for (const [step] of steps.matchAll(/~\d*|\^\{commit\}|\^\d*/g)) {
    const count = step === "^{commit}" ? 0 : step.length === 1 ? 1 : Number(step.slice(1));
    if (count > maxSteps) return noSuch(name);
    const isParent = step.startsWith("^");
    for (let left = isParent ? Math.min(1, count) : count; left > 0; left--) {
      const parent = walk.parents(at)[isParent ? count - 1 : 0];
      if (parent === undefined) return noSuch(name);
      at = parent;
    }
  }
  return at;
}
