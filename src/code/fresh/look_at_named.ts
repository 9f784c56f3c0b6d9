// Whether what a saved text says of code by itself still holds: lines that it quotes are judged as if an
// edit had written them, and files that it names are looked for. Nothing is told by a guess: a line that
// nobody ever saw in the file is a plan or a command, and a file that git never knew may be anything's
// name. Reads the work tree and git.

import type { Entry } from "../../core/entry.ts";
import type { ChangeCommit, CodeHistory } from "./code_history.ts";
import { FileLines } from "./file_lines.ts";
import { isStale } from "./freshness.ts";
import type { GroundPart, PlacedEdit } from "./ground.ts";
import { judgeFreshness, type Verdict } from "./judge_freshness.ts";
import { readNamedCode } from "./named_code.ts";
import type { WorkFiles } from "./work_files.ts";

/** What a look needs. */
export interface NamedWays {
  files: WorkFiles;
  /** A name as it was written → a path of the workspace. */
  place: (name: string, project: string | undefined) => string | undefined;
  /** The ground of edits, with files under their names of today. */
  groundOf: (edits: readonly PlacedEdit[]) => Promise<GroundPart[]>;
  history: () => Promise<CodeHistory>;
}

/** What an entry says of code: the lines that it quotes, and the files that it names. */
export interface NamedGround {
  quoted: GroundPart[];
  /** Where it quotes none: all lines of its files, as they were when it was saved. */
  whole: GroundPart[];
  paths: string[];
}

/** A file that is no longer there; since when is not known of what is in no commit yet. */
export interface LostFile {
  path: string;
  end: Partial<ChangeCommit>;
}

/** With this share of its lines in the file a quote is of it, where git cannot tell. */
const enough = 0.5;

export async function readNamedGround(entry: Entry, ways: NamedWays): Promise<NamedGround> {
  const { files, paths, quotes } = readNamedCode(entry);
  const { project } = entry;
  const sinceMs = Date.parse(entry.ts);
  const edits: PlacedEdit[] = [];
  for (const { names, text } of quotes) {
    const placed = names.flatMap((name) => ways.place(name, project) ?? []);
    const path = await findFile(placed, { sinceMs, ways });
    if (path !== undefined) edits.push({ path, old: "", new: text });
  }
  const placed = (names: readonly string[]): string[] => [
    ...new Set(names.flatMap((name) => ways.place(name, project) ?? [])),
  ];
  const whole: PlacedEdit[] = [];
  for (const path of edits.length > 0 ? [] : placed(files)) {
    const text = await findText(path, { sinceMs, ways });
    if (text !== undefined) whole.push({ path, old: "", new: text });
  }
  return {
    quoted: await ways.groundOf(edits),
    whole: await ways.groundOf(whole),
    paths: placed(paths),
  };
}

/** The text of a file as it was at a time: today's where nobody wrote it since, else as git has it. */
async function findText(
  path: string,
  { sinceMs, ways }: { sinceMs: number; ways: NamedWays },
): Promise<string | undefined> {
  if (ways.files.kindOf(path) !== "file") return undefined;
  const file = ways.files.find(path);
  const isSame = (ways.files.findTime(path) ?? Infinity) <= sinceMs;
  if (isSame && file instanceof FileLines) return [...file.lines()].join("\n");
  return await (await ways.history()).findText(path, sinceMs);
}

/** The first path that is a file of the work tree, or was one. */
async function findFile(
  paths: readonly string[],
  { sinceMs, ways }: { sinceMs: number; ways: NamedWays },
): Promise<string | undefined> {
  for (const path of paths) {
    const kind = ways.files.kindOf(path);
    if (kind === "file") return path;
    if (kind === undefined && (await ways.history()).findLeave(path, sinceMs)) return path;
  }
  return undefined;
}

/** The verdict on lines that were quoted; undefined where nobody can say that they were ever there. */
export async function judgeQuoted(
  quoted: readonly GroundPart[],
  { sinceMs, ways }: { sinceMs: number; ways: NamedWays },
): Promise<Verdict | undefined> {
  const judge = (ground: readonly GroundPart[]): Verdict =>
    judgeFreshness(ground, (path) => ways.files.find(path));
  const verdict = judge(quoted);
  if (verdict.name === "unknown" || verdict.name === "fresh") {
    return verdict.name === "fresh" ? verdict : undefined;
  }
  const history = await ways.history();
  const ground: GroundPart[] = [];
  let seen = 0;
  for (const part of quoted) {
    const lost = new Set(
      verdict.lost.filter(({ path }) => path === part.path).map(({ line }) => line),
    );
    const taken = await history.findTaken(part.path, { sinceMs, lines: lost });
    if (taken === undefined) {
      return verdict.of - verdict.lost.length >= verdict.of * enough ? verdict : undefined;
    }
    seen += taken.size;
    ground.push({ ...part, added: part.added.filter((one) => !lost.has(one) || taken.has(one)) });
  }
  return seen === 0 ? undefined : judge(ground);
}

/** The verdict on whole files; undefined where most of their lines are there still. */
export function judgeWhole(
  whole: readonly GroundPart[],
  { ways }: { ways: NamedWays },
): Verdict | undefined {
  const verdict = judgeFreshness(whole, (path) => ways.files.find(path));
  return isStale(verdict.name) ? verdict : undefined;
}

/** Those of some files that went since a time, and of how many it is known that they are or were there. */
export async function findLost(
  paths: readonly string[],
  { sinceMs, ways }: { sinceMs: number; ways: NamedWays },
): Promise<{ lost: LostFile[]; known: number }> {
  const lost: LostFile[] = [];
  let known = 0;
  for (const path of paths) {
    if (ways.files.kindOf(path) !== undefined) {
      known++;
      continue;
    }
    const history = await ways.history();
    const end = history.findLeave(path, sinceMs);
    if (end === undefined) continue;
    const name = await history.findRenamed(path);
    const isThere = name !== undefined && ways.files.kindOf(name) !== undefined;
    const last = name === undefined || isThere ? end : history.findLeave(name, sinceMs);
    if (last === undefined) continue;
    known++;
    if (!isThere) lost.push({ path, end: last });
  }
  return { lost, known };
}
