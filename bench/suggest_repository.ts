// Cases of any repository, chosen as those of this one are and labelled by a rule: what a commit
// changes beside the file would have been worth saying before it. That is half of what a reader would
// say (suggest_cases.md has the figures), so that it compares rankers and says little of any one.

import { hashHex } from "../src/core/hash.ts";
import { classOf } from "../src/recall/edit/signals/path_class.ts";
import type { HistoryCase } from "./suggest_history_cases.ts";
import type { HistoryCommit, HistoryReplay } from "./suggest_history.ts";

const quotas = { still: 20, new: 10, data: 8, tool: 4, document: 8, test: 20, code: 50 };
type Kind = keyof typeof quotas;
const newestCommits = 800;
const maxFiles = 12;
const perCommit = 2;
const perPath = 2;
/** Of every so many commits one has a file that lies still. */
const stillEvery = 20;

interface Pair {
  commit: HistoryCommit;
  path: string;
  kind: Kind;
}

/** Chooses and labels the cases. */
export async function repositoryCases(replay: HistoryReplay): Promise<HistoryCase[]> {
  const commits = [...replay.commits.values()].filter(({ parents }) => parents.length === 1)
    .sort((a, b) => b.ts - a.ts || (a.oid < b.oid ? -1 : 1)).slice(0, newestCommits)
    .filter(({ files }) => files.length >= 1 && files.length <= maxFiles);
  const pairs: Pair[] = [];
  for (const [i, commit] of commits.entries()) {
    for (const { path, status } of commit.files) {
      if (status === "D" || changedBeside(commit, path).length === 0) continue;
      pairs.push({ commit, path, kind: status === "A" ? "new" : classOf(path) });
    }
    if (i % stillEvery === 0) pairs.push(...await findStill(replay, commit));
  }
  return take(pairs).map(({ commit, path, kind }, i) => ({
    id: `r${i}`,
    commit: commit.oid,
    path,
    kind,
    relevant: kind === "still" ? [] : changedBeside(commit, path),
  })).sort((a, b) => replay.commits.get(a.commit)!.ts - replay.commits.get(b.commit)!.ts);
}

/** A file that somebody opens while something else is committed. */
async function findStill(replay: HistoryReplay, commit: HistoryCommit): Promise<Pair[]> {
  const still = (await replay.filesBefore(commit.oid)).filter((path) =>
    ["data", "document"].includes(classOf(path)) &&
    !commit.files.some((file) => file.path === path)
  );
  return byHash(still, (path) => `still:${commit.oid}:${path}`).slice(0, 1)
    .map((path) => ({ commit, path, kind: "still" }));
}

function changedBeside({ files }: HistoryCommit, path: string): string[] {
  return files.filter((file) => file.status === "M" && file.path !== path)
    .map((file) => `path:${file.path}`);
}

/** Rare kinds choose first, so that common ones do not use up their commits. */
function take(pairs: Pair[]): Pair[] {
  const used = new Map<string, number>();
  const ordered = byHash(pairs, ({ commit, path }) => `${commit.oid}:${path}`);
  return (Object.keys(quotas) as Kind[]).flatMap((kind) => {
    let left = quotas[kind];
    return ordered.filter(({ commit: { oid }, path, ...pair }) => {
      const [byCommit, byPath] = [used.get(oid) ?? 0, used.get(path) ?? 0];
      if (pair.kind !== kind || left === 0 || byCommit >= perCommit || byPath >= perPath) {
        return false;
      }
      left--;
      used.set(oid, byCommit + 1).set(path, byPath + 1);
      return true;
    });
  });
}

function byHash<T>(items: T[], keyOf: (item: T) => string): T[] {
  return items.map((item) => ({ item, at: hashHex(keyOf(item)) }))
    .sort((a, b) => a.at < b.at ? -1 : 1).map(({ item }) => item);
}
