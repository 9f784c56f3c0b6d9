// One question in, one sourced answer out: searches first, lets the model read on where one is
// configured, and believes only what was really shown. `ask`, `chat` and `eval` share it.

import { CtxError, toErrorBody } from "../core/errors.ts";
import { type LlmSettings, openClient } from "./llm/client.ts";
import { tracePaths } from "../store/logs/trace_log.ts";
import type { Context } from "../command/command.ts";
import { type AgentStep, runAgent } from "./agent.ts";
import type { Answer } from "./answer.ts";
import { describeScope, visibleParts } from "./ask_scope.ts";
import { type AskTools, makeAskTools } from "./ask_tools.ts";
import { AskTrail } from "./ask_trail.ts";
import { type AnswerDraft, draftExtract, draftFromModel, draftOwn } from "./draft_answer.ts";
import { makeMark } from "./llm/model_fence.ts";
import {
  barredNote,
  findLack,
  findLlmSettings,
  isBarred,
  type Ledger,
  llmHint,
  openLedger,
} from "./llm_settings.ts";
import { toInstructions, toQuestion } from "./prompt.ts";
import type { Question } from "./question.ts";

export async function answerQuestion(question: Question, context: Context): Promise<Answer> {
  const settings = findLlmSettings(await context.readConfig(), question);
  const trail = new AskTrail(question, context);
  const shown = new Set<string>();
  try {
    const mark = makeMark(context.random());
    using tools = await makeAskTools(context, { scope: question.scope, mark, shown });
    trail.words = tools.words;
    const own = settings === undefined ? await draftOwn(question, tools) : undefined;
    const found = own === undefined
      ? await searchFirst(question, { tools, trail, k: settings ? 6 : 12 })
      : "";
    const draft = own ??
      (settings === undefined
        ? await draftExtract(question, tools, await noModelNote(question, context))
        : await askOrExtract(question, { settings, tools, trail, found, mark, context }));
    const note = [draft.note, ...tools.notes].filter((part) => part !== undefined).join("; ");
    return await trail.finish({ ...draft, ...(note === "" ? {} : { note }) }, tools);
  } catch (error) {
    await trail.fail(error, shown);
    throw error;
  } finally {
    for (const id of shown) question.shown?.add(id);
  }
}

interface Asking {
  settings: LlmSettings;
  tools: AskTools;
  trail: AskTrail;
  /** What the first search found. */
  found: string;
  mark: string;
  context: Context;
}

/** The model's answer; the passages answer when it is out of reach, over its cap, or fails. */
async function askOrExtract(question: Question, asking: Asking): Promise<AnswerDraft> {
  const { settings, tools, trail, context } = asking;
  if (isBarred(settings.provider)) return await draftExtract(question, tools, barredNote);
  const ledger = await openLedger(context);
  const cap = (await context.readConfig()).get("llm.daily_token_cap");
  const mayCall = (): boolean => cap === 0 || ledger.spentToday() < cap;
  if (!mayCall()) return await draftExtract(question, tools, capNote(cap));
  try {
    return await askModel(question, { ...asking, ledger, mayCall });
  } catch (error) {
    // A suite measures the model, and a chat may have shown half an answer already.
    if (question.command !== "ask" || !(error instanceof CtxError)) throw error;
    const { code, ...body } = toErrorBody(error);
    if (!isProviderCode(code)) throw error;
    trail.say(body.message);
    const draft = await draftExtract(question, tools, `${body.message}; answered without a model`);
    return { ...draft, provider_error: { code, ...body } };
  }
}

type ProviderError = NonNullable<Answer["provider_error"]>;

function isProviderCode(code: string): code is ProviderError["code"] {
  return code === "PROVIDER_FAILED" || code === "PROVIDER_TIMEOUT" || code === "PROVIDER_MISSING";
}

interface ModelAsking extends Asking {
  ledger: Ledger;
  mayCall: () => boolean;
}

async function askModel(question: Question, asking: ModelAsking): Promise<AnswerDraft> {
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
  return await draftFromModel(question, run, { tools, model: settings.model });
}

/** Every call is in the ledger before anything else happens. */
async function recordStep(step: AgentStep, question: Question, asking: ModelAsking): Promise<void> {
  asking.trail.add(step);
  if (step.kind === "model") await asking.ledger.add(question.command, asking.settings, step.usage);
}

/** The rows of a first search over what can be seen: it saves the model a call. */
async function searchFirst(
  question: Question,
  { tools, trail, k }: { tools: AskTools; trail: AskTrail; k: number },
): Promise<string> {
  const parts = visibleParts(question.scope);
  const texts: string[] = [];
  for (
    const scope of [parts.history ? "history" : "", parts.documents ? "docs" : ""].filter(Boolean)
  ) {
    const input = { query: question.query, k, scope };
    const { text, ids, data, failed = false, preview } = await tools.call("search", input);
    trail.add({
      kind: "tool",
      tool: "search",
      arguments: JSON.stringify(input),
      ids,
      failed,
      preview,
    });
    if (failed) throw new CtxError("INTERNAL", `Cannot answer: the first search failed: ${text}`);
    if (data !== undefined && ids.length > 0) texts.push(text);
  }
  return texts.join("\n");
}

/** What an answer without a model says of that: what is missing each time, how to get one once. */
async function noModelNote(question: Question, context: Context): Promise<string | undefined> {
  const lack = findLack(await context.readConfig(), question);
  return lack ?? (await wasAsked(context) ? undefined : llmHint);
}

/** Whether this store answered before: what is said of models then was said. */
async function wasAsked(context: Context): Promise<boolean> {
  const { files, layout } = await context.openStore();
  const decoder = new TextDecoder();
  return tracePaths(layout).some((path) => {
    const bytes = files.findBytes(path);
    return bytes !== undefined && /"command":"(?:ask|chat)"/.test(decoder.decode(bytes));
  });
}

function capNote(cap: number): string {
  return `the daily cap of ${cap} tokens is used up: this answer is quoted from memory, without a model (ctx stats --cost shows the usage)`;
}
