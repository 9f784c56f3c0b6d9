// The shape of a trace on every surface, and how people see one.

import type { Trace } from "../store/logs/trace_log.ts";
import { countOf, toTable, type View } from "../command/view.ts";
import * as s from "../command/shape.ts";

const traceRow = s.openObject({ id: s.text() });

export const traceShape = s.openObject({
  ...s.each(s.text(), "trace_id", "ts", "command", "surface"),
  args: s.objectLike<Record<string, unknown>>(),
  ranking: s.listOf(traceRow),
  state_revision: s.number(),
  duration_ms: s.number(),
  ok: s.boolean(),
});

/** A trace as commands return it. */
export type TraceView = s.ValueOf<typeof traceShape>;

/** A stored trace as plain data. */
export function toTraceView(trace: Trace): TraceView {
  return JSON.parse(JSON.stringify(trace));
}

export function traceLine(trace: TraceView, view: View): string[] {
  const what = typeof trace.query === "string" ? JSON.stringify(trace.query) : "";
  // What answers no question (suggest, pack, reindex) ranks nothing: "0 rows" would say it failed.
  const hasRows = what !== "" || trace.ranking.length > 0;
  const done = hasRows ? countOf(trace.ranking.length, "row") : "done";
  const outcome = trace.ok ? done : "failed";
  return [
    view.bold(trace.trace_id),
    view.dim(trace.ts.slice(0, 19).replace("T", " ")),
    trace.command,
    outcome,
    `${trace.duration_ms} ms`,
    what,
  ];
}

export function traceText(trace: TraceView, view: View): string {
  const { ranking, args, trace_id: _id, ...facts } = trace;
  const lines = Object.entries(facts).map(([name, value]) => [
    view.dim(name),
    typeof value === "object" ? JSON.stringify(value) : String(value),
  ]);
  const asked = Object.entries(args).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const rows = ranking.map((row, i) => [
    `${i + 1}.`,
    row.id,
    String(row.score_final ?? ""),
    String(row.rank_source ?? row.pool ?? ""),
    String(row.summary ?? ""),
  ]);
  return [view.bold(trace.trace_id), toTable(lines), `args  ${asked.join(" ")}`, toTable(rows)]
    .filter((part) => part !== "").join("\n") + "\n";
}
