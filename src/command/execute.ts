// The way every surface calls a command: `execute` is the only caller of `run`, `encode` the only form
// of a result. Surfaces hold no logic, defaults or schema.

import { CtxError, toCtxError } from "../core/errors.ts";
import { isObject } from "../core/json.ts";
import type { Store } from "../store/store.ts";
import type { Command, Context, TraceFacts } from "./command.ts";
import type { QueryWords } from "./known_query.ts";
import { parseInput, type TakesInput } from "./parse_input.ts";
import type { ObjectOf, Shape, Shapes } from "./shape.ts";

/** Validates the input and runs the command. */
export async function execute<I extends Shapes, O extends Shapes>(
  command: Command<I, O>,
  input: unknown,
  context: Context,
): Promise<ObjectOf<O>> {
  let parsed = parseInput(command, await withOwnNames(command, input));
  if (command.unscoped && context.scopedSession !== undefined) {
    throw new CtxError("DENIED", `Cannot run ${command.name}: this view is scoped to one session`, {
      hint: "use a server or command line without the scope",
    });
  }
  context.signal.throwIfAborted();
  const ticks = context.ticks ?? (() => performance.now());
  let startMs = ticks();
  const finish = async (data?: ObjectOf<O>, error?: unknown): Promise<void> => {
    const durationMs = ticks() - startMs;
    const facts = command.trace?.(parsed, data);
    if (facts) await writeTrace(context, { command: command.name, facts, durationMs, error });
  };
  try {
    parsed = await withWholeIds(command, parsed, context);
  } catch (error) {
    await finish(undefined, error);
    throw error;
  }
  if (command.question !== undefined && context.consent !== true) {
    // After that: what is agreed to has whole ids, and a pipe of them is read once.
    const { propose } = await import("./propose.ts");
    parsed = await propose(command, parsed, context);
    startMs = ticks();
  }
  try {
    const data = await command.run(parsed, context);
    await finish(data);
    if (command.effect !== "read") {
      const { followWrite } = await import("./follow_write.ts");
      await followWrite(context, command.name, { isLeft: command.isLeft?.(data) });
    }
    return data;
  } catch (error) {
    await finish(undefined, error);
    throw error;
  }
}

/** Other names of inputs are known too; they are loaded when one is not ours, or is an object. */
async function withOwnNames(command: TakesInput, input: unknown): Promise<unknown> {
  const isOwn = (name: string): boolean => Object.hasOwn(command.input, name);
  if (!isObject(input)) return input;
  if (Object.keys(input).every((name) => isOwn(name) && !isObject(input[name]))) return input;
  return (await import("./aliases.ts")).toOwnNames(command, input);
}

/** The input with whole ids; what makes them whole is loaded where one is not. */
async function withWholeIds<I extends Shapes>(
  command: TakesInput<I>,
  parsed: ObjectOf<I>,
  context: Context,
): Promise<ObjectOf<I>> {
  const said = new Map<string, unknown>(Object.entries(parsed));
  const isWhole = ([field, { names }]: [string, Shape]): boolean => {
    const value = said.get(field) ?? "all";
    return names === undefined || value === "all" ||
      new RegExp(`^((all|own|current|${names[0]}-[0-9a-z]{17})(,|$))*$`).test(`${value}`);
  };
  if (Object.entries(command.input).every(isWhole)) return parsed;
  return await (await import("./whole_input.ts")).toWholeInput(command, parsed, context);
}

/** Appends the trace of a call, failed ones too; a store that is missing has none. */
async function writeTrace(
  context: Context,
  call: { command: string; facts: TraceFacts; durationMs: number; error?: unknown },
): Promise<void> {
  const store = await context.openStore().catch(() => undefined);
  if (store === undefined) return;
  const { appendTrace } = await import("../store/logs/trace_log.ts");
  const { words, ...facts } = call.facts;
  const { files, layout } = store;
  const failure = call.error === undefined ? undefined : toCtxError(call.error);
  const { now, seed } = context;
  const { revision, logs: { hot, archive } } = store.readState();
  await appendTrace({ files, layout, now: () => now(), random: () => seed() }, {
    command: call.command,
    ranking: [],
    ...facts,
    ...await toKept(store, facts, words),
    inputs: { hot: hot.rows, archive: archive.rows, ...facts.inputs },
    state_revision: revision,
    duration_ms: Math.round(call.durationMs * 100) / 100,
    ok: failure === undefined,
    ...(failure ? { error: { code: failure.code, message: failure.message } } : {}),
    surface: context.surface,
    ...(context.asker === undefined ? {} : { asker: context.asker }),
  });
}

/** The query as a trace may keep it; one of plain words that are all known is kept as it is. */
async function toKept(
  store: Store,
  { args, query }: TraceFacts,
  words: QueryWords | undefined,
): Promise<Pick<TraceFacts, "args" | "query">> {
  if (query === undefined || words === undefined) return { args };
  const isPlain = asciiWords.test(query) || plainWords.test(query);
  if (words.isWhole && words.unknown.length === 0 && isPlain) return { args };
  const { makeKeptText } = await import("./known_query.ts");
  const kept = makeKeptText(store, words)(query);
  return { args: { ...args, query: kept }, query: kept };
}

/** Words of letters: one with capitals inside is a name, which may be unknown while its parts are known. */
const plainWords = /^(?:(?:\p{Lu}?[\p{Ll}\p{Lm}\p{Lo}]+|\p{Lu}+)[.,;:?!]?(?:\s+|$))*$/u;
/** The same of most queries: the classes of Unicode take a millisecond where they are made. */
const asciiWords = /^(?:(?:[A-Z]?[a-z]+|[A-Z]+)[.,;:?!]?(?:\s+|$))*$/;

/** The result as one line of JSON; control characters that JSON allows are escaped too. */
export function encode(data: unknown): string {
  return JSON.stringify(data).replace(
    /[\x7f-\x9f\u2028\u2029]/g,
    (character) => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}
