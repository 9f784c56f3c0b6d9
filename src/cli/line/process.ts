// What has a lifetime instead of one result (`mcp`, `serve`, `hook`, …). A process declares its flags
// like a command and runs until it is done; it runs commands inside.

import type { Access, AnyCommand } from "../../command/command.ts";
import type { ObjectOf, Shapes } from "../../command/shape.ts";

/** One process. */
export interface Process<I extends Shapes = Shapes> {
  name: string;
  summary: string;
  /** A paragraph for `--help` and the documentation. */
  description?: string;
  /** Its fields are the flags. */
  input: I;
  /** Fields that stand without a flag, in order. */
  positional?: (keyof ObjectOf<I> & string)[];
  /** One-letter flags. */
  short?: Record<string, keyof ObjectOf<I> & string>;
  /** Flag names that differ from the field. */
  flags?: Partial<Record<keyof ObjectOf<I> & string, string>>;
  /** What it reaches beside files and the environment. */
  access?: Access;
  /** Whether it runs until it is stopped. */
  lasting?: boolean;
  /** Calls to show; not run by tests. */
  examples: { argv: string[]; about: string }[];
  /** Runs until it is done and returns the exit code. */
  run(input: ObjectOf<I>, world: ProcessWorld): Promise<number>;
}

/** What a process is told beside its own flags. */
export interface ProcessWorld {
  /** `--workspace DIR`, as it was said. */
  workspace?: string;
  json: boolean;
  /** The words after the process's name, for starting it again. */
  words: readonly string[];
  /** All commands and processes in the form of commands, or those of some names. */
  loadForms(names?: readonly string[]): Promise<AnyCommand[]>;
  /** Runs another command line, as if it had been typed; only where the command line runs it. */
  runWords?(words: readonly string[]): Promise<number>;
  /** Tells it to stop, where signals do not reach it (in a Worker). */
  signal?: AbortSignal;
}

/** Any process, where its types do not matter. */
export type AnyProcess = Process;

/** Declares a process; checks its types. */
export function defineProcess<I extends Shapes>(process: Process<I>): Process<I> {
  return process;
}
