// The digest: one paragraph for a session: what was asked, what came of it, which files, how tests
// and commits ended. Pure.

import { toLine } from "../../core/text.ts";
import { toSentences } from "../../core/rows/blocks.ts";
import { editCalls, filesOf, findProof } from "./find_outcomes.ts";
import { cutAtSentence, maxTextChars } from "./quote.ts";
import type { Candidate, Scene } from "./scenes.ts";

/** The digest of a session; none when nothing came of it. */
export function findDigest(
  scenes: readonly Scene[],
  { goals, outcomes, open }: Record<"goals" | "outcomes" | "open", readonly Candidate[]>,
): Candidate[] {
  const goal = goals[0];
  const outcome = outcomes.findLast(({ scene }) => !scene.isSide) ?? outcomes.at(-1);
  if (goal === undefined || outcome === undefined) return [];
  const runs = scenes.flatMap((scene) => scene.runs);
  const edits = editCalls(runs);
  const files = filesOf(edits);
  const proof = findProof(runs);
  // Of a single question and its answer there is no more to say than they say.
  if (scenes.length < 2 && files.length === 0 && proof.length === 0) return [];
  const came = leadOf(outcome.text);
  const parts = [
    `Asked: ${toLine(goal.scene.topic, 160)}`,
    `Came of it: ${came}`,
    files.length > 0 ? `Files: ${files.slice(0, 8).join(", ")}` : "",
    ...proof.map(({ line }) => line).filter((line) => !came.includes(line)),
    open.length > 0 ? `Open: ${toLine(open[0].text, 120)}` : "",
  ];
  return [{
    type: "digest",
    text: cutAtSentence(parts.filter(Boolean).join("\n"), maxTextChars),
    evidence: [
      ...goal.evidence,
      ...outcome.evidence,
      ...proof.flatMap(({ run }) => run.output ?? []),
      ...open.slice(0, 1).flatMap(({ evidence }) => evidence),
      ...edits,
    ],
    scene: goal.scene,
    score: 1,
  }];
}

/** The first sentences of a text, as many as fit. */
export function leadOf(text: string, maxChars = 240): string {
  let lead = "";
  for (const sentence of toSentences(text)) {
    if (lead.length + sentence.length > maxChars) break;
    lead += (lead === "" ? "" : " ") + sentence;
  }
  return lead === "" ? toLine(text, maxChars) : lead;
}
