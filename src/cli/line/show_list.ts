// A list on the command line beside what people see of it: rows for a pipe or by a template, and on a
// terminal what `@1` means next and how much of each id suffices.

import { CtxError } from "../../core/errors.ts";
import { isObject } from "../../core/json.ts";
import { guessAt } from "../../core/text.ts";
import type { AnyCommand, Context, ListForm } from "../../command/command.ts";

/** A list as programs take it, and what people need beside it. */
export interface ShownList {
  /** The rows as lines, where they are what is wanted. */
  rows?: string;
  /** There are none: what is said of that is no row. */
  isNone?: boolean;
  suffices?: (id: string) => number | undefined;
}

/** Gives the rows where programs or a template want them, and remembers them where people look. */
export async function showList(
  command: AnyCommand,
  data: Record<string, unknown>,
  { context, format, styled }: { context: Context; format?: string; styled: boolean },
): Promise<ShownList> {
  const { list } = command;
  if (list === undefined) return {};
  const found = [data[list.of]].flat().filter(isObject);
  const ids = found.map((row) => toField(row[list.columns[0]]));
  // Where every project was asked, there may be no store here.
  const store = Deno.stdout.isTerminal() && ids.length > 0
    ? await context.openStore().catch(() => undefined)
    : undefined;
  if (store !== undefined) {
    const { rememberRows } = await import("../../app/names/shown_rows.ts");
    const { workspace } = store.layout;
    const places = found.map((row) => row.workspace === workspace ? "" : toField(row.workspace));
    rememberRows(store, ids.map((id, i) => `${id} ${places[i]}`.trim()), context.env);
  }
  if (format !== undefined || !styled && !list.unless?.(data)) {
    const parts = format === undefined
      ? columnsOf(list, found)
      : parseTemplate(format, command, found);
    if (found.length === 0) return { isNone: true };
    const lines = found.map((row) => parts.map((part) => part(row, data)).join("") + "\n");
    return { rows: lines.join("") };
  }
  if (store === undefined) return {};
  const { findSufficient } = await import("../../app/names/sufficient.ts");
  return { suffices: findSufficient(store) };
}

type Row = Record<string, unknown>;
type Part = (row: Row, data: Row) => string;

function columnsOf({ columns, also = [] }: ListForm, rows: readonly Row[]): Part[] {
  const had = also.filter((name) => rows.some((row) => row[name] !== undefined));
  return [...columns, ...had].flatMap((
    name,
    i,
  ) => [...(i > 0 ? [() => "\t"] : []), fieldOf(name)]);
}

/** `{id}\t{title}`: fields in braces, the rest as it is. Of a field that is none the error says which are. */
function parseTemplate(template: string, command: AnyCommand, rows: readonly Row[]): Part[] {
  const { of = "", columns = [] } = command.list ?? {};
  const known = new Set([
    ...columns,
    ...Object.keys(command.output[of]?.schema.items?.properties ?? {}),
    ...rows.flatMap(Object.keys),
  ]);
  return template.split(/(\{[\w.]+\}|\\[\\nt])/).map((piece): Part => {
    const name = /^\{([\w.]+)\}$/.exec(piece)?.[1];
    if (name === undefined) return () => escapes[piece] ?? piece;
    const [first] = name.split(".");
    if (known.has(first)) return fieldOf(name);
    // As ContextFS calls it.
    if (name === "text_preview" && known.has("snippet")) return fieldOf("snippet");
    const there = `${command.name} has ${[...known].join(", ")}`;
    throw new CtxError(
      "USAGE",
      `Cannot show field "${name}"${guessAt(first, known)}: ${there}`,
      { hint: `ctx ${command.name} --help` },
    );
  });
}

const escapes: Record<string, string> = { "\\n": "\n", "\\t": "\t", "\\\\": "\\" };

/** A field of the row, or else of the result; with dots, what is inside. */
function fieldOf(name: string): Part {
  const [first, ...inner] = name.split(".");
  return (row, data) => {
    let value = Object.hasOwn(row, first) ? row[first] : data[first];
    for (const part of inner) value = isObject(value) ? value[part] : undefined;
    return toField(value);
  };
}

/** A value in one line without tabs; what has parts as JSON, unless they are words. */
function toField(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value) && value.every((item) => !isObject(item))) {
    return toField(value.join(","));
  }
  const text = typeof value === "object" ? JSON.stringify(value) : `${value}`;
  return text.replace(/\p{Cc}+/gu, " ");
}
