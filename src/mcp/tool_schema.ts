// The JSON Schemas of a tool, as short as they can be and still say the same: agents pay for every
// word of a tool list on every turn. Pure.

import {
  type AnyCommand,
  type FieldSchema,
  inputSchemaOf,
  type ObjectSchema,
  outputSchemaOf,
} from "../commands/command.ts";

/** What is said of an input or an output. */
export interface ToolSchema {
  type: "object";
  properties?: Record<string, FieldSchema>;
  required?: string[];
  additionalProperties?: boolean;
  [keyword: string]: unknown;
}

/** The input of a command: same fields, defaults and bounds as on the command line. */
export function toInputSchema(command: AnyCommand): ToolSchema {
  const { properties, required } = inputSchemaOf(command);
  return {
    type: "object",
    properties: mapFields(properties),
    ...(required && required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** The result of a command: its top-level fields; rows are described by what is in them. */
export function toOutputSchema(command: AnyCommand): ToolSchema {
  const { properties }: ObjectSchema = outputSchemaOf(command);
  const types = Object.entries(properties).map(([name, field]) => [name, typeOf(field)]);
  return { type: "object", properties: Object.fromEntries(types) };
}

function mapFields(properties: Record<string, FieldSchema>): Record<string, FieldSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, toShortField(field)]),
  );
}

function toShortField(field: FieldSchema): FieldSchema {
  const { type, description, default: initial, items } = field;
  const short: FieldSchema = {};
  if (type !== undefined && field.enum === undefined) short.type = type;
  if (description !== undefined) short.description = description.replace(/\.$/, "");
  if (field.enum !== undefined) short.enum = field.enum;
  if (initial !== undefined && initial !== false && !isEmptyList(initial)) short.default = initial;
  if (isBound(field.minimum) && field.minimum !== 0) short.minimum = field.minimum;
  if (isBound(field.maximum)) short.maximum = field.maximum;
  if (items !== undefined) short.items = { type: items.type };
  return short;
}

/** A type or a union of types, without what is inside. */
function typeOf(field: FieldSchema): FieldSchema {
  if (field.type !== undefined) return { type: field.type === "integer" ? "number" : field.type };
  return {};
}

function isBound(value: number | undefined): value is number {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
