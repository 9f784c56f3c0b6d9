// How sure an answer is: sources that agree count each, also where two sessions use one id.

import assert from "node:assert/strict";
import { judgeConfidence } from "../../src/ask/confidence.ts";

Deno.test("two entries with one id agree as two; one that is cited twice does not", () => {
  const judge = (...sources: { id: string; text: string }[]): number =>
    judgeConfidence({
      question: "do tokens rotate?",
      answer: "tokens rotate daily",
      sources: sources.map((source) => ({ ...source, score: 1 })),
      dropped: 0,
    }).agreement;
  const one = { id: "H-1", text: "tokens rotate daily" };
  const other = { id: "H-1", text: "the tokens rotate, as said" };
  assert.equal(judge(one, one), judge(one));
  assert.ok(judge(one, other) > judge(one));
});
