// What a shell can complete, from the command table, and the scripts for three shells. Pure.

import { listConfigNames } from "../../config/config_keys.ts";
import { type Offered, offered } from "../../app/names/offered_values.ts";
import type { AnyCommand } from "../../command/command.ts";
import type { FieldSchema } from "../../command/shape.ts";
import { inputSchemaOf } from "../../command/parse_input.ts";
import { formsOf, shownAs } from "../line/doors.ts";
import { colorChoices } from "../line/argv.ts";
import { globalFlags } from "../line/global_flags.ts";
import { ownFlags } from "../line/help.ts";
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
  return write(known.map((command) => withForms(command, known)));
}

/** A command and its aliases. */
function toCompletionCommands(command: AnyCommand): CompletionCommand[] {
  const { properties } = inputSchemaOf(command);
  const positional: string[] = command.positional ?? [];
  const flags = ownFlags(command).map(({ name, letter, field, type }): CompletionFlag => ({
    ...toFlag(name, type, letter),
    ...offersOf(command, field),
  }));
  const shared = Object.entries(globalFlags)
    .filter(([name]) => name !== "version" && !flags.some((flag) => flag.name === name))
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
    flags: [...flags, ...shared],
    values: first === undefined ? [] : positional[0] === "key" ? configNames : valuesOf(first),
    ...offersOf(command, positional[0]),
  };
  const shown = shownAs(command.name).name.split(" --")[0];
  const own = shown.includes(" ") ? [command.name, shown] : [command.name];
  return [...new Set([...own, ...command.aliases ?? []])].map((name) => ({
    name,
    isHidden: name !== shown,
    ...form,
  }));
}

/** What a door offers beside its own: the words and flags by which other commands are meant. */
function withForms(
  door: CompletionCommand,
  known: readonly CompletionCommand[],
): CompletionCommand {
  const forms = formsOf(door.name).map(({ by, name }) => {
    const [flag, field] = by.split("=");
    const { about = "" } = known.find((command) => command.name === name) ?? {};
    return { flag, about, takesValue: field !== undefined };
  });
  const words = forms.filter(({ flag }) => /^[a-z]+$/.test(flag));
  const flags = forms.filter(({ flag }) => /^--[a-z]+$/.test(flag));
  return {
    ...door,
    values: [...door.values, ...words.map(({ flag }) => flag)],
    flags: [
      ...door.flags,
      ...flags.map(({ flag, ...form }) => ({ name: flag.slice(2), ...form, values: [] })),
    ],
  };
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
