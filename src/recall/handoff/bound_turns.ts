// Keeps a handed session within what an agent can take in: the newest turns that fit, long texts cut in
// their middle. The same session gives the same turns. Pure.

import { alignToCharacter } from "../../core/text.ts";
import { countTokens } from "../../core/tokens.ts";
import type { Turn } from "./turn.ts";

/** What was kept, and how many turns before it were not. */
export interface BoundTurns {
  turns: Turn[];
  leftOut: number;
  tokens: number;
}

/** The longest text of one turn. */
const maxTurnChars = 64_000;

/** The newest turns within a budget; one at least. */
export function boundTurns(all: readonly Turn[], budgetTokens: number): BoundTurns {
  const turns: Turn[] = [];
  let tokens = 0;
  for (const turn of all.toReversed()) {
    const fitting = cutTurn(turn, Math.min(maxTurnChars, budgetTokens * 2));
    const cost = costOf(fitting);
    if (turns.length > 0 && tokens + cost > budgetTokens) break;
    turns.push(fitting);
    tokens += cost;
  }
  return { turns: turns.reverse(), leftOut: all.length - turns.length, tokens };
}

function costOf(turn: Turn): number {
  if (turn.kind !== "call") return countTokens(turn.text);
  return countTokens(JSON.stringify(turn.call.input)) + countTokens(turn.result.text);
}

function cutTurn(turn: Turn, maxChars: number): Turn {
  if (turn.kind !== "call") return { ...turn, text: cutMiddle(turn.text, maxChars) };
  return { ...turn, result: { ...turn.result, text: cutMiddle(turn.result.text, maxChars) } };
}

/** A text without its middle, where it is too long; how much is gone is told there. */
function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = alignToCharacter(text, Math.floor(maxChars * 3 / 4));
  const tail = alignToCharacter(text, text.length - Math.floor(maxChars / 4));
  return `${text.slice(0, head)}\n[+${tail - head} chars]\n${text.slice(tail)}`;
}
