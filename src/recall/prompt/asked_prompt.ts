// What is asked for a prompt. Types only.

export interface AskedPrompt {
  prompt: string;
  /** The agent's id of it: what it was told or said is not told again. */
  conversation: string;
  nowMs: number;
  /** Told of what was found and is not said, and why: for whoever wants to know, not for hooks. */
  leave?: (id: string, why: string) => void;
}
