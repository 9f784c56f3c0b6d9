// Help for people, made from the command table. Pure: returns text, prints nothing.

import type { AnyCommand } from "../../command/command.ts";
import { describeField, inputSchemaOf } from "../../command/parse_input.ts";
import type { FieldSchema } from "../../command/shape.ts";
import { toTable, type View } from "../../command/view.ts";
import {
  behindDoor,
  families,
  familyHints,
  otherNamesOf,
  shownAs,
  tasks,
  toTasks,
  usageOf,
} from "./doors.ts";
import { flagNames } from "./argv.ts";
import { globalFlags } from "./global_flags.ts";

export { formsOf } from "./doors.ts";

/** The commands of the first screen. */
export const firstNames: readonly string[] = Object.values(tasks).flatMap(({ first = [] }) =>
  first
);

/** `ctx --help`: one screen with what people use most. */
export function renderOverview(commands: readonly AnyCommand[], view: View): string {
  const parts = [
    view.wrap("ctx: a durable memory for AI coding agents and people, in plain files."),
    `${view.bold("Usage")}  ctx COMMAND [ARGUMENTS]`,
  ];
  const rowOf = (door: string): string[] => {
    const command = commands.find(({ name }) => name === door);
    return command ? toRow(command) : [`  ${door}`, families[door]];
  };
  for (const [title, { first }] of Object.entries(tasks)) {
    if (first) parts.push(`${view.bold(title)}\n${toDefinitions(first.map(rowOf), view)}`);
  }
  parts.push(
    toDefinitions([
      ["  ctx COMMAND --help", "Show a command's flags and examples."],
      ["  ctx help --all", "List all commands."],
    ], view),
  );
  return parts.join("\n\n") + "\n";
}

/** `ctx help --all`: every command by task. */
export function renderAll(commands: readonly AnyCommand[], view: View): string {
  const parts = toTasks(commands).map(({ title, doors }) => {
    const rows = doors.flatMap(({ members }) => members.map(toRow));
    return `${view.bold(title)}\n${toDefinitions(rows, view)}`;
  });
  return `${parts.join("\n\n")}\n\nctx COMMAND --help shows flags and examples.\n`;
}

/** `ctx docs --help`: the commands whose names begin with a word. */
export function renderFamily(word: string, commands: readonly AnyCommand[], view: View): string {
  const rows = behindDoor(word, commands).map(toRow);
  const about = Object.hasOwn(families, word) ? `: ${families[word]}` : "";
  const head = view.wrap(`${view.bold(`ctx ${word}`)}${about}`);
  const hint = Object.hasOwn(familyHints, word) ? `${view.wrap(familyHints[word])}\n\n` : "";
  const more = `ctx ${word} WORD --help shows flags and examples.`;
  return `${head}\n\n${toDefinitions(rows, view)}\n\n${hint}${more}\n`;
}

/** `ctx COMMAND --help`: what is asked most comes first. `forms` are the commands behind its door. */
export function renderHelp(
  command: AnyCommand,
  { forms = [], view }: { forms?: readonly AnyCommand[]; view: View },
): string {
  const { name } = shownAs(command.name);
  const [most, more] = splitFlags(command);
  const list = (title: string, rows: string[][]): string[] =>
    rows.length === 0 ? [] : [`${view.bold(title)}\n${toDefinitions(rows, view)}`];
  const examples = command.examples.map((example) =>
    `${view.wrap(exampleLine(example), { first: "  ", indent: "      " })}\n${
      view.wrap(view.dim(example.about), { first: "      ", indent: "      " })
    }`
  );
  const parts = [
    view.wrap(`${view.bold(`ctx ${name}`)}: ${command.summary}`),
    `${view.bold("Usage")}  ctx ${usageOf(command)} [FLAGS]`,
    ...list("Flags", most),
    `${view.bold("Examples")}\n${examples.join("\n")}`,
    ...list("Also", behindDoor(command.name, forms).map(toRow)),
    ...list("More flags", more),
  ];
  if (command.description) parts.push(view.wrap(command.description, { width: readable(view) }));
  const others = otherNamesOf(command).map((one) => `ctx ${one}`).join(", ");
  if (others !== "") parts.push(view.wrap(view.dim(`Also accepted as ${others}.`)));
  return parts.join("\n\n") + "\n";
}

function toRow(command: AnyCommand): string[] {
  return ["  " + usageOf(command), command.summary];
}

const mostFlags = 5;

/** The flags that people use, and the rest: those of the examples come first, then as declared. */
function splitFlags(command: AnyCommand): [string[][], string[][]] {
  const said = command.examples.flatMap(({ argv }) => argv.map((word) => word.split("=")[0]));
  const [own, shared] = [ownFlagRows(command), sharedFlagRows(command)];
  const isSaid = ([flag]: string[]): boolean =>
    flag.trim().split(/,? /).some((word) => word.startsWith("-") && said.includes(word));
  const sorted = [...own.filter(isSaid), ...own.filter((row) => !isSaid(row))];
  if (sorted.length === 0) return [shared, []];
  return [sorted.slice(0, mostFlags), [...sorted.slice(mostFlags), ...shared]];
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

export function exampleLine(example: { argv: string[]; input?: string }): string {
  const words = example.argv.map((word) => /^[\w./:@=,%+-]+$/.test(word) ? word : quote(word));
  const line = `ctx ${words.join(" ")}`;
  return example.input === undefined ? line : `printf ${quote(example.input)} | ${line}`;
}

/** The flags of a command: how they are written, and what they mean with default and bounds. */
export function flagRows(command: AnyCommand): string[][] {
  return [...ownFlagRows(command), ...sharedFlagRows(command)];
}

function ownFlagRows(command: AnyCommand): string[][] {
  return ownFlags(command).map(({ name, letter, type }) => [
    `  ${letter === undefined ? "    " : `-${letter}, `}--${name}${placeholder(type)}`,
    meaning(type),
  ]);
}

/** The flags of a command's inputs: their name, letter and field, and what it takes. */
export function ownFlags(
  command: AnyCommand,
): { name: string; letter?: string; field: string; type: FieldSchema }[] {
  const { properties } = inputSchemaOf(command);
  const positional: string[] = command.positional ?? [];
  const letters = Object.entries(command.short ?? {});
  return [...flagNames(command, Object.keys(properties))]
    .filter(([, field]) => !positional.includes(field))
    .map(([name, field]) => {
      const letter = letters.find(([, of]) => of === field)?.[0];
      return { name, letter, field, type: properties[field] };
    });
}

/** Those that it has with all others, or with all lists. */
function sharedFlagRows(command: AnyCommand): string[][] {
  const rows = command.list ? [["      --format TEXT", formatMeaning(command.list)]] : [];
  for (const [flag, about] of Object.entries(globalFlags)) {
    if (flag === "version" || (flag === "yes" && !asks(command))) continue;
    if (flag === "no-pager" && command.effect !== "read") continue;
    const letter = flag === "help" ? "-h, " : flag === "yes" ? "-y, " : "    ";
    rows.push([`  ${letter}--${flag}${values[flag] ?? ""}`, about]);
  }
  return rows;
}

/** Whether a command asks before it acts, so that `--yes` says something. */
function asks({ question, examples }: AnyCommand): boolean {
  return question !== undefined || examples.some(({ argv }) => argv.includes("--yes"));
}

/** What `--format` does, and what a pipe gets without it. */
export function formatMeaning({ columns }: { columns: readonly string[] }): string {
  const example = columns.slice(0, 2).map((name) => `{${name}}`).join("\\t");
  return `Print each row with a template ('${example}'); the default when piped is ${
    columns.join(", ")
  }, separated by tabs.`;
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
