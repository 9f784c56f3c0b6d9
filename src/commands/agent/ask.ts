// `ctx ask`: one question in, one sourced answer out.

import { pageOf } from "../../core/text.ts";
import { countTokens } from "../../core/tokens.ts";
import { type Answer, answer, describeSource } from "../../ask/answer.ts";
import { answerQuestion } from "../../ask/answer_question.ts";
import { askLimits } from "../../ask/ask_limits.ts";
import { resolveScope } from "../../ask/ask_scope.ts";
import { fitRows } from "../../command/budget.ts";
import { define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { countOf, type View } from "../../command/view.ts";

export const ask = define({
  name: "ask",
  summary: "Answer a question from your history, with sources.",
  description:
    'With a model configured (llm.model), ctx searches and reads for you and returns only the answer. Sources are checked against what was read, and confidence is computed from the evidence. Without a model, the answer quotes the first search results and how their exchange ended, never an answer that you rejected in your next message; if the search finds nothing, it is "not found". "What is left open?", "what did we do last week?" and "why is line 12 of FILE there?" are answered by `ctx records` and `ctx why`. --collection, --session and --project limit what can be read.',
  input: {
    query: s.text("The question.", 1),
    use_case: s.optionalText("What you need the answer for."),
    ...askLimits,
    temperature: s.optionalNumber("The model's temperature.", { min: 0, max: 2 }),
    max_tokens: s.optionalInteger("Token limit for answer and sources.", {
      min: 50,
    }),
    verbose: s.flag("Show searches, model calls and tokens."),
  },
  output: answer,
  positional: ["query"],
  short: { u: "use_case", c: "collections" },
  flags: { collections: "collection" },
  effect: "read",
  access: "provider",
  tool: "ask_documents",
  examples: [{
    argv: ["ask", "why do we rotate refresh tokens?", "--use-case", "reviewing the login code"],
    about: "Ask a question, and say what it is for.",
  }],
  async run(input, context) {
    const scope = await resolveScope(input, context);
    const answered = await answerQuestion({
      query: input.query,
      useCase: input.use_case,
      scope,
      model: input.model,
      temperature: input.temperature,
      command: "ask",
      onStep: (step) => context.progress(step),
    }, context);
    const result = input.max_tokens === undefined
      ? answered
      : fitAnswer(answered, input.max_tokens);
    if (input.verbose) return result;
    const { steps: _steps, trace_id: _trace, ...brief } = result;
    return brief;
  },
  render: (data, view) => renderAnswer(data, view),
  note: (data) => data.note,
  failure: (data) => data.provider_error?.code,
});

/** Cuts the answer if it must be, then keeps as many sources as fit; what went is in the note. */
function fitAnswer(data: Answer, budgetTokens: number): Answer {
  let { answer: said } = data;
  while (countTokens(said) > budgetTokens) {
    said = pageOf(said, 0, Math.max(1, Math.floor(said.length * 0.9))).text;
  }
  const { rows: sources, over_budget } = fitRows(data.sources, budgetTokens - countTokens(said));
  const notes = [
    data.note,
    said === data.answer ? undefined : "the answer was shortened to fit the budget",
    over_budget > 0 ? `${countOf(over_budget, "source")} did not fit the budget` : undefined,
  ].filter((note) => note !== undefined);
  return {
    ...data,
    answer: said,
    sources,
    ...(notes.length > 0 ? { note: notes.join("; ") } : {}),
  };
}

function renderAnswer(data: Answer, view: View): string {
  const parts = [
    ...(data.steps ?? []).map((step) => view.dim(`· ${step}`)),
    view.wrap(data.answer),
  ];
  if (data.sources.length > 0) {
    // Without a model the answer is the quotes: each is shown once.
    const lines = data.sources.map((source) =>
      view.wrap(view.bold(describeSource(source)), { first: "  ", indent: "    ", lines: 2 }) +
      (data.mode === "llm" ? `\n    "${source.quote.replace(/\s+/g, " ")}"` : "")
    );
    parts.push(`\n${view.bold("Sources")}\n${lines.join("\n")}`);
  }
  const model = data.mode === "llm"
    ? `${data.model}, ${view.count(data.usage.total_tokens)} tokens`
    : "no model";
  const sure = data.confidence === undefined ? "" : `Confidence: ${data.confidence} · `;
  parts.push(`\n${view.dim(`${sure}${data.mode} · ${model}`)}`);
  return parts.join("\n") + "\n";
}
