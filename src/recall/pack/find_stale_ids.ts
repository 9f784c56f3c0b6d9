// Which of some entries speak of code that has changed since. Loads nothing where none may.

import { readEntries } from "../../read/find_entries.ts";
import {
  type Freshness,
  type FreshnessName,
  isMostlyChanged,
  isStale,
} from "../../code/fresh/freshness.ts";
import { maySpeakOfCode } from "../../code/fresh/may_speak_of_code.ts";
import { committedIn, namesCommit } from "../distil/commits/committed_words.ts";
import { stampOf } from "../../code/fresh/file_stamp.ts";
import { findHead, findMainTips, findRef, findRepository } from "../../code/git/git_repository.ts";
import { isIndexBehind } from "../../store/index_lag.ts";
import type { Store } from "../../store/store.ts";
import { type LogSizes, readSaved, sizesOf } from "./saved_rows.ts";

/** What a look at code told of some entries, and what it depends on. */
export interface Looked {
  /** Git's commit; without one that can be trusted nothing is told again. */
  at?: string;
  /** How far the logs were looked at. */
  logs: LogSizes;
  /** The files that were compared, as they were. */
  files: [path: string, stamp: string][];
  /** The entries that were looked at, and those of them of whose code most has changed. */
  ids: string[];
  changed?: string[];
  work?: LookedWork;
}

/** What git says of the last session. */
export interface LookedWork {
  /** Git's commits, and the files as they were. */
  at: string;
  /** Which files that it or sessions before it edited differ from the last commit: its own come first. */
  uncommitted: string[];
  state: "current" | "past";
}

/** The last session: when, the files that it edited, as whole paths, and its line. */
export interface LastWork {
  edited: readonly string[];
  /** The files that sessions shortly before it edited on its branch. */
  earlier?: readonly string[];
  ts?: string;
  /** What a rule found of it. */
  line?: string;
  /** Its branch, if it is another than the current one. */
  elsewhere?: string;
}

/**
 * Looks whether a session still is where work was left: nothing was committed since, and what it edited is
 * committed or not as its line says. Told again from what a look before told, while neither commits nor files
 * have changed.
 */
export async function lookAtWork(
  { layout: { workspace } }: Store,
  work: LastWork,
  { nowMs, before }: { nowMs: number; before?: LookedWork },
): Promise<LookedWork | undefined> {
  const { edited, earlier = [], line, elsewhere } = work;
  const repository = findRepository(workspace);
  const head = repository && findHead(repository);
  if (repository === undefined || head === undefined) return undefined;
  if (edited.length === 0 && line === undefined) return undefined;
  const branch = elsewhere === undefined ? "" : findRef(repository, `refs/heads/${elsewhere}`);
  const tips = branch ? findMainTips(repository) : [];
  // What lies there is not of another branch's work.
  const files = [...new Set([...edited, ...elsewhere === undefined ? earlier : []])];
  const stamps = files.map((path) => `${path}:${stampOf(path)}`);
  const at = [head, branch, ...tips, work.ts, line, ...stamps].join("\n");
  if (before?.at === at) return before;
  const { findUncommitted } = await import("../../code/blame/find_uncommitted.ts");
  const uncommitted = files.length === 0 ? [] : await findUncommitted(workspace, files);
  if (line === undefined) return { at, uncommitted, state: "current" };
  const { findNewestCommit } = await import("../../code/blame/newest_commit.ts");
  const workMs = Date.parse(work.ts ?? "");
  const newest = findNewestCommit(workspace, head);
  const isLast = newest !== undefined && newest.ts <= workMs + slackMs;
  const isCurrent = async (): Promise<boolean> => {
    if (committedIn(line) === undefined) {
      return isLast && uncommitted.some((path) => edited.includes(path));
    }
    const tip = branch ? findNewestCommit(workspace, branch) : newest;
    if (tip === undefined || !namesCommit(line, tip.subject)) return false;
    if (elsewhere === undefined) return true;
    if (!isLast || !branch) return false;
    const { isMerged } = await import("../../code/blame/is_merged.ts");
    const isOwn = (said: string): boolean =>
      said.length >= minSubjectChars && namesCommit(line, said);
    const span = { fromMs: workMs - dayMs, toMs: nowMs, isOwn };
    return !isMerged(workspace, { branch, tips: [head, ...tips] }, span);
  };
  return { at, uncommitted, state: await isCurrent() ? "current" : "past" };
}

/** Clocks differ, and commits are written a moment after they are asked for. */
const slackMs = 60_000;
const dayMs = 24 * 3_600_000;
/** Shorter lines of a message may be in any other. */
const minSubjectChars = 15;

const maxUnindexed = 1 << 20;

/**
 * Looks at the code of some entries. What a look before told is told again while nothing that it depends
 * on has changed; then only entries that it did not know are looked at.
 */
export async function lookAtCode(
  store: Store,
  ids: readonly string[],
  before?: Looked,
): Promise<Looked> {
  const { workspace } = store.layout;
  const repository = findRepository(workspace);
  const at = repository && findHead(repository) || "";
  // Before the logs are read: what is written later is looked at next time.
  const logs = sizesOf(store.readState());
  const told = before?.changed !== undefined && before.at === at &&
      before.files.every(([path, stamp]) => stampOf(path) === stamp)
    ? before
    : undefined;
  const saved = told && readSaved(store, told.logs, logs);
  const known = new Set(saved && told?.ids);
  const silent = saved?.filter((entry) => !maySpeakOfCode(store, [entry])) ?? [];
  for (const { id } of silent) known.add(id);
  const unknown = ids.filter((id) => !known.has(id));
  if (saved && told && unknown.length === 0) return told;
  // Without the index it takes too long; it is looked at when the index has followed.
  if (isIndexBehind(store, maxUnindexed)) {
    return { logs, files: [], ids: [], changed: before?.changed };
  }
  const files: Looked["files"] = [];
  const found = await findMostlyChanged(store, unknown, files);
  const { files: seen = [], changed = [] } = saved && told || {};
  const still = changed.filter((id) => ids.includes(id));
  return {
    at,
    logs,
    files: [...new Map([...seen, ...files])],
    ids: [...ids],
    changed: [...still, ...found],
  };
}

/** The ids of those of whose code most has changed. */
export async function findChangedIds(store: Store, ids: readonly string[]): Promise<Set<string>> {
  return new Set(await findMostlyChanged(store, ids));
}

async function findMostlyChanged(
  ...asked: Parameters<typeof findStaleEntries>
): Promise<string[]> {
  const stale = await findStaleEntries(...asked);
  return [...stale].flatMap(([id, told]) => isMostlyChanged(told) ? id : []);
}

/** The ids of those whose code drifted, is gone or was reverted, with which of these it is. */
export async function findStaleNames(
  store: Store,
  ids: readonly string[],
): Promise<Map<string, FreshnessName>> {
  const stale = await findStaleEntries(store, ids);
  return new Map([...stale].map(([id, { freshness }]) => [id, freshness]));
}

/** The same with what changed; the files that were looked at are added to a list. */
async function findStaleEntries(
  store: Store,
  ids: readonly string[],
  files: Looked["files"] = [],
): Promise<Map<string, Freshness>> {
  if (ids.length === 0) return new Map();
  const entries = [...(await readEntries(store, ids)).values()];
  if (!maySpeakOfCode(store, entries)) return new Map();
  const { tellFreshness } = await import("../../code/fresh/tell_freshness.ts");
  const { lookedAt } = await import("../../code/fresh/work_files.ts");
  lookedAt.clear();
  const told = await tellFreshness(store, entries, { isBrief: true });
  files.push(...lookedAt);
  const { workspace } = store.layout;
  const hasGit = findRepository(workspace) !== undefined;
  return new Map(
    [...told].filter(([, { freshness, changed }]) => {
      // Without git nobody knows whether a file that is not there ever was.
      const isKnown = hasGit || stampOf(`${workspace}/${changed?.path}`) !== "";
      return isStale(freshness) && isKnown;
    }),
  );
}
