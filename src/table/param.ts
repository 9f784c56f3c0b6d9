// The kinds of input a command takes. A parameter is plain data, its JSON Schema: help, completions,
// documentation and MCP show it, `parse_input.ts` checks by it. No schema library is loaded for
// that, because it would cost a start more than the answer does.

/** The part of JSON Schema that inputs use. */
export interface FieldSchema {
  default?: unknown;
  type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
  description?: string;
  enum?: string[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  minItems?: number;
  items?: FieldSchema;
  [keyword: string]: unknown;
}

/** One input: what it takes, and whether it must be given. `T` is what a command gets. */
export interface Param<T = unknown> {
  readonly schema: FieldSchema;
  readonly required: boolean;
  /** Never set; carries the type. */
  readonly gives?: () => T;
}

/** The inputs of a command, by name. */
export type Params = Readonly<Record<string, Param>>;

/** What a command with these inputs gets. */
export type InputOf<P extends Params> = {
  [K in keyof P]: P[K] extends Param<infer T> ? T : never;
};

/** A required text. */
export function text(about: string, minLength = 0): Param<string> {
  const bound = minLength > 0 ? { minLength } : {};
  return { required: true, schema: { type: "string", ...bound, description: about } };
}

/** A required text of a certain form. */
export function textLike(about: string, pattern: RegExp): Param<string> {
  return {
    required: true,
    schema: { type: "string", pattern: pattern.source, description: about },
  };
}

/** A text that may be left out. */
export function optionalText(about: string): Param<string | undefined> {
  return optional(text(about, 1));
}

/** A switch, off unless it is given. */
export function flag(about: string): Param<boolean> {
  return { required: false, schema: { default: false, type: "boolean", description: about } };
}

/** A switch, on unless it is turned off with `--no-…`. */
export function enabled(about: string): Param<boolean> {
  return { required: false, schema: { default: true, type: "boolean", description: about } };
}

/** A whole number with bounds and a default. */
export function integer(
  about: string,
  bounds: { min: number; max?: number; default: number },
): Param<number> {
  return withDefault(boundedInteger(about, bounds), bounds.default);
}

/** A whole number with bounds that may be left out. */
export function optionalInteger(
  about: string,
  bounds: { min: number; max?: number },
): Param<number | undefined> {
  return optional(boundedInteger(about, bounds));
}

/** A number with bounds that may be left out. */
export function optionalNumber(
  about: string,
  bounds: { min: number; max: number },
): Param<number | undefined> {
  const { min: minimum, max: maximum } = bounds;
  return { required: false, schema: { type: "number", minimum, maximum, description: about } };
}

/** One of a few words. */
export function oneOf<const T extends readonly string[]>(
  about: string,
  values: T,
): Param<T[number]> {
  return { required: true, schema: { type: "string", enum: [...values], description: about } };
}

/** One of a few words, with a default. */
export function choice<const T extends readonly string[]>(
  about: string,
  values: T,
  initial: T[number],
): Param<T[number]> {
  return withDefault(oneOf(about, values), initial);
}

/** A list of texts, empty unless given. */
export function list(about: string): Param<string[]> {
  const { schema } = someOf(about);
  const { minItems: _least, ...any } = schema;
  return { required: false, schema: { default: [], ...any } };
}

/** A list of texts that must have at least one. */
export function someOf(about: string): Param<string[]> {
  const items: FieldSchema = { type: "string", minLength: 1 };
  return { required: true, schema: { minItems: 1, type: "array", items, description: about } };
}

/** The same input with a value for when it is left out. */
export function withDefault<T>(param: Param<T>, initial: T): Param<T> {
  return { required: false, schema: { default: initial, ...param.schema } };
}

/** The same input, which may be left out. */
export function optional<T>(param: Param<T>): Param<T | undefined> {
  return { required: false, schema: param.schema };
}

function boundedInteger(about: string, bounds: { min: number; max?: number }): Param<number> {
  const { min: minimum, max: maximum = Number.MAX_SAFE_INTEGER } = bounds;
  return { required: true, schema: { type: "integer", minimum, maximum, description: about } };
}
