// A command line as people write it: by our names, and by those of other tools when one is not ours.

import type { AnyCommand } from "../../table/command.ts";
import { parseArgv, type ParsedArgv, UnknownFlag } from "./argv.ts";

/** Parses the words after the command's name; other names for flags are loaded when one is not ours. */
export async function readArgv(words: readonly string[], command: AnyCommand): Promise<ParsedArgv> {
  try {
    return parseArgv(words, command);
  } catch (error) {
    if (!(error instanceof UnknownFlag)) throw error;
    const { parseOtherNames } = await import("./other_flags.ts");
    return parseOtherNames((findField) => parseArgv(words, command, findField), command);
  }
}
