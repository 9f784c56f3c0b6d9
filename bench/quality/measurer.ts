// Measures many settings of the weights, a few at a time, each in a thread of its own.

import { loadJudgedSets } from "./judged_sets.ts";
import type { Measured } from "./measure_setting.ts";
import type { Setting } from "./weight_paths.ts";

/** A setting to measure, on all sets or on some. */
export interface Job {
  setting: Setting;
  sets?: string[];
}

/** Threads that measure, until they are disposed of. */
export class Measurer implements Disposable {
  /** How many settings were looked at. */
  settings = 0;
  readonly #idle: Worker[];
  readonly #waiting: ((worker: Worker) => void)[] = [];
  readonly #all: readonly Worker[];

  private constructor(threads: number) {
    const script = new URL("./measure_worker.ts", import.meta.url);
    this.#all = Array.from({ length: threads }, () => new Worker(script, { type: "module" }));
    this.#idle = [...this.#all];
  }

  /** Fills the stores first, so that the threads do not all do it. */
  static async open(): Promise<Measurer> {
    await loadJudgedSets();
    return new Measurer(Math.min(4, navigator.hardwareConcurrency));
  }

  /** Measures a setting. */
  async measure(job: Job): Promise<Measured> {
    const worker = await this.#take();
    try {
      this.settings++;
      return await ask(worker, job);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(worker);
      else this.#idle.push(worker);
    }
  }

  #take(): Promise<Worker> {
    const worker = this.#idle.pop();
    if (worker) return Promise.resolve(worker);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  [Symbol.dispose](): void {
    for (const worker of this.#all) worker.terminate();
  }
}

function ask(worker: Worker, job: Job): Promise<Measured> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Measured>) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    worker.postMessage(job);
  });
}
