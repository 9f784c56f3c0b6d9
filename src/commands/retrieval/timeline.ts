// `ctx timeline`: what came before and after an entry. Layer 1 of retrieval.

import { authorOf, type Entry, pools } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import { withCaution } from "../../core/instruction_like.ts";
import type { Correction } from "../../core/rows/corrected_by.ts";
import { isCut, summaryChars, summaryOf } from "../../core/rows/entry_summary.ts";
import { shareProject, withoutShared } from "../../core/rows/share_project.ts";
import { countTokens } from "../../core/tokens.ts";
import { findEntries } from "../../read/find_entries.ts";
import { type CodeChange, freshnessNames, isStale } from "../../code/fresh/freshness.ts";
import { maySpeakOfCode } from "../../code/fresh/may_speak_of_code.ts";
import { readTimeline, type TimelineWindow } from "../../read/read_timeline.ts";
import { isSame } from "../../read/time_window.ts";
import { briefMeasure, kindOf, minuteOf, withoutEmpty } from "../../command/brief.ts";
import { fitRows } from "../../command/budget.ts";
import type { SessionFacts } from "../../read/session_titles.ts";
import { rowsOf } from "../../store/find.ts";
import type { Row, Store } from "../../store/store.ts";
import { type Context, define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { resolveSession } from "../../command/session_scope.ts";

/** Entries on either side. */
const mostAround = 50;

function timelineRow() {
  return s.object({
    ...s.each(s.text(), "id", "ts", "role", "type", "summary"),
    ...s.each(s.optional(s.text()), "session_id", "session_title", "title", "caution"),
    ...s.each(s.optional(s.text()), "project", "author", "superseded_by", "superseded_author"),
    freshness: s.optional(s.oneOf(freshnessNames)),
    changed: s.optional(s.objectLike<CodeChange>()),
    session_tokens: s.optional(s.number()),
    pool: s.oneOf(pools),
    ...s.each(s.number(), "message_index", "estimated_tokens"),
    anchor: s.boolean(),
  });
}
type TimelineRow = s.ValueOf<ReturnType<typeof timelineRow>>;

export const timeline = define({
  name: "timeline",
  summary: "Show what came before and after an entry.",
  description:
    "Shows entries of the same session, archived ones included. `--session all` shows all entries in order of time.",
  input: {
    id: s.naming("H", s.text("The entry's id (H-…).", 1)),
    before: s.integer("Entries before it.", { min: 0, max: mostAround, default: 3 }),
    after: s.integer("Entries after it.", { min: 0, max: mostAround, default: 3 }),
    session: s.naming(
      "S",
      s.withDefault(s.text("own (the entry's session), all, current or an id.", 1), "own"),
    ),
    max_tokens: s.optionalInteger("Only the nearest entries that fit this limit.", { min: 50 }),
  },
  get output() {
    return {
      layer: s.oneOf(["L1"]),
      anchor_id: s.text(),
      session_id: s.nullable(s.text()),
      ...s.each(s.boolean(), "has_more_before", "has_more_after"),
      results: s.listOf(timelineRow()),
      ...s.each(s.number(), "total", "over_budget", "estimated_tokens"),
    };
  },
  positional: ["id"],
  short: { b: "before", a: "after" },
  list: {
    of: "results",
    columns: ["id", "ts", "role", "type", "message_index", "title", "summary"],
    also: ["author"],
  },
  effect: "read",
  quick: true,
  tool: "timeline",
  examples: [{
    argv: ["timeline", "H-1m2ff20hgvzrprjcr", "--before", "1", "--after", "1"],
    about: "Show the turns before and after.",
  }],
  async run(input, context) {
    using store = (await context.openStore()).openView();
    const anchor = await getAnchor(input, store, context);
    const { before, after } = input;
    const everySession = input.session === "all";
    const window = await readTimeline(store, anchor, { before, after, everySession });
    const found = await findEntries(store, window.rows.map(({ entry }) => entry.id));
    const sessions = new Set(window.rows.flatMap(({ entry }) => entry.session_id ?? []));
    // On a terminal and a pipe they are not shown.
    const facts = context.write
      ? undefined
      : await (await import("../../read/session_titles.ts")).readSessionFacts(store, sessions);
    const entries = window.rows.map(({ entry }) => entry);
    const told = maySpeakOfCode(store, entries)
      ? await (await import("../../code/fresh/tell_freshness.ts")).tellFreshness(store, entries)
      : undefined;
    const rows = window.rows.map((row) => {
      const { id, session_id = "" } = row.entry;
      const { superseded_by, superseded_author } = found.get(id) ?? {};
      const correction = { superseded_by, superseded_author };
      const session = facts?.get(session_id);
      return { ...toRow(row, { anchor, correction, store, session }), ...told?.get(id) };
    });
    const at = rows.findIndex((row) => row.anchor);
    const nearest = rows.toSorted((a, b) =>
      Math.abs(rows.indexOf(a) - at) - Math.abs(rows.indexOf(b) - at)
    );
    const [toBrief, own] = [briefRow(everySession), withoutShared(rows)];
    const { rows: fitting, over_budget, estimated_tokens } = fitRows(
      nearest,
      input.max_tokens,
      briefMeasure(context.surface, (row) => toBrief(own(row))),
    );
    const results = rows.filter((row) => fitting.includes(row));
    return {
      layer: "L1" as const,
      anchor_id: anchor.id,
      session_id: everySession ? null : anchor.session_id ?? null,
      total: window.total,
      has_more_before: window.has_more_before || results[0] !== rows[0],
      has_more_after: window.has_more_after || results.at(-1) !== rows.at(-1),
      results,
      over_budget,
      estimated_tokens,
    };
  },
  trace(input, data) {
    const { results = [], over_budget: rows = 0 } = data ?? {};
    const summaries = results.filter(({ summary }) => isCut(summary)).length;
    return {
      args: { ...input },
      session: input.session,
      ranking: results.map(({ id, pool, summary }) => ({ id, pool, summary })),
      total: data?.total,
      budgets: {
        entries: mostAround,
        summary_chars: summaryChars,
        tokens: input.max_tokens,
      },
      ...(rows + summaries > 0 ? { truncation: { rows, summaries } } : {}),
    };
  },
  brief(data) {
    const { session_id, total, has_more_before, has_more_after, over_budget } = data;
    const { project, rows } = shareProject(data.results);
    const { session_title, session_tokens } = (session_id !== null && data.results[0]) || {};
    return {
      session_id,
      session_title,
      session_tokens,
      project,
      total,
      has_more_before,
      has_more_after,
      ...(over_budget > 0 ? { over_budget } : {}),
      results: rows.map(briefRow(session_id === null)),
    };
  },
  async render(data, view) {
    const { toTimelineScreen } = await import("../../view/timeline_screen.ts");
    return await toTimelineScreen(data, view);
  },
});

/** The entry in the middle, which must be in the session asked for. */
async function getAnchor(
  { id, session: option }: { id: string; session: string },
  store: Store,
  context: Context,
): Promise<Entry> {
  const hit = (await findEntries(store, [id])).get(id);
  const session = option === "own" ? undefined : resolveSession(option, store, context);
  const rows = rowsOf(hit);
  const isInside = ({ entry }: Row): boolean => (session ?? entry.session_id) === entry.session_id;
  const anchor = rows.find(isInside)?.entry;
  if (anchor) return anchor;
  if (session !== undefined) await context.wholeIds("S", [option]);
  const where = rows.length > 0 ? ` in session "${session}"` : "";
  throw new CtxError("NOT_FOUND", `Cannot show the timeline of "${id}": no such entry${where}`, {
    hint: "ctx search QUERY finds ids",
  });
}

function briefRow(withSession: boolean): (row: TimelineRow) => object {
  return (row) =>
    withoutEmpty({
      id: row.id,
      ts: minuteOf(row.ts),
      kind: kindOf(row),
      project: row.project,
      session_id: withSession ? row.session_id : undefined,
      message_index: row.message_index,
      anchor: row.anchor,
      superseded_by: row.superseded_by,
      superseded_author: row.superseded_author,
      freshness: isStale(row.freshness) ? row.freshness : undefined,
      author: row.author,
      caution: row.caution,
      text: row.title ?? row.summary,
    });
}

function toRow(
  { entry, pool, position }: TimelineWindow["rows"][number],
  { anchor, correction, store, session }: {
    anchor: Entry;
    correction: Correction;
    store: Store;
    session?: SessionFacts;
  },
): TimelineRow {
  const author = authorOf({ entry, pool });
  return {
    id: entry.id,
    ts: entry.ts,
    role: entry.role,
    type: entry.type,
    project: entry.project ?? session?.project ?? store.layout.workspace,
    session_id: entry.session_id,
    ...(session && { session_title: session.title, session_tokens: session.tokens }),
    title: entry.title,
    summary: summaryOf(entry),
    ...withCaution(entry.summary ?? entry.text),
    ...(author === undefined ? {} : { author }),
    pool,
    message_index: session?.numbers.get(entry.id) ?? position,
    anchor: isSame(entry, anchor),
    ...correction,
    estimated_tokens: countTokens(entry.text),
  };
}
