// Which cases are chosen from this repository's history: pairs of a commit and a file in the order of
// a hash of both, by quotas for kinds of file. Nobody picks a case.

import { hashHex } from "../src/core/hash.ts";
import { isFormatting } from "../src/recall/edit/signals/edit_facts.ts";
import type { HistoryCommit, HistoryReplay, HistorySet } from "./suggest_history.ts";

/** A chosen pair. */
export interface Chosen {
  commit: HistoryCommit;
  path: string;
  kind: Kind;
}

/** What a file is, and whether the commit changes it: `still` files it does not. */
export type Kind = "code" | "test" | "doc" | "config" | "new" | "data" | "still" | "format";

/** What is chosen for each set. */
const rules: Record<HistorySet, { quotas: Record<Kind, number>; perCommit: number }> = {
  first: {
    quotas: { code: 34, test: 16, doc: 12, config: 6, new: 8, data: 8, still: 8, format: 0 },
    perCommit: 2,
  },
  // More cases in which silence may be right, and fewer commits to choose from.
  second: {
    quotas: { code: 34, test: 16, doc: 8, config: 6, new: 8, data: 12, still: 14, format: 4 },
    perCommit: 3,
  },
};
const perPath = 2;
const maxFiles = 12;
const minBefore = 20;
/** Files that lay still in the first set, whatever the commit. */
const firstStill = [
  "LICENSE",
  ".gitignore",
  ".github/workflows/release.yml",
  "test/samples/codex/auth.json",
];
const stillPerCommit = 3;

/** Chooses the cases of a set. */
export async function chooseCases(replay: HistoryReplay, set: HistorySet): Promise<Chosen[]> {
  const commits = replay.commitsOf(set).filter((commit) =>
    commit.parents.length === 1 && commit.files.length >= 1 && commit.files.length <= maxFiles &&
    replay.countBefore(commit.oid) >= minBefore
  );
  const pairs: Chosen[] = [];
  for (const commit of commits) {
    for (const { path, status } of commit.files) {
      const kind = kindOf(path, status);
      if (kind === undefined) continue;
      const formats = set === "second" && kind !== "data" && status === "M" &&
        isFormatting(await replay.hunks(commit.oid, path));
      pairs.push({ commit, path, kind: formats ? "format" : kind });
    }
    for (const path of await stillFiles(replay, commit, set)) {
      pairs.push({ commit, path, kind: "still" });
    }
  }
  pairs.sort((a, b) => orderOf(a) < orderOf(b) ? -1 : 1);
  return take(pairs, rules[set]).sort((a, b) =>
    a.commit.ts - b.commit.ts || (a.path < b.path ? -1 : 1)
  );
}

/** The kind of a changed file. */
function kindOf(path: string, status: string): Kind | undefined {
  if (path.startsWith("assets/embed/") || path.endsWith(".pack") || status === "D") {
    return undefined;
  }
  if (isData(path)) return "data";
  if (status === "A") return /\.ts$/.test(path) ? "new" : undefined;
  if (path.endsWith(".md")) return "doc";
  if (/\.ts$/.test(path)) return path.startsWith("test/") ? "test" : "code";
  return "config";
}

function isData(path: string): boolean {
  return /(^|\/)(LICENSE|\.gitignore)$|\.(lock|jsonl|ndjson|txt|tsv|wat|1|bin)$/.test(path) ||
    path.startsWith("bench/results/") || path.startsWith("test/samples/") ||
    (path.endsWith(".json") && path !== "deno.json");
}

/** Files that somebody opens while something else is committed. */
async function stillFiles(
  replay: HistoryReplay,
  commit: HistoryCommit,
  set: HistorySet,
): Promise<string[]> {
  const touched = new Set(commit.files.map((file) => file.path));
  if (set === "first") return firstStill.filter((path) => !touched.has(path));
  const files = (await replay.filesBefore(commit.oid)).filter((path) =>
    !touched.has(path) && (isData(path) || firstStill.includes(path)) &&
    !path.startsWith("assets/embed/")
  );
  const order = (path: string): string => hashHex(`still:${commit.oid}:${path}`);
  return files.sort((a, b) => order(a) < order(b) ? -1 : 1).slice(0, stillPerCommit);
}

function orderOf({ commit, path }: Chosen): string {
  return hashHex(`${commit.oid}:${path}`);
}

function take(
  pairs: Chosen[],
  { quotas, perCommit }: { quotas: Record<Kind, number>; perCommit: number },
): Chosen[] {
  const left = { ...quotas };
  const byCommit = new Map<string, number>();
  const byPath = new Map<string, number>();
  // Rare kinds choose first, so that common ones do not use up their commits.
  const kinds: Kind[] = ["format", "config", "data", "still", "new", "doc", "test", "code"];
  return kinds.flatMap((kind) =>
    pairs.filter((item) => {
      if (item.kind !== kind || left[kind] === 0) return false;
      const used = byCommit.get(item.commit.oid) ?? 0;
      const asked = byPath.get(item.path) ?? 0;
      if (used >= perCommit || asked >= perPath) return false;
      byCommit.set(item.commit.oid, used + 1);
      byPath.set(item.path, asked + 1);
      left[kind]--;
      return true;
    })
  );
}
