// What a command is handed: the store, the configuration, the clock and the ways to speak. Time,
// randomness, environment, input and output come through here and from nowhere else.

import type { Config } from "../config/config.ts";
import type { Files } from "../store/files.ts";
import type { Store } from "../store/store.ts";

/** Who called. */
export type Surface = "cli" | "mcp" | "http" | "library";

/** The world as a command sees it. */
export interface Context {
  readonly surface: Surface;
  /** Where relative paths start. */
  readonly cwd: string;
  /** The directory that was asked for with --workspace, if any. */
  readonly workspace?: string;
  /** The one session that can be seen at all; the store's files are already held to it. */
  readonly pinnedSession?: string;
  /** The caller's own running session, which search leaves out unless it is asked for. */
  readonly ownSession?: string;
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
  /** Something the user should know that is not the result. */
  warn(message: string): void;
  /** How far long work has come. */
  progress(message: string, done?: number, total?: number): void;
  /** Turns the digest of the archive into prose; absent while no language model is configured. */
  summarize?(digest: string, signal: AbortSignal): Promise<string>;
  /** Raw output for commands that stream; absent where a surface cannot stream. */
  write?(chunk: Uint8Array): void;
}
