// What a piece of knowledge is worth to a session that starts now: newer before older, each kind
// fading at its own pace; this project and branch before others; what was saved on purpose before what
// was derived; what was used when it was given before what never was. Pure.

import type { Entry } from "../core/entry.ts";
import { recordOf } from "../core/rows/record.ts";
import { verdictOf } from "../core/rows/verdict.ts";
import { mainBranches } from "../code/git/git_repository.ts";
import { isFuture } from "../core/time/known_time.ts";
import { toWholePath } from "../core/platform_path.ts";

/** Where and when a pack is made. */
export interface Surroundings {
  nowMs: number;
  /** The directory that is worked in. */
  workspace: string;
  /** The branch that is checked out. */
  branch?: string;
  /** How often lines were given and used, by id; `standingOf` makes a factor of it. */
  standing?: ReadonlyMap<string, number>;
}

const dayMs = 86_400_000;
/** After so many days half of the worth is gone; never more than `floor` leaves. */
const halfLifeDays: Record<string, number> = {
  preference: 365,
  decision: 120,
  note: 90,
  fix: 120,
  command: 60,
  open: 14,
  outcome: 14,
  digest: 14,
};
const floor = 0.1;
const saved = 1.3;
const accepted = 10;
const elsewhere = { branch: 0.6, project: 0.3 };
/** Work there is in all branches sooner or later. */
const sharedBranches: ReadonlySet<string> = new Set([...mainBranches, "HEAD"]);

/** The worth of an entry, for ordering only. */
export function worthOf(entry: Entry, around: Surroundings): number {
  const place = placeOf(entry, around);
  // What the user accepted is told always: it does not fade, and comes before all else of its kind.
  if (entry.author === undefined && verdictOf(entry)?.said === "accept") return accepted * place;
  const isDated = !isFuture(entry.ts, around.nowMs);
  const days = isDated ? Math.max(0, around.nowMs - Date.parse(entry.ts)) / dayMs : Infinity;
  const fading = floor + (1 - floor) * 0.5 ** (days / (halfLifeDays[entry.type] ?? 60));
  const author = recordOf(entry)?.by === "rules" ? 1 : saved;
  return fading * author * place * (around.standing?.get(entry.id) ?? 1);
}

/** Whether an entry is of the project in a directory, as far as it says where it is from. */
export function isOfProject({ project }: Pick<Entry, "project">, workspace: string): boolean {
  const path = toWholePath(project);
  return path === undefined || isWithin(path, toWholePath(workspace) ?? workspace);
}

function placeOf(entry: Entry, around: Surroundings): number {
  if (!isOfProject(entry, around.workspace)) return elsewhere.project;
  const { branch } = entry;
  const isHere = branch === undefined || around.branch === undefined || branch === around.branch ||
    sharedBranches.has(branch);
  return isHere ? 1 : elsewhere.branch;
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`) ||
    directory.startsWith(`${path}/`);
}
