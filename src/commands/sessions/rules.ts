// `ctx rules`: what the user demanded for good or corrected, across sessions, with evidence.

import { parseRange } from "../../core/time/parse_when.ts";
import { briefMeasure, minuteOf, withoutEmpty } from "../../command/brief.ts";
import { fitRows } from "../../command/budget.ts";
import { define } from "../../command/command.ts";
import { pageInputs } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import type { Rule } from "../../recall/review/review_shapes.ts";
import { rulesShape, toRulesScreen } from "../../view/rules_screen.ts";

export const rules = define({
  name: "rules",
  summary: "List standing instructions: what you keep asking agents for.",
  description:
    "A rule is a lasting instruction from the user (always, never, from now on, next time, we use X here) or a correction, in the user's own words. Requests for one task do not count, nor does anything said by agents, tools or pasted text. The same instruction in several sessions is one rule. Frequent and recent rules come first; rules contradicted by later ones are marked and come last. Saved preferences count too (`ctx save TEXT --type preference`); those saved by an agent are marked. Rules are based on records (`ctx records --type preference`). `ctx review` lets you accept or reject them, and write accepted ones into AGENTS.md or CLAUDE.md. English only.",
  input: {
    about: s.withDefault(s.text("Only rules about these words."), ""),
    project: s.optionalText("Only projects whose path contains this."),
    since: s.optionalText("Only rules stated after this time (2026-11-15, 7d, yesterday)."),
    until: s.optionalText("Only rules last stated up to this time; a date includes the whole day."),
    min: s.integer("Only rules said in at least N sessions.", { min: 1, max: 1000, default: 1 }),
    ...pageInputs("Rules"),
    max_tokens: s.optionalInteger("Only the first rules that fit this limit.", { min: 50 }),
  },
  output: rulesShape,
  positional: ["about"],
  list: {
    of: "rules",
    columns: ["id", "ts", "kind", "sessions", "text"],
    also: ["saved_by"],
  },
  effect: "read",
  unscoped: true,
  tool: "rules",
  examples: [
    { argv: ["records", "--type", "rule"], about: "List your standing instructions." },
    {
      argv: ["records", "--type", "rule", "error handling"],
      about: "List rules about error handling.",
    },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const [{ noteFresh, readFreshRecords }, { findRules }] = await Promise.all([
      import("../../recall/review/fresh_records.ts"),
      import("../../recall/review/find_rules.ts"),
    ]);
    const range = parseRange(input, context.now());
    const fresh = await readFreshRecords(store, {
      types: ["preference"],
      project: input.project,
      withSuperseded: true,
      keepsUsers: true,
      shownOnly: true,
      now: context.now,
      signal: context.signal,
    });
    const { about, min } = input;
    const found = findRules(store, fresh.rows, { about, min, ...range, nowMs: context.now() });
    const page = found.slice(input.offset, input.offset + input.limit);
    const measure = briefMeasure(context.surface, briefRule);
    const { rows, ...budget } = fitRows(page, input.max_tokens, measure);
    const notes = noteFresh(fresh);
    return {
      total: found.length,
      offset: input.offset,
      rules: rows,
      ...budget,
      ...(notes.length > 0 ? { notes } : {}),
    };
  },
  brief({ total, over_budget, rules, notes }) {
    return {
      total,
      ...(over_budget > 0 ? { over_budget } : {}),
      rules: rules.map(briefRule),
      ...(notes === undefined ? {} : { notes }),
    };
  },
  render: toRulesScreen,
  note: ({ notes = [] }) => notes.join("; ") || undefined,
});

function briefRule(
  { id, ts, kind, sessions, text, evidence, superseded_by, saved_by }: Rule,
): object {
  return withoutEmpty({
    id,
    ts: minuteOf(ts),
    kind,
    sessions,
    superseded_by,
    saved_by: saved_by && "an agent",
    evidence: evidence.slice(0, 3),
    text,
  });
}
