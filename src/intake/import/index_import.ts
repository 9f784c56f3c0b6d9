// Indexes what an import writes while it goes on: from the first full batch on, so that a hook's few
// rows start no Worker. What came in first can then be found before the last is read.

import type { IndexFollower } from "../../index/index_follower.ts";
import type { Context } from "../../command/command.ts";

/** The index of an import that goes on. Only a command line has a second core to itself. */
export class ImportIndexing implements AsyncDisposable {
  readonly #context: Context;
  readonly #workspace: string;
  #follower?: IndexFollower;

  constructor(context: Context, workspace: string) {
    this.#context = context;
    this.#workspace = workspace;
  }

  /** Says that a full batch was written. */
  async noteBatch(): Promise<void> {
    if (this.#context.surface !== "cli") return;
    this.#follower ??= await this.#start();
    this.#follower.noteGrowth();
  }

  /** Waits for the index. */
  async finish(): Promise<void> {
    const follower = this.#follower;
    this.#follower = undefined;
    await follower?.finish();
  }

  /** Ends it where it is, when the import fails. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#follower?.[Symbol.asyncDispose]();
  }

  async #start(): Promise<IndexFollower> {
    const { IndexFollower } = await import("../../index/index_follower.ts");
    const config = await this.#context.readConfig();
    return new IndexFollower({
      workspace: this.#workspace,
      embeds: config.get("embedder.kind") === "local",
      lockTimeoutMs: config.get("lock_timeout_ms"),
      warn: this.#context.warn,
    });
  }
}
