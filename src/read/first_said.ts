// Where in a session words were first: an agent that repeats what it read speaks for whoever wrote that.
// A sentence is somebody's if most of its words were together in a passage of theirs before. Pure.

import type { Entry } from "../core/entry.ts";
import { toSentences } from "../core/rows/blocks.ts";
import { findDecisionRule } from "../core/rows/decision_words.ts";
import { isElsewhere } from "../core/voice/trust_of.ts";

/** Of a sentence's words so many must be in one passage. */
const minShare = 0.75;
/** Shorter sentences are said by everybody. */
const minWords = 4;
/** How far apart they may be, in characters: a line, or two that were broken. */
const passageChars = 400;
const maxChars = 400_000;

/** The rows of a session, to be asked who said something first. */
export class FirstSaid {
  readonly #entries: readonly Entry[];
  #folded?: { entry: Entry; folded: string }[];

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
  }

  /** Most sessions are never asked. What an agent saves, it says later than what it read. */
  get #rows(): { entry: Entry; folded: string }[] {
    return this.#folded ??= this.#entries
      .filter(({ type, role }) => type !== "thinking" && role !== "note")
      .map((entry) => ({ entry, folded: entry.text.slice(0, maxChars).toLowerCase() }));
  }

  /** The row from outside that said a sentence of a text before anybody else; undefined if none did. */
  findOutside(text: string, { demandsOnly = false } = {}): Entry | undefined {
    for (const sentence of toSentences(text)) {
      const words = wordsOf(sentence);
      const isDemand = demands.test(sentence) || findDecisionRule(sentence) !== undefined;
      if (words.length < minWords || demandsOnly && !isDemand) continue;
      const first = this.#rows.find(({ folded }) => says(folded, words))?.entry;
      if (first?.type !== "tool_output") continue;
      const call = this.#callOf(first);
      if (ofUser.test(call.tool?.name ?? "")) continue;
      // What is printed here is mostly what was written here: only what it demands is suspicious.
      if (isElsewhere(call) || isDemand && call.tool?.effect !== "edit") return first;
    }
    return undefined;
  }

  /** What an output is of: only the call says what was run or read. */
  #callOf(output: Entry): Entry {
    const id = output.tool?.call_id;
    if (id === undefined) return output;
    return this.#entries.find(({ type, tool }) => type === "tool_call" && tool?.call_id === id) ??
      output;
  }
}

/** Whether one of some rows is the user's answer to a question of the agent: then they chose it. */
export function isAnswered(entries: readonly Entry[], ids: readonly string[]): boolean {
  return entries.some(({ id, tool }) =>
    ids.includes(id) && /^ask|user_input/i.test(tool?.name ?? "")
  );
}

const demands =
  /\b(?:always|never|must|should|shall|don't|do not|only use|instead|prefer|remember|required?|ha(?:s|ve) to|needs? to|may|rules?|(?:before|after) (?:every|each|any)|every time|from now on|make sure|ensure)\b|^\W*(?:please |use |run |install |add |set |send |push |ask |keep |avoid |call )/i;
/** Tools that return what the user answered, or what another agent of the same session says. */
const ofUser = /^(?:AskUserQuestion|ask_?user|request_user_input|ExitPlanMode|Task|Agent)/i;

/** Whether a passage of a text has most of some words. */
function says(folded: string, words: readonly string[]): boolean {
  const least = Math.ceil(words.length * minShare);
  // Of so many words one at least must be there.
  const anchors = words.slice(0, words.length - least + 1);
  return anchors.some((anchor) => {
    for (
      let at = folded.indexOf(anchor);
      at >= 0;
      at = folded.indexOf(anchor, at + anchor.length)
    ) {
      const passage = folded.slice(Math.max(0, at - passageChars), at + passageChars);
      if (words.filter((word) => passage.includes(word)).length >= least) return true;
    }
    return false;
  });
}

/** Its telling words, the longest first: these are the rarest. */
function wordsOf(sentence: string): string[] {
  const found = sentence.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_./-]{3,}/gu) ?? [];
  return [...new Set(found.map((word) => word.replace(/[./-]+$/, "")))]
    .filter((word) => !common.has(word)).sort((a, b) => b.length - a.length);
}

const common: ReadonlySet<string> = new Set(
  "about after again also always because been before being could does each else ever every from have here into just like made make more most must need never only other over same should some such than that their them then there these they this those through under until used uses using very want what when where which while will with within without would your"
    .split(" "),
);
