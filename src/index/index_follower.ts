// Has the index follow a log that this process is writing, in a Worker: an import is indexed while it
// goes on, and what came first can be found. Whatever fails there is left for after the writing, when
// the index catches up as it always does.

import type { FollowMessage, FollowReport } from "./follow_worker.ts";

/** What is followed, and how. */
export interface FollowerOptions {
  workspace: string;
  /** Whether vectors are made by the local embedder. */
  embeds: boolean;
  /** Whether what is due to be merged is left for later. */
  mergesLater: boolean;
  lockTimeoutMs: number;
  warn: (message: string) => void;
}

/** The Worker that follows. Either `finish` or dispose of it. */
export class IndexFollower implements AsyncDisposable {
  readonly #worker = new Worker(new URL("./follow_worker.ts", import.meta.url), { type: "module" });
  readonly #ended: Promise<void>;

  constructor({ warn, ...options }: FollowerOptions) {
    this.#ended = new Promise((resolve) => {
      this.#worker.onmessage = ({ data }: MessageEvent<FollowReport>) => {
        if ("warning" in data) warn(data.warning);
        else resolve();
      };
      this.#worker.onerror = (event) => {
        event.preventDefault();
        resolve();
      };
    });
    this.#tell(options);
  }

  /** Says that rows were written. */
  noteGrowth(): void {
    this.#tell("grown");
  }

  /** Waits until all that was written is indexed. */
  async finish(): Promise<void> {
    this.#tell("grown");
    this.#tell("whole");
    await this.#end();
  }

  /** Stops where it is; what readers were shown stays. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#tell("stop");
    await this.#end();
  }

  async #end(): Promise<void> {
    await this.#ended;
    this.#worker.terminate();
  }

  #tell(message: FollowMessage): void {
    this.#worker.postMessage(message);
  }
}
