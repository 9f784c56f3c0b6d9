// The memory in a thread of its own, so that no search holds up a key. Started with the words of
// `--workspace`; answers calls one after the other, of searches only the last that waits.

import { turnEventLoop } from "../../core/breathe.ts";
import { openContext } from "../../app/app.ts";
import { toCtxError, toErrorBody } from "../../core/errors.ts";
import { type ListOptions, Memory, type PickMemory } from "./memory.ts";

export interface MemoryCall {
  number: number;
  method: keyof PickMemory;
  args: unknown[];
}

/** What came of it: a result, or what went wrong. */
export type MemoryAnswer =
  | { number: number; result: unknown }
  | { number: number; error: ReturnType<typeof toErrorBody> };

const scope = globalThis as unknown as Worker;
const waiting: MemoryCall[] = [];
let memory: Promise<Memory> | undefined;
let isWorking = false;

scope.onmessage = async ({ data }: MessageEvent<{ workspace?: string; call?: MemoryCall }>) => {
  memory ??= openMemory(data.workspace);
  if (data.call) waiting.push(data.call);
  if (isWorking) return;
  isWorking = true;
  for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) {
    if (!isOutdated(call)) scope.postMessage(await answer(call));
    // What was typed meanwhile comes in as a message.
    await turnEventLoop();
  }
  isWorking = false;
};

async function openMemory(workspace: string | undefined): Promise<Memory> {
  const opened = new Memory(openContext({ surface: "cli", workspace }));
  await opened.open();
  return opened;
}

/** Whether a later search waits too, from its first row on: nobody looks at this one's rows. */
function isOutdated({ method }: MemoryCall): boolean {
  const isSearch = ({ method, args: [, options] }: MemoryCall): boolean =>
    method === "list" && (options as ListOptions).offset === 0;
  return method === "list" && waiting.some(isSearch);
}

async function answer({ number, method, args }: MemoryCall): Promise<MemoryAnswer> {
  try {
    const found = await memory;
    const run = found?.[method] as (...args: unknown[]) => Promise<unknown>;
    return { number, result: await run.apply(found, args) };
  } catch (thrown) {
    return { number, error: toErrorBody(toCtxError(thrown)) };
  }
}
