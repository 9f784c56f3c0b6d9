// Lets other things happen in the middle of long synchronous work: a signal is heard only when the
// event loop gets a turn. Costs a look at the clock for each step.

const stretchMs = 40;

/** Paces one piece of work; after `rest` it goes on, or throws when it was told to stop. */
export class Pacer {
  readonly #signal?: AbortSignal;
  #since = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Whether it has gone on for long enough. */
  get isDue(): boolean {
    return performance.now() - this.#since >= stretchMs;
  }

  /** Gives the event loop a turn. */
  async rest(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#signal?.throwIfAborted();
    this.#since = performance.now();
  }
}
