// What a summary does not have of what a session had in hand, most needed first, within a budget. Pure.

import { isInstructionLike } from "../../core/instruction_like.ts";
import { countTokens } from "../../core/tokens.ts";
import { keyWords, shareOf } from "../distil/key_words.ts";
import { type StateItem, stateKinds } from "./working_state.ts";

/** How a summary is compared, and how much may be told. */
export interface DropOptions {
  summary: string;
  budgetTokens: number;
  /** What is told first has more of it; for benches. */
  worth?: (item: StateItem) => number;
  /** Whether the summary has an item; for benches. */
  has?: (item: StateItem) => boolean;
}

/** The items to tell, in the order of their kinds. */
export function findDropped(items: readonly StateItem[], options: DropOptions): StateItem[] {
  const { budgetTokens, worth = worthOf, has = summaryReader(options.summary) } = options;
  const missing = items.filter((item) => !isInstructionLike(item.text) && !has(item))
    .toSorted((a, b) => worth(b) - worth(a));
  const chosen = new Set<StateItem>();
  const texts = new Set<string>();
  let spent = 0;
  for (const item of missing) {
    const cost = countTokens(` ${item.text},`) + 1;
    if (texts.has(item.text) || spent + cost > budgetTokens) continue;
    texts.add(item.text);
    chosen.add(item);
    spent += cost;
  }
  return stateKinds.flatMap((kind) =>
    missing.filter((item) => item.kind === kind && chosen.has(item))
  );
}

function worthOf({ kind, use }: StateItem): number {
  return kindWorth[kind] * use;
}

const kindWorth: Record<StateItem["kind"], number> = {
  "asked": 100,
  "to do": 50,
  "edited": 2,
  "ran": 2,
  "read": 1,
  "works instead": 1,
  "decided": 1,
};

/** Whether a summary has a thing: a file by its name, a command by its first two words, a sentence by half. */
export function summaryReader(summary: string): (item: StateItem) => boolean {
  const lines = summary.split("\n").filter((line) => line.trim() !== "").map(keyWords);
  return ({ kind, sign, text }) => {
    if (sign !== undefined) return summary.includes(kind === "ran" ? headOf(sign) : sign);
    const words = keyWords(text);
    return lines.some((line) => shareOf(words, line) >= sameShare);
  };
}

const sameShare = 0.5;

/** Longer forms of a command that a summary names would mostly repeat it. */
function headOf(program: string): string {
  const words = program.split(" ");
  return words.slice(0, /^(?:run|task|exec|x)$/.test(words[1] ?? "") ? 3 : 2).join(" ");
}
