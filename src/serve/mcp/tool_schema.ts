// The JSON Schemas of a tool, as short as possible: agents pay for every word of a tool list on every
// turn. Pure.

import type { AnyCommand } from "../../command/command.ts";
import { takesConfirm } from "../../command/confirm.ts";
import type { FieldSchema } from "../../command/shape.ts";
import { inputSchemaOf, isBound } from "../../command/parse_input.ts";

/** The schema of an input or an output. */
export interface ToolSchema {
  type: "object";
  properties?: Record<string, FieldSchema>;
  required?: string[];
  additionalProperties?: boolean;
  [keyword: string]: unknown;
}

/** The input of a command: same fields, defaults and bounds as on the command line. */
export function toInputSchema(command: AnyCommand): ToolSchema {
  const { properties: all, required } = inputSchemaOf(command);
  const local: readonly string[] = command.localInputs ?? [];
  const properties = Object.fromEntries(
    Object.entries(all).filter(([name]) => !local.includes(name)),
  );
  return {
    type: "object",
    properties: { ...mapFields(properties), ...(takesConfirm(command) ? { confirm } : {}) },
    ...(required && required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

const confirm: FieldSchema = {
  type: "boolean",
  description: "Set to true once the user has agreed",
};

/** The output of a command: its lists and its id. Rows need no description. */
export function toOutputSchema(command: AnyCommand): ToolSchema {
  const told = Object.entries(command.output)
    .filter(([name, { schema }]) => name === "id" || isRowList(schema))
    .map(([name, { schema }]) => [name, { type: schema.type }]);
  return { type: "object", properties: Object.fromEntries(told) };
}

function mapFields(properties: Record<string, FieldSchema>): Record<string, FieldSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, toShortField(name, field)]),
  );
}

/** Leaves out the obvious: a default of 0 or false, a minimum of 0 or 1. */
function toShortField(name: string, field: FieldSchema): FieldSchema {
  const { type, description, default: initial, items } = field;
  const short: FieldSchema = {};
  if (type !== undefined) short.type = type;
  const told = description === undefined ? "" : toShortDescription(description, field);
  if (saysMore(told, name)) short.description = told;
  if (field.enum !== undefined) short.enum = field.enum;
  if (initial !== undefined && initial && !isEmptyList(initial)) short.default = initial;
  if (isBound(field.minimum) && field.minimum > 1) short.minimum = field.minimum;
  if (isBound(field.maximum)) short.maximum = field.maximum;
  if (items !== undefined) short.items = { type: items.type };
  return short;
}

/** The first clause: text in brackets and after a semicolon is only for the command's help. */
function toShortDescription(description: string, field: FieldSchema): string {
  const clause = description.replace(/\.$/, "").replace(/ \([^)]*\)/g, "").split(/[;:] /)[0];
  return field.enum?.includes(clause) ? "" : clause;
}

/** Whether a description says more than the field's name does. */
function saysMore(description: string, name: string): boolean {
  const filler = new Set(["only", "this", "the", "a", "an", "of", "short", name, `${name}s`]);
  const words = description.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.some((word) => !filler.has(word) && `${word}s` !== name);
}

function isRowList(field: FieldSchema): boolean {
  return field.type === "array" && field.items?.type === "object";
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
