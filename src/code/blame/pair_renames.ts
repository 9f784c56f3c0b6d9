// Which new files of a commit were made by renaming old ones, as git tells: the same content, or the
// same name and three quarters of the content, or the best of those with half of it. Bounded.

import type { GitObjects } from "../git/git_objects.ts";
import type { TreeChange, TreeEntry } from "../git/git_tree.ts";
import { countPieces, type Pieces, rateSimilarity } from "./file_likeness.ts";
import { isFile } from "./path_walk.ts";

/** A file that a commit made or removed. */
export interface PlacedFile {
  path: string;
  entry: TreeEntry;
}

export function madeAndRemoved(
  changes: readonly TreeChange[],
): { made: PlacedFile[]; removed: PlacedFile[] } {
  const made: PlacedFile[] = [];
  const removed: PlacedFile[] = [];
  for (const { path, before, after } of changes) {
    if (before === undefined && after && isFile(after)) made.push({ path, entry: after });
    if (after === undefined && before && isFile(before)) removed.push({ path, entry: before });
  }
  return { made, removed };
}

const leastScore = 0.5;
const leastNamedScore = 0.75;
/** Files and pairs beyond these are not compared by content. */
const maxCompared = 1000;
const maxPairs = 20_000;
const maxBytes = 2 << 20;
const maxPieces = 400_000;

/** The old path of each new file that is a renamed one. */
export function pairRenames(
  objects: GitObjects,
  { made, removed }: { made: PlacedFile[]; removed: PlacedFile[] },
): Map<string, string> {
  const renames = new Map<string, string>();
  const taken = new Set<string>();
  const pair = (to: PlacedFile, from: PlacedFile): void => {
    renames.set(to.path, from.path);
    taken.add(from.path);
  };
  const byContent = Map.groupBy(removed, ({ entry }) => entry.oid);
  for (const file of made) {
    const same = (byContent.get(file.entry.oid) ?? []).filter(({ path }) => !taken.has(path));
    const found = same.find(({ path }) => nameOf(path) === nameOf(file.path)) ?? same[0];
    if (found !== undefined) pair(file, found);
  }
  const to = made.filter((file) => !renames.has(file.path) && isPlain(file)).slice(0, maxCompared);
  const from = removed.filter((file) => !taken.has(file.path) && isPlain(file))
    .slice(0, maxCompared);
  if (to.length === 0 || from.length === 0) return renames;
  const rate = makeRating(objects);
  const [namedTo, namedFrom] = [to, from].map((files) =>
    Map.groupBy(files, ({ path }) => nameOf(path))
  );
  for (const [name, [file, ...more]] of namedTo) {
    const [old, ...others] = namedFrom.get(name) ?? [];
    if (old === undefined || more.length > 0 || others.length > 0) continue;
    if (rate(file, old) >= leastNamedScore) pair(file, old);
  }
  const scored: { file: PlacedFile; old: PlacedFile; score: number; isNamed: boolean }[] = [];
  let pairs = 0;
  for (const file of to) {
    if (renames.has(file.path)) continue;
    for (const old of from) {
      if (taken.has(old.path)) continue;
      if (++pairs > maxPairs) break;
      const score = rate(file, old);
      const isNamed = nameOf(file.path) === nameOf(old.path);
      if (score >= leastScore) scored.push({ file, old, score, isNamed });
    }
  }
  scored.sort((a, b) => b.score - a.score || Number(b.isNamed) - Number(a.isNamed));
  for (const { file, old } of scored) {
    if (!renames.has(file.path) && !taken.has(old.path)) pair(file, old);
  }
  return renames;
}

/** Only files have a likeness; links and submodules are the same or not. */
function isPlain({ entry }: PlacedFile): boolean {
  return (entry.mode & 0o170000) === 0o100000;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Rates pairs of files; each is read once, as long as there is room. */
function makeRating(objects: GitObjects): (a: PlacedFile, b: PlacedFile) => number {
  const known = new Map<string, Pieces | undefined>();
  let held = 0;
  const piecesOf = ({ entry: { oid } }: PlacedFile): Pieces | undefined => {
    if (known.has(oid)) return known.get(oid);
    const data = held < maxPieces ? objects.find(oid, maxBytes)?.data : undefined;
    const pieces = data && countPieces(data);
    held += pieces?.bytes.size ?? 0;
    known.set(oid, pieces);
    return pieces;
  };
  return (a, b) => {
    const [x, y] = [piecesOf(a), piecesOf(b)];
    if (x === undefined || y === undefined) return 0;
    // The shared bytes are at most the smaller file.
    if (Math.min(x.size, y.size) < leastScore * Math.max(x.size, y.size)) return 0;
    return rateSimilarity(x, y);
  };
}
