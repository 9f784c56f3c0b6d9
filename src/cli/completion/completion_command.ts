// What a shell is told of the commands, for the writers of the three scripts.

import type { Offered } from "../../app/names/offered_values.ts";

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
  flags: CompletionFlag[];
  /** The values of the first argument without a flag, where they are few. */
  values: string[];
  /** What the store has for the arguments without a flag. */
  offers?: Offered;
}

/** The commands of one word, and the first words of the others with what may follow them. */
export function toWords(commands: readonly CompletionCommand[]): {
  single: CompletionCommand[];
  groups: { name: string; verbs: { word: string; about: string }[] }[];
} {
  const single = commands.filter((command) => !command.name.includes(" "));
  const families = Map.groupBy(commands, (command) => command.name.split(" ")[0]);
  for (const { name } of single) families.delete(name);
  const groups = [...families].map(([name, family]) => ({
    name,
    verbs: family.map((item) => ({ word: item.name.slice(name.length + 1), about: item.about })),
  }));
  return { single, groups };
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
