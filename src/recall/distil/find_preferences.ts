// Preferences: what the user demanded or corrected. A demand is told by its words; a correction by
// where it stands: after an answer, and the next turn gives in. Pure.

import { toLine } from "../../core/text.ts";
import { toSentences } from "../../core/rows/blocks.ts";
import { correction, demandWords, findLasting, lastingWords } from "./demands.ts";
import { asksForWork } from "./find_digest.ts";
import { editCalls, filesOf } from "./find_outcomes.ts";
import { keyWords } from "./key_words.ts";
import {
  cutAtSentence,
  joinBlocks,
  maxTextChars,
  pickSentences,
  pointsElsewhere,
} from "./quote.ts";
import { type Candidate, isTypedAlone, type Scene, titleChars } from "./scenes.ts";

/** What the user wants done, or done otherwise, in this session and later. */
export function findPreferences(
  scenes: readonly Scene[],
  decisions: readonly Candidate[],
): Candidate[] {
  const chosen = new Set(decisions.flatMap(({ evidence }) => evidence));
  return scenes.flatMap((scene, i) => {
    const prompt = scene.prompts.at(-1);
    if (scene.isSide || prompt === undefined) return [];
    const rules = scene.prompts.flatMap(({ text }) => findLasting(text))
      .filter(({ weight }) => weight > 0).map(({ text }) => text);
    rules.push(...findWritten(scene));
    if (keyWords(scene.asked).size < 3 && rules.length === 0) return [];
    const isRule = (line: string): boolean =>
      rules.some((rule) => rule.includes(line) || line.includes(rule));
    const demanded = new Set(pickSentences(scene.asked, demandWords));
    const demands = toSentences(scene.asked).filter((line) =>
      isRule(line) || (demanded.has(line) && keyWords(line).size >= 2)
    );
    const standing = demands.filter((line) => lastingWords.test(line) || isRule(line));
    const reply = scene.turns[0]?.entry.text ?? "";
    const isCorrection = i > 0 && scene.asked.length <= 1500 &&
      (correction.test(scene.asked) || givesIn.test(reply));
    if (!isCorrection && demands.length === 0) return [];
    // The same words are noted once: as what was decided, unless they are said to last.
    if (chosen.has(prompt) && standing.length === 0) return [];
    // A long task is full of "must"; what it demands is its goal, unless it is said to last.
    const isTask = scene.asked.length > 1200 || (i === 0 && !isCorrection);
    const said = isTask ? standing : isCorrection && demands.length === 0 ? [] : demands;
    if (isTask && said.length === 0) return [];
    // Leave out a task next to a rule: it will be done by the time the rule is sent.
    const lasting = (line: string): boolean =>
      isRule(line) || demanded.has(line) || !asksForWork(line);
    const asked = rules.length === 0 ? scene.asked : keepSentences(scene.asked, lasting);
    const text = scene.asked.length <= 400 || said.length === 0
      ? cutAtSentence(asked, maxTextChars)
      : joinBlocks(withNext(asked, said));
    return [{
      type: "preference" as const,
      text,
      // The title would otherwise be the whole prompt, with the task.
      ...(asked !== scene.asked ? { title: toLine(text, titleChars) } : {}),
      evidence: isCorrection && givesIn.test(reply)
        ? [...scene.prompts, ...scene.turns.slice(0, 1).map(({ entry }) => entry)]
        : scene.prompts,
      scene,
      score: (isCorrection ? 3 : 0) + (standing.length > 0 ? 3 : 0) + (rules.length > 0 ? 6 : 0) +
        demands.length * 0.5,
      isHeld: rules.some((rule) => !steers.test(rule) || lastingWords.test(rule)) &&
        !pointsElsewhere.test(text) &&
        isTypedAlone(scene),
    }];
  });
}

/** What agents are to do, where the user has it written into the file that they read and it was. */
function findWritten({ asked, runs }: Scene): string[] {
  if (!instructionFile.test(asked)) return [];
  const isWritten = filesOf(editCalls(runs)).some((file) => instructionFile.test(file));
  return isWritten ? toSentences(asked).filter((line) => bindsAgents.test(line)) : [];
}

const instructionFile = /\b(?:claude|agents|gemini)\.md\b|\.cursorrules\b|copilot-instructions/i;
const bindsAgents =
  /\b(?:claude|codex|gemini|cursor|copilot|agents?|you) (?:should|must|shall|may|can|is|are|has to|have to|needs? to)\b/i;

/** Turns an agent that is at work; what it did may be right next time. */
const steers = /^\W*(?:\w+,? )?(?:please )?stop \w+ing\b/i;

/** A text as it is, without some of its sentences. */
function keepSentences(text: string, isKept: (sentence: string) => boolean): string {
  const sentences = toSentences(text);
  const kept = sentences.filter(isKept);
  return kept.length === sentences.length ? text : kept.join(" ");
}

/** Sentences, each with the one that follows it. */
function withNext(text: string, chosen: readonly string[]): string[] {
  const sentences = toSentences(text);
  const wanted = new Set(
    chosen.flatMap((sentence) => {
      const at = sentences.indexOf(sentence);
      return [at, at + 1];
    }),
  );
  return sentences.filter((_, i) => wanted.has(i));
}

const givesIn =
  /^\W*(?:oh,? |ah,? )?(?:you(?:'re|’re| are) (?:absolutely |completely |totally )?(?:right|correct)|good (?:catch|point|call)|my (?:mistake|apolog|bad)|i apologi[sz]e|apologies|sorry|i was (?:wrong|conflating)|you(?:'re|’re) not wrong|fair point)/i;
