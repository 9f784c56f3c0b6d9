// Makes an answer of what was found: the model's words with the sources that hold, or the passages
// themselves. Only entries that were shown count.

import type { Entry } from "../core/entry.ts";
import type { AgentRun } from "./agent.ts";
import type { Answer, AnswerSource } from "./answer.ts";
import type { AskTools } from "./ask_tools.ts";
import { type Certainty, judgeConfidence, round } from "./confidence.ts";
import { isLimited, visibleParts } from "./ask_scope.ts";
import { extractAnswer, type Nearness, toSource } from "./extract_answer.ts";
import { readExchangeEnds } from "./exchange_end.ts";
import { answerOwn, findOwnQuestion } from "./own_question.ts";
import { parseAnswer } from "./parse_answer.ts";
import { bestPassage } from "./answer_passages.ts";
import type { Question } from "./question.ts";
import { rowsOf } from "../store/find.ts";
import { openEmbedder } from "../command/open_embedder.ts";
import { verifySources } from "./verify_sources.ts";

/** An answer before it is known what it took. */
export type AnswerDraft = Omit<Answer, "usage" | "steps" | "trace_id">;

/** Keeps what holds of the model's answer; without words from it, the passages answer. */
export async function draftFromModel(
  question: Question,
  run: AgentRun,
  { tools, model }: { tools: AskTools; model: string },
): Promise<AnswerDraft> {
  const parsed = parseAnswer(run.text);
  if (parsed.answer === "") {
    const why = run.stopped === "cap"
      ? "the daily token cap was reached"
      : "the model returned no text";
    return { ...await draftExtract(question, tools, why), model, stopped: run.stopped };
  }
  const { entries } = await readShown(tools, parsed.sources.map(({ entry_id }) => entry_id));
  const { kept, dropped } = verifySources(parsed.sources, (id) => entries.get(id) ?? []);
  const sources = kept.map(({ entry, quote }) => {
    const words = quote ?? bestPassage(entry, `${question.query} ${parsed.answer}`);
    return toSource(entry, words);
  });
  const confidence = judgeConfidence({
    question: question.query,
    answer: parsed.answer,
    sources: sources.map((source) => scoredText(source, entries, tools)),
    dropped: dropped.length,
    otherScore: bestOther(tools, sources.map(({ entry_id }) => entry_id)),
  });
  const invented = dropped.map(({ entry_id, reason }) =>
    `${entry_id} (${reason === "not_read" ? "never read" : "quote not in it"})`
  );
  const notes = [
    parsed.note,
    invented.length > 0 ? `sources dropped: ${invented.join(", ")}` : undefined,
    sources.length === 0 ? "no verified source supports this answer" : undefined,
    run.stopped === "limit" ? "the limit of model calls was reached" : undefined,
  ].filter((note) => note !== undefined);
  return {
    answer: withoutInvented(parsed.answer, dropped.map(({ entry_id }) => entry_id), entries),
    sources,
    ...toEvidence(confidence, dropped.length),
    ...(notes.length > 0 ? { note: notes.join("; ") } : {}),
    mode: "llm",
    model,
    stopped: run.stopped,
  };
}

/** An answer in the words of the memory. */
export async function draftExtract(
  question: Question,
  tools: AskTools,
  note?: string,
): Promise<AnswerDraft> {
  if (!isLimited(question.scope)) await addCorrections(tools);
  const ids = [...tools.scores].sort((a, b) => b[1] - a[1]).map(([id]) => id);
  const { entries, superseded } = await readShown(tools, ids);
  const ends = await readExchangeEnds(
    await tools.context.openStore(),
    [...entries.values()].flat(),
  );
  const found = ids.flatMap((id) =>
    (entries.get(id) ?? []).map((entry) => ({
      entry,
      score: tools.scores.get(id) ?? 0,
      superseded: superseded.has(id),
      ...ends.get(entry),
    }))
  );
  const { answer, sources, certainty } = await extractAnswer(
    question,
    found,
    await openNearness(question.query, tools),
  );
  for (const { entry_id } of sources) tools.shown.add(entry_id);
  const used = sources.map(({ entry_id }) => entry_id);
  const evidence = judgeConfidence({
    question: question.query,
    answer: sources.map(({ quote }) => quote).join("\n"),
    sources: sources.map((source) => scoredText(source, entries, tools)),
    dropped: 0,
    otherScore: bestOther(tools, used),
  });
  const { level: _level, ...parts } = evidence;
  return {
    answer,
    sources,
    ...(certainty === undefined ? {} : { confidence: certainty.level }),
    evidence: { ...parts, ...(certainty && toFacts(certainty)), dropped_sources: 0 },
    ...(note === undefined ? {} : { note }),
    mode: "extractive",
  };
}

function toFacts({ share, score: best, near }: Certainty): Partial<AnswerDraft["evidence"]> {
  const facts = { score: round(share), best: round(best) };
  return near === undefined ? facts : { ...facts, near: round(near) };
}

/** The answer of one of our own commands; undefined if it has none to this question. */
export async function draftOwn(
  { query, scope }: Question,
  tools: AskTools,
): Promise<AnswerDraft | undefined> {
  const own = findOwnQuestion(query, tools.context.now());
  // Commits and lines are not limited to a session or a project, and documents hold no records.
  if (
    own === undefined || (own.command === "why" && isLimited(scope)) || !visibleParts(scope).history
  ) {
    return undefined;
  }
  const told = await answerOwn(own, tools);
  if (told === undefined) return undefined;
  const { level: _level, ...parts } = judgeConfidence({
    question: query,
    answer: told.answer,
    sources: told.sources.map(({ entry_id, quote }) => ({ id: entry_id, text: quote })),
    dropped: 0,
  });
  return { ...told, evidence: { ...parts, dropped_sources: 0 }, mode: "extractive" };
}

/** Compares with the question by the embedder inside ctx; without one words alone count. */
async function openNearness(query: string, { context }: AskTools): Promise<Nearness | undefined> {
  const embedder = await openEmbedder(context, { remote: false });
  if (embedder === undefined) return undefined;
  const [asked] = await embedder.embed([query]);
  return async (texts) => (await embedder.embed(texts)).map((vector) => dot(asked, vector));
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** A correction may share no word with the question: it counts as what it corrects does. */
async function addCorrections(tools: AskTools): Promise<void> {
  for (let ids = [...tools.scores.keys()]; ids.length > 0;) {
    const { superseded } = await readShown(tools, ids);
    const added = [...superseded].filter(([, by]) => !tools.scores.has(by));
    for (const [id, by] of added) {
      tools.scores.set(by, tools.scores.get(id) ?? 0);
      tools.shown.add(by);
    }
    ids = added.map(([, by]) => by);
  }
}

/** The entries of the ids that were shown, from the stores that the tools see, and what corrects some. */
async function readShown(
  tools: AskTools,
  ids: string[],
): Promise<{ entries: Map<string, Entry[]>; superseded: Map<string, string> }> {
  const wanted = [...new Set(ids)].filter((id) => tools.shown.has(id));
  const entries = new Map<string, Entry[]>();
  const superseded = new Map<string, string>();
  if (wanted.length === 0) return { entries, superseded };
  const stores = [await tools.context.openStore(), await tools.context.openUserStore()];
  for (const store of stores) {
    for (const [id, hit] of store?.find(wanted) ?? []) {
      const rows = rowsOf(hit);
      if (hit.superseded_by !== undefined) superseded.set(id, hit.superseded_by);
      if (rows.length > 0 && !entries.has(id)) entries.set(id, rows.map(({ entry }) => entry));
    }
  }
  return { entries, superseded };
}

function scoredText(
  { entry_id: id, session }: AnswerSource,
  entries: Map<string, Entry[]>,
  tools: AskTools,
): { id: string; text: string; score?: number } {
  const entry = entries.get(id)?.find((one) => (one.session_id || undefined) === session);
  const text = [entry?.title, entry?.text].filter(Boolean).join("\n");
  return { id, text, score: tools.scores.get(id) };
}

function bestOther(tools: AskTools, used: string[]): number | undefined {
  const others = [...tools.scores].filter(([id]) => !used.includes(id)).map(([, score]) => score);
  return others.length > 0 ? Math.max(...others) : undefined;
}

function toEvidence(
  { level, ...parts }: ReturnType<typeof judgeConfidence>,
  dropped: number,
): Pick<AnswerDraft, "confidence" | "evidence"> {
  return { confidence: level, evidence: { ...parts, dropped_sources: dropped } };
}

/** Ids that were never read are taken out of the text too; ids of read entries stay. */
function withoutInvented(text: string, dropped: string[], entries: Map<string, Entry[]>): string {
  let clean = text;
  for (const id of dropped) {
    if (entries.has(id)) continue;
    clean = clean.replaceAll(`[${id}]`, "").replaceAll(id, "(unverified)");
  }
  return clean.replace(/[ \t]+([.,;])/g, "$1");
}
