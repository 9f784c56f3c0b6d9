// A process as the command line sees it: its form for parsing, help and documentation, and its run.

import { type AnyCommand, define } from "../../command/command.ts";
import { parseInput } from "../../command/parse_input.ts";
import { CtxError } from "../../core/errors.ts";
import { readArgv } from "./read_argv.ts";
import type { AnyProcess, ProcessWorld } from "./process.ts";

/** A process in the form that argument parsing, help and documentation know. */
export function toCommandForm(process: AnyProcess): AnyCommand {
  return define({
    ...process,
    output: {},
    positional: process.positional as never[],
    short: process.short as Record<string, never>,
    effect: "write",
    local: true,
    run() {
      throw new CtxError("INTERNAL", `${process.name} is a process, not a command`);
    },
    render: () => "",
  });
}

/** Reads the words after a process's name and runs it; `undefined` when only help was asked for. */
export async function runProcess(
  process: AnyProcess,
  words: readonly string[],
  given: Pick<ProcessWorld, "loadForms" | "runWords" | "signal">,
): Promise<number | undefined> {
  const form = toCommandForm(process);
  const { input, flags } = await readArgv(words, form);
  if (flags.help) return undefined;
  const world = { workspace: flags.workspace, json: flags.json, words, ...given };
  return await process.run(parseInput(process, input), world);
}
