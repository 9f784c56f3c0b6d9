// Goals: what was asked. The first real prompt, and later ones that ask for something else. Pure.

import { keyWords, shareOf } from "./key_words.ts";
import { cutAtSentence, maxTextChars } from "./quote.ts";
import type { Candidate, Scene } from "./scenes.ts";

/** The goals of a session's user. */
export function findGoals(scenes: readonly Scene[]): Candidate[] {
  const goals: Candidate[] = [];
  const known = new Set<string>();
  for (const scene of scenes) {
    if (scene.isSide || scene.prompts.length === 0) continue;
    const words = keyWords(scene.goal);
    if (words.size < 3 || shareOf(words, known) > 0.7) continue;
    for (const word of words) known.add(word);
    goals.push({
      type: "goal",
      text: cutAtSentence(scene.goal, maxTextChars),
      evidence: scene.prompts,
      scene,
      score: (goals.length === 0 ? 10 : 0) + Math.min(words.size, 20) / 4 +
        (scene.runs.some(({ effect }) => effect === "edit") ? 2 : 0),
    });
  }
  return goals;
}
