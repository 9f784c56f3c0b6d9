// A command line as people write it: by our names, and by those of other tools when one is not ours.

import type { AnyCommand } from "../../command/command.ts";
import { parseArgv, type ParsedArgv, UnknownFlag } from "./argv.ts";

/** Parses the words after the command's name; what other tools write otherwise is loaded if need be. */
export async function readArgv(words: readonly string[], command: AnyCommand): Promise<ParsedArgv> {
  try {
    // `-c a b` may be two collections.
    if (!words.includes("-c")) return parseArgv(words, command);
  } catch (error) {
    if (!(error instanceof UnknownFlag)) throw error;
  }
  return await (await import("./other_flags.ts")).readOtherNames(words, command);
}
