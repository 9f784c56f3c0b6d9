// What ctx sends for one set. Answers are stored under the name of the built file, so asking again
// costs nothing, and the stores of the last run are kept for inspection.

import { CtxAt } from "./ctx_at.ts";
import { GitHistory } from "./git_history.ts";
import { type Labels, readLines } from "./labels.ts";
import { placeTranscripts } from "./place_transcripts.ts";
import { listTold, type Part, replay, type Stage } from "./replay.ts";
import type { Told } from "./score.ts";
import { GrowingRoot, readTranscripts, type Transcripts } from "./transcripts.ts";

/** What to measure, and where. */
export interface MeasureOptions {
  data: string;
  work: string;
  file: string;
  /** What the answers of this file are kept under. */
  build: string;
  wanted: ReadonlySet<Part>;
  /** A directory with a repository per set; undefined without git history. */
  repositories?: string;
}

const partOf = {
  record: "records",
  candidate: "records",
  title: "titles",
  review: "review",
  pack: "packs",
  prompt: "prompts",
} as const;

/** What was told in a set. */
export async function measureSet(labels: Labels, options: MeasureOptions): Promise<Told[]> {
  const { wanted, repositories } = options;
  const at = `${options.work}/${labels.name}${repositories === undefined ? "" : ".git"}`;
  await Deno.mkdir(at, { recursive: true });
  let transcripts: Transcripts | undefined;
  const pathOf = (name: string): string => `${at}/told-${options.build}-${name}.jsonl`;
  /** The answers of a job, from its file where this ctx has answered before. */
  const ask = async (name: string, job: (stage: Stage) => Promise<Told[]>): Promise<Told[]> => {
    const path = pathOf(name);
    if (!isThere(path)) {
      transcripts ??= readTranscripts(await findTranscripts(labels, options, at));
      const told = await job(await openStage({ at, transcripts }, labels, options));
      await removeTree(`${at}/${name}`);
      await Deno.rename(`${at}/workspace`, `${at}/${name}`);
      await Deno.writeTextFile(path, told.map((row) => `${JSON.stringify(row)}\n`).join(""));
    }
    return readLines<Told>(path);
  };
  const told: Told[] = [];
  if (wanted.has("records") || wanted.has("titles") || wanted.has("review")) {
    told.push(...await ask("listed", (stage) => listTold(labels, stage)));
  }
  const moments = (["packs", "prompts"] as const).filter((part) => wanted.has(part));
  if (moments.length > 0) {
    const both = "packs-prompts";
    const name = isThere(pathOf(both)) ? both : moments.join("-");
    told.push(...await ask(name, (stage) => replay(labels, stage, new Set(moments))));
  }
  return told.filter(({ kind }) => wanted.has(partOf[kind]));
}

/** The transcripts; with git history, as if the sessions had gone on in the workspace. */
async function findTranscripts(
  { name }: Labels,
  { data, repositories }: MeasureOptions,
  at: string,
): Promise<string> {
  const from = `${data}/${name}`;
  if (repositories === undefined) return from;
  const to = `${at}/transcripts`;
  if (!isThere(to)) {
    await placeTranscripts({ from, to: `${to}.part` }, `${at}/workspace`);
    await Deno.rename(`${to}.part`, to);
  }
  return to;
}

/** An empty store in an empty workspace. */
async function openStage(
  { at, transcripts }: { at: string; transcripts: Transcripts },
  { name }: Labels,
  { work, file, repositories }: MeasureOptions,
): Promise<Stage> {
  const workspace = `${at}/workspace`;
  for (const path of [workspace, `${at}/root`]) await removeTree(path);
  await Deno.mkdir(workspace);
  const history = repositories === undefined
    ? undefined
    : await GitHistory.create(workspace, `${repositories}/${name}`);
  const ctx = new CtxAt({ file, home: `${work}/home`, workspace });
  await ctx.ask(new Date().toISOString(), ["init"]);
  return {
    ctx,
    root: new GrowingRoot(`${at}/root`),
    transcripts,
    moveTo: async (time) => await history?.moveTo(time),
  };
}

async function removeTree(path: string): Promise<void> {
  if (isThere(path)) await Deno.remove(path, { recursive: true });
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
