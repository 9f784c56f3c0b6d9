// The memory of memory_worker.ts, called as if it were here.

import { CtxError, toErrorBody } from "../../core/errors.ts";
import type { PickMemory } from "./memory.ts";
import type { MemoryAnswer, MemoryCall } from "./memory_worker.ts";

/**
 * A memory in another thread; dispose of it to end that. A list never comes when another search was
 * asked for before it began.
 */
export function openRemoteMemory(workspace: string | undefined): PickMemory & Disposable {
  const worker = new Worker(new URL("./memory_worker.ts", import.meta.url), { type: "module" });
  const waiting = new Map<number, (answer: MemoryAnswer) => void>();
  let calls = 0;
  worker.onmessage = ({ data }: MessageEvent<MemoryAnswer>) => {
    waiting.get(data.number)?.(data);
    waiting.delete(data.number);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    const error = toErrorBody(new CtxError("INTERNAL", event.message));
    for (const [number, take] of waiting) take({ number, error });
    waiting.clear();
  };
  worker.postMessage({ workspace });
  const toCall = (method: MemoryCall["method"]) => (...args: unknown[]): Promise<never> => {
    const call: MemoryCall = { number: ++calls, method, args };
    return new Promise((resolve, reject) => {
      waiting.set(call.number, (answer) => {
        if ("result" in answer) return resolve(answer.result as never);
        const { code, message, hint } = answer.error;
        reject(new CtxError(code, message, { hint }));
      });
      worker.postMessage({ call });
    });
  };
  return {
    list: toCall("list"),
    read: toCall("read"),
    readPins: toCall("readPins"),
    readTitles: toCall("readTitles"),
    setPin: toCall("setPin"),
    countForgotten: toCall("countForgotten"),
    forget: toCall("forget"),
    [Symbol.dispose]: () => worker.terminate(),
  };
}
