// Flags that are not ours: what other tools call ours is taken, of the rest the near one is named.
// Loaded only when there is one.

import { CtxError } from "../../core/errors.ts";
import { findNearest } from "../../core/text.ts";
import { findInput } from "../../table/aliases.ts";
import type { AnyCommand } from "../../table/command.ts";
import { type FindField, flagNames, type ParsedArgv, UnknownFlag } from "./argv.ts";
import { globalFlags } from "./global_flags.ts";

/** Parses a command line once more, by other names too; throws for a flag that nobody knows. */
export function parseOtherNames(
  parse: (findField: FindField) => ParsedArgv,
  command: AnyCommand,
): ParsedArgv {
  try {
    return parse((flag) => findInput(command, flag));
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
