// What a session without a title is called by: its first prompt that says something. Pure.

import { firstLine, toLine } from "../text.ts";

const maxChars = 120;
/** A line that only leads to the next: `Implement the following plan:`. */
const leadIn = /^.{1,80}:$/;
/** A command of the agent's program with nothing after it: `/model`, `/login`. */
const bareCommand = /^\/[\w:-]+$/;

/** Whether a session has a line to be called by that no later prompt replaces. */
export function namesSession(line: string | undefined): boolean {
  return line !== undefined && !bareCommand.test(line);
}

/** The line to call a session by after one more prompt, given the line before it. */
export function preferPrompt(before: string | undefined, prompt: string): string {
  if (before !== undefined && namesSession(before)) return before;
  const line = nameFrom(prompt);
  return before === undefined || namesSession(line) ? line : before;
}

/** The first line; where many prompts begin alike and it says little, what it leads to as well. */
function nameFrom(prompt: string): string {
  const line = firstLine(prompt, maxChars);
  if (!leadIn.test(line)) return line;
  const rest = prompt.slice(prompt.indexOf(line) + line.length);
  return rest.trim() === "" ? line : toLine(`${line} ${firstLine(rest, maxChars)}`, maxChars);
}
