// The command table's three verbs: `define` a command once, `execute` it from any surface, `encode`
// its result. `execute` is the only caller of `run`; surfaces hold no logic, defaults or schema.

import * as z from "zod/mini";
import { CtxError, type ErrorCode } from "../core/errors.ts";
import { findNearest } from "../core/text.ts";
import type { Context } from "./context.ts";
import { followWrite } from "./follow_write.ts";
import { type TraceFacts, writeTrace } from "./write_trace.ts";
import type { View } from "./view.ts";

z.config({ jitless: true });

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
  I extends z.ZodMiniObject = z.ZodMiniObject,
  O extends z.ZodMiniObject = z.ZodMiniObject,
> {
  name: string;
  aliases?: string[];
  group: Group;
  summary: string;
  /** A paragraph for `--help` and the documentation. */
  description?: string;
  /** A strict object: unknown keys fail everywhere. */
  input: I;
  /** The shape of the result. */
  output: O;
  /** Input fields that stand without a flag, in order; the last may take several words. */
  positional?: (keyof z.output<I> & string)[];
  /** One-letter flags. */
  short?: Record<string, keyof z.output<I> & string>;
  /** Flag names that differ from the field, such as `tag` for `tags`. */
  flags?: Partial<Record<keyof z.output<I> & string, string>>;
  effect: Effect;
  /** The name as an MCP tool, where it has one. */
  tool?: string;
  /** Only on the command line: it touches what lies outside the workspace. */
  local?: boolean;
  examples: Example[];
  run(input: z.output<I>, context: Context): Promise<z.output<O>>;
  /** The result for people; never parsed. */
  render(data: z.output<O>, view: View): string;
  /** What a person should know beside the result; goes to standard error. */
  note?(data: z.output<O>, view: View): string | undefined;
  /** What its trace keeps of a call; a command without this writes none. No result: it failed. */
  trace?(input: z.output<I>, data?: z.output<O>): TraceFacts;
  /** The code that a result amounts to when it is bad news: the result is shown, the exit says so. */
  failure?(data: z.output<O>): ErrorCode | undefined;
}

/** Any command, where its types do not matter. */
export type AnyCommand = Command<z.ZodMiniObject, z.ZodMiniObject>;

/** Declares a command; checks its types. */
export function define<I extends z.ZodMiniObject, O extends z.ZodMiniObject>(
  command: Command<I, O>,
): Command<I, O> {
  return command;
}

/** Validates the input and runs the command. */
export async function execute<O extends z.ZodMiniObject>(
  command: Command<z.ZodMiniObject, O>,
  input: unknown,
  context: Context,
): Promise<z.output<O>> {
  const parsed = z.safeParse(command.input, input);
  if (!parsed.success) throw toUsageError(command, parsed.error.issues, input);
  context.signal.throwIfAborted();
  const ticks = context.ticks ?? (() => performance.now());
  const startMs = ticks();
  const finish = async (data?: z.output<O>, error?: unknown): Promise<void> => {
    const durationMs = ticks() - startMs;
    const facts = command.trace?.(parsed.data, data);
    if (facts) await writeTrace(context, { command: command.name, facts, durationMs, error });
  };
  try {
    const data = await command.run(parsed.data, context);
    await finish(data);
    if (command.effect !== "read") await followWrite(context, command.name);
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

/** The JSON Schema of a command's input, for flags, help, documentation and MCP. */
export function inputSchemaOf(command: AnyCommand): ObjectSchema {
  return z.toJSONSchema(command.input, { io: "input" }) as ObjectSchema;
}

/** What an input field takes, as far as reading a command line needs to know. */
export interface InputField {
  kind: "text" | "number" | "boolean";
  many: boolean;
}

/** The input fields by name: read off the schema itself, because a JSON Schema costs 5 ms to make. */
export function inputFieldsOf(command: AnyCommand): Map<string, InputField> {
  const shape: Record<string, z.core.$ZodType> = command.input._zod.def.shape;
  return new Map(Object.entries(shape).map(([name, schema]) => [name, toInputField(schema)]));
}

function toInputField(schema: z.core.$ZodType): InputField {
  const def = (schema as z.core.$ZodTypes)._zod.def;
  switch (def.type) {
    case "default":
    case "optional":
    case "nullable":
      return toInputField(def.innerType);
    case "array":
      return { ...toInputField(def.element), many: true };
    case "number":
      return { kind: "number", many: false };
    case "boolean":
      return { kind: "boolean", many: false };
    default:
      return { kind: "text", many: false };
  }
}

/** The JSON Schema of a command's result. */
export function outputSchemaOf(command: AnyCommand): ObjectSchema {
  return z.toJSONSchema(command.output, { io: "output" }) as ObjectSchema;
}

/** The part of JSON Schema that command inputs use. */
export interface ObjectSchema {
  type: "object";
  properties: Record<string, FieldSchema>;
  required?: string[];
  [keyword: string]: unknown;
}

/** The schema of one input field. */
export interface FieldSchema {
  type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
  description?: string;
  default?: unknown;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  items?: FieldSchema;
  [keyword: string]: unknown;
}

function toUsageError(
  command: AnyCommand,
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
): CtxError {
  const issue = issues[0];
  const hint = `ctx ${command.name} --help`;
  const { properties } = inputSchemaOf(command);
  if (issue.code === "unrecognized_keys") {
    const near = findNearest(issue.keys[0], Object.keys(properties));
    const guess = near ? ` (did you mean "${near}"?)` : "";
    const message = `Cannot run ${command.name}: unknown option "${issue.keys[0]}"${guess}`;
    return new CtxError("USAGE", message, { hint });
  }
  const field = String(issue.path[0] ?? "input");
  const schema = properties[field];
  const given = isObject(input) ? input[field] : input;
  if (given === undefined) {
    return new CtxError("USAGE", `Cannot run ${command.name}: "${field}" is missing`, { hint });
  }
  const wanted = schema ? `must be ${describeField(schema)}` : issue.message;
  const shown = JSON.stringify(given)?.slice(0, 80);
  const message = `Cannot run ${command.name}: "${field}" ${wanted}, not ${shown}`;
  return new CtxError("USAGE", message, { hint });
}

/** What a field accepts, in words. */
export function describeField(field: FieldSchema): string {
  if (field.enum) return `one of ${field.enum.join(", ")}`;
  if (field.type === "array") return `a list of ${describeField(field.items ?? {})}`;
  if (field.type === "integer" || field.type === "number") {
    const kind = field.type === "integer" ? "a whole number" : "a number";
    const min = isBound(field.minimum) ? field.minimum : undefined;
    const max = isBound(field.maximum) ? field.maximum : undefined;
    if (min !== undefined && max !== undefined) return `${kind} from ${min} to ${max}`;
    return min === undefined ? kind : `${kind}, ${min} or more`;
  }
  if (field.type === "boolean") return "true or false";
  if (typeof field.format === "string") return `a ${field.format}`;
  if (field.minLength) return "a text that is not empty";
  return typeof field.pattern === "string" ? `a text like ${field.pattern}` : "a text";
}

function isBound(value: number | undefined): value is number {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
