// `ctx worth`: what giving agents memory cost, what of it they used, and what that saved.

import { parseWhen } from "../../core/time/parse_when.ts";
import { findSavedTokens } from "../../recall/hook/saved_tokens.ts";
import { findUse, useKey } from "../../recall/hook/uptake.ts";
import { trialShape } from "../../recall/trial/trial_shape.ts";
import { type Injection, readGiven } from "../../store/logs/injection_log.ts";
import { define } from "../../command/command.ts";
import { sinceTime } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { countOf, toTable } from "../../command/view.ts";

const names = ["times", "lines", "followed", "used", "tokens", "saved_tokens"] as const;
const sums = s.each(s.number(), ...names);

/** What is said where nothing was given, or nothing since a time. */
export const noneGiven =
  "No agent has received anything yet. Run ctx status to see which agents are connected.\n";

export const worth = define({
  name: "worth",
  summary: "Show whether the context agents got was used, and what it cost.",
  description:
    "Counts by agent and event: how often context was sent, how many lines, how many of them were followed by a reply from the agent (`followed`), how many it used, and the tokens they cost and saved. A line counts as used when the agent later names its id, touches its files, or repeats names or several longer words from it that the user had not mentioned. `saved_tokens` is an estimate: the tokens of what a used line replaces (the entries a record was derived from, or the text of a note), minus the line itself, once per conversation. Unused lines save nothing. Events without lines are requests to save notes. Lines that are used rank higher at the next session start; lines that never are rank lower.",
  input: {
    since: sinceTime,
    trial: s.flag("Show whether context helps, as measured by the trial (inject.trial)."),
  },
  output: {
    total: s.object(sums),
    by: s.listOf(s.object({ ...s.each(s.text(), "agent", "event"), ...sums })),
    trial: s.optional(trialShape),
  },
  effect: "read",
  examples: [{
    argv: ["context", "worth", "--since", "7d"],
    about: "Show how useful last week's context was.",
  }, {
    argv: ["context", "worth", "--trial"],
    about: "Compare sessions with context to sessions without.",
  }],
  async run({ since, trial: isTrial }, context) {
    const store = await context.openStore();
    if (isTrial) {
      const { reportTrial } = await import("../../recall/trial/report_trial.ts");
      const every = (await context.readConfig()).get("inject.trial");
      return { total: { ...nothing }, by: [], trial: reportTrial(store, every) };
    }
    const from = since && parseWhen(since, context.now());
    const rows = readGiven(store).filter(({ ts }) => !from || ts >= from);
    const uses = await findUse(store, rows);
    const saved = await findSavedTokens(store, uses.values());
    const by = new Map<string, Sums & { agent: string; event: string }>();
    const total: Sums = { ...nothing };
    for (const row of rows) {
      const { agent, event } = row;
      const key = `${agent}\0${event}`;
      const sum = by.get(key) ?? { agent, event, ...nothing };
      by.set(key, sum);
      for (const counts of [sum, total]) {
        add(counts, row, uses.get(useKey(row))?.used);
        counts.saved_tokens += saved.get(row) ?? 0;
      }
    }
    return { total, by: [...by.values()].sort((a, b) => b.tokens - a.tokens) };
  },
  async render({ total, by, trial }) {
    if (trial !== undefined) {
      const { trialScreen } = await import("../../view/trial_screen.ts");
      return trialScreen(trial);
    }
    if (by.length === 0) return noneGiven;
    const head = ["agent", "event", ...names.map((name) => name.replace(/_tokens$/, ""))];
    const cells = by.map((row) => [
      row.agent,
      row.event,
      ...names.map((name) => String(row[name])),
    ]);
    const { lines, tokens, followed, used, saved_tokens } = total;
    const share = Math.round(100 * used / followed);
    const use = followed === 0
      ? "no agent has replied since"
      : `${used} of ${followed} lines with a reply were used (${share} %), saving about ${
        countOf(saved_tokens, "token")
      }`;
    return `${toTable([head, ...cells])}\n\n${countOf(lines, "line")} for ${
      countOf(tokens, "token")
    }; ${use}\n`;
  },
});

type Sums = Record<typeof names[number], number>;
const nothing: Sums = { times: 0, lines: 0, followed: 0, used: 0, tokens: 0, saved_tokens: 0 };

function add(sum: Sums, { lines, tokens }: Injection, used: ReadonlySet<string> | undefined): void {
  sum.times++;
  sum.lines += lines.length;
  sum.tokens += tokens;
  if (used === undefined) return;
  sum.followed += lines.length;
  sum.used += lines.filter(({ id }) => used.has(id)).length;
}
