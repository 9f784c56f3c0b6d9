// What a session without a title is called by: its first prompt that says something. Pure.

import { firstLine } from "../text.ts";

const maxChars = 120;
/** A command of the agent's program with nothing after it: `/model`, `/login`. */
const bareCommand = /^\/[\w:-]+$/;

/** Whether a session has a line to be called by that no later prompt replaces. */
export function namesSession(line: string | undefined): boolean {
  return line !== undefined && !bareCommand.test(line);
}

/** The line to call a session by after one more prompt, given the line before it. */
export function preferPrompt(before: string | undefined, prompt: string): string {
  if (before !== undefined && namesSession(before)) return before;
  const line = firstLine(prompt, maxChars);
  return before === undefined || namesSession(line) ? line : before;
}
