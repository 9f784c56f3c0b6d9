// What the user took back in words of their own: "I changed my mind, we don't need those tests". What was
// chosen about it before in the session is offered for review, and not told. Pure.

import { toSentences } from "../../../core/rows/blocks.ts";
import { typedWords } from "../../../core/voice/spans_of.ts";
import { keyWords } from "../key_words.ts";
import type { Candidate, Scene } from "../scenes.ts";
import { readAnswers } from "./find_answered.ts";

/** Something that was taken back, when, and what it was. */
interface Withdrawal {
  ts: string;
  /** The exchange in which it was said, or the one before where it was said first of all. */
  scene: number;
  words: ReadonlySet<string>;
  /** Whether its words say that something is taken back. */
  isSure: boolean;
}

/** Candidates without the grade of those that the user took back later. */
export function withoutWithdrawn(
  found: readonly Candidate[],
  scenes: readonly Scene[],
): Candidate[] {
  const withdrawn = scenes.flatMap(findWithdrawals);
  if (withdrawn.length === 0) return [...found];
  return found.map((one) =>
    one.isHeld && one.type === "decision" && withdrawn.some((back) => isMeant(one, back))
      ? { ...one, isHeld: false }
      : one
  );
}

function findWithdrawals({ number, prompts, runs, isSide }: Scene): Withdrawal[] {
  if (isSide) return [];
  const said = prompts.map((prompt) => ({
    ts: prompt.ts,
    text: typedWords(prompt),
    scene: number - 1,
  }));
  const answered = runs.flatMap((run) =>
    readAnswers(run).filter(({ reason }) => reason === undefined)
      .map(({ answer, evidence: [{ ts }] }) => ({ ts, text: answer, scene: number }))
  );
  return [...said, ...answered].flatMap(({ text, ...where }) => {
    const back = toSentences(text).filter((sentence) => isBack(sentence));
    if (back.length === 0) return [];
    const about = (text.length <= maxChars ? text : back.join(" ")).replace(every, " ");
    return [{ ...where, words: keyWords(about), isSure: back.some((one) => takesBack.test(one)) }];
  });
}

/** A longer message speaks of more than what it takes back. */
const maxChars = 300;

function isBack(sentence: string): boolean {
  return takesBack.test(sentence) || removes.test(sentence);
}

const takesBack =
  /\b(?:(?:i(?:'ve| have)? )?changed? my mind|on second thoughts?|get rid of|scratch that|never ?mind|let'?s not|we (?:don'?t|do not|no longer) (?:need|want)|(?:undo|revert|roll back|back out|drop|remove) (?:that|this|it|those|these|all of|everything)|(?:actually|wait)\W+(?:\w+\W+){0,2}?(?:no|don'?t|remove|drop|undo|revert|skip))\b/i;
const every = new RegExp(takesBack, "gi");
/** A task as often as a change of mind. */
const removes = /^\W*(?:(?:please|now|ok(?:ay)?|and|also)\W+)*(?:remove|drop|delete|skip)\b/i;

/** Whether something is what was taken back: it was chosen before, and both name the same, or nothing is named. */
function isMeant({ text, evidence: [{ ts }], scene }: Candidate, back: Withdrawal): boolean {
  if (ts >= back.ts) return false;
  if (back.words.size === 0) return back.isSure && scene.number === back.scene;
  const shared = back.words.intersection(keyWords(text)).size;
  return shared >= (back.isSure && back.words.size <= 4 ? 1 : 2);
}
