// What an agent is given at a moment: the text that its model reads, and what that is made of. Hooks
// say it and note it; a preview shows it.

export interface Block {
  /** What the agent's model reads, to the byte; empty when nothing is given. */
  text: string;
  /** The most tokens that it may have, where there is such a bound. */
  budget?: number;
  lines: BlockLine[];
  left_out: LeftOutLine[];
  /** Why there is nothing, and what else to know. */
  notes: string[];
}

export interface BlockLine {
  /** The entry that it is of; lines about code and of files have none. */
  id?: string;
  /** What it is about where that is no entry: a file, a commit, `pins.md`, `summary.md`, `session`. */
  subject?: string;
  kind: string;
  /** As it stands in the text. */
  text: string;
}

/** What was found and is not in it; `count` lines of which only the number is known. */
export interface LeftOutLine {
  id?: string;
  kind?: string;
  text?: string;
  why: string;
  count: number;
}

export function emptyBlock(why: string): Block {
  return { text: "", lines: [], left_out: [], notes: [why] };
}
