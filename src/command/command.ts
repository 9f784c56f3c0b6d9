// What a command is, and what it is handed when it runs: the store, the configuration, the clock and
// the ways to speak. Time, randomness, environment, input and output come from nowhere else.

import type { Config } from "../config/merged_config.ts";
import type { ErrorCode } from "../core/errors.ts";
import type { Files } from "../disk/files.ts";
import type { TraceDraft } from "../store/logs/trace_log.ts";
import type { Store } from "../store/store.ts";
import type { QueryWords } from "./known_query.ts";
import type { GivenOf, Named, ObjectOf, Shapes } from "./shape.ts";
import type { View } from "./view.ts";

/** What running a command can do: gives MCP annotations, HTTP methods and what --read-only hides. */
export type Effect = "read" | "write" | "destroy";

/**
 * What a process may reach: a model or an embedder where one is configured; always the network; ctx
 * itself, started once to see that it answers; the user's editor; ctx started again, confined; and
 * that with its page opened in the browser.
 */
export type Access = "provider" | "network" | "self" | "editor" | "server" | "page";

/** A true call: `argv` after `ctx`, and what it shows. Every example is run by a test, or needs a server. */
export interface Example {
  argv: string[];
  about: string;
  /** Given to the command on standard input. */
  input?: string;
  /** What the environment must say for it. */
  env?: Record<string, string>;
  /** Calls that must come before it. */
  after?: string[][];
  /** Needs the server of a team: told in the tests of spaces instead (`test/team/sync/`). */
  server?: true;
  /** Needs a person at a terminal: told in the tests of the command instead. */
  terminal?: true;
}

/** One command, for every surface. */
export interface Command<I extends Shapes = Shapes, O extends Shapes = Shapes> {
  name: string;
  aliases?: string[];
  summary: string;
  /** A paragraph for `--help` and the documentation. */
  description?: string;
  /** What it takes; anything else fails everywhere. */
  input: I;
  /** What it gives. */
  output: O;
  /** Input fields that stand without a flag, in order; the last may take several words. */
  positional?: (keyof ObjectOf<I> & string)[];
  /** One-letter flags. */
  short?: Record<string, keyof ObjectOf<I> & string>;
  /** Flag names that differ from the field, such as `tag` for `tags`. */
  flags?: Partial<Record<keyof ObjectOf<I> & string, string>>;
  effect: Effect;
  /** The name as an MCP tool, where it has one. */
  tool?: string;
  /** Ends within moments and leaves nothing behind: the system may stop it as it stops any program. */
  quick?: boolean;
  /** What it reaches beside files and the environment: its process may do that and no more. */
  access?: Access;
  /** Whether what is long goes through the pager of a terminal: what only reads does, unless told. */
  paged?: boolean;
  /** Only on the command line: it touches what lies outside the workspace. */
  local?: boolean;
  /** Inputs that reach beyond the workspace, or are for screens: tool lists leave them out. */
  localInputs?: (keyof ObjectOf<I> & string)[];
  /** Reads beside the store's rows, where other sessions are: not for a caller who is held to one. */
  unscoped?: boolean;
  /** Whether a result says that another process goes on: the index is left to that. */
  isLeft?(data: ObjectOf<O>): boolean;
  /** Whether a call destroys something, where that depends on its input; `effect` says so otherwise. */
  destroys?(input: ObjectOf<I>): boolean;
  /**
   * What is asked before it runs; undefined: nothing is at stake. What destroys is first run dry, its
   * result is shown and `planned` here, and nobody's silence is a yes. Else only a person is asked.
   */
  question?(input: ObjectOf<I>, planned?: ObjectOf<O>): string | undefined;
  /** The input that does what was shown, where its own words could mean something else by then. */
  agreed?(input: ObjectOf<I>, planned: ObjectOf<O>): ObjectOf<I>;
  examples: Example[];
  run(input: ObjectOf<I>, context: Context): Promise<ObjectOf<O>>;
  /** Its result is a list: what a pipe, `--format` and `@1` take from it. */
  list?: ListForm<O>;
  /**
   * The result for people, on a terminal or a pipe; never parsed. Of a list, pipes get the rows instead.
   * A long layout is in `view/` and loads late.
   */
  render(data: ObjectOf<O>, view: View): string | Promise<string>;
  /**
   * The result in fewer words, for agents: what MCP tells, as data and as text. Lists keep their names.
   * Follows from the result alone.
   */
  brief?(data: ObjectOf<O>): object | Promise<object>;
  /** What a person should know beside the result; goes to standard error. */
  note?(data: ObjectOf<O>, view: View): string | undefined;
  /** What the command line does once the answer is out, so that nobody pays for it again. */
  after?(data: ObjectOf<O>, context: Context): Promise<void>;
  /** What its trace keeps of a call; a command without this writes none. No result: it failed. */
  trace?(input: ObjectOf<I>, data?: ObjectOf<O>): TraceFacts | undefined;
  /** The code that a result amounts to when it is bad news: the result is shown, the exit says so. */
  failure?(data: ObjectOf<O>): ErrorCode | undefined;
}

export interface ListForm<O extends Shapes = Shapes> {
  of: keyof ObjectOf<O> & string;
  /** The columns on a pipe, which only grow: fields of a row or of the result. The first is the id. */
  columns: readonly string[];
  /** Columns behind them, each of lists in which a row has it. */
  also?: readonly string[];
  /** Results that are more than their rows: shown to programs as to people. */
  unless?(data: ObjectOf<O>): boolean;
}

/** Any command, where its types do not matter. */
export type AnyCommand = Command;

/** A command as a function of a library: its input, without what has a default, to its result. */
export type MethodOf<C extends AnyCommand> = Record<never, never> extends GivenOf<C["input"]>
  ? (input?: GivenOf<C["input"]>) => Promise<ResultOf<C>>
  : (input: GivenOf<C["input"]>) => Promise<ResultOf<C>>;

export type ResultOf<C extends AnyCommand> = Awaited<ReturnType<C["run"]>>;

/** Declares a command; checks its types. How many rows to list is `-k` everywhere. */
export function define<I extends Shapes, O extends Shapes>(
  command: Command<I, O>,
): Command<I, O> {
  if (!("limit" in command.input)) return command;
  return Object.assign(command, { short: { k: "limit", ...command.short } });
}

/** What a command says of a call; the rest is the same for all. */
export type TraceFacts = Pick<TraceDraft, "args"> & Partial<Pick<TraceDraft, Traced>> & {
  /** What is known of the query's words, where there is one. */
  words?: QueryWords;
};
type Traced =
  | ("query" | "inputs" | "ranking" | "total" | "budgets" | "truncation")
  | ("session" | "branch" | "engine" | "candidates");

/** What a caller is to agree to. */
export interface Proposal {
  command: AnyCommand;
  question: string;
  /** The result of the dry run; only what destroys has one. */
  planned?: Record<string, unknown>;
}

/** Who called. */
export type Surface = "cli" | "mcp" | "http" | "library";

/** Starts the process that follows an import; false where that failed. */
export type StartFollowing = (workspace: string, options: { distils: boolean }) => boolean;

/** The world as a command sees it. */
export interface Context {
  readonly surface: Surface;
  /** Where relative paths start. */
  readonly cwd: string;
  /** The directory that was asked for with --workspace, if any. */
  readonly workspace?: string;
  /** The one session that can be seen at all; the store's files are already held to it. */
  readonly scopedSession?: string;
  /** The caller's own running session, which search leaves out unless it is asked for. */
  readonly ownSession?: string;
  /** Who asks, where others than the user of this machine may: told in traces. */
  readonly asker?: string;
  /** The agent that calls over a server, where it is not the user: what it saves carries its name. */
  readonly agent?: string;
  /** Whether a server promised to change nothing: what is only noted on the way is not noted then. */
  readonly isReadOnly?: boolean;
  /** Whether the result goes to a program as text: then it is whole. */
  readonly isPiped?: boolean;
  /** Whether a list is shown by its columns alone: what else its rows have need not be found. */
  readonly showsColumns?: boolean;
  /** Aborted on Ctrl-C or when the caller hangs up. */
  readonly signal: AbortSignal;
  /**
   * Opens the store once; throws STORE_MISSING when there is none. With `lenient` a configuration
   * that cannot be read is passed over: for the one command that tells what is wrong.
   */
  openStore(options?: { lenient?: boolean }): Promise<Store>;
  /**
   * The user's own store, beside all workspaces: collections for every project and the ledger of
   * tokens. Undefined when it does not exist (and `create` is not asked for) or there is no HOME.
   */
  openUserStore(options?: { create?: boolean }): Promise<Store | undefined>;
  /**
   * The whole ids that words name: beginnings of ids, rows of the last list, agents' own ids. A word
   * that names nothing stays as it is; of sessions and of several meanings it is an error.
   */
  wholeIds(names: Named, words: readonly string[]): Promise<string[]>;
  /** Opens the store of another project; absent where the caller is held to one. */
  openProject?(workspace: string): Promise<Store>;
  /** Loads a command by name: commands that run others do not know the table. */
  findCommand(name: string): Promise<AnyCommand | undefined>;
  /** The file layer, for what is written beside the store. */
  readonly files: Files;
  /** The configuration in force. */
  readConfig(): Promise<Config>;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after some milliseconds; rejects when the signal is aborted. */
  wait(ms: number): Promise<void>;
  /** The way to the network. */
  readonly fetch: typeof fetch;
  /** A clock for durations, where the machine's own is not wanted: tests. */
  readonly ticks?: () => number;
  /** A fresh random text that nobody can guess. */
  random(): string;
  /** A fresh text for ids: no other process draws it, but it is no secret. */
  seed(): string;
  env(name: string): string | undefined;
  /** All of standard input; only where the caller has one. */
  readInput(): Promise<Uint8Array>;
  /** Whether a proposal is agreed to: always, as it is answered, or, where it is absent, never. */
  readonly consent?: true | ((proposal: Proposal) => boolean | Promise<boolean>);
  /**
   * Asks the person at the terminal; absent where nobody can answer. An empty answer is a no, or what
   * `otherwise` says.
   */
  confirm?(question: string, otherwise?: boolean): boolean | Promise<boolean>;
  /** Has the person at the terminal change a text in their editor; absent where there is none. */
  editText?(text: string): Promise<string>;
  /**
   * What has another process make the vectors of a workspace, and derive its records; that ends by
   * itself. Absent or undefined where no process may be started.
   */
  findFollower?(): Promise<StartFollowing | undefined>;
  /** Something the user should know that is not the result. */
  warn(message: string): void;
  /** What happens while it goes on, a line each, for whoever watches; absent where nobody does. */
  tell?(line: string): void;
  /** How far long work has come. */
  progress(message: string, done?: number, total?: number): void;
  /** Turns the digest of the archive into prose; absent while no language model is configured. */
  summarize?(digest: string, signal: AbortSignal): Promise<string>;
  /** Raw output for commands that stream; absent where a surface cannot stream. */
  write?(chunk: Uint8Array): void;
}
