// Checks what a command is given against its parameters, the same on every surface.

import { CtxError } from "../core/errors.ts";
import { isObject } from "../core/json.ts";
import { findNearest } from "../core/text.ts";
import type { FieldSchema, InputOf, Params } from "./param.ts";

/** What has inputs: a command or a process. */
export interface TakesInput<P extends Params = Params> {
  name: string;
  input: P;
}

/** The JSON Schema of an input. */
export interface ObjectSchema {
  type: "object";
  properties: Record<string, FieldSchema>;
  required?: string[];
  [keyword: string]: unknown;
}

/** The input with its defaults; throws a USAGE error that names the field and what it takes. */
export function parseInput<P extends Params>(
  { name, input: params }: TakesInput<P>,
  given: unknown,
): InputOf<P> {
  const fail = (message: string): CtxError =>
    new CtxError("USAGE", `Cannot run ${name}: ${message}`, { hint: `ctx ${name} --help` });
  if (!isObject(given)) throw fail(`"input" must be an object, not ${show(given)}`);
  const parsed: Record<string, unknown> = {};
  for (const [field, { schema, required }] of Object.entries(params)) {
    const value = Object.hasOwn(given, field) ? given[field] : undefined;
    if (value !== undefined) {
      if (!accepts(schema, value)) {
        throw fail(`"${field}" must be ${describeField(schema)}, not ${show(value)}`);
      }
      parsed[field] = value;
    } else if (required) throw fail(`"${field}" is missing`);
    else if (schema.default !== undefined) parsed[field] = structuredCopy(schema.default);
  }
  const unknown = Object.keys(given).find((field) => !Object.hasOwn(params, field));
  if (unknown !== undefined) {
    const near = findNearest(unknown, Object.keys(params));
    throw fail(`unknown option "${unknown}"${near ? ` (did you mean "${near}"?)` : ""}`);
  }
  return parsed as InputOf<P>;
}

/** A word as its field takes it: numbers where they are ones; of the rest the schema says no. */
export function parseWord(word: string, field: FieldSchema | undefined): unknown {
  if (field?.type !== "integer" && field?.type !== "number") return word;
  const form = field.type === "integer" ? plainNumber : anyNumber;
  return form.test(word) ? Number(word) : word;
}

const plainNumber = /^[+-]?(\d+\.?\d*|\.\d+)$/;
const anyNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The JSON Schema of an input, for help, completions, documentation and MCP. */
export function inputSchemaOf({ input }: { input: Params }): ObjectSchema {
  const fields = Object.entries(input);
  const required = fields.filter(([, param]) => param.required).map(([name]) => name);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: Object.fromEntries(fields.map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
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

function accepts(schema: FieldSchema, value: unknown): boolean {
  switch (schema.type) {
    case "string":
      return typeof value === "string" && value.length >= (schema.minLength ?? 0) &&
        (schema.enum === undefined || schema.enum.includes(value)) &&
        (schema.pattern === undefined || new RegExp(schema.pattern).test(value));
    case "integer":
      return Number.isSafeInteger(value) && isWithin(schema, value as number);
    case "number":
      return Number.isFinite(value) && isWithin(schema, value as number);
    case "boolean":
      return typeof value === "boolean";
    case "array":
      return Array.isArray(value) && value.length >= (schema.minItems ?? 0) &&
        value.every((item) => accepts(schema.items ?? {}, item));
    default:
      return false;
  }
}

function isWithin(
  { minimum = -Infinity, maximum = Infinity }: FieldSchema,
  value: number,
): boolean {
  return value >= minimum && value <= maximum;
}

function isBound(value: number | undefined): value is number {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

/** A default is given anew each time, so that a command may change what it got. */
function structuredCopy(value: unknown): unknown {
  return Array.isArray(value) ? [...value] : value;
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 80) ?? String(value);
}
