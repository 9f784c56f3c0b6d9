// The tables of docs/FORMAT.md, from the schemas of rows (src/formats): a line for each field, also for
// the fields of objects inside, and of several forms a table each.

import * as z from "zod/mini";
import { rowSchemas } from "../src/formats/row_schemas.ts";

type Name = keyof typeof rowSchemas;
type Json = z.core.JSONSchema.BaseSchema;

/** A part of the page: the schema, and the one whose fields are told elsewhere. */
const basisOf: Partial<Record<Name, Name>> = {
  tombstoneRow: "historyRow",
  confirmRow: "historyRow",
  verdictRow: "historyRow",
  recordRow: "historyRow",
  documentRow: "historyRow",
  chatRow: "historyRow",
};

/** The tables of every format, by its name. */
export function formatTables(): [name: string, table: string][] {
  const names = Object.keys(rowSchemas) as Name[];
  return names.map((name) => [name, tableOf(name)]);
}

function tableOf(name: Name): string {
  const schema = z.toJSONSchema(rowSchemas[name]);
  const basis = basisOf[name];
  const known = basis && linesOf(z.toJSONSchema(rowSchemas[basis]));
  const forms = schema.oneOf ?? schema.anyOf ?? [schema];
  return forms.map((form) => {
    const lines = linesOf(toJson(form)).filter((line) => !known?.includes(line));
    return `| field | type | present | meaning |\n|---|---|---|---|\n${lines.join("\n")}\n`;
  }).join("\n");
}

/**
 * A line for each field: `trigger.type` for one of an object, `items[].type` for one of each in a list.
 * Objects of one form are told once.
 */
function linesOf(schema: Json, above = "", told = new Map<string, string>()): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const field = toJson(value);
    const [inner, path] = field.type === "array"
      ? [toJson(field.items), `${above}${name}[]`]
      : [field, `${above}${name}`];
    const form = JSON.stringify(inner.properties);
    const first = form && told.get(form);
    if (form && !first) told.set(form, path);
    const words = [
      `\`${above}${name}\``,
      first ? `as \`${first}\`` : typeOf(field),
      schema.required?.includes(name) ? "always" : "",
      field.description ?? "",
    ];
    return [`| ${words.join(" | ")} |`, ...(first ? [] : linesOf(inner, `${path}.`, told))];
  });
}

function typeOf(schema: Json): string {
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(", ");
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.anyOf) {
    return [...new Set(schema.anyOf.map((one) => typeOf(toJson(one))))].join(" or ");
  }
  if (schema.type === "array") return `${typeOf(toJson(schema.items))}[]`;
  if (schema.format === "date-time") return "time";
  return [schema.type ?? "any"].flat().join(" or ");
}

/** A schema inside of another; it may also be a boolean, which says nothing of fields. */
function toJson(schema: z.core.JSONSchema._JSONSchema | Json["items"]): Json {
  return typeof schema === "object" && !Array.isArray(schema) ? schema : {};
}
