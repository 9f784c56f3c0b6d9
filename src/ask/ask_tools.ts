// The tools of the agent: commands of the table that only read, with their own schemas. What they
// return is fenced for the model and remembered, because only what was shown may be cited.

import { CtxError, toCtxError, toErrorBody } from "../core/errors.ts";
import { isObject } from "../core/json.ts";
import { pageOf, toLine } from "../core/text.ts";
import type { AgentTool, ToolOutcome } from "./agent.ts";
import { fence } from "./llm/model_fence.ts";
import { type AskScope, isLimited, limitContext, limitInput } from "./ask_scope.ts";
import type { AnyCommand, Context } from "../command/command.ts";
import { encode, execute } from "../command/execute.ts";
import type { QueryWords } from "../command/known_query.ts";
import { inputSchemaOf } from "../command/parse_input.ts";

/** The commands that help to find an answer. Those that do not only read are never offered. */
const toolCommands = [
  "search",
  "get",
  "timeline",
  "sessions",
  "scan",
  "read",
  "docs list",
  "docs outline",
  "docs section",
  "docs get",
] as const;

/** How much of one result the model gets, in characters. */
const maxResultChars = 24_000;

/** The tools of one question and what they have shown; dispose of them. */
export interface AskTools extends Disposable {
  tools: AgentTool[];
  /** Runs a tool for us, under the same limits. */
  call(name: string, input: Record<string, unknown>): Promise<ToolOutcome & { data?: object }>;
  /** The ids of the entries that were shown. */
  shown: Set<string>;
  /** The best score of each entry that a search returned. */
  scores: Map<string, number>;
  /** What the searches say of themselves: that they had to go by words. */
  notes: Set<string>;
  /** What the searches know of the words that were asked for. */
  words: QueryWords;
  /** The context that the tools run in. */
  context: Context;
}

/** Makes the tools for a question. */
export async function makeAskTools(
  context: Context,
  options: { scope: AskScope; mark: string; shown?: Set<string> },
): Promise<AskTools> {
  const limited = limitContext(context, options.scope);
  const { shown = new Set<string>() } = options;
  const scores = new Map<string, number>();
  const notes = new Set<string>();
  const searched: QueryWords[] = [];
  const found = await Promise.all(toolCommands.map((name) => context.findCommand(name)));
  const commands = found.filter((command) => command?.effect === "read") as AnyCommand[];
  const call = async (
    name: string,
    input: Record<string, unknown>,
  ): Promise<ToolOutcome & { data?: object }> => {
    const command = commands.find((item) => toToolName(item) === name);
    try {
      if (command === undefined) throw new CtxError("NOT_FOUND", `There is no tool "${name}"`);
      const result = await execute(
        command,
        limitInput(command.name, input, options.scope),
        limited,
      );
      const data = isLimited(options.scope) ? await withoutUnseen(result, limited) : result;
      const ids = collectIds(data, scores);
      collectNotes(result, notes);
      for (const id of ids) shown.add(id);
      const page = pageOf(encode(toBrief(data)), 0, maxResultChars);
      const known = command.trace?.(input, result)?.words;
      if (known !== undefined) searched.push(known);
      const text = page.truncated ? `${page.text} [cut: ask for less]` : page.text;
      return { text: fence(text, options.mark, name), ids, data, preview: previewOf(data) };
    } catch (thrown) {
      // Nothing is known of the words of a call that failed.
      searched.push({ unknown: [], isWhole: false, found: [] });
      limited.signal.throwIfAborted();
      const error = toErrorBody(toCtxError(thrown));
      return { text: encode({ error }), ids: [], failed: true, preview: error.message };
    }
  };
  const tools = commands.map((command): AgentTool => ({
    name: toToolName(command),
    description: command.description
      ? `${command.summary} ${command.description}`
      : command.summary,
    parameters: inputSchemaOf(command),
    run: (input) => call(toToolName(command), { ...(input as Record<string, unknown>) }),
  }));
  const close = (): void => limited[Symbol.dispose]();
  const words = wordsOf(searched);
  return { tools, call, shown, scores, notes, words, context: limited, [Symbol.dispose]: close };
}

/** What all searches so far know together. */
function wordsOf(searched: readonly QueryWords[]): QueryWords {
  return {
    get unknown() {
      return searched.flatMap(({ unknown }) => unknown);
    },
    get isWhole() {
      return searched.length > 0 && searched.every(({ isWhole }) => isWhole);
    },
    get found() {
      return searched.flatMap(({ found }) => found);
    },
  };
}

function toToolName(command: AnyCommand): string {
  return command.tool ?? command.name.replaceAll(" ", "_");
}

/**
 * The index reads the logs itself, so rows of a search are looked up once more in the limited
 * stores: the filters already hold there, and this makes it certain.
 */
async function withoutUnseen(data: object, limited: Context): Promise<object> {
  if (!("results" in data) || !Array.isArray(data.results)) return data;
  const rows: { id?: string; quotes?: { id: string }[] }[] = data.results;
  const ids = rows.flatMap(({ id, quotes = [] }) => [id ?? [], ...quotes.map((quote) => quote.id)])
    .flat();
  const seen = new Set<string>();
  for (const store of [await limited.openStore(), await limited.openUserStore()]) {
    for (const [id, hit] of store?.find(ids) ?? []) if (hit.row && !hit.forgotten) seen.add(id);
  }
  const results = rows.filter(({ id }) => !id || seen.has(id)).map((row) =>
    row.quotes ? { ...row, quotes: row.quotes.filter(({ id }) => seen.has(id)) } : row
  );
  return { ...data, results };
}

/** The ids of the rows in a result that carry text; ids in passing are not "shown". */
function collectIds(data: unknown, scores: Map<string, number>): string[] {
  const ids = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    if (!isObject(value)) return;
    const { id, score_final: score } = value;
    const says = [value.text, value.snippet, value.summary].some((part) =>
      typeof part === "string"
    );
    if (typeof id === "string" && says) {
      ids.add(id);
      if (typeof score === "number") scores.set(id, Math.max(score, scores.get(id) ?? 0));
    }
    Object.values(value).forEach(walk);
  };
  walk(data);
  return [...ids];
}

/** The notes of a search whose provider failed, or that was for other words. */
function collectNotes(data: object, notes: Set<string>): void {
  const retrieval: unknown = Reflect.get(data, "retrieval");
  if (!isObject(retrieval)) return;
  if (retrieval.provider_error === undefined && retrieval.corrected === undefined) return;
  for (const note of Array.isArray(retrieval.notes) ? retrieval.notes : []) notes.add(String(note));
}

/** The first words that a result tells of the store, in one short line; undefined when it tells none. */
function previewOf(data: unknown): string | undefined {
  if (Array.isArray(data)) {
    const told = data.slice(0, 3).map(previewOf).filter((text) => text !== undefined);
    return told.length === 0 ? undefined : toLine(told.join(" · "), maxPreviewChars);
  }
  if (!isObject(data)) return undefined;
  const { text, snippet, summary, title, section, document, name } = data;
  const wordsIn = (parts: unknown[]): string | undefined => {
    const own = parts.find((part) => typeof part === "string" && part !== "" && !isData(part));
    return typeof own === "string" ? toLine(own, maxPreviewChars) : undefined;
  };
  // Of a result its rows tell more than its name.
  return wordsIn([snippet, summary, text]) ??
    Object.values(data).map(previewOf).find((told) => told !== undefined) ??
    wordsIn([title, section, document, name]);
}

const maxPreviewChars = 160;

/** Whether a text is JSON or mark-up, also a part of it: nobody reads that as it passes. */
function isData(text: string): boolean {
  return /^[…\s]*[[{<]|"\s*:|\\[n"]/.test(text);
}

const silent: ReadonlySet<string> = new Set([
  "expand",
  "score_lex",
  "score_vec",
  "rank_source",
  "retrieval",
  "pool",
  "estimated_tokens",
]);

/** A result without what costs the model tokens and tells it nothing. */
function toBrief(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toBrief);
  if (!isObject(value)) return value;
  const told = Object.entries(value).filter(([name]) => !silent.has(name));
  return Object.fromEntries(told.map(([name, item]) => [name, toBrief(item)]));
}
