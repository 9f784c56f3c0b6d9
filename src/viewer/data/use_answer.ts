// The answer of a command as component state: reloaded when the input or the store changes. The previous
// answer stays until the next arrives, and late answers are dropped.

import { useEffect, useState } from "preact/hooks";
import { type AnswerOf, call, CallError, type CommandName, type InputOf } from "./call.ts";
import { useLive } from "./live.ts";

/** Commands that show traces; they leave none themselves. */
const tracesReaders: ReadonlySet<CommandName> = new Set<CommandName>(["preview", "traces"]);

/** The state of a request. */
export interface Asked<N extends CommandName> {
  answer?: AnswerOf<N>;
  error?: CallError;
  isAsking: boolean;
}

/** Runs a command; nothing runs without input. */
export function useAnswer<N extends CommandName>(
  name: N,
  input: InputOf<N> | undefined,
): Asked<N> {
  const [asked, setAsked] = useState<Asked<N>>({ isAsking: input !== undefined });
  const key = input === undefined ? undefined : JSON.stringify(input);
  const change = useLive({ hearsTraces: tracesReaders.has(name) });
  useEffect(() => {
    if (key === undefined) return setAsked({ isAsking: false });
    const stop = new AbortController();
    setAsked((before) => ({ ...before, isAsking: true }));
    call(name, JSON.parse(key), { signal: stop.signal }).then(
      (answer) => stop.signal.aborted || setAsked({ answer, isAsking: false }),
      (error) => {
        if (stop.signal.aborted) return;
        setAsked({ error: toCallError(error), isAsking: false });
      },
    );
    return () => stop.abort();
  }, [name, key, change]);
  return asked;
}

/** Any failure in the form of the server's. */
export function toCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  return new CallError("INTERNAL", error instanceof Error ? error.message : String(error));
}
