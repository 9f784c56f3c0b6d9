// Reads the public sets of other people's benchmarks from one directory, as they were published; one
// that is absent is left out, and nothing of them is kept. Held out, and not read here: BEAM's
// chats/100K, REALTALK, RealMem, LoCoMo's other conversations.

import type { JudgedQuery, QualityGroup } from "../quality/public_sets.ts";

/** A set: rows, questions with the rows that answer, and questions that nothing answers. */
export interface PublicGroup extends QualityGroup {
  queries: PublicQuery[];
  unanswerable: string[];
}

/** A question, and which kind of question its authors call it. */
export interface PublicQuery extends JudgedQuery {
  task?: string;
}

/** Facts in their order, and questions whose answer the newest of them holds. */
export interface FactGroup {
  name: string;
  rows: Record<string, unknown>[];
  questions: { text: string; answers: string[] }[];
}

/** KnowMeBench: memories as rows, the tasks that name their evidence as questions. */
export function readKnowMe(directory: string, dataset: string): PublicGroup[] {
  const path = `${directory}/KnowmeBench/${dataset}`;
  const memories = readJson<Memory[]>(`${path}/input/${dataset}.json`);
  if (memories === undefined) return [];
  let ts = "1900-01-01T00:00:00.000Z";
  const rows = memories.map((memory, index) => {
    const time = Date.parse(`${memory.timestamp?.replace(" ", "T")}Z`);
    if (!Number.isNaN(time)) ts = new Date(time).toISOString();
    const parts = [
      memory.timestamp,
      memory.location,
      memory.action,
      memory.dialogue,
      memory.environment,
      memory.background,
      memory.inner_thought,
    ].map((part) => typeof part === "string" ? part : part ? JSON.stringify(part) : "");
    const text = parts.filter((part) => part !== "").join("\n");
    return { id: String(memory.id), ts, role: "note", type: "note", index, text };
  });
  const known = new Set(rows.map(({ id }) => id));
  const queries: PublicQuery[] = [];
  const unanswerable: string[] = [];
  for (const { name } of Deno.readDirSync(`${path}/question`)) {
    const questions = readJson<Named[]>(`${path}/question/${name}`) ?? [];
    const answers = readJson<Named[]>(`${path}/answer/${name.replace("_question", "_answer")}`) ??
      [];
    for (const [i, { question = "" }] of questions.entries()) {
      if (name.startsWith("Adversarial")) {
        unanswerable.push(question);
        continue;
      }
      const evidence = [answers[i]?.evidence ?? []].flat().map(String).filter((id) =>
        known.has(id)
      );
      const task = name.replace(/_questions?\.json$/, "");
      if (evidence.length > 0) queries.push({ text: question, relevant: new Set(evidence), task });
    }
  }
  return [{ name: dataset, rows, queries, unanswerable }];
}

interface Memory {
  id: number;
  timestamp?: string;
  location?: unknown;
  action?: unknown;
  dialogue?: unknown;
  environment?: unknown;
  background?: unknown;
  inner_thought?: unknown;
}

interface Named {
  question?: string;
  evidence?: number | number[];
}

/** BEAM, chats of 500,000 tokens: messages as rows; questions that name their messages. */
export function readBeam(directory: string): PublicGroup[] {
  return listNames(`${directory}/chats/500K`).sort((a, b) => Number(a) - Number(b)).flatMap(
    (name) => {
      const path = `${directory}/chats/500K/${name}`;
      const chat = readJson<{ turns: Message[][] }[]>(`${path}/chat.json`);
      const probes = readJson<Record<string, Probe[]>>(
        `${path}/probing_questions/probing_questions.json`,
      );
      if (chat === undefined || probes === undefined) return [];
      const rows = chat.flatMap(({ turns }, batch) =>
        turns.flat().map(({ id, role, content }, index) => ({
          id: String(id),
          ts: new Date(Date.UTC(2024, 0, 1 + batch) + 1000 * index).toISOString(),
          role,
          type: "turn",
          session_id: `S-${batch}`,
          index,
          text: content.replace(/ ->-> [\d,]+\s*$/, ""),
        }))
      );
      const queries = Object.entries(probes).flatMap(([task, some]) =>
        some.flatMap(({ question, source_chat_ids: ids }) => {
          const found = [...JSON.stringify(ids ?? []).matchAll(/\d+/g)].map(([id]) => id);
          return found.length === 0 ? [] : [{ text: question, relevant: new Set(found), task }];
        })
      );
      const unanswerable = (probes.abstention ?? []).map(({ question }) => question);
      return [{ name, rows, queries, unanswerable }];
    },
  );
}

interface Message {
  id: number;
  role: string;
  content: string;
}

interface Probe {
  question: string;
  source_chat_ids?: unknown;
}

/** MemoryAgentBench's FactConsolidation: numbered facts, of which a later one replaces an earlier. */
export function readFacts(directory: string): FactGroup[] {
  const sets = readJson<FactSet[]>(`${directory}/Conflict_Resolution.json`) ?? [];
  return sets.map(({ context, questions, answers, metadata }) => ({
    name: metadata.qa_pair_ids[0].replace(/^factconsolidation_|_no\d+$/g, ""),
    rows: [...context.matchAll(/^(\d+)\. (.+)$/gm)].map(([, number, text]) => ({
      id: number,
      ts: new Date(Date.UTC(2024, 0, 1) + 1000 * Number(number)).toISOString(),
      role: "note",
      type: "note",
      text,
    })),
    questions: questions.map((text, i) => ({ text, answers: answers[i] })),
  }));
}

interface FactSet {
  context: string;
  questions: string[];
  answers: string[][];
  metadata: { qa_pair_ids: string[] };
}

function listNames(path: string): string[] {
  try {
    return [...Deno.readDirSync(path)].map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(Deno.readTextFileSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
