// What is asked, by whom and within which limits. Types only.

import type { Message } from "./llm/message.ts";
import type { AskScope } from "./ask_scope.ts";

export interface Question {
  query: string;
  useCase?: string;
  scope: AskScope;
  model?: string;
  temperature?: number;
  /** Who asks, for the ledger and the trace. */
  command: "ask" | "chat" | "eval";
  /** Earlier turns of a conversation. */
  history?: Message[];
  /** Given, the answer is prose and streamed to it. */
  onText?: (text: string) => void;
  onStep?: (step: string) => void;
  /** Takes the ids of all entries that the answer may be made of, also when it fails. */
  shown?: Set<string>;
}
