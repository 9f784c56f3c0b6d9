// The `ctx` command that shows the same as a view, quoted for a shell.

import { toShellWord } from "../../core/text.ts";

/** Flags by their names; lists repeat, false and undefined leave one out. */
export type Flags = Record<string, string | number | boolean | readonly string[] | undefined>;

/** A command with its arguments and flags; quoted where a shell needs it. */
export function toCommandLine(
  command: string,
  args: readonly string[] = [],
  flags: Flags = {},
): string {
  const said = Object.entries(flags).flatMap(([name, value]) => {
    const flag = `--${name.replaceAll("_", "-")}`;
    if (value === undefined || value === false || value === "") return [];
    if (value === true) return [flag];
    return (Array.isArray(value) ? value : [value]).flatMap((one) => [flag, String(one)]);
  });
  // Arguments that look like flags go after all flags.
  const [early, late] = args.some((arg) => arg.startsWith("-"))
    ? [[], ["--", ...args]]
    : [args, []];
  return ["ctx", ...command.split(" "), ...early, ...said, ...late].map(toShellWord).join(" ");
}
