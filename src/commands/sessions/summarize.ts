// `ctx summarize`: what was asked, decided, done, fixed and left open in a day, a week, a session.

import { CtxError } from "../../core/errors.ts";
import { parsePeriod } from "../../core/time/parse_period.ts";
import { parseRange } from "../../core/time/parse_when.ts";
import { briefMeasure, withoutEmpty } from "../../command/brief.ts";
import { fitRows, type Fitted } from "../../command/budget.ts";
import { define } from "../../command/command.ts";
import { anySession } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { resolveSession } from "../../command/session_scope.ts";
import type { SummaryItem } from "../../recall/review/review_shapes.ts";
import { summaryShape, toSummaryScreen } from "../../view/summary_screen.ts";

export const summarize = define({
  name: "summarize",
  summary: "Summarize a day, week or session: asked, decided, done, fixed, left open.",
  description:
    'Built from stored records (`ctx records`) and saved entries, quoted with their ids; no model is used, so the same store gives the same summary. `day` is today, `week` today and the six days before, `month` the last month; other times work as with --since (yesterday, "last week", 7d, 2026-11-15, "May 2026"). With --session and no time, the whole session is summarized. Sessions without up-to-date records are read first; the output says how many.',
  input: {
    period: s.optionalText('day (the default), week, month, yesterday, "last week", 7d, …'),
    since: s.optionalText("Only after this time, instead of a period."),
    until: s.optionalText("Only up to this time; a date includes the whole day."),
    project: s.optionalText("Only projects whose path contains this."),
    session: anySession,
    budget: s.optionalInteger("Token limit for the summary.", { min: 50 }),
  },
  output: summaryShape,
  positional: ["period"],
  list: { of: "items", columns: ["id", "day", "kind", "session_id", "text"] },
  effect: "read",
  tool: "summarize",
  examples: [
    { argv: ["records", "--summary"], about: "Summarize today." },
    { argv: ["records", "--summary", "week"], about: "Summarize the last seven days." },
    {
      argv: ["records", "--summary", "last month", "--budget", "800"],
      about: "Summarize a month in 800 tokens.",
    },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const [{ readSessionList }, { noteFresh, readFreshRecords }, { summaryTypes, toSummary }] =
      await Promise.all([
        import("../../read/session_list.ts"),
        import("../../recall/review/fresh_records.ts"),
        import("../../recall/review/time_summary.ts"),
      ]);
    const session = resolveSession(input.session, store, context);
    const range = rangeOf(input, { hasSession: session !== undefined, nowMs: context.now() });
    const { since = "", until = "\uffff" } = range;
    const sessions = readSessionList(store).filter((row) =>
      (session === undefined ? row.parent === undefined : row.id === session) &&
      (input.project === undefined || (row.project ?? "").includes(input.project)) &&
      row.ended >= since && row.started <= until
    );
    if (sessions.length === 0 && session !== undefined) {
      await context.wholeIds("S", [input.session]);
    }
    const fresh = await readFreshRecords(store, {
      types: summaryTypes,
      ...range,
      withSuperseded: true,
      sessions: sessions.map(({ id }) => id),
      withLoose: session === undefined && input.project === undefined,
      now: context.now,
      signal: context.signal,
    });
    const most = session === undefined ? usualItems : allItems;
    const measure = briefMeasure(context.surface, briefItem);
    const fitted = fitItems((limit) => toSummary(fresh.rows, limit), {
      most,
      fit: (items) => fitRows(items, input.budget, measure),
    });
    const counts = Map.groupBy(fitted.rows, ({ session_id }) => session_id);
    const notes = noteFresh(fresh);
    return {
      ...range,
      sessions: sessions.map(({ id, title, started, ended, project, source, message_count }) => ({
        id,
        title,
        started,
        ended,
        ...(project === undefined ? {} : { project }),
        ...(source === undefined ? {} : { source }),
        message_count,
        items: counts.get(id)?.length ?? 0,
      })),
      items: fitted.rows,
      over_budget: fitted.over_budget,
      estimated_tokens: fitted.estimated_tokens,
      ...(notes.length > 0 ? { notes } : {}),
    };
  },
  brief({ since, until, sessions, items, over_budget, notes }) {
    const titles = new Map(sessions.map(({ id, title }) => [id, title]));
    const untold = sessions.filter((row) => row.items === 0).map(({ id }) => id);
    return withoutEmpty({
      since,
      until,
      over_budget,
      sessions_without_items: untold,
      items: items.map((item, i) => ({
        ...briefItem(item),
        // A title is said once, where its session begins.
        ...(item.session_id === items[i - 1]?.session_id
          ? {}
          : { title: titles.get(item.session_id ?? "") }),
      })),
      notes,
    });
  },
  render(data, view) {
    if (data.items.length === 0) return `${view.wrap(nothingIn(data))}\n`;
    return toSummaryScreen(data, view);
  },
  note: ({ notes }) => notes?.join("; "),
});

/** How many of a kind are told of a session's day, and of a session that was asked for. */
const usualItems = 3;
const allItems = 10;

function rangeOf(
  { period, since, until }: { period?: string; since?: string; until?: string },
  { hasSession, nowMs }: { hasSession: boolean; nowMs: number },
): { since?: string; until?: string } {
  const hasRange = since !== undefined || until !== undefined;
  if (period === undefined) {
    return hasRange || hasSession ? parseRange({ since, until }, nowMs) : parsePeriod("day", nowMs);
  }
  if (!hasRange) return parsePeriod(period, nowMs);
  throw new CtxError("USAGE", `Cannot combine "${period}" with --since or --until`, {
    hint: "ctx records --summary --since 2026-11-01 --until 2026-11-15",
  });
}

/** Tells less of every session before it leaves one out: as many of a kind as the budget allows. */
function fitItems(
  itemsOf: (most: number) => SummaryItem[],
  { most, fit }: { most: number; fit: (items: SummaryItem[]) => Fitted<SummaryItem> },
): Fitted<SummaryItem> {
  const all = itemsOf(most);
  for (let limit = most; limit > 0; limit--) {
    const fitted = fit(itemsOf(limit));
    if (fitted.over_budget > 0 && limit > 1) continue;
    const { rows, estimated_tokens } = fitted;
    return { rows, over_budget: all.length - rows.length, estimated_tokens };
  }
  return fit(all);
}

function briefItem({ id, day, session_id, kind, text, refs, superseded_by }: SummaryItem): object {
  return withoutEmpty({
    id,
    ts: day,
    session_id,
    kind,
    superseded_by,
    refs: refs.slice(0, 2),
    text,
  });
}

function nothingIn(
  { since, sessions }: { since?: string; sessions: unknown[] },
): string {
  const told = sessions.length > 0 ? `${sessions.length} sessions without records` : "";
  return `Nothing to summarize${since === undefined ? "" : ` since ${since.slice(0, 16)}`}${
    told === "" ? "" : `: ${told}`
  }. ctx sessions lists what there is.`;
}
