// A file of the work tree, made ready to be blamed: its path within the repository, its lines, and the
// commits that its lines may come from. Files that have no history are told apart, each by its reason.

import { normalizePath, resolvePath } from "../../core/platform_path.ts";
import { diskFiles } from "../../disk/files.ts";
import { blobName, isBinary } from "../git/file_hash.ts";
import { readIndex } from "../git/git_index.ts";
import { GitProblem } from "../git/git_problem.ts";
import { findRealPath, findTextIn, type GitRepository, isWithin } from "../git/git_repository.ts";
import { diffTrees, moduleMode, type TreeEntry, treeMode } from "../git/git_tree.ts";
import { isIgnored } from "./is_ignored.ts";
import { pairRenames, type PlacedFile } from "./pair_renames.ts";
import { isFile, type PathVersion, type PathWalk } from "./path_walk.ts";
import { TextLines } from "../../core/lines/text_lines.ts";

export interface WorkFile {
  /** From the repository's root. */
  path: string;
  lines: TextLines;
  /** The commits that the work tree comes from; more than one in the middle of a merge. */
  parents: string[];
  /** The version, when that of a commit is asked for, or the file is as HEAD has it. */
  version?: PathVersion;
  /** What git is in the middle of. */
  state?: "merge" | "rebase" | "cherry-pick" | "revert";
  notes: string[];
  /** The version that a file which is in no commit yet was renamed from. */
  findRenamed(parent: string): PathVersion | undefined;
}

/** Larger files are not blamed. */
const maxFileBytes = 8 << 20;
const lfsHead = "version https://git-lfs.github.com/spec/";

/** Opens a file of the workspace, or says why it has no history. */
export async function openWorkFile(
  repository: GitRepository,
  path: string,
  { walk, head, at, name }: { walk: PathWalk; head: string; at?: string; name: string },
): Promise<WorkFile | GitProblem> {
  const place = findPlace(repository, path, name);
  if (place instanceof GitProblem) return place;
  return at === undefined
    ? await openInTree(repository, { walk, path: name, place, head })
    : openInCommit({ walk, path: name, place, commit: at });
}

/** A path as people write it → the path from the repository's root. */
function findPlace(
  { root, prefix }: GitRepository,
  path: string,
  called: string,
): string | GitProblem {
  const workspace = `${root}/${prefix}`.replace(/\/$/, "");
  const outside = new GitProblem("outside", `"${called}" is outside the workspace`);
  const whole = normalizePath(resolvePath(path, workspace));
  const slash = whole.lastIndexOf("/");
  // The directory as the file system names it: on some systems case does not matter.
  const directory = whole.slice(0, slash);
  const real = findRealPath(directory || "/") ?? directory;
  const found = `${real === "/" ? "" : real}${whole.slice(slash)}`;
  if (whole === "/" || !isWithin(found, workspace) || path.includes("\0")) return outside;
  if (found === workspace || found === root) return isNoFile(called);
  return found.slice(root.length + 1);
}

function isNoFile(path: string): GitProblem {
  return new GitProblem("directory", `"${path}" is a directory, not a file`);
}

interface Asked {
  walk: PathWalk;
  /** As it was asked for, and from the repository's root. */
  path: string;
  place: string;
}

function openInCommit(
  { walk, path, place, commit }: Asked & { commit: string },
): WorkFile | GitProblem {
  const entry = walk.entryAt(commit, place);
  if (entry === undefined) {
    const message = `There is no file "${path}" in commit ${commit.slice(0, 12)}`;
    return new GitProblem("no-file", message);
  }
  const odd = explainEntry(entry, path);
  if (odd !== undefined) return odd;
  const version = walk.versionAt(commit, place);
  const bytes = version && walk.objects.find(version.blob)?.data;
  if (bytes === undefined) return isHuge(path);
  if (isBinary(bytes)) return isNoText(path);
  const [lines, notes] = [new TextLines(bytes), []];
  return { path: place, lines, parents: [], version, notes, findRenamed: () => undefined };
}

async function openInTree(
  repository: GitRepository,
  { walk, path, place, head }: Asked & { head: string },
): Promise<WorkFile | GitProblem> {
  const { root, gitDirectory } = repository;
  const [entry, named] = findEntry(walk, { head, place });
  const odd = entry && explainEntry(entry, path);
  if (odd !== undefined) return odd;
  const bytes = readBytes(`${root}/${place}`, path);
  if (bytes instanceof GitProblem) {
    const isDeleted = bytes.reason === "no-file" && entry !== undefined;
    return isDeleted
      ? new GitProblem("deleted", `"${path}" was deleted in the working tree`)
      : bytes;
  }
  const state = findState(gitDirectory);
  const notes: string[] = [];
  let findRenamed: WorkFile["findRenamed"] = () => undefined;
  const heads = state === "merge"
    ? findMergeHeads(gitDirectory, head.length).filter((oid) => oid !== head)
    : [];
  if (entry === undefined || state !== undefined) {
    const staged = readIndex(gitDirectory, head.length / 2);
    const own = staged.get(place);
    const isElsewhere = heads.some((other) => walk.entryAt(other, place) !== undefined);
    if (entry === undefined && own === undefined && !isElsewhere) {
      return await explainUntracked(repository, { path, place });
    }
    if (own !== undefined && own.stage > 0) notes.push(`"${path}" has conflicts`);
    findRenamed = (parent) =>
      own && findStagedRename(walk, { parent, staged, made: { path: place, entry: own } });
  }
  if (state !== undefined) notes.push(`a ${state} is in progress`);
  // As most files are: then what HEAD has need not be read.
  const isSame = heads.length === 0 && entry?.oid === await blobName(bytes, head.length / 2);
  const filtered = isSame ? undefined : entry && explainFilter(walk, { entry, bytes, path });
  if (filtered !== undefined) return filtered;
  const version = isSame ? walk.versionAt(head, named) : undefined;
  const lines = new TextLines(bytes);
  const parents = [head, ...heads];
  return { path: named, lines, parents, version, ...state && { state }, notes, findRenamed };
}

/** The entry of a path in HEAD; names with accents may be written in two ways. */
function findEntry(
  walk: PathWalk,
  { head, place }: { head: string; place: string },
): [TreeEntry | undefined, string] {
  const found = walk.findEntry(head, place);
  if (found !== undefined) return [found, place];
  for (const name of [place.normalize("NFC"), place.normalize("NFD")]) {
    const entry = name === place ? undefined : walk.entryAt(head, name);
    if (entry !== undefined) return [entry, name];
  }
  return [undefined, place];
}

function explainEntry({ mode }: TreeEntry, path: string): GitProblem | undefined {
  if (mode === treeMode) return isNoFile(path);
  if (mode !== moduleMode) return undefined;
  const message = `"${path}" belongs to a submodule, which has its own history`;
  return new GitProblem("submodule", message, "run ctx why in the submodule's directory");
}

function readBytes(file: string, path: string): Uint8Array<ArrayBuffer> | GitProblem {
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(file);
  } catch {
    return new GitProblem("no-file", `There is no file "${path}"`);
  }
  if (info.isSymlink) {
    return new GitProblem("link", `"${path}" is a link to "${Deno.readLinkSync(file)}"`);
  }
  if (info.isDirectory) return isNoFile(path);
  if (!info.isFile) return new GitProblem("no-file", `"${path}" is not a regular file`);
  if (info.size > maxFileBytes) return isHuge(path);
  const bytes = Deno.readFileSync(file);
  return isBinary(bytes) ? isNoText(path) : bytes;
}

function isHuge(path: string): GitProblem {
  return new GitProblem("huge", `"${path}" is larger than ${maxFileBytes >> 20} MB`);
}

function isNoText(path: string): GitProblem {
  return new GitProblem("binary", `"${path}" is not a text file`);
}

/** What a filter keeps in git in the place of the file has no lines of it. */
function explainFilter(
  walk: PathWalk,
  { entry, bytes, path }: { entry: TreeEntry; bytes: Uint8Array; path: string },
): GitProblem | undefined {
  const kept = walk.objects.find(entry.oid, 1024)?.data;
  const isPointer = (data?: Uint8Array): boolean =>
    data !== undefined && new TextDecoder().decode(data.subarray(0, lfsHead.length)) === lfsHead;
  if (!isPointer(kept) || isPointer(bytes)) return undefined;
  return new GitProblem(
    "filtered",
    `"${path}" is stored in Git LFS: git has no history of its lines`,
  );
}

function findState(gitDirectory: string): WorkFile["state"] {
  // One look at the directory: each file that is not there would cost an error of its own.
  const names = new Set(diskFiles.list(gitDirectory));
  if (names.has("rebase-merge") || names.has("rebase-apply")) return "rebase";
  if (names.has("MERGE_HEAD")) return "merge";
  if (names.has("CHERRY_PICK_HEAD")) return "cherry-pick";
  return names.has("REVERT_HEAD") ? "revert" : undefined;
}

function findMergeHeads(gitDirectory: string, length: number): string[] {
  const lines = findTextIn(gitDirectory, "MERGE_HEAD", 64 << 10)?.split("\n") ?? [];
  return lines.filter((line) => /^[0-9a-f]+$/.test(line) && line.length === length);
}

function findStagedRename(
  walk: PathWalk,
  { parent, staged, made }: {
    parent: string;
    staged: ReadonlyMap<string, TreeEntry>;
    made: PlacedFile;
  },
): PathVersion | undefined {
  const removed: PlacedFile[] = [];
  diffTrees(walk.objects, { after: walk.commit(parent).tree }, ({ path, after }) => {
    if (after && isFile(after) && !staged.has(path)) removed.push({ path, entry: after });
  });
  const old = pairRenames(walk.objects, { made: [made], removed }).get(made.path);
  return old === undefined ? undefined : walk.versionAt(parent, old);
}

async function explainUntracked(
  repository: GitRepository,
  { path, place }: { path: string; place: string },
): Promise<GitProblem> {
  return await isIgnored(repository, place)
    ? new GitProblem("ignored", `"${path}" is ignored by git: it has no history`)
    : new GitProblem("untracked", `"${path}" is not in git yet`, `git add "${path}"`);
}
