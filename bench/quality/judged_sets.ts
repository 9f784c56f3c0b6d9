// The four judged sets as one kind of thing: groups of rows that are searched together, each a store of
// its own, and questions that score an answer. Stores are kept under dist/bench for as long as the
// sources that fill and index them are the same, so that many settings can be tried on them.

import { catchUp } from "../../src/index/catch_up.ts";
import { openLocalEmbedder } from "../../src/index/vectors/embedder_local.ts";
import { scoreIds, type Scores } from "./measures.ts";
import { openStore } from "./open_store.ts";
import { loadQualitySets, type QualityGroup } from "./public_sets.ts";
import { importSessions, readQuestions, readRows, scoreAnswer, sessionOf } from "./recall_set.ts";
import { sourcesState } from "./sources_state.ts";
import { fromFileUrl } from "../../src/core/platform_path.ts";

/** A question of a set. */
export interface JudgedQuestion {
  text: string;
  /** False for those that nothing in the rows answers. */
  isAnswerable: boolean;
  /** Questions with the same are about the same: they are chosen or measured on together. */
  fold: string;
  score: (ids: readonly string[]) => Scores;
}

/** Rows that are searched together. */
export interface JudgedGroup {
  workspace: string;
  /** The rows as texts, for engines that are not ctx. */
  readDocuments: () => { id: string; text: string }[];
  questions: JudgedQuestion[];
}

/** A set of the bench. */
export interface JudgedSet {
  name: string;
  groups: JudgedGroup[];
}

const repository = fromFileUrl(new URL("../../", import.meta.url));

/** Where the sets are looked for. */
export const shared = fromFileUrl(new URL("../../../shared", import.meta.url));

/** Loads the sets that are there; the first time, their stores are filled and indexed. */
export async function loadJudgedSets(): Promise<JudgedSet[]> {
  const kept = `${repository}dist/bench`;
  const stores = `${kept}/judged-${await sourcesState(repository)}`;
  const sets: JudgedSet[] = loadQualitySets(`${shared}/bench`).map(({ name, groups }) => ({
    name,
    groups: groups.map((group, i) => toGroup(group, `${stores}/${name}-${i}`)),
  }));
  const recall = `${shared}/bench/recall-dev`;
  const isThere = isDirectory(recall) && isDirectory(`${shared}/fixtures`);
  if (!isDirectory(stores)) {
    const draft = `${stores}.${crypto.randomUUID()}`;
    for (const { name, groups } of loadQualitySets(`${shared}/bench`)) {
      for (const [i, group] of groups.entries()) await fillStore(group, `${draft}/${name}-${i}`);
    }
    if (isThere) await importSessions(recall, { work: `${draft}/recall-dev` });
    await replaceStores(kept, { draft, stores });
  }
  if (isThere) sets.push(loadRecall(recall, `${stores}/recall-dev`));
  return sets;
}

function isDirectory(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

function toGroup({ rows, queries, name }: QualityGroup, workspace: string): JudgedGroup {
  return {
    workspace,
    readDocuments: () =>
      rows.map(({ id, title, text }) => ({ id: String(id), text: `${title ?? ""}\n${text}` })),
    questions: queries.map(({ text, relevant }) => ({
      text,
      isAnswerable: true,
      fold: name ?? text,
      score: (ids) => scoreIds(ids, relevant),
    })),
  };
}

/** Makes a store of some rows, indexed. */
export async function fillStore(
  { rows }: Pick<QualityGroup, "rows">,
  workspace: string,
): Promise<void> {
  await Deno.mkdir(`${workspace}/.contextfs`, { recursive: true });
  const lines = rows.map((row) => JSON.stringify(row) + "\n").join("");
  await Deno.writeTextFile(`${workspace}/.contextfs/history.ndjson`, lines);
  await catchUp(openStore(workspace), { embedder: openLocalEmbedder({ whole: true }) });
}

/** Puts the new stores in their place; those of other sources go, unless they may be in use. */
async function replaceStores(
  kept: string,
  { draft, stores }: { draft: string; stores: string },
): Promise<void> {
  await Deno.rename(draft, stores);
  const hourAgo = Date.now() - 3_600_000;
  for await (const { name } of Deno.readDir(kept)) {
    const path = `${kept}/${name}`;
    const made = (await Deno.stat(path)).mtime?.getTime() ?? 0;
    if (made < hourAgo && name.startsWith("judged-")) await Deno.remove(path, { recursive: true });
  }
}

function loadRecall(directory: string, store: string): JudgedSet {
  const rows = readRows(`${store}/corpus.ndjson`);
  const questions = readQuestions(directory, rows).map((question) => ({
    text: question.query,
    isAnswerable: question.kind !== "nothing",
    fold: sessionOf(question, rows),
    score: (ids: readonly string[]) => scoreAnswer(question, ids, rows),
  }));
  const readDocuments = () => [...rows.values()].filter(({ type }) => type !== "thinking");
  return { name: "recall-dev", groups: [{ workspace: `${store}/ws`, readDocuments, questions }] };
}
