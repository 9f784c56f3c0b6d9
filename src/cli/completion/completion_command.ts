// What a shell is told of the commands, for the writers of the three scripts.

import type { Offered } from "../../app/names/offered_values.ts";
import { families } from "../line/doors.ts";

/** One flag as a shell sees it. */
export interface CompletionFlag {
  name: string;
  letter?: string;
  about: string;
  /** Whether a value follows. */
  takesValue: boolean;
  /** The values, where they are few. */
  values: string[];
  /** What to offer where the values are not few. */
  files?: "files" | "directories";
  /** What the store has, where that is what is meant. */
  offers?: Offered;
}

/** One command as a shell sees it; `name` may have two words. */
export interface CompletionCommand {
  name: string;
  about: string;
  /** Accepted, and not offered: another name is. */
  isHidden: boolean;
  flags: CompletionFlag[];
  /** The values of the first argument without a flag, where they are few. */
  values: string[];
  /** What the store has for the arguments without a flag. */
  offers?: Offered;
}

/** What may be the first word, and what may follow those that are no command alone. */
export function toWords(commands: readonly CompletionCommand[]): {
  firsts: { name: string; about: string }[];
  groups: { name: string; verbs: { word: string; about: string }[] }[];
} {
  const offered = commands.filter(({ isHidden }) => !isHidden);
  const single = offered.filter(({ name }) => !name.includes(" "));
  const pairs = Map.groupBy(offered, ({ name }) => name.split(" ")[0]);
  for (const { name } of commands) pairs.delete(name);
  const groups = [...pairs].map(([name, family]) => ({
    name,
    verbs: family.map((item) => ({ word: item.name.slice(name.length + 1), about: item.about })),
  }));
  const firsts = [
    ...single.map(({ name, about }) => ({ name, about })),
    ...groups.map(({ name }) => ({ name, about: families[name] })),
  ];
  return { firsts, groups };
}

/** The names of two words, by which a second word may belong to the name. */
export function toPairs(commands: readonly CompletionCommand[]): string[] {
  return commands.map(({ name }) => name).filter((name) => name.includes(" "));
}

/** What may follow a flag, in the words of a shell. */
export function valueForm(
  { values, files, offers }: CompletionFlag,
  forms: Record<"directories" | "files" | "anything", string> & {
    oneOf: (values: string) => string;
    offers: (of: Offered) => string;
  },
): string {
  if (offers !== undefined) return forms.offers(offers);
  return values.length > 0 ? forms.oneOf(values.join(" ")) : forms[files ?? "anything"];
}

/** A flag as it is typed: `--name` and, where it has one, `-n`. */
export function flagForms({ name, letter }: CompletionFlag): string[] {
  return [`--${name}`, ...(letter ? [`-${letter}`] : [])];
}
