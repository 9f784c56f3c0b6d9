// From words on the command line to a command's input: what was said, not yet what is meant (that
// is the schema's job in `execute`). Written by hand because node:util's parser costs a third of
// the start-up budget.

import type { AnyCommand } from "../../command/command.ts";
import type { FieldSchema } from "../../command/shape.ts";
import { parseWord } from "../../command/parse_input.ts";
import { CtxError } from "../../core/errors.ts";

/** Flags that every command takes. */
export interface GlobalFlags {
  json: boolean;
  help: boolean;
  version: boolean;
  yes: boolean;
  workspace?: string;
  /** A template for each row of a list. */
  format?: string;
}

/** A parsed command line: the input as said and the global flags. */
export interface ParsedArgv {
  input: Record<string, unknown>;
  flags: GlobalFlags;
  /** The result in the words of a document, where it was asked for in those. */
  toTold?(data: object): object;
}

/** The field that a flag of another name stands for. */
type FindField = (flag: string) => string | undefined;

/** Parses the words after the command's name, by our own names and what `findField` knows. */
export function parseArgv(
  words: readonly string[],
  command: AnyCommand,
  findField: FindField = () => undefined,
): ParsedArgv {
  const fields = new Map(
    Object.entries(command.input).map(([name, { schema }]) => [name, schema]),
  );
  const flags: GlobalFlags = { json: false, help: false, version: false, yes: false };
  const input: Record<string, unknown> = {};
  const free: string[] = [];
  const names = flagNames(command, fields.keys());
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === "--") {
      free.push(...words.slice(i + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      free.push(word);
      continue;
    }
    const [name, inline] = splitFlag(word, command);
    const takeValue = (): string => {
      if (inline !== undefined) return inline;
      const next = words[++i];
      if (next === undefined) {
        throw new CtxError("USAGE", `Cannot run ${command.name}: ${word} needs a value`, {
          hint: `ctx ${command.name} --help`,
        });
      }
      return next;
    };
    if (name === "json" || name === "help" || name === "version" || name === "yes") {
      flags[name] = toSwitch({ name, inline, command });
    } else if (name === "workspace" || name === "format" && command.list) {
      flags[name] = takeValue();
    } else if (name === "color") {
      const said = takeValue();
      if (!colorChoices.includes(said)) throw wrongValue({ name, inline: said, command });
    } else if (name !== "no-pager") {
      setFlag(input, { name, names, word, inline, takeValue, command, fields, findField });
    }
  }
  placeFree(input, free, command, fields);
  return { input, flags };
}

/** The flag of each field: `max_tokens` is `--max-tokens`, unless the command names it otherwise. */
export function flagNames(command: AnyCommand, fields: Iterable<string>): Map<string, string> {
  const names = new Map<string, string>();
  const renamed: Record<string, string | undefined> = command.flags ?? {};
  for (const field of fields) {
    names.set(renamed[field] ?? field.replaceAll("_", "-"), field);
  }
  return names;
}

/** What `--color` may say. */
export const colorChoices = ["auto", "always", "never"];

interface FlagUse {
  name: string;
  names: Map<string, string>;
  word: string;
  inline: string | undefined;
  takeValue: () => string;
  command: AnyCommand;
  fields: Map<string, FieldSchema>;
  findField: FindField;
}

function setFlag(input: Record<string, unknown>, use: FlagUse): void {
  const { name, names, fields, findField } = use;
  const negated = name.startsWith("no-") && !names.has(name);
  const said = negated ? name.slice(3) : name;
  const field = names.get(said) ?? findField(said);
  // Of another name more may be made than a field: then it is a word.
  const type = field === undefined ? undefined : fields.get(field) ?? {};
  if (field === undefined || type === undefined || (negated && type.type !== "boolean")) {
    throw new UnknownFlag(use);
  }
  if (type.type === "boolean") {
    input[field] = toSwitch(use) !== negated;
    return;
  }
  const value = parseWord(use.takeValue(), type);
  if (type.type === "array") {
    const list = Array.isArray(input[field]) ? input[field] : [];
    input[field] = [...list, value];
  } else {
    input[field] = value;
  }
}

/** A switch is on when it is named; `--now=false` must never mean `--now`. */
function toSwitch(use: Pick<FlagUse, "name" | "inline" | "command">): boolean {
  const { inline } = use;
  if (inline === undefined || inline === "true") return true;
  if (inline === "false") return false;
  throw wrongValue(use);
}

function wrongValue(
  { name, inline, command }: Pick<FlagUse, "name" | "inline" | "command">,
): CtxError {
  const known = name === "color" ? `one of ${colorChoices.join(", ")}` : "true or false";
  return new CtxError(
    "USAGE",
    `Cannot run ${command.name}: --${name} must be ${known}, not "${inline}"`,
    {
      hint: `ctx ${command.name} --help`,
    },
  );
}

/** The letters of flags that every command takes. */
const sharedLetters = new Map([["h", "help"], ["V", "version"], ["y", "yes"]]);

function splitFlag(word: string, command: AnyCommand): [string, string | undefined] {
  if (!word.startsWith("--")) {
    const letter = word.slice(1, 2);
    const field = sharedLetters.get(letter) ?? command.short?.[letter];
    const rest = word.slice(2).replace(/^=/, "");
    const flag = field === undefined ? word.slice(1) : (command.flags as
      | Record<string, string>
      | undefined)?.[field] ?? field.replaceAll("_", "-");
    return [flag, rest === "" || field === undefined ? undefined : rest];
  }
  const equals = word.indexOf("=");
  if (equals < 0) return [word.slice(2), undefined];
  return [word.slice(2, equals), word.slice(equals + 1)];
}

function placeFree(
  input: Record<string, unknown>,
  free: string[],
  command: AnyCommand,
  fields: Map<string, FieldSchema>,
): void {
  const positional: string[] = command.positional ?? [];
  positional.forEach((field, i) => {
    if (free.length <= i) return;
    const type = fields.get(field);
    const isLast = i === positional.length - 1;
    if (type?.type === "array") input[field] = free.slice(i).map((word) => parseWord(word, type));
    else if (isLast && type?.type === "string") input[field] = free.slice(i).join(" ");
    else input[field] = parseWord(free[i], type);
  });
  const last = fields.get(positional.at(-1) ?? "");
  const takesRest = last !== undefined && (last.type === "array" || last.type === "string");
  const extra = takesRest ? undefined : free[positional.length];
  if (extra !== undefined) {
    throw new CtxError("USAGE", `Cannot run ${command.name}: unexpected argument "${extra}"`, {
      hint: `ctx ${command.name} --help`,
    });
  }
}

export class UnknownFlag extends CtxError {
  readonly flag: string;

  constructor({ word, command }: FlagUse) {
    const flag = word.replace(/=.*$/s, "");
    super("USAGE", `Cannot run ${command.name}: unknown flag "${flag}"`);
    this.flag = flag;
  }
}
