// What has a lifetime instead of one result (`mcp`, `serve`, `hook`, …). A process declares its flags
// like a command and runs until it is done; it runs commands inside.

import type { AnyCommand, Command } from "../../command/command.ts";
import type { ObjectOf, Shapes } from "../../command/shape.ts";

/** One process: described like a command, whose fields mean the same here. */
export interface Process<I extends Shapes = Shapes> extends Pick<Command<I>, Described> {
  /** Whether it runs until it is stopped. */
  lasting?: boolean;
  /** Calls to show; not run by tests. */
  examples: { argv: string[]; about: string }[];
  /** Runs until it is done and returns the exit code. */
  run(input: ObjectOf<I>, world: ProcessWorld): Promise<number>;
}

type Described =
  | ("name" | "summary" | "description" | "input")
  | ("positional" | "short" | "flags" | "access");

/** What a process is told beside its own flags. */
export interface ProcessWorld {
  /** `--workspace DIR`, as it was said. */
  workspace?: string;
  json: boolean;
  /** The words after the process's name, for starting it again. */
  words: readonly string[];
  loadForms(names?: readonly string[]): Promise<AnyCommand[]>;
  /** Runs another command line, as if it had been typed; only where the command line runs it. */
  runWords?(words: readonly string[]): Promise<number>;
  /** Tells it to stop, where signals do not reach it (in a Worker). */
  signal?: AbortSignal;
}

export type AnyProcess = Process;

/** Declares a process; checks its types. */
export function defineProcess<I extends Shapes>(process: Process<I>): Process<I> {
  return process;
}
