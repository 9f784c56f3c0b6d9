// Flags that are not ours: what other tools call ours is taken, of the rest the near one is named, and
// several collections after one flag become one after each. Loaded only when there is one.

import { CtxError } from "../../core/errors.ts";
import { findNearest } from "../../core/text.ts";
import { findInput } from "../../table/aliases.ts";
import type { AnyCommand } from "../../table/command.ts";
import { flagNames, parseArgv, type ParsedArgv, UnknownFlag } from "./argv.ts";
import { globalFlags } from "./global_flags.ts";

/** Parses a command line by other names too; throws for a flag that nobody knows. */
export async function readOtherNames(
  words: readonly string[],
  command: AnyCommand,
): Promise<ParsedArgv> {
  if (!words.includes("-c") && !words.includes("--collections")) {
    return parseOtherNames(words, command);
  }
  const { spreadCollections } = await import("./spread_collections.ts");
  const parse = (said: readonly string[]): ParsedArgv => parseOtherNames(said, command);
  return parse(await spreadCollections(words, { command, parse }));
}

function parseOtherNames(words: readonly string[], command: AnyCommand): ParsedArgv {
  try {
    return parseArgv(words, command, (flag) => findInput(command, flag));
  } catch (error) {
    if (!(error instanceof UnknownFlag)) throw error;
    const names = flagNames(command, Object.keys(command.input)).keys();
    const near = findNearest(error.flag.replace(/^-+/, ""), [
      ...names,
      ...Object.keys(globalFlags),
    ]);
    const guess = near ? ` (did you mean "--${near}"?)` : "";
    throw new CtxError("USAGE", `${error.message}${guess}`, {
      hint: `ctx ${command.name} --help; put -- before text that starts with a dash`,
    });
  }
}
