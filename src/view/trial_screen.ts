// `ctx context worth --trial` for people.

import { countOf, toTable } from "../command/view.ts";
import { usualEvery } from "../recall/trial/report_trial.ts";
import type { TrialReport } from "../recall/trial/trial_shape.ts";

const start = `ctx config set --user inject.trial ${usualEvery}`;

export function trialScreen(report: TrialReport): string {
  const { state, with_context, without, every } = report;
  if (state === "off" && with_context + without === 0) {
    return `No trial is running. To start one: ${start}\n` +
      "ctx then sends nothing to one in four sessions, and compares those with the others.\n" +
      `${power(report)}\n`;
  }
  const names = {
    actions_to_first_edit: "actions before the first edit",
    repeated_reads: "files read again",
    corrections: "corrections by you",
    tokens: "tokens in the session",
  };
  const shown = (value: number | null): string => value === null ? "-" : String(Math.round(value));
  const rows = report.measures.map((row) => [
    names[row.measure],
    shown(row.with_context),
    shown(row.without),
  ]);
  const table = toTable([["median", "with context", "without"], ...rows]);
  return `${headline(report)}\n\n${
    countOf(with_context, "session")
  } with context, ${without} without (one in ${every})\n${table}\n\n${odds(report)}\n`;
}

function headline(report: TrialReport): string {
  const { state, with_context, without, next_look, most_sessions } = report;
  if (state === "helps") return "Context helps: sessions with it cost less. The trial has ended.";
  if (state === "hurts") {
    return "Context hurts: sessions without it cost less. ctx no longer sends any.\n" +
      "To send it again: ctx config set --user inject.trial 0";
  }
  if (state === "none") {
    return `No difference found in ${most_sessions} sessions. The trial has ended; all sessions get context.`;
  }
  if (state === "off") return `The trial is turned off. To continue: ${start}`;
  return `No result yet, with ${
    countOf(with_context + without, "session")
  } so far. ctx compares them at ${next_look} sessions; the trial ends at ${most_sessions} at the latest.`;
}

function odds(report: TrialReport): string {
  const { p } = report;
  const chance = p === null
    ? "There are too few sessions to compare."
    : `A difference this large comes up by chance in ${
      p < 0.01 ? "less than 1" : Math.round(100 * p)
    } of 100 trials.`;
  return `${chance}\n${power(report)}`;
}

/** How long a trial runs, and how small an effect it can find. */
function power({ findable_pairs, most_sessions }: TrialReport): string {
  return `If the session with context is the cheaper one in ${findable_pairs} of 100 pairs, a trial of\n${most_sessions} sessions finds that 8 times in 10. If context has no effect, at most 5 of 100 trials find one.`;
}
