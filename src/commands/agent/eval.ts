// `ctx eval`: suites of questions with what their answers must hold.

import { CtxError } from "../../core/errors.ts";
import { resolvePath } from "../../core/platform_path.ts";
import { decodeExact } from "../../core/utf8.ts";
import { askLimits } from "../../ask/ask_limits.ts";
import type { Answer } from "../../ask/answer.ts";
import { answerQuestion } from "../../ask/answer_question.ts";
import { resolveScope } from "../../ask/ask_scope.ts";
import { type Context, define } from "../../command/command.ts";
import { execute } from "../../command/execute.ts";
import { parseSuite, type SuiteCase } from "../../ask/eval_suite.ts";
import * as s from "../../command/shape.ts";
import { search } from "../retrieval/search.ts";
import { toTable } from "../../command/view.ts";

const judged = s.object({
  ...s.each(s.text(), "query", "mode"),
  confidence: s.optional(s.text()),
  passed: s.boolean(),
  ...s.each(s.listOf(s.text()), "missing_keywords", "missing_entries"),
  recall: s.nullable(s.number()),
});

type Judged = s.ValueOf<typeof judged>;

export const evalCommand = define({
  name: "eval",
  summary: "Run a suite of questions and check answers and results.",
  description:
    "A suite is a YAML list of cases. Each has a `query`, optionally `use_case` and `collections`, and `expected`: `keywords` that the answer or its quotes must contain, and `entries` that must be among its sources. Recall is the share of expected entries among the first search results. Exit status 8 means a case failed.",
  input: {
    file: s.text("The suite file, or - for standard input.", 1),
    k: s.integer("Search results that count for recall.", { min: 1, max: 50, default: 10 }),
    model: askLimits.model,
  },
  output: {
    ...s.each(s.number(), "cases", "passed", "failed", "total_tokens"),
    recall: s.nullable(s.number()),
    results: s.listOf(judged),
  },
  positional: ["file"],
  short: { k: "k" },
  effect: "read",
  access: "provider",
  local: true,
  examples: [{
    argv: ["eval", "-"],
    input:
      "- query: how often is a failed delivery retried?\n  expected: { keywords: [5 times] }\n",
    about: "Check one question.",
  }],
  async run(input, context) {
    const suite = await parseSuite(await readSuite(input.file, context), input.file);
    const results: Judged[] = [];
    let total_tokens = 0;
    for (const [i, item] of suite.entries()) {
      context.signal.throwIfAborted();
      context.progress(item.query, i, suite.length);
      const scope = { collections: item.collections, session: "all", global: true };
      const answer = await answerQuestion({
        query: item.query,
        useCase: item.use_case,
        scope: await resolveScope(scope, context),
        model: input.model,
        command: "eval",
      }, context);
      total_tokens += answer.usage.total_tokens;
      results.push(judge(item, answer, await recallOf(item, input.k, context)));
    }
    const recalls = results.flatMap(({ recall }) => recall === null ? [] : [recall]);
    const passed = results.filter((result) => result.passed).length;
    return {
      cases: results.length,
      passed,
      failed: results.length - passed,
      recall: recalls.length === 0 ? null : round(recalls.reduce((a, b) => a + b) / recalls.length),
      total_tokens,
      results,
    };
  },
  render(data, view) {
    const rows = data.results.map((result) => [
      result.passed ? "pass" : view.bold("FAIL"),
      result.recall === null ? "" : `recall ${result.recall}`,
      result.query,
      view.dim(describeMissing(result)),
    ]);
    const recall = data.recall === null ? "" : `, retrieval recall ${data.recall}`;
    return `${toTable(rows)}\n${data.passed} of ${data.cases} passed${recall}, ${
      view.count(data.total_tokens)
    } tokens\n`;
  },
  failure: (data) => data.failed > 0 ? "CHECK_FAILED" : undefined,
});

async function readSuite(file: string, context: Context): Promise<string> {
  if (file === "-") return decodeExact(await context.readInput());
  try {
    return await Deno.readTextFile(resolvePath(file, context.cwd));
  } catch (error) {
    throw new CtxError("NOT_FOUND", `Cannot read the suite "${file}"`, { cause: error });
  }
}

/** What an answer or its quotes lack of what was expected. */
function judge(item: SuiteCase, answer: Answer, recall: Judged["recall"]): Judged {
  const { confidence, mode } = answer;
  const said = [answer.answer, ...answer.sources.map(({ quote }) => quote)].join("\n")
    .toLowerCase();
  const cited = new Set(answer.sources.map(({ entry_id }) => entry_id));
  const missing_keywords = item.keywords.filter((word) => !said.includes(word.toLowerCase()));
  const missing_entries = item.entries.filter((id) => !cited.has(id));
  const passed = missing_keywords.length === 0 && missing_entries.length === 0;
  return { query: item.query, passed, missing_keywords, missing_entries, recall, confidence, mode };
}

/** How many of the expected entries a plain search finds, in history or documents. */
async function recallOf(item: SuiteCase, k: number, context: Context): Promise<number | null> {
  if (item.entries.length === 0) return null;
  const found = new Set<string>();
  for (const scope of ["all", "docs"]) {
    const input = { query: item.query, k, scope, unit: "row", collections: item.collections };
    const { results } = await execute(search, input, context);
    for (const { id } of results) found.add(id);
  }
  return round(item.entries.filter((id) => found.has(id)).length / item.entries.length);
}

function describeMissing(result: Judged): string {
  const parts = [
    result.missing_keywords.length > 0 ? `lacks ${result.missing_keywords.join(", ")}` : "",
    result.missing_entries.length > 0 ? `does not cite ${result.missing_entries.join(", ")}` : "",
  ].filter(Boolean);
  return parts.join("; ");
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
