// Commands that print for people to read: on a terminal what is long goes through their pager. All that
// only read do, but those whose output is one value or a file.

import { shownAs } from "../src/cli/line/doors.ts";
import { loadForms } from "../src/cli/task_list.ts";

/** Read commands that are not shown through the pager. */
export const plainCommands: readonly string[] = [
  "config get",
  "config path",
  "export",
  "session current",
  "upgrade",
];

/** One or two words, of which a command line may be the beginning: `show`, `pin --list`. */
export const pagedCommands: readonly string[] = [
  ...new Set([
    "help",
    "doctor",
    "context",
    ...(await loadForms())
      .filter(({ name, effect }) => effect === "read" && !plainCommands.includes(name))
      .flatMap(({ name, aliases = [] }) => [name, toTwoWords(shownAs(name).name), ...aliases]),
  ]),
];

function toTwoWords(name: string): string {
  return name.split(" ").slice(0, 2).join(" ");
}
