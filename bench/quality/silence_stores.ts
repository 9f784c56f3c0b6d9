// The stores that silence is measured on, each with questions that it answers and questions that it does
// not: the judged sets, the chats of BEAM (`--data DIR` with its chats/500K; of the other sizes nothing is
// read) and this repository.

import { catchUp } from "../../src/index/catch_up.ts";
import { openLocalEmbedder } from "../../src/index/vectors/embedder_local.ts";
import { type JudgedSet, loadJudgedSets, shared } from "./judged_sets.ts";
import { openStore } from "./open_store.ts";
import { answerable, fillOwnStore, unanswerable } from "./own_store.ts";
import { sourcesState } from "./sources_state.ts";
import { fromFileUrl } from "../../src/core/platform_path.ts";

/** A workspace, what it answers and what it does not. */
export interface AskedWorkspace {
  workspace: string;
  own: readonly string[];
  strange: readonly string[];
}

/** One or more workspaces of a kind, left out together. */
export interface SilenceStore {
  name: string;
  /** What its unanswerable questions are. */
  about: string;
  workspaces: AskedWorkspace[];
}

const repository = fromFileUrl(new URL("../../", import.meta.url));

/** The stores that there is data for. */
export async function loadSilenceStores(beam: string | undefined): Promise<SilenceStore[]> {
  const sets = await loadJudgedSets();
  const kept = `${repository}dist/bench/silence-${await sourcesState(repository)}`;
  const stores = sets.map((set) => fromSet(set, sets));
  if (beam !== undefined) stores.push(await readBeam(beam, kept));
  const workspace = `${kept}/own`;
  await fillOnce(workspace, (draft) => fillOwnStore(repository, draft));
  stores.push({
    name: "this repository",
    about: "plausible, nothing answers them",
    workspaces: [{ workspace, own: answerable, strange: unanswerable }],
  });
  return stores;
}

const abouts: Record<string, string> = {
  "recall-dev": "plausible, nothing answers them",
  "locomo-dev": "category 5: about the wrong person",
  "scifact": "questions of CoSQA",
  "cosqa-dev": "claims of SciFact",
};

function fromSet({ name, groups }: JudgedSet, sets: readonly JudgedSet[]): SilenceStore {
  const others: Record<string, string> = { "scifact": "cosqa-dev", "cosqa-dev": "scifact" };
  const strangers = sets.find((set) => set.name === others[name])?.groups
    .flatMap(({ questions }) => questions.map(({ text }) => text))
    .filter((_, i) => i % 4 === 0) ?? [];
  const workspaces = groups.map(({ workspace, questions }) => {
    const texts = (isAnswerable: boolean): string[] =>
      questions.filter((one) => one.isAnswerable === isAnswerable).map(({ text }) => text);
    const conversation = name === "locomo-dev" ? questions[0].fold : undefined;
    const wrong = conversation === undefined ? [] : readWrong(conversation);
    return { workspace, own: texts(true), strange: [...texts(false), ...wrong, ...strangers] };
  });
  return { name, about: abouts[name], workspaces };
}

/** LoCoMo's questions without an answer. */
function readWrong(conversation: string): string[] {
  const lines = Deno.readTextFileSync(`${shared}/bench/locomo-dev/queries.jsonl`).trim().split(
    "\n",
  );
  return lines.map((line) => JSON.parse(line))
    .filter(({ conv, category }) => conv === conversation && category === 5)
    .map(({ question }) => question);
}

interface BeamMessage {
  id: number;
  role: string;
  content: string;
}

interface BeamQuestion {
  question: string;
  source_chat_ids?: unknown;
}

async function readBeam(directory: string, kept: string): Promise<SilenceStore> {
  const chats = `${directory}/chats/500K`;
  const names = [...Deno.readDirSync(chats)].map(({ name }) => name).sort();
  const workspaces: AskedWorkspace[] = [];
  for (const name of names) {
    const workspace = `${kept}/beam-${name}`;
    await fillOnce(workspace, (draft) => fillChat(`${chats}/${name}/chat.json`, draft));
    const path = `${chats}/${name}/probing_questions/probing_questions.json`;
    const kinds: Record<string, BeamQuestion[]> = JSON.parse(Deno.readTextFileSync(path));
    const { abstention = [], ...others } = kinds;
    const own = Object.values(others).flat().filter((one) => one.source_chat_ids);
    const texts = (some: BeamQuestion[]): string[] => some.map(({ question }) => question);
    workspaces.push({ workspace, own: texts(own), strange: texts(abstention) });
  }
  return { name: "BEAM 500K", about: "abstention: a detail that was never said", workspaces };
}

/** A chat as turns, a batch as a session; where a batch lies in time is not told. */
async function fillChat(path: string, workspace: string): Promise<void> {
  const batches: { turns: BeamMessage[][] }[] = JSON.parse(Deno.readTextFileSync(path));
  const rows = batches.flatMap(({ turns }, batch) =>
    turns.flat().map(({ id, role, content }, index) => ({
      id: `H-${id}`,
      ts: new Date(Date.UTC(2024, 0, 1 + 7 * batch) + 60_000 * index).toISOString(),
      role,
      type: "turn",
      session_id: `S-${batch}`,
      index,
      text: content.replace(/\s*->->.*$/s, ""),
    }))
  );
  await Deno.mkdir(`${workspace}/.contextfs`, { recursive: true });
  const lines = rows.map((row) => JSON.stringify(row) + "\n").join("");
  await Deno.writeTextFile(`${workspace}/.contextfs/history.ndjson`, lines);
  await catchUp(openStore(workspace), { embedder: openLocalEmbedder({ whole: true }) });
}

/** Fills a workspace unless it is there from before. */
async function fillOnce(
  workspace: string,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  try {
    if (Deno.statSync(workspace).isDirectory) return;
  } catch {
    // It is filled below.
  }
  const draft = `${workspace}.${crypto.randomUUID()}`;
  await fill(draft);
  await Deno.rename(draft, workspace);
}
