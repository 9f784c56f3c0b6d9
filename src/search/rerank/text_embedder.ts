// The model as the program sees it: opened when it is first needed, in a Worker, and closed when
// nothing was asked for a while.

import { CtxError } from "../../core/errors.ts";
import type { ModelAnswer, ModelQuestion } from "./model_worker.ts";

/** How long the model stays in memory without a question. */
const idleMs = 600_000;

/** Embeds texts one after the other, in the order they come. */
export class TextEmbedder implements Disposable {
  #worker?: Worker;
  #opened?: Promise<void>;
  #isReady = false;
  #failure?: CtxError;
  #idle?: ReturnType<typeof setTimeout>;
  #last = 0;
  readonly #waiting = new Map<number, PromiseWithResolvers<ModelAnswer>>();

  /** Whether the model is loaded: a text then takes milliseconds to a second. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Why the model cannot be loaded; it is not tried again. */
  get failure(): CtxError | undefined {
    return this.#failure;
  }

  /** Loads the model; who cannot wait looks at `isReady` later. */
  open(): Promise<void> {
    return this.#opened ??= this.#load();
  }

  async embed(text: string): Promise<Float32Array> {
    await this.open();
    const { vector } = await this.#ask(text);
    if (vector === undefined) throw new Error("the model gave no vector");
    return vector;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#idle);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#opened = undefined;
    this.#isReady = false;
    for (const { reject } of this.#waiting.values()) reject(new Error("the model was closed"));
    this.#waiting.clear();
  }

  async #load(): Promise<void> {
    const { hasModel, missingModel } = await import("./model_file.ts");
    try {
      if (!hasModel()) throw missingModel();
      await this.#ask();
      this.#isReady = true;
    } catch (error) {
      if (error instanceof CtxError) this.#failure = error;
      throw error;
    }
  }

  async #ask(text?: string): Promise<ModelAnswer> {
    const worker = this.#worker ??= this.#start();
    const number = ++this.#last;
    const waiting = Promise.withResolvers<ModelAnswer>();
    this.#waiting.set(number, waiting);
    worker.postMessage({ number, text } satisfies ModelQuestion);
    try {
      const answer = await waiting.promise;
      const { failure } = answer;
      if (failure === undefined) return answer;
      throw new CtxError(failure.code, failure.message, { hint: failure.hint });
    } finally {
      this.#waiting.delete(number);
      this.#rest();
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL("./model_worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<ModelAnswer>) => {
      this.#waiting.get(data.number)?.resolve(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      for (const { reject } of this.#waiting.values()) {
        reject(new CtxError("INTERNAL", `Cannot rerank: ${event.message}`));
      }
    };
    return worker;
  }

  #rest(): void {
    clearTimeout(this.#idle);
    if (this.#waiting.size > 0) return;
    this.#idle = setTimeout(() => this[Symbol.dispose](), idleMs);
    Deno.unrefTimer(this.#idle);
  }
}
