// The voices of a message: who speaks in each part of it.

/**
 * Who speaks. Of a user's message: words that the person `typed`, text that they `pasted` (output, logs,
 * diffs, files, quotations), and what their `client` put in (commands, plans, summaries, reminders). Of an
 * agent's message: its `prose`, its `thinking`, and a `quotation` of code, output or other people.
 */
export type Voice = "typed" | "pasted" | "client" | "prose" | "thinking" | "quotation";

/** A part of a message, from its first character to the one after its last. */
export interface Span {
  voice: Voice;
  from: number;
  to: number;
}

/** What of a row decides who speaks in it. */
export interface Message {
  role: string;
  text: string;
  type?: string;
  /** Whether one agent wrote it to another. */
  sidechain?: unknown;
}

/** A part of a text. */
export interface Range {
  from: number;
  to: number;
}
