// What a session cost its user and the agent, from its rows after the coin was tossed. Pure.

import type { Entry } from "../../core/entry.ts";
import { isPrompt } from "../../core/rows/exchanges.ts";
import { countTokens } from "../../core/tokens.ts";
import { typedWords } from "../../core/voice/spans_of.ts";
import { correction } from "../distil/demands.ts";
import type { SessionCosts } from "./judge_trial.ts";

/** The costs of a session; undefined as long as no agent did or said anything in it. */
export function findCosts(entries: readonly Entry[]): SessionCosts | undefined {
  if (!entries.some(({ role }) => role === "assistant" || role === "tool")) return undefined;
  const calls = entries.filter(({ type, tool }) => type === "tool_call" && tool !== undefined);
  const firstEdit = calls.findIndex(({ tool }) => tool?.effect === "edit");
  return {
    // Work that changes no file has no way to its first edit.
    ...(firstEdit < 0 ? {} : { actions_to_first_edit: firstEdit }),
    ...(calls.length === 0 ? {} : { repeated_reads: countRepeatedReads(calls) }),
    corrections: entries.filter(isPrompt).slice(1)
      .filter(({ text }) => correction.test(typedWords({ role: "user", text }))).length,
    tokens: entries.reduce((sum, { text }) => sum + countTokens(text), 0),
  };
}

/** How often a file was read again that had not been edited since. */
function countRepeatedReads(calls: readonly Entry[]): number {
  const read = new Set<string>();
  let repeated = 0;
  for (const { tool, files = [] } of calls) {
    for (const file of files) {
      if (tool?.effect === "edit") read.delete(file);
      else if (tool?.effect === "read") {
        if (read.has(file)) repeated++;
        read.add(file);
      }
    }
  }
  return repeated;
}
