// How a command ended, as its agent's program says it. What a command prints proves nothing: it may look
// like an error and be none, and a failure may print nothing. Pure.

import type { Run } from "../../core/rows/exchanges.ts";
import { resultOf } from "../../core/rows/tool_result.ts";

/** How a run ended and what it printed: unknown where nobody says so, undefined where it did not end. */
export function endOf(
  { output, failed }: Run,
): { end: "succeeded" | "failed" | "unknown"; printed: string } | undefined {
  if (output === undefined) return undefined;
  const { exit, isRunning, text } = resultOf(output);
  const { tool, source } = output;
  const printed = text.trim();
  const isMarked = tool?.error !== undefined && tool.error !== false;
  if (isRunning || neverEnded.test(`${text.slice(0, 600)}\n${text.slice(-600)}`)) {
    return undefined;
  }
  if (isMarked || (exit ?? 0) !== 0) return { end: "failed", printed };
  const isSure = exit === 0 || (!failed && marking.has(source?.agent ?? ""));
  return { end: isSure ? "succeeded" : "unknown", printed };
}

/** Sent to the background, interrupted, refused by the user, or kept in a file. */
const neverEnded =
  /running in (?:the )?background|\binterrupted by (?:the )?user|<persisted-output>|doesn't want to proceed/i;

/** Agents that mark the output of every command that failed. */
const marking: ReadonlySet<string> = new Set(
  "claude-code codex crush grok openhands opencode pi".split(" "),
);
