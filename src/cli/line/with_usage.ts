// What is wrong with the input of a command, in the name that help shows; where something is missing,
// with how the command is typed. Loaded only then.

import type { AnyCommand } from "../../command/command.ts";
import { CtxError } from "../../core/errors.ts";
import { shownAs, usageOf } from "./doors.ts";

/** The same error as people should read it; any other error as it is. */
export function withUsage(error: unknown, command: AnyCommand): unknown {
  const start = `Cannot run ${command.name}: `;
  if (!(error instanceof CtxError) || !error.message.startsWith(start)) return error;
  const { name } = shownAs(command.name);
  const [ownHelp, help] = [`ctx ${command.name} --help`, `ctx ${name} --help`];
  const isMissing = error.hint === ownHelp && error.message.endsWith(" is missing");
  return new CtxError(error.code, `Cannot run ${name}: ${error.message.slice(start.length)}`, {
    hint: isMissing ? `ctx ${usageOf(command)}, or ${help}` : error.hint?.replace(ownHelp, help),
    cause: error.cause,
  });
}
