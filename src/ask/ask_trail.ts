// What happened while a question was answered: counted for the result, kept as a trace. A trace
// holds ids, counts and times, never full text; it is redacted like everything that is written.

import { toCtxError } from "../core/errors.ts";
import { redactText } from "../core/redact/redact.ts";
import { findJson, isObject } from "../core/json.ts";
import { toLine } from "../core/text.ts";
import type { AgentStep } from "./agent.ts";
import { appendTrace, type TraceDraft } from "../store/logs/trace_log.ts";
import type { Answer } from "./answer.ts";
import type { Question } from "./question.ts";
import type { AskTools } from "./ask_tools.ts";
import type { Context } from "../command/command.ts";
import { makeKeptText, type QueryWords } from "../command/known_query.ts";
import { countOf, withCommas } from "../command/view.ts";

export class AskTrail {
  readonly #question: Question;
  readonly #context: Context;
  readonly #started: number;
  readonly #steps: AgentStep[] = [];
  readonly #lines: string[] = [];
  /** What the searches for it know of its words. */
  words: QueryWords = { unknown: [], isWhole: false, found: [] };

  constructor(question: Question, context: Context) {
    this.#question = question;
    this.#context = context;
    this.#started = context.now();
  }

  /** Records a step and reports it to `onStep`. */
  add(step: AgentStep): void {
    this.#steps.push(step);
    // Stored words are shown to people only: over MCP they stand behind a marker or nowhere.
    const isWatched = this.#context.surface !== "mcp";
    this.say(describeStep(step, isWatched && step.kind === "tool" ? step.preview : undefined));
  }

  /** Notes something that is no step. */
  say(line: string): void {
    this.#lines.push(line);
    this.#question.onStep?.(line);
  }

  async finish(
    answer: Omit<Answer, "usage" | "steps" | "trace_id">,
    tools: AskTools,
  ): Promise<Answer> {
    const usage = this.#usage();
    const { provider_error: error } = answer;
    const trace_id = await this.#write({
      ok: error === undefined,
      ...(error ? { error: { code: error.code, message: error.message } } : {}),
      ranking: [...tools.scores].sort((a, b) => b[1] - a[1]).slice(0, 20)
        .map(([id, score_final]) => ({ id, score_final })),
      sources: answer.sources.map(({ entry_id }) => entry_id),
      // The steps are made of these: forgetting one of them erases the steps too.
      shown: [...tools.shown],
      mode: answer.mode,
      model: answer.model,
      stopped: answer.stopped,
      confidence: answer.confidence,
      dropped_sources: answer.evidence.dropped_sources,
    });
    return { ...answer, usage, steps: this.#lines, ...(trace_id ? { trace_id } : {}) };
  }

  /** Keeps a trace of a failure. */
  async fail(error: unknown, shown: ReadonlySet<string>): Promise<void> {
    const { code, message } = toCtxError(error);
    await this.#write({ ok: false, ranking: [], shown: [...shown], error: { code, message } });
  }

  #usage(): Answer["usage"] {
    const calls = this.#steps.filter((step) => step.kind === "model");
    const sum = (pick: (step: typeof calls[number]) => number): number =>
      calls.reduce((total, step) => total + pick(step), 0);
    const input_tokens = sum((step) => step.usage.input_tokens);
    const output_tokens = sum((step) => step.usage.output_tokens);
    return {
      model_calls: calls.length,
      tool_calls: this.#steps.length - calls.length,
      input_tokens,
      output_tokens,
      total_tokens: input_tokens + output_tokens,
      estimated: calls.some((step) => step.usage.estimated),
    };
  }

  /** Ids, scores, counts and times beside what every trace has. */
  async #write(outcome: Outcome): Promise<string | undefined> {
    const { now, random, surface } = this.#context;
    const { query, scope, command } = this.#question;
    const store = await this.#context.openStore().catch(() => undefined);
    if (store === undefined) return undefined;
    const { revision, logs: { hot, archive } } = store.readState();
    const config = await this.#context.readConfig();
    const toKept = makeKeptText(store, this.words);
    const kept = toKept(query);
    const draft: TraceDraft & Record<string, unknown> = {
      command,
      args: { query: kept, ...scope },
      query: kept,
      inputs: { hot: hot.rows, archive: archive.rows },
      budgets: {
        iterations: config.get("llm.max_iterations"),
        tokens: config.get("llm.max_tokens"),
      },
      session: scope.session,
      surface,
      state_revision: revision,
      duration_ms: now() - this.#started,
      usage: this.#usage(),
      steps: this.#steps.map((step) => toTraceStep(step, toKept)),
      ...outcome,
    };
    const { files, layout } = store;
    return await appendTrace({ files, layout, now: () => now(), random: () => random() }, draft);
  }
}

type Outcome = Pick<TraceDraft, "ok" | "ranking" | "error"> & Record<string, unknown>;

function toTraceStep(step: AgentStep, toKept: (text: string) => string): object {
  if (step.kind === "model") return step;
  const { preview: _preview, ...told } = step;
  return {
    ...told,
    arguments: toLine(toKept(redactText(step.arguments).value), 300),
    ids: step.ids.slice(0, 20),
  };
}

/** A step in words; the arguments of a call too, not as the JSON that they are. */
function describeStep(step: AgentStep, preview?: string): string {
  if (step.kind === "model") {
    const { input_tokens, output_tokens } = step.usage;
    const next = step.tool_calls > 0 ? `asks for ${countOf(step.tool_calls, "call")}` : "answers";
    return `model: ${withCommas(input_tokens)} tokens in, ${
      withCommas(output_tokens)
    } out, ${next}`;
  }
  const result = step.failed ? "failed" : countOf(step.ids.length, "entry", "entries");
  const told = preview === undefined ? "" : `: ${preview}`;
  const words = toLine(toWords(findJson(step.arguments)), 120);
  return `${step.tool}${words === "" ? "" : ` ${words}`} → ${result}${told}`;
}

/** `"refresh tokens", k 6, scope docs` of what a tool is called with. */
function toWords(input: unknown): string {
  if (!isObject(input)) return "(arguments that are not JSON)";
  return Object.entries(input).map(([name, value]) => {
    if (name === "query") return `"${value}"`;
    const said = Array.isArray(value) ? value.map(toPlain).join(" ") : toPlain(value);
    return isSubject(name) ? said : `${name.replaceAll("_", " ")} ${said}`;
  }).join(", ");
}

function toPlain(value: unknown): string {
  return isObject(value) ? toWords(value) : String(value);
}

/** Whether the value says by itself what it is: ids and names of documents. */
function isSubject(name: string): boolean {
  return ["id", "ids", "session", "document", "section"].includes(name);
}
