// `ctx traces`: how the last retrievals were answered.

import { parseWhen } from "../../core/time/parse_when.ts";
import { readTraces } from "../../store/logs/read_traces.ts";
import { define } from "../../command/command.ts";
import { sinceTime } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { toTraceView, traceLine, traceShape } from "../../view/trace_view.ts";
import { toTable } from "../../command/view.ts";

export const traces = define({
  name: "traces",
  summary: "List recent retrievals and their results.",
  description:
    "Each search, timeline, get, context pack and reindex leaves a trace: the query, how much was searched, the entries returned with their scores, what was cut, and how long it took. Traces contain no text of entries; old ones are removed.",
  input: {
    tail: s.integer("Show the newest N.", { min: 1, max: 1000, default: 20 }),
    command: s.optionalText("Only this command."),
    since: sinceTime,
  },
  output: { total: s.number(), traces: s.listOf(traceShape) },
  list: { of: "traces", columns: ["trace_id", "ts", "command", "ok", "duration_ms", "query"] },
  short: { k: "tail" },
  effect: "read",
  examples: [{ argv: ["traces", "--tail", "5"], about: "Show the last five." }],
  async run(input, context) {
    const store = await context.openStore();
    const since = input.since && parseWhen(input.since, context.now());
    const found = readTraces(store, { command: input.command, since });
    return { total: found.length, traces: found.slice(-input.tail).map(toTraceView) };
  },
  render(data, view) {
    if (data.traces.length === 0) return "No traces yet. Run a search first.\n";
    return toTable(data.traces.map((trace) => traceLine(trace, view))) + "\n";
  },
});
