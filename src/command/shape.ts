// What commands take and give, in one language. A shape is plain data, its JSON Schema, and carries
// its type: help, completions, documentation and MCP show it, `parse_input.ts` checks by it. No
// schema library is loaded for that, because it would cost a start more than the answer does.

/** The part of JSON Schema that shapes use. */
export interface FieldSchema {
  default?: unknown;
  type?: TypeName | TypeName[];
  description?: string;
  enum?: string[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  minItems?: number;
  items?: FieldSchema;
  anyOf?: FieldSchema[];
  properties?: Record<string, FieldSchema>;
  required?: string[];
  additionalProperties?: false | FieldSchema;
  [keyword: string]: unknown;
}

type TypeName = "string" | "integer" | "number" | "boolean" | "array" | "object" | "null";

export interface ObjectSchema extends FieldSchema {
  type: "object";
  properties: Record<string, FieldSchema>;
}

/** One value: what it may be, and whether it must be there. `T` is its type. */
export interface Shape<T = unknown> {
  readonly schema: FieldSchema;
  readonly required: boolean;
  /** What its texts name, where they are ids: a beginning of one is made whole before a command runs. */
  readonly names?: Named;
  /** Never set; carries the type. */
  readonly gives?: () => T;
}

/** What a text names: the letter of such ids, and what else it may be. */
export type Named =
  | "H"
  | "H or text"
  | "H or S"
  | "S"
  | "S or title"
  | "S or new"
  | "S of any project"
  | "T"
  | "G"
  | "B";

export interface DefaultShape<T> extends Shape<T> {
  readonly required: false;
}

/** The fields of an object, by name: a command's input, or its output. */
export type Shapes = Readonly<Record<string, Shape>>;

/**
 * The type of what a shape describes.
 * @internal
 */
export type ValueOf<S extends Shape> = S extends Shape<infer T> ? T : never;

/**
 * The type of an object with these fields.
 * @internal
 */
export type ObjectOf<S extends Shapes> = Flat<
  & { -readonly [K in keyof S as undefined extends ValueOf<S[K]> ? never : K]: ValueOf<S[K]> }
  & { -readonly [K in keyof S as undefined extends ValueOf<S[K]> ? K : never]?: ValueOf<S[K]> }
>;

/** The type of an object from which what has a default may be left out. */
export type GivenOf<S extends Shapes> = Flat<
  & { [K in keyof S as MayLack<S[K]> extends true ? never : K]: ValueOf<S[K]> }
  & { [K in keyof S as MayLack<S[K]> extends true ? K : never]?: ValueOf<S[K]> }
>;
type MayLack<S extends Shape> = S extends DefaultShape<unknown> ? true
  : undefined extends ValueOf<S> ? true
  : false;
type Flat<T> = { [K in keyof T]: T[K] };

export function text(about?: string, minLength = 0): Shape<string> {
  return shape({ type: "string", ...(minLength > 0 ? { minLength } : {}) }, about);
}

/** A text of a certain form. */
export function textLike(about: string, pattern: RegExp): Shape<string> {
  return shape({ type: "string", pattern: pattern.source }, about);
}

/** A text that may be left out. */
export function optionalText(about: string): Shape<string | undefined> {
  return optional(text(about, 1));
}

/** Yes or no. */
export function boolean(about?: string): Shape<boolean> {
  return shape({ type: "boolean" }, about);
}

/** A switch, off unless it is given. */
export function flag(about: string): DefaultShape<boolean> {
  return withDefault(boolean(about), false);
}

/** A switch, on unless it is turned off with `--no-…`. */
export function enabled(about: string): DefaultShape<boolean> {
  return withDefault(boolean(about), true);
}

export function number(): Shape<number> {
  return shape({ type: "number" });
}

/** A number with bounds that may be left out. */
export function optionalNumber(
  about: string,
  { min: minimum, max: maximum }: { min: number; max: number },
): Shape<number | undefined> {
  return optional(shape({ type: "number", minimum, maximum }, about));
}

/** A whole number with bounds and a default. */
export function integer(
  about: string,
  bounds: { min: number; max?: number; default: number },
): DefaultShape<number> {
  return withDefault(boundedInteger(about, bounds), bounds.default);
}

/** A whole number with bounds that may be left out. */
export function optionalInteger(
  about: string,
  bounds: { min: number; max?: number },
): Shape<number | undefined> {
  return optional(boundedInteger(about, bounds));
}

/** One of a few words. */
export function oneOf<const T extends readonly string[]>(
  values: T,
  about?: string,
): Shape<T[number]> {
  return shape({ type: "string", enum: [...values] }, about);
}

/** One of a few words, with a default. */
export function choice<const T extends readonly string[]>(
  about: string,
  values: T,
  initial: T[number],
): DefaultShape<T[number]> {
  return withDefault(oneOf(values, about), initial);
}

/** A list of texts, empty unless given. */
export function list(about: string): DefaultShape<string[]> {
  return withDefault(shape({ type: "array", items: text("", 1).schema }, about), []);
}

/** A list of texts that must have at least one. */
export function someOf(about: string): Shape<string[]> {
  return shape({ minItems: 1, type: "array", items: text("", 1).schema }, about);
}

export function listOf<T>(item: Shape<T>): Shape<T[]> {
  return shape({ type: "array", items: item.schema });
}

/** An object with these fields and no others. */
export function object<S extends Shapes>(fields: S): Shape<ObjectOf<S>> {
  return shape(objectSchemaOf(fields));
}

export function openObject<S extends Shapes>(
  fields: S,
): Shape<ObjectOf<S> & { [name: string]: unknown }> {
  return shape({ ...objectSchemaOf(fields), additionalProperties: {} });
}

/** An object of a type that is declared elsewhere. */
export function objectLike<T extends object>(): Shape<T> {
  return shape({ type: "object", properties: {}, additionalProperties: {} });
}

/** An object whose names are not known before. */
export function recordOf<T>(value: Shape<T>): Shape<Record<string, T>> {
  return shape({ type: "object", additionalProperties: value.schema });
}

/** The same shape under several names. */
export function each<T, N extends string>(
  value: Shape<T>,
  ...names: N[]
): Record<N, Shape<T>> {
  return Object.fromEntries(names.map((name) => [name, value])) as Record<N, Shape<T>>;
}

/** What one of these describes. */
export function anyOf<S extends Shape[]>(...shapes: S): Shape<ValueOf<S[number]>> {
  const schemas = shapes.map(({ schema }) => schema);
  const isPlain = schemas.every((schema) => Object.keys(schema).join() === "type");
  return shape(isPlain ? { type: schemas.flatMap(({ type = [] }) => type) } : { anyOf: schemas });
}

/** The same value, or null. */
export function nullable<T>(value: Shape<T>): Shape<T | null> {
  return anyOf(value, shape<null>({ type: "null" }));
}

/** The same value, which may be left out. */
export function optional<T>({ schema }: Shape<T>): Shape<T | undefined> {
  return { required: false, schema };
}

/** The same value, with one for when it is left out. */
export function withDefault<T>({ schema }: Shape<T>, initial: T): DefaultShape<T> {
  return { required: false, schema: { default: initial, ...schema } };
}

/** The same texts, which are ids: people may give the beginning of one. */
export function naming<S extends Shape>(names: Named, shape: S): S {
  return { ...shape, names };
}

/** The JSON Schema of an object with these fields and no others. */
export function objectSchemaOf(fields: Shapes): ObjectSchema {
  const all = Object.entries(fields);
  const required = all.filter(([, field]) => field.required).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(all.map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function boundedInteger(about: string, bounds: { min: number; max?: number }): Shape<number> {
  const { min: minimum, max: maximum = Number.MAX_SAFE_INTEGER } = bounds;
  return shape({ type: "integer", minimum, maximum }, about);
}

function shape<T>(schema: FieldSchema, about?: string): Shape<T> {
  return { required: true, schema: about ? { ...schema, description: about } : schema };
}
