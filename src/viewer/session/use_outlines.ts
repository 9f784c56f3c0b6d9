// The outlines of the sub-agents that are opened.

import { useEffect, useState } from "preact/hooks";
import { call } from "../data/call.ts";
import { useLive } from "../data/live.ts";
import { usePage } from "../data/page_context.ts";
import { toCallError } from "../data/use_answer.ts";
import type { Outline } from "./reader_rows.ts";

/** Characters of the line of each message. */
export const lineChars = 160;

/** Asks for those of some sessions; they stay while others are asked for. */
export function useOutlines(sessions: ReadonlySet<string>): ReadonlyMap<string, Outline> {
  const { tell } = usePage();
  const [outlines, setOutlines] = useState<ReadonlyMap<string, Outline>>(new Map());
  const change = useLive();
  useEffect(() => {
    const stop = new AbortController();
    const ask = async (session: string): Promise<void> => {
      try {
        const outline = await call("outline", { session, chars: lineChars }, stop);
        if (!stop.signal.aborted) setOutlines((known) => new Map(known).set(session, outline));
      } catch (error) {
        if (!stop.signal.aborted) tell(toCallError(error).message);
      }
    };
    for (const session of sessions) void ask(session);
    return () => stop.abort();
  }, [sessions, change]);
  return outlines;
}
