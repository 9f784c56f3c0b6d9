// How a score is calculated, step by step.

import type { JSX } from "preact";
import type { AnswerOf } from "../data/call.ts";

type Explain = NonNullable<AnswerOf<"search">["results"][number]["explain"]>;

/** Shows the steps and the words that counted. */
export function ScoreSteps({ explain, score }: { explain: Explain; score: number }): JSX.Element {
  return (
    <table class="score-steps">
      <caption>Score {score.toFixed(3)}</caption>
      <tbody>
        {explain.steps.map(({ name, op, value }) => (
          <tr>
            <th scope="row">{name}</th>
            <td>{op} {value.toFixed(3)}</td>
          </tr>
        ))}
        {explain.terms.map(({ term, df, contribution }) => (
          <tr class="term">
            <th scope="row">“{term}” in {df} entries</th>
            <td>{contribution.toFixed(3)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
