// The texts of messages that are seen, read in windows: a long session is never read whole. What was
// seen long ago is let go, and read again when it is seen again.

import { useEffect, useMemo, useState } from "preact/hooks";
import { type AnswerOf, call, type CallError } from "../data/call.ts";
import { useLive } from "../data/live.ts";
import { toCallError } from "../data/use_answer.ts";

export type Message = AnswerOf<"read">["messages"][number];

/** A message whose text is wanted. */
export interface Wanted {
  session: string;
  number: number;
  id: string;
}

export interface Texts {
  find(id: string): Message | undefined;
  /** Reads those that are not here; what was wanted before and not asked yet is passed over. */
  want(messages: readonly Wanted[]): void;
  error?: CallError;
}

const mostTexts = 3000;
/** Messages that are read at once. */
const mostAtOnce = 80;
/** Nothing is loaded while scrolling. */
const settleMs = 40;

/** Reads texts as they are wanted. */
export function useTexts(): Texts {
  const [version, setVersion] = useState(0);
  const [error, setError] = useState<CallError>();
  const reader = useMemo(() => new TextReader(() => setVersion((one) => one + 1), setError), []);
  const change = useLive();
  useEffect(() => reader.again(), [change]);
  useEffect(() => () => reader.stop(), []);
  return useMemo(() => ({
    find: (id: string) => reader.texts.get(id),
    want: (messages: readonly Wanted[]) => reader.want(messages),
    error,
  }), [version, error]);
}

class TextReader {
  readonly texts = new Map<string, Message>();
  readonly #asked = new Set<string>();
  readonly #tell: () => void;
  readonly #fail: (error: CallError | undefined) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(tell: () => void, fail: (error: CallError | undefined) => void) {
    this.#tell = tell;
    this.#fail = fail;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Lets what did not come be asked for again. */
  again(): void {
    this.#asked.clear();
  }

  want(messages: readonly Wanted[]): void {
    clearTimeout(this.#timer);
    const missing = messages.filter(({ id }) => !this.texts.has(id) && !this.#asked.has(id));
    if (missing.length === 0) return;
    this.#timer = setTimeout(() => {
      for (const [session, own] of Map.groupBy(missing, (one) => one.session)) {
        for (let at = 0; at < own.length; at += mostAtOnce) {
          void this.#read(session, own.slice(at, at + mostAtOnce));
        }
      }
    }, settleMs);
  }

  async #read(session: string, wanted: readonly Wanted[]): Promise<void> {
    for (const { id } of wanted) this.#asked.add(id);
    try {
      const ranges = wanted.map(({ number }) => number).join();
      const { messages } = await call("read", { session, ranges, edits: true });
      // What did not come is gone, or will not come either the next time: it is not asked for again.
      for (const message of messages) {
        this.texts.set(message.id, message);
        this.#asked.delete(message.id);
      }
      for (const [id] of this.texts) {
        if (this.texts.size <= mostTexts) break;
        this.texts.delete(id);
      }
      this.#fail(undefined);
    } catch (error) {
      this.#fail(toCallError(error));
    }
    this.#tell();
  }
}
