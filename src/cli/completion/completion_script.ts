// What a shell can complete, from the command table, and the scripts for three shells. Pure.

import { listConfigNames } from "../../config/config_keys.ts";
import { type Offered, offered } from "../../app/names/offered_values.ts";
import type { AnyCommand } from "../../command/command.ts";
import type { FieldSchema } from "../../command/shape.ts";
import { inputSchemaOf } from "../../command/parse_input.ts";
import { colorChoices, flagNames } from "../line/argv.ts";
import { globalFlags } from "../line/global_flags.ts";
import { toBashScript } from "./completion_bash.ts";
import type { CompletionCommand, CompletionFlag } from "./completion_command.ts";
import { toFishScript } from "./completion_fish.ts";
import { toZshScript } from "./completion_zsh.ts";

/** The shells that there are scripts for. */
export const shells = ["bash", "zsh", "fish"] as const;
/** One of `shells`. */
export type Shell = typeof shells[number];

/** The script for a shell. */
export function toCompletionScript(shell: Shell, commands: readonly AnyCommand[]): string {
  const known = commands.flatMap(toCompletionCommands);
  const write = { bash: toBashScript, zsh: toZshScript, fish: toFishScript }[shell];
  return write(known);
}

/** A command and its aliases. */
function toCompletionCommands(command: AnyCommand): CompletionCommand[] {
  const { properties } = inputSchemaOf(command);
  const positional: string[] = command.positional ?? [];
  const letters = new Map(
    Object.entries(command.short ?? {}).map(([letter, field]) => [field, letter]),
  );
  const own = [...flagNames(command, Object.keys(properties))]
    .filter(([, field]) => !positional.includes(field))
    .map(([name, field]): CompletionFlag => ({
      ...toFlag(name, properties[field], letters.get(field)),
      ...offersOf(command, field),
    }));
  const shared = Object.entries(globalFlags)
    .filter(([name]) => name !== "version" && !own.some((flag) => flag.name === name))
    .map(([name, about]): CompletionFlag => ({
      name,
      about,
      takesValue: name === "workspace" || name === "color",
      values: name === "color" ? colorChoices : [],
      ...(name === "workspace" ? { files: "directories" } : {}),
    }));
  if (command.list) {
    const about = "Each row by a template.";
    shared.push({ name: "format", about, takesValue: true, values: [] });
  }
  const first = properties[positional[0]];
  const form = {
    about: command.summary,
    flags: [...own, ...shared],
    values: first === undefined ? [] : positional[0] === "key" ? configNames : valuesOf(first),
    ...offersOf(command, positional[0]),
  };
  return [command.name, ...command.aliases ?? []].map((name) => ({ name, ...form }));
}

function toFlag(name: string, field: FieldSchema, letter?: string): CompletionFlag {
  return {
    name,
    ...(letter === undefined ? {} : { letter }),
    about: field.description ?? "",
    takesValue: field.type !== "boolean",
    values: valuesOf(field),
    ...(/file|path|output/.test(name) ? { files: "files" } : {}),
  };
}

const configNames = listConfigNames();

/** What of the store a field takes: ids by what they name, and what filters of that name hold. */
function offersOf(command: AnyCommand, field = ""): { offers?: Offered } {
  const kind = command.input[field]?.names?.[0] ?? field.replace(/^tags$/, "tag");
  const offers = offered.find((known) => known === kind);
  return offers === undefined || command.input[field]?.schema.enum ? {} : { offers };
}

function valuesOf(field: FieldSchema): string[] {
  return field.enum ?? field.items?.enum ?? [];
}
