// Checks what a command is given against its parameters, the same on every surface.

import { CtxError } from "../core/errors.ts";
import { isObject } from "../core/json.ts";
import { guessAt } from "../core/text.ts";
import {
  type FieldSchema,
  type ObjectOf,
  type ObjectSchema,
  objectSchemaOf,
  type Shapes,
} from "./shape.ts";

/** What has inputs: a command or a process. */
export interface TakesInput<S extends Shapes = Shapes> {
  name: string;
  input: S;
}

/** The input with its defaults; throws a USAGE error that names the field and what it takes. */
export function parseInput<S extends Shapes>(
  { name, input }: TakesInput<S>,
  given: unknown,
): ObjectOf<S> {
  return parseFields(
    input,
    given,
    (message) =>
      new CtxError("USAGE", `Cannot run ${name}: ${message}`, { hint: `ctx ${name} --help` }),
  );
}

/** An object with its defaults; throws what `fail` makes of the first thing that is wrong. */
export function parseFields<S extends Shapes>(
  shapes: S,
  given: unknown,
  fail: (message: string) => CtxError,
): ObjectOf<S> {
  if (!isObject(given)) throw fail(`"input" must be an object, not ${show(given)}`);
  const parsed: Record<string, unknown> = {};
  for (const [field, { schema, required }] of Object.entries(shapes)) {
    const value = Object.hasOwn(given, field) ? given[field] : undefined;
    if (value !== undefined) {
      const meant = accepts(schema, value) ? value : whatIsMeant(schema, value);
      if (!accepts(schema, meant)) {
        const guess = schema.enum && typeof value === "string" ? guessAt(value, schema.enum) : "";
        throw fail(`"${field}" must be ${describeField(schema)}, not ${show(value)}${guess}`);
      }
      parsed[field] = meant;
    } else if (required) throw fail(`"${field}" is missing`);
    else if (schema.default !== undefined) parsed[field] = structuredCopy(schema.default);
  }
  const unknown = Object.keys(given).find((field) => !Object.hasOwn(shapes, field));
  if (unknown !== undefined) {
    throw fail(`unknown option "${unknown}"${guessAt(unknown, Object.keys(shapes))}`);
  }
  return parsed as ObjectOf<S>;
}

/** A word as its field takes it: numbers where they are ones; of the rest the schema says no. */
export function parseWord(word: string, field: FieldSchema | undefined): unknown {
  if (field?.type !== "integer" && field?.type !== "number") return word;
  const form = field.type === "integer" ? plainNumber : anyNumber;
  return form.test(word) ? Number(word) : word;
}

/** What a model wrote as text and can only mean one thing: "5", "true", one id where a list goes. */
function whatIsMeant(schema: FieldSchema, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (schema.type === "boolean") return value === "true" || (value === "false" ? false : value);
  if (schema.type !== "array") return parseWord(value, schema);
  return parseList(value) ?? [value];
}

/** A list that was written as its JSON. */
function parseList(text: string): unknown[] | undefined {
  if (!text.startsWith("[")) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

const plainNumber = /^[+-]?(\d+\.?\d*|\.\d+)$/;
const anyNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The JSON Schema of an input, for help, completions, documentation and MCP. */
export function inputSchemaOf({ input }: { input: Shapes }): ObjectSchema {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...objectSchemaOf(input) };
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
  if (field.minLength) return "a text that is not empty";
  return field.pattern === undefined ? "a text" : `a text like ${field.pattern}`;
}

export function accepts(schema: FieldSchema, value: unknown): boolean {
  if (schema.anyOf) return schema.anyOf.some((one) => accepts(one, value));
  if (Array.isArray(schema.type)) return schema.type.some((type) => accepts({ type }, value));
  switch (schema.type) {
    case "string":
      return typeof value === "string" && value.length >= (schema.minLength ?? 0) &&
        (schema.enum === undefined || schema.enum.includes(value)) &&
        (schema.pattern === undefined || new RegExp(schema.pattern).test(value));
    case "integer":
      return Number.isSafeInteger(value) && isWithin(schema, value);
    case "number":
      return Number.isFinite(value) && isWithin(schema, value);
    case "boolean":
      return typeof value === "boolean";
    case "array":
      return Array.isArray(value) && value.length >= (schema.minItems ?? 0) &&
        value.every((item) => accepts(schema.items ?? {}, item));
    case "object":
      return isObject(value) && acceptsFields(schema, value);
    case "null":
      return value === null;
    default:
      return true;
  }
}

function acceptsFields(schema: FieldSchema, given: Record<string, unknown>): boolean {
  const { properties = {}, required = [], additionalProperties: others = {} } = schema;
  return required.every((name) => Object.hasOwn(given, name)) &&
    Object.entries(given).every(([name, value]) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : others;
      return field !== false && accepts(field, value);
    });
}

function isWithin(
  { minimum = -Infinity, maximum = Infinity }: FieldSchema,
  value: unknown,
): boolean {
  return typeof value === "number" && value >= minimum && value <= maximum;
}

/** Whether a limit was set: integers without one are given the safe range. */
export function isBound(value: number | undefined): value is number {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

/** A default is given anew each time, so that a command may change what it got. */
function structuredCopy(value: unknown): unknown {
  return Array.isArray(value) ? [...value] : value;
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 80) ?? String(value);
}
