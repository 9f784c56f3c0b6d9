// The command table's three verbs: `define` a command once, `execute` it from any surface, `encode`
// its result. `execute` is the only caller of `run`; surfaces hold no logic, defaults or schema.

import type * as z from "zod/mini";
import { CtxError, type ErrorCode } from "../core/errors.ts";
import type { Context } from "./context.ts";
import type { InputOf, Params } from "./param.ts";
import { parseInput } from "./parse_input.ts";
import { type TraceFacts, writeTrace } from "./write_trace.ts";
import type { View } from "./view.ts";

/**
 * What describes a result, handed to commands that must start fast: they load no schema library.
 * The others import it as they need it.
 */
export type Zod = Pick<
  typeof z,
  | "array"
  | "boolean"
  | "enum"
  | "literal"
  | "looseObject"
  | "nullable"
  | "number"
  | "object"
  | "optional"
  | "string"
>;

/** What running a command can do: gives MCP annotations, HTTP methods and what --read-only hides. */
export type Effect = "read" | "write" | "destroy";

/** The headings of `ctx --help`. */
export const groups = [
  "Memory",
  "Retrieval",
  "Sessions",
  "Proactive",
  "Documents",
  "Agent",
  "Lifecycle",
  "Serving",
  "Setup",
] as const;
/** One of `groups`. */
export type Group = typeof groups[number];

/** A true call: `argv` after `ctx`, and what it shows. Every example is run by a test. */
export interface Example {
  argv: string[];
  about: string;
  /** Given to the command on standard input. */
  input?: string;
  /** Calls that must come before it. */
  after?: string[][];
}

/** One command, for every surface. */
export interface Command<
  I extends Params = Params,
  O extends z.ZodMiniObject = z.ZodMiniObject,
> {
  name: string;
  aliases?: string[];
  group: Group;
  summary: string;
  /** A paragraph for `--help` and the documentation. */
  description?: string;
  /** What it takes; anything else fails everywhere. */
  input: I;
  /** The shape of the result. Made only when somebody asks: no command needs it to run. */
  output(z: Zod): O;
  /** Input fields that stand without a flag, in order; the last may take several words. */
  positional?: (keyof InputOf<I> & string)[];
  /** One-letter flags. */
  short?: Record<string, keyof InputOf<I> & string>;
  /** Flag names that differ from the field, such as `tag` for `tags`. */
  flags?: Partial<Record<keyof InputOf<I> & string, string>>;
  effect: Effect;
  /** The name as an MCP tool, where it has one. */
  tool?: string;
  /** Ends within moments and leaves nothing behind: the system may stop it as it stops any program. */
  quick?: boolean;
  /** Only on the command line: it touches what lies outside the workspace. */
  local?: boolean;
  /** Reads beside the store's rows, where other sessions are: not for a caller who is held to one. */
  unscoped?: boolean;
  /** What a person at a terminal is asked first; what destroys asks by itself. */
  question?(input: Partial<InputOf<I>>): string | undefined;
  examples: Example[];
  run(input: InputOf<I>, context: Context): Promise<z.output<O>>;
  /** The result for people; never parsed. */
  render(data: z.output<O>, view: View): string;
  /** What a person should know beside the result; goes to standard error. */
  note?(data: z.output<O>, view: View): string | undefined;
  /** What its trace keeps of a call; a command without this writes none. No result: it failed. */
  trace?(input: InputOf<I>, data?: z.output<O>): TraceFacts;
  /** The code that a result amounts to when it is bad news: the result is shown, the exit says so. */
  failure?(data: z.output<O>): ErrorCode | undefined;
}

/** Any command, where its types do not matter. */
export type AnyCommand = Command<Params, z.ZodMiniObject>;

/** Declares a command; checks its types. */
export function define<const I extends Params, O extends z.ZodMiniObject>(
  command: Command<I, O>,
): Command<I, O> {
  return command;
}

/** Validates the input and runs the command. */
export async function execute<I extends Params, O extends z.ZodMiniObject>(
  command: Command<I, O>,
  input: unknown,
  context: Context,
): Promise<z.output<O>> {
  const parsed = parseInput(command, input);
  if (command.unscoped && context.pinnedSession !== undefined) {
    throw new CtxError("DENIED", `Cannot run ${command.name}: this view is of one session`, {
      hint: "use a server or command line without the scope",
    });
  }
  context.signal.throwIfAborted();
  const ticks = context.ticks ?? (() => performance.now());
  const startMs = ticks();
  const finish = async (data?: z.output<O>, error?: unknown): Promise<void> => {
    const durationMs = ticks() - startMs;
    const facts = command.trace?.(parsed, data);
    if (facts) await writeTrace(context, { command: command.name, facts, durationMs, error });
  };
  try {
    const data = await command.run(parsed, context);
    await finish(data);
    if (command.effect !== "read") {
      const { followWrite } = await import("./follow_write.ts");
      await followWrite(context, command.name);
    }
    return data;
  } catch (error) {
    await finish(undefined, error);
    throw error;
  }
}

/** The result as one line of JSON; control characters that JSON allows are escaped too. */
export function encode(data: unknown): string {
  return JSON.stringify(data).replace(
    /[\x7f-\x9f\u2028\u2029]/g,
    (character) => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}
