// `ctx stats`: totals, dates, sources, projects and the health of the store.

import { type Survey, surveyStore } from "../../read/survey.ts";
import type { Store } from "../../store/store.ts";
import { readProactiveStats } from "../../recall/edit/proactive_stats.ts";
import type { ProactiveStats } from "../../recall/edit/proactive_shape.ts";
import { type Context, define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { renderProactive } from "../../recall/edit/render_proactive.ts";
import { findCurrentSession } from "../../command/session_scope.ts";
import { countOf } from "../../command/view.ts";
import { statsShape, toStatsScreen } from "../../view/stats_screen.ts";

export const stats = define({
  name: "stats",
  summary: "Show totals: entries, sessions, dates, sources and projects.",
  input: {
    proactive: s.flag(
      "Show suggestion counts, use and latency instead.",
    ),
    summary: s.flag("Print only the totals, on one line."),
  },
  output: statsShape,
  effect: "read",
  tool: "stats",
  examples: [
    { argv: ["stats"], about: "Show what is in the store." },
    { argv: ["stats", "--proactive"], about: "Show whether suggestions were used." },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const survey = surveyStore(store);
    const { active_days, messages, session_tokens, ...totals } = survey;
    const { earliest = null, latest = null } = survey;
    const average = Math.round(session_tokens / Math.max(1, survey.sessions));
    return {
      workspace: store.layout.workspace,
      revision: store.readState().revision,
      session_id: findCurrentSession(store, context) ?? null,
      ...totals,
      earliest,
      latest,
      avg_tokens_per_session: average,
      total_conversations: survey.sessions,
      total_messages: messages,
      avg_tokens_per_conversation: average,
      date_range: { earliest, latest },
      ...(input.summary ? { summary: summarize(survey, average) } : {}),
      active_days: active_days.length,
      longest_streak_days: longestStreak(active_days),
      current_streak_days: currentStreak(active_days, context.now()),
      disk_bytes: store.files.list(store.layout.root).reduce(
        (sum, name) => sum + (store.files.findSize(`${store.layout.root}/${name}`) ?? 0),
        0,
      ),
      ...(input.proactive ? { proactive: await readProactive(store, context) } : {}),
    };
  },
  brief(
    { total_conversations: _all, total_messages: _messages, date_range: _dates, ...data },
  ) {
    const { avg_tokens_per_conversation: _average, ...told } = data;
    return told;
  },
  render(data, view) {
    if (data.summary) return `${view.wrap(data.summary)}\n`;
    if (data.proactive) return renderProactive(data.proactive, view);
    return toStatsScreen(data, view);
  },
  note: (data) => data.damaged_lines > 0 ? "some lines are damaged; run: ctx doctor" : undefined,
});

/** The totals as a sentence. */
function summarize(survey: Survey, averageTokens: number): string {
  const { sessions, messages, earliest, latest, sessions_by_source: sources } = survey;
  const agents = Object.entries(sources).sort((a, b) => b[1] - a[1])
    .map(([name, count]) => `${name} ${count}`);
  return [
    `${countOf(sessions, "session")} with ${countOf(messages, "message")}`,
    ...(earliest && latest ? [`${earliest.slice(0, 10)} to ${latest.slice(0, 10)}`] : []),
    ...(agents.length > 0 ? [agents.join(", ")] : []),
    `${countOf(survey.projects.length, "project")}, about ${averageTokens} tokens per session`,
  ].join("; ");
}

async function readProactive(store: Store, context: Context): Promise<ProactiveStats> {
  const config = await context.readConfig();
  const options = { minPrecision: config.get("suggest.min_precision"), now: context.now() };
  return readProactiveStats(store.files, store.layout, options);
}

/** The most days in a row that have entries. */
function longestStreak(days: string[]): number {
  let longest = 0;
  let run = 0;
  let before = NaN;
  for (const day of days) {
    const number = Date.parse(day) / 86_400_000;
    run = number === before + 1 ? run + 1 : 1;
    longest = Math.max(longest, run);
    before = number;
  }
  return longest;
}

/** The days in a row up to today or yesterday that have entries. */
function currentStreak(days: string[], now: number): number {
  const today = Math.floor(now / 86_400_000);
  const active = new Set(days.map((day) => Date.parse(day) / 86_400_000));
  let day = active.has(today) ? today : today - 1;
  let run = 0;
  while (active.has(day)) {
    run++;
    day--;
  }
  return run;
}
