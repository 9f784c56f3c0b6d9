// One question in, one sourced answer out: searches first, lets the model read on where one is
// configured, and believes only what was really shown. `ask`, `chat` and `eval` share it.

import type { Entry } from "../core/entry.ts";
import { CtxError, toErrorBody } from "../core/errors.ts";
import { type AgentRun, type AgentStep, runAgent } from "./agent.ts";
import { type LlmSettings, openClient } from "../llm/client.ts";
import { makeMark } from "./fence.ts";
import { parseAnswer } from "./parse_answer.ts";
import { toInstructions, toQuestion } from "./prompt.ts";
import { verifySources } from "./verify_sources.ts";
import { judgeConfidence } from "./confidence.ts";
import { bestPassage } from "./passages.ts";
import type { Answer } from "./answer.ts";
import { describeScope, visibleParts } from "./ask_scope.ts";
import { type AskTools, makeAskTools } from "./ask_tools.ts";
import { AskTrail } from "./ask_trail.ts";
import type { Question } from "./question.ts";
import type { Context } from "../table/command.ts";
import { extractAnswer, toSource } from "./extract_answer.ts";
import {
  barredNote,
  findLlmSettings,
  isBarred,
  type Ledger,
  llmHint,
  openLedger,
} from "./llm_settings.ts";

/** Answers a question. */
export async function answerQuestion(question: Question, context: Context): Promise<Answer> {
  const config = await context.readConfig();
  const settings = findLlmSettings(config, question);
  const barred = settings !== undefined && isBarred(settings.provider);
  const trail = new AskTrail(question, context);
  const shown = new Set<string>();
  try {
    const mark = makeMark(context.random());
    using tools = await makeAskTools(context, { scope: question.scope, mark, shown });
    const found = await searchFirst(question, tools, trail);
    const ledger = settings && !barred ? await openLedger(context) : undefined;
    const cap = config.get("llm.daily_token_cap");
    const mayCall = (): boolean => ledger !== undefined && (cap === 0 || ledger.spentToday() < cap);
    const answer = settings && ledger && mayCall()
      ? await askModelOrExtract(question, {
        settings,
        ledger,
        mayCall,
        tools,
        trail,
        found,
        mark,
        context,
      })
      : await extract(question, tools, !settings ? llmHint : barred ? barredNote : capNote(cap));
    const note = [answer.note, ...tools.notes].filter((part) => part !== undefined).join("; ");
    return await trail.finish({ ...answer, ...(note === "" ? {} : { note }) }, tools);
  } catch (error) {
    await trail.fail(error, shown);
    throw error;
  } finally {
    for (const id of shown) question.shown?.add(id);
  }
}

interface Asking {
  settings: LlmSettings;
  ledger: Ledger;
  mayCall: () => boolean;
  tools: AskTools;
  trail: AskTrail;
  found: string;
  mark: string;
  context: Context;
}

type Draft = Omit<Answer, "usage" | "steps" | "trace_id">;

/** A model that cannot be asked is no reason to answer nothing: the passages do, and it says so. */
async function askModelOrExtract(question: Question, asking: Asking): Promise<Draft> {
  try {
    return await askModel(question, asking);
  } catch (error) {
    // A suite measures the model, and a chat may have shown half an answer already.
    if (question.command !== "ask" || !(error instanceof CtxError)) throw error;
    const { code, ...body } = toErrorBody(error);
    if (!isProviderCode(code)) throw error;
    asking.trail.say(body.message);
    const draft = await extract(question, asking.tools, `${body.message}; no model took part`);
    return { ...draft, provider_error: { code, ...body } };
  }
}

function isProviderCode(code: string): code is ProviderError["code"] {
  return code === "PROVIDER_FAILED" || code === "PROVIDER_TIMEOUT" || code === "PROVIDER_MISSING";
}

type ProviderError = NonNullable<Answer["provider_error"]>;

async function askModel(question: Question, asking: Asking): Promise<Draft> {
  const { settings, tools, trail, context } = asking;
  const config = await context.readConfig();
  const client = openClient(settings, {
    ...context,
    onRetry: ({ attempt, delayMs, reason }) =>
      trail.say(`try ${attempt} failed (${reason}); again in ${delayMs} ms`),
  });
  const format = question.onText ? "prose" : "json";
  const run = await runAgent({
    client,
    tools: tools.tools,
    messages: [
      {
        role: "system",
        content: toInstructions({
          mark: asking.mark,
          format,
          limits: describeScope(question.scope),
        }),
      },
      ...question.history ?? [],
      { role: "user", content: toQuestion({ ...question, found: asking.found }) },
    ],
    maxIterations: config.get("llm.max_iterations"),
    contextTokens: config.get("llm.context_tokens"),
    now: context.now,
    mayCall: asking.mayCall,
    onText: question.onText,
    onStep: (step) => recordStep(step, question, asking),
    seen: tools.shown,
  });
  return await judge(question, run, asking);
}

/** Every call is in the ledger before anything else happens. */
async function recordStep(step: AgentStep, question: Question, asking: Asking): Promise<void> {
  asking.trail.add(step);
  if (step.kind !== "model") return;
  const { settings, context } = asking;
  await asking.ledger.add({
    ts: new Date(context.now()).toISOString(),
    command: question.command,
    workspace: (await context.openStore()).layout.workspace,
    provider: URL.parse(settings.provider)?.host ?? "",
    model: settings.model,
    ...step.usage,
  });
}

/** Keeps what holds of the model's answer; without words from it, the passages answer. */
async function judge(question: Question, run: AgentRun, asking: Asking): Promise<Draft> {
  const { tools, settings } = asking;
  const parsed = parseAnswer(run.text);
  if (parsed.answer === "") {
    const why = run.stopped === "cap"
      ? "the daily token cap was reached"
      : "the model gave no words";
    return { ...await extract(question, tools, why), model: settings.model, stopped: run.stopped };
  }
  const entries = await readShown(tools, parsed.sources.map(({ entry_id }) => entry_id));
  const { kept, dropped } = verifySources(parsed.sources, (id) => entries.get(id));
  const sources = kept.flatMap(({ entry_id, quote }) => {
    const entry = entries.get(entry_id);
    if (entry === undefined) return [];
    const words = quote ?? bestPassage(entry.text, `${question.query} ${parsed.answer}`).text;
    return [toSource(entry, words)];
  });
  const confidence = judgeConfidence({
    question: question.query,
    answer: parsed.answer,
    sources: sources.map(({ entry_id }) => scoredText(entry_id, entries, tools)),
    dropped: dropped.length,
    otherScore: bestOther(tools, sources.map(({ entry_id }) => entry_id)),
  });
  const invented = dropped.map(({ entry_id, reason }) =>
    `${entry_id} (${reason === "not_read" ? "never read" : "quote not in it"})`
  );
  const notes = [
    parsed.note,
    invented.length > 0 ? `sources dropped: ${invented.join(", ")}` : undefined,
    sources.length === 0 ? "no checked source carries this answer" : undefined,
    run.stopped === "limit" ? "the limit of model calls was reached" : undefined,
  ].filter((note) => note !== undefined);
  return {
    answer: withoutInvented(parsed.answer, dropped.map(({ entry_id }) => entry_id), entries),
    sources,
    ...toEvidence(confidence, dropped.length),
    ...(notes.length > 0 ? { note: notes.join("; ") } : {}),
    mode: "llm",
    model: settings.model,
    stopped: run.stopped,
  };
}

async function extract(question: Question, tools: AskTools, note: string): Promise<Draft> {
  const ids = [...tools.scores].sort((a, b) => b[1] - a[1]).map(([id]) => id);
  const entries = await readShown(tools, ids);
  const newer = new Set([...entries.values()].map((entry) => entry.supersedes));
  const found = ids.flatMap((id) => {
    const entry = entries.get(id);
    if (entry === undefined) return [];
    return [{ entry, score: tools.scores.get(id) ?? 0, superseded: newer.has(id) }];
  });
  const { answer, sources } = extractAnswer(question.query, found);
  const used = sources.map(({ entry_id }) => entry_id);
  const confidence = judgeConfidence({
    question: question.query,
    answer: sources.map(({ quote }) => quote).join("\n"),
    sources: used.map((id) => scoredText(id, entries, tools)),
    dropped: 0,
    otherScore: bestOther(tools, used),
  });
  const level = confidence.level === "high" ? "medium" : confidence.level;
  return {
    answer,
    sources,
    ...toEvidence({ ...confidence, level }, 0),
    note,
    mode: "extractive",
  };
}

/** The rows of a first search over what can be seen: it saves the model a call. */
async function searchFirst(
  question: Question,
  tools: AskTools,
  trail: AskTrail,
): Promise<string> {
  const parts = visibleParts(question.scope);
  const texts: string[] = [];
  for (const scope of [parts.history ? "all" : "", parts.documents ? "docs" : ""].filter(Boolean)) {
    const input = { query: question.query, k: 6, scope };
    const { text, ids, data, failed } = await tools.call("search", input);
    trail.add({
      kind: "tool",
      tool: "search",
      arguments: JSON.stringify(input),
      ids,
      failed: failed ?? false,
    });
    if (failed) throw new CtxError("INTERNAL", `The first search failed: ${text}`);
    if (data !== undefined && ids.length > 0) texts.push(text);
  }
  return texts.join("\n");
}

/** The entries that were shown, from the stores that the tools see. */
async function readShown(tools: AskTools, ids: string[]): Promise<Map<string, Entry>> {
  const wanted = [...new Set(ids)].filter((id) => tools.shown.has(id));
  const entries = new Map<string, Entry>();
  if (wanted.length === 0) return entries;
  const stores = [await tools.context.openStore(), await tools.context.openUserStore()];
  for (const store of stores) {
    for (const [id, hit] of store?.find(wanted) ?? []) {
      if (hit.row && !hit.forgotten && !entries.has(id)) entries.set(id, hit.row.entry);
    }
  }
  return entries;
}

function scoredText(
  id: string,
  entries: Map<string, Entry>,
  tools: AskTools,
): { id: string; text: string; score?: number } {
  const entry = entries.get(id);
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
): Pick<Draft, "confidence" | "evidence"> {
  return { confidence: level, evidence: { ...parts, dropped_sources: dropped } };
}

/** Ids that were never read are taken out of the text too; ids of read entries stay. */
function withoutInvented(text: string, dropped: string[], entries: Map<string, Entry>): string {
  let clean = text;
  for (const id of dropped) {
    if (entries.has(id)) continue;
    clean = clean.replaceAll(`[${id}]`, "").replaceAll(id, "(unverified)");
  }
  return clean.replace(/[ \t]+([.,;])/g, "$1");
}

function capNote(cap: number): string {
  return `the daily cap of ${cap} tokens is used up: this answer is extracted (ctx cost shows the ledger)`;
}
