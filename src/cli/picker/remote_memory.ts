// The memory of memory_worker.ts, called as if it were here.

import { CtxError, toErrorBody } from "../../core/errors.ts";
import type { ListOptions, PickEntry, PickList, PickMemory, PickTarget } from "./memory.ts";
import type { MemoryAnswer, MemoryCall } from "./memory_worker.ts";

/** A memory in another thread; dispose of it to end that. */
export class RemoteMemory implements PickMemory, Disposable {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (answer: MemoryAnswer) => void>();
  #calls = 0;

  constructor(workspace: string | undefined) {
    this.#worker = new Worker(new URL("./memory_worker.ts", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }: MessageEvent<MemoryAnswer>) => {
      this.#waiting.get(data.number)?.(data);
      this.#waiting.delete(data.number);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      const error = toErrorBody(new CtxError("INTERNAL", event.message));
      for (const [number, take] of this.#waiting) take({ number, error });
      this.#waiting.clear();
    };
    this.#worker.postMessage({ workspace });
  }

  /** Never comes when another search was asked for before this one began. */
  list(query: string, options: ListOptions): Promise<PickList> {
    return this.#call("list", query, options);
  }

  read(target: PickTarget, query: string): Promise<PickEntry | undefined> {
    return this.#call("read", target, query);
  }

  readPins(): Promise<string[]> {
    return this.#call("readPins");
  }

  readTitles(): Promise<[session: string, title: string][]> {
    return this.#call("readTitles");
  }

  setPin(target: PickTarget, pinned: boolean): Promise<void> {
    return this.#call("setPin", target, pinned);
  }

  countForgotten(target: PickTarget): Promise<number> {
    return this.#call("countForgotten", target);
  }

  forget(target: PickTarget): Promise<void> {
    return this.#call("forget", target);
  }

  [Symbol.dispose](): void {
    this.#worker.terminate();
  }

  #call<T>(method: MemoryCall["method"], ...args: unknown[]): Promise<T> {
    const call: MemoryCall = { number: ++this.#calls, method, args };
    return new Promise((resolve, reject) => {
      this.#waiting.set(call.number, (answer) => {
        if ("result" in answer) return resolve(answer.result as T);
        const { code, message, hint } = answer.error;
        reject(new CtxError(code, message, { hint }));
      });
      this.#worker.postMessage({ call });
    });
  }
}
