// The answer of a command as component state: reloaded when the input or the store changes. The previous
// answer stays until the next arrives, and late answers are dropped.

import { useEffect, useState } from "preact/hooks";
import { type AnswerOf, call, CallError, type CommandName, type InputOf } from "./call.ts";
import { useLive } from "./live.ts";

/** Commands that show traces; they leave none themselves. */
const tracesReaders: ReadonlySet<CommandName> = new Set<CommandName>(["preview", "traces"]);

/** The state of a request. */
export interface Loaded<T> {
  answer?: T;
  error?: CallError;
  isAsking: boolean;
}

/** The state of a command. */
export type Asked<N extends CommandName> = Loaded<AnswerOf<N>>;

/** Runs a command; nothing runs without input. */
export function useAnswer<N extends CommandName>(
  name: N,
  input: InputOf<N> | undefined,
): Asked<N> {
  const key = input === undefined ? undefined : JSON.stringify(input);
  const change = useLive({ hearsTraces: tracesReaders.has(name) });
  return useLoaded(key, (key, signal) => call(name, JSON.parse(key), { signal }), change);
}

/** Loads what a key says, again when that or `change` is another; nothing without a key. */
export function useLoaded<T>(
  key: string | undefined,
  load: (key: string, signal: AbortSignal) => Promise<T>,
  change?: number,
): Loaded<T> {
  const [asked, setAsked] = useState<Loaded<T>>({ isAsking: key !== undefined });
  useEffect(() => {
    if (key === undefined) return setAsked({ isAsking: false });
    const stop = new AbortController();
    setAsked((before) => ({ ...before, isAsking: true }));
    load(key, stop.signal).then(
      (answer) => stop.signal.aborted || setAsked({ answer, isAsking: false }),
      (error) => {
        if (stop.signal.aborted) return;
        setAsked({ error: toCallError(error), isAsking: false });
      },
    );
    return () => stop.abort();
  }, [key, change]);
  return asked;
}

/** Any failure in the form of the server's. */
export function toCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  return new CallError("INTERNAL", error instanceof Error ? error.message : String(error));
}
