// `ctx trace`: one retrieval in full, explained, or run again on today's store.

import { CtxError } from "../../core/errors.ts";
import { findIdTime } from "../../core/id.ts";
import { compareRankings, type Replay, replayRow } from "../../search/replay.ts";
import type { RowExplanation } from "../../search/row_shape.ts";
import type { Store } from "../../store/store.ts";
import { getTrace } from "../../store/logs/read_traces.ts";
import type { Trace } from "../../store/logs/trace_log.ts";
import { type Context, define } from "../../command/command.ts";
import { parseInput } from "../../command/parse_input.ts";
import { explainTable } from "../../view/explain_view.ts";
import * as s from "../../command/shape.ts";
import { search } from "./search.ts";
import { toTraceView, traceShape, traceText } from "../../view/trace_view.ts";
import { toTable, type View } from "../../command/view.ts";

const foundRow = s.openObject({
  id: s.text(),
  score_final: s.number(),
  explain: s.optional(s.objectLike<RowExplanation>()),
});
type FoundRow = s.ValueOf<typeof foundRow>;

export const trace = define({
  name: "trace",
  summary: "Show one retrieval; explain its scores or run it again.",
  description:
    "--replay runs the same search again. On an unchanged store the ranking is identical; otherwise it shows which entries are new, gone or scored differently, and why. --explain runs it again and shows how each score is computed.",
  input: {
    id: s.naming("T", s.text("The trace's id (T-…).", 1)),
    explain: s.flag("Show how each score is computed."),
    replay: s.flag("Run the search again and compare."),
  },
  output: {
    trace: traceShape,
    explained: s.optional(s.listOf(foundRow)),
    replay: s.optional(s.object({
      identical: s.boolean(),
      state_revision: s.number(),
      counts: s.objectLike<Replay["counts"]>(),
      rows: s.listOf(s.object({ ...replayRow, summary: s.optional(s.text()) })),
    })),
  },
  positional: ["id"],
  effect: "read",
  examples: [{
    argv: ["traces", "T-1m2ff3p2gq8s0d1xk", "--replay"],
    about: "Check whether a search still gives the same results.",
  }],
  async run(input, context) {
    const store = await context.openStore();
    const found = getTrace(store, input.id);
    const again = input.explain || input.replay
      ? await searchAgain(found, { context, explain: input.explain })
      : undefined;
    return {
      trace: toTraceView(found),
      ...(again && input.explain
        ? { explained: again.map(({ id, score_final, explain }) => ({ id, score_final, explain })) }
        : {}),
      ...(again && input.replay ? { replay: replayOf(found, again, store) } : {}),
    };
  },
  render(data, view) {
    const parts = [traceText(data.trace, view)];
    for (const { id, explain } of data.explained ?? []) {
      parts.push(`${view.bold(id)}\n${explain ? explainTable(explain, view) : ""}\n`);
    }
    if (data.replay) parts.push(replayText(data.replay, view));
    return parts.join("\n");
  },
});

/** The same search, without a trace of its own. */
async function searchAgain(
  found: Trace,
  options: { context: Context; explain: boolean },
): Promise<FoundRow[]> {
  if (found.command !== "search") {
    throw new CtxError("USAGE", `Cannot run "${found.trace_id}" again: it is not a search`, {
      hint: "ctx traces --command search",
    });
  }
  const input = { ...parseInput(search, found.args), explain: options.explain };
  return (await search.run(input, options.context)).results;
}

function replayOf(
  found: Trace,
  again: FoundRow[],
  store: Store,
): Replay & { state_revision: number } {
  const ids = [...new Set([...found.ranking, ...again].map(({ id }) => id))];
  const today = store.find(ids);
  const takenMs = Date.parse(found.ts);
  const replay = compareRankings(found.ranking, again, {
    isThere: (id) => today.get(id)?.forgotten === false && today.get(id)?.row !== undefined,
    isNewer: (id) => (findIdTime(id) ?? Date.parse(today.get(id)?.row?.entry.ts ?? "")) > takenMs,
  });
  const summaries = new Map([...found.ranking, ...again].map(({ id, summary }) => [id, summary]));
  const rows = replay.rows.map((row) => {
    const summary = summaries.get(row.id);
    return typeof summary === "string" ? { ...row, summary } : row;
  });
  return { ...replay, rows, state_revision: store.readState().revision };
}

function replayText(replay: Replay, view: View): string {
  if (replay.identical) return "Replayed: the ranking is the same.\n";
  const rows = replay.rows.map((row) => [
    row.change === "same" ? view.dim(row.change) : view.bold(row.change),
    row.id,
    `${row.rank_before ?? "–"} → ${row.rank_after ?? "–"}`,
    `${row.score_before ?? "–"} → ${row.score_after ?? "–"}`,
    row.reason?.replace("_", " ") ?? "",
  ]);
  return `Replayed: the ranking differs.\n${toTable(rows)}\n`;
}
