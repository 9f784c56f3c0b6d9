// Help for people, made from the command table. Pure: returns text, prints nothing.

import { type AnyCommand, groups } from "../../command/command.ts";
import { describeField, inputSchemaOf } from "../../command/parse_input.ts";
import type { FieldSchema, ObjectSchema } from "../../command/shape.ts";
import { toTable, type View } from "../../command/view.ts";
import { flagNames } from "./argv.ts";
import { globalFlags } from "./global_flags.ts";

/** `ctx --help`: every command by task. */
export function renderOverview(commands: AnyCommand[], view: View): string {
  const parts = [
    view.wrap("ctx: a durable memory for AI coding agents and people, in plain files."),
    view.wrap(`${view.bold("Usage")}  ctx COMMAND [ARGUMENTS] [--json] [--workspace DIR]`),
  ];
  for (const group of groups) {
    const rows = commands.filter((command) => command.group === group)
      .map((command) => ["  " + usageOf(command), command.summary]);
    if (rows.length > 0) parts.push(`${view.bold(group)}\n${toDefinitions(rows, view)}`);
  }
  parts.push(
    "ctx COMMAND --help shows flags and examples. A first tour:\n" +
      '  ctx start\n  ctx save "We rotate refresh tokens on every use"\n  ctx search "token rotation"',
  );
  return parts.join("\n\n") + "\n";
}

/** `ctx docs --help`: the commands whose names begin with a word. */
export function renderFamily(word: string, commands: AnyCommand[], view: View): string {
  const rows = commands.filter(({ name }) => name.startsWith(`${word} `))
    .map((command) => ["  " + usageOf(command), command.summary]);
  const more = `ctx ${word} WORD --help shows flags and examples.`;
  return `${view.bold(`ctx ${word}`)}\n${toDefinitions(rows, view)}\n\n${more}\n`;
}

/** `ctx COMMAND --help`. */
export function renderHelp(command: AnyCommand, view: View): string {
  const schema = inputSchemaOf(command);
  const parts = [
    view.wrap(`${view.bold(`ctx ${command.name}`)}: ${command.summary}`),
    `${view.bold("Usage")}  ctx ${usageOf(command)} [FLAGS]`,
  ];
  if (command.description) parts.push(view.wrap(command.description, { width: readable(view) }));
  const rows = flagRows(command, schema);
  parts.push(`${view.bold("Flags")}\n${toDefinitions(rows, view)}`);
  if (command.examples.length > 0) {
    const examples = command.examples.map((example) =>
      `${view.wrap(exampleLine(example), { first: "  ", indent: "      " })}\n${
        view.wrap(view.dim(example.about), { indent: "      " })
      }`
    );
    parts.push(`${view.bold("Examples")}\n${examples.join("\n")}`);
  }
  return parts.join("\n\n") + "\n";
}

/** Names on the left, what they mean wrapped on the right; below them where there is little room. */
function toDefinitions(rows: string[][], view: View): string {
  if (!view.terminal) return toTable(rows);
  const most = Math.max(...rows.map(([name]) => view.widthOf(name)));
  const left = Math.min(most, view.width < 80 ? 26 : 34) + 2;
  const indent = " ".repeat(left);
  return rows.map(([name, about]) => {
    const fits = view.widthOf(name) < left - 1;
    const first = fits ? name.padEnd(left) : indent;
    const text = view.wrap(about, { width: readable(view), indent, first });
    return fits ? text : `${name}\n${text}`;
  }).join("\n");
}

/** Sentences are not set wider than this. */
function readable(view: View): number {
  return Math.min(view.width, 110);
}

/** A command with its positional arguments: `get ID…`. */
export function usageOf(command: AnyCommand): string {
  const { properties, required = [] } = inputSchemaOf(command);
  const words = (command.positional ?? []).map((field) => {
    const name = field.toUpperCase().replace(/S$/, "") +
      (properties[field].type === "array" ? "…" : "");
    return required.includes(field) ? name : `[${name}]`;
  });
  return [command.name, ...words].join(" ");
}

/** An example as one would type it. */
export function exampleLine(example: { argv: string[]; input?: string }): string {
  const words = example.argv.map((word) => /^[\w./:@=,%+-]+$/.test(word) ? word : quote(word));
  const line = `ctx ${words.join(" ")}`;
  return example.input === undefined ? line : `printf ${quote(example.input)} | ${line}`;
}

/** The flags of a command: how they are written, and what they mean with default and bounds. */
export function flagRows(command: AnyCommand, schema: ObjectSchema): string[][] {
  const letters = new Map(
    Object.entries(command.short ?? {}).map(([letter, field]) => [field, letter]),
  );
  const positional: string[] = command.positional ?? [];
  const rows: string[][] = [];
  for (const [flag, field] of flagNames(command, Object.keys(schema.properties))) {
    const type = schema.properties[field];
    if (positional.includes(field)) continue;
    const letter = letters.has(field) ? `-${letters.get(field)}, ` : "    ";
    rows.push([`  ${letter}--${flag}${placeholder(type)}`, meaning(type)]);
  }
  if (command.list) rows.push(["      --format TEXT", formatMeaning(command.list)]);
  for (const [flag, about] of Object.entries(globalFlags)) {
    if (flag === "version" || (flag === "yes" && command.question === undefined)) continue;
    if (flag === "no-pager" && command.effect !== "read") continue;
    const letter = flag === "help" ? "-h, " : flag === "yes" ? "-y, " : "    ";
    rows.push([`  ${letter}--${flag}${values[flag] ?? ""}`, about]);
  }
  return rows;
}

/** What `--format` does, and what a pipe gets without it. */
export function formatMeaning({ columns }: { columns: readonly string[] }): string {
  const example = columns.slice(0, 2).map((name) => `{${name}}`).join("\\t");
  return `Each row by a template, as in '${example}'; without it a pipe gets ${
    columns.join(", ")
  }, with tabs between.`;
}

const values: Record<string, string> = { workspace: " DIR", color: " WHEN" };

function meaning(field: FieldSchema): string {
  const about = field.description ?? "";
  const notes: string[] = [];
  if (field.enum) notes.push(field.enum.join(", "));
  else if (field.minimum !== undefined || field.maximum !== undefined) {
    const range = describeField(field).replace(/^a (whole )?number(, | from )?/, "");
    if (range !== "0 or more") notes.push(range);
  }
  if (field.default !== undefined && field.default !== false && !Array.isArray(field.default)) {
    notes.push(`default ${field.default}`);
  }
  if (field.type === "array") notes.push("may be repeated");
  return notes.length > 0 ? `${about} (${notes.join("; ")})` : about;
}

function placeholder(field: FieldSchema): string {
  if (field.type === "boolean") return "";
  if (field.type === "integer" || field.type === "number") return " N";
  return field.enum ? " WORD" : " TEXT";
}

function quote(word: string): string {
  return `"${word.replace(/(["\\$`])/g, "\\$1").replaceAll("\n", "\\n")}"`;
}
