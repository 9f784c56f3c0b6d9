// What a branch is to be merged into, where nobody says: as its upstream, the remote's main branch or the
// usual names tell.

import {
  findBranch,
  findRef,
  findTextIn,
  type GitRepository,
  mainBranches,
} from "../git/git_repository.ts";

export interface NamedCommit {
  name: string;
  oid: string;
}

const maxConfigBytes = 1 << 20;

/** The branch that a pull request is against, or undefined. */
export function findDefaultBase(repository: GitRepository): NamedCommit | undefined {
  const branch = findBranch(repository);
  const upstream = branch === undefined ? undefined : findUpstream(repository, branch);
  const names = [
    // A branch that was pushed follows itself: that is not where it is to go.
    ...upstream === undefined || upstream.branch === branch ? [] : [upstream.ref],
    ...["origin", "upstream"].map((remote) => `refs/remotes/${remote}/HEAD`),
    ...mainBranches.map((name) => `refs/remotes/origin/${name}`),
    ...mainBranches.filter((name) => name !== branch).map((name) => `refs/heads/${name}`),
    ...upstream === undefined ? [] : [upstream.ref],
  ];
  for (const name of names) {
    const oid = findRef(repository, name);
    if (oid !== undefined) return { name: name.replace(/^refs\/(?:heads|remotes)\//, ""), oid };
  }
  return undefined;
}

/** The branch that `git pull` would take from, as the repository's settings say. */
function findUpstream(
  { commonDirectory }: GitRepository,
  branch: string,
): { ref: string; branch: string } | undefined {
  const config = findTextIn(commonDirectory, "config", maxConfigBytes) ?? "";
  let isOwn = false;
  let remote: string | undefined;
  let merge: string | undefined;
  for (const line of config.split("\n")) {
    const section = /^\s*\[(.*)\]\s*$/.exec(line)?.[1];
    if (section !== undefined) isOwn = section === `branch "${branch}"`;
    const [, key, value] = /^\s*(remote|merge)\s*=\s*(\S+)\s*$/i.exec(line) ?? [];
    if (!isOwn || key === undefined) continue;
    if (key.toLowerCase() === "remote") remote = value;
    else merge = /^refs\/heads\/(.+)$/.exec(value)?.[1];
  }
  if (remote === undefined || merge === undefined) return undefined;
  const ref = remote === "." ? `refs/heads/${merge}` : `refs/remotes/${remote}/${merge}`;
  return { ref, branch: merge };
}
