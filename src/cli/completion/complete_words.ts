// What may follow the words typed so far. The scripts of the shells ask for it at every tab, so only
// the commands that are needed are loaded.

import { listOffered, type Offered, offered } from "../../app/names/offered_values.ts";
import type { AnyCommand, Context } from "../../command/command.ts";
import { commandNames } from "../../commands/mod.ts";
import { listConfigNames } from "../../config/config_keys.ts";
import { colorChoices } from "../line/argv.ts";
import { families, formsOf, tasks, throughDoor } from "../line/doors.ts";
import { globalFlags } from "../line/global_flags.ts";
import { ownFlags } from "../line/help.ts";
import type { ProcessWorld } from "../line/process.ts";

export interface Offer {
  value: string;
  about: string;
}

/** What may follow; the names of files are for the shell to find. */
export type Completion = Offer[] | "files" | "directories";

/** Where values and commands are found. */
interface World {
  context: Context;
  loadForms: ProcessWorld["loadForms"];
}

/** What the last of some words may become. */
export async function completeWords(
  words: readonly string[],
  world: World,
): Promise<Completion> {
  const current = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  if (before.at(-1) === "--workspace") return "directories";
  const said = withoutWorkspace(before);
  const found = said.length === 0
    ? await firstWords(current, world)
    : await wordsAfter(said, current, world);
  return typeof found === "string"
    ? found
    : found.filter(({ value }) => value.toLowerCase().startsWith(current.toLowerCase()));
}

async function firstWords(current: string, { loadForms }: World): Promise<Offer[]> {
  if (current.startsWith("-")) return globals();
  const names = Object.values(tasks).flatMap(({ first = [], more }) => [...first, ...more]);
  const known = new Map((await loadForms(names)).map(({ name, summary }) => [name, summary]));
  return names.map((value) => ({ value, about: known.get(value) ?? families[value] }));
}

async function wordsAfter(
  said: readonly string[],
  current: string,
  { context, loadForms }: World,
): Promise<Completion> {
  const [door] = said;
  const forms = formsOf(door).map(({ by }) => by);
  const verbs = said.length === 1 && !current.startsWith("-") ? verbsOf(door) : [];
  // `config` alone lists settings, but behind it stands the name of a command.
  const typed = verbs.length > 0 ? said : throughDoor(said);
  const names = [typed.slice(0, 2).join(" "), typed[0]];
  const found = await loadForms(names);
  const command = found.find(({ name }) => name === names[0]) ?? found[0];
  if (command === undefined) return verbs;
  const rest = typed.slice(command.name.split(" ").length);
  const isDoor = command.name === door;
  if (current.startsWith("-")) return [...flagsOf(command), ...(isDoor ? flagsIn(forms) : [])];
  const last = said.at(-1) ?? "";
  if (forms.some((form) => form.startsWith(`${last}=`))) return [];
  const flag = findFlag(command, last);
  if (flag !== undefined && flag.type.type !== "boolean") {
    return await valuesOf(command, flag.field, { flag: flag.name, current, context });
  }
  if (last === "--color") return colorChoices.map(plain);
  const values = await valuesOf(command, positionalAt(command, rest), { current, context });
  if (verbs.length === 0) return values;
  return [...verbs, ...(typeof values === "string" ? [] : values)];
}

/** The words that may follow a first one: forms of a door, second words of names. */
function verbsOf(door: string): Offer[] {
  const seconds = commandNames.flatMap((name) =>
    name.startsWith(`${door} `) ? name.split(" ")[1] : []
  );
  const forms = formsOf(door).map(({ by }) => by).filter((by) => /^[a-z]+$/.test(by));
  return [...new Set([...forms, ...seconds])].map(plain);
}

function flagsOf(command: AnyCommand): Offer[] {
  const own = ownFlags(command).flatMap(({ name, letter, type }) => {
    const about = type.description ?? "";
    return [`--${name}`, ...(letter ? [`-${letter}`] : [])].map((value) => ({ value, about }));
  });
  const format = { value: "--format", about: "Print each row with a template." };
  const shared = [...globals(), ...(command.list ? [format] : [])];
  return [...own, ...shared.filter(({ value }) => !own.some((flag) => flag.value === value))];
}

function flagsIn(forms: readonly string[]): Offer[] {
  return forms.filter((form) => /^--[a-z]+(=|$)/.test(form)).map((form) =>
    plain(form.split("=")[0])
  );
}

function globals(): Offer[] {
  return Object.entries(globalFlags).filter(([name]) => name !== "version")
    .map(([name, about]) => ({ value: `--${name}`, about }));
}

function findFlag(command: AnyCommand, word: string) {
  return ownFlags(command).find(({ name, letter }) =>
    word === `--${name}` || word === `-${letter}`
  );
}

/** The field of the argument that is being typed. */
function positionalAt(command: AnyCommand, rest: readonly string[]): string | undefined {
  const { positional = [] } = command;
  const takesValue = (word: string): boolean => {
    const flag = findFlag(command, word);
    return flag !== undefined && flag.type.type !== "boolean";
  };
  const free = rest.filter((word, i) => !word.startsWith("-") && !takesValue(rest[i - 1] ?? ""));
  return positional[Math.min(free.length, positional.length - 1)];
}

/** What a field takes: its few values, what the store has of them, or files. */
async function valuesOf(
  { input }: AnyCommand,
  field: string | undefined,
  { flag, current, context }: { flag?: string; current: string; context: Context },
): Promise<Completion> {
  const { schema = {}, names } = field === undefined ? {} : input[field];
  const values = schema.enum ?? schema.items?.enum;
  if (values !== undefined) return values.map(plain);
  if (field === "key") return listConfigNames().map(plain);
  const kind = names?.[0] ?? field?.replace(/^tags$/, "tag");
  const of: Offered | undefined = offered.find((known) => known === kind);
  if (of !== undefined) return await listOffered(of, current, context);
  return flag === undefined || /file|path|output/.test(flag) ? "files" : [];
}

function withoutWorkspace(words: readonly string[]): string[] {
  return words.filter((word, i) =>
    !/^--workspace(=|$)/.test(word) && words[i - 1] !== "--workspace" &&
    !/^--(json|yes|no-pager)$/.test(word)
  );
}

function plain(value: string): Offer {
  return { value, about: "" };
}
