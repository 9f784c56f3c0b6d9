// How retrievals were answered: the list, and one of them beside it.

import type { JSX } from "preact";
import type { AnswerOf } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { setParams, useRoute } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { countOf } from "../parts/count_of.ts";
import { surfaceWord } from "../parts/kind_word.ts";
import { Choice, ListPane, ListStatus, RowLink } from "../parts/list_pane.tsx";
import { TracePane } from "./trace_pane.tsx";

/** Traces at first, and the maximum of `traces`. */
const [few, most] = [50, 1000];
const commands = ["", "search", "get", "timeline", "pack", "suggest"];

type Trace = AnswerOf<"traces">["traces"][number];

export function TracesView(): JSX.Element {
  const { params } = useRoute();
  const trace = params.get("trace");
  const command = params.get("command") ?? "";
  const hidesPage = params.has("others");
  const tail = Math.min(most, Math.max(1, Math.trunc(Number(params.get("tail") ?? few)) || few));
  const { answer, error, isAsking } = useAnswer("traces", { tail, command: command || undefined });
  const rows = (answer?.traces ?? []).filter((row) => !hidesPage || row.surface !== "http");
  return (
    <ListPane
      label="Traces"
      line={!trace && toCommandLine("traces", [], { tail, command })}
      beside={trace && <TracePane id={trace} />}
    >
      <p class="actions chips">
        {commands.map((name) => (
          <Choice key={name} sets={{ command: name }} isOn={command === name}>
            {name || "All"}
          </Choice>
        ))}
        <Choice sets={{ others: hidesPage ? undefined : "1" }} isOn={hidesPage}>
          Hide requests from this page
        </Choice>
      </p>
      <ListStatus isAsking={isAsking} error={error}>
        {answer && (rows.length === 0
          ? "No traces yet. Every search or read leaves one."
          : `Newest ${rows.length} of ${answer.total}`)}
      </ListStatus>
      <ol class="rows">
        {rows.toReversed().map((row) => (
          <TraceRow key={row.trace_id} row={row} isOpen={row.trace_id === trace} />
        ))}
      </ol>
      {answer && answer.total > answer.traces.length && tail < most && (
        <p class="actions">
          <button
            type="button"
            onClick={() => setParams({ tail: String(tail * 4) }, { replace: true })}
          >
            More
          </button>
        </p>
      )}
    </ListPane>
  );
}

function TraceRow({ row, isOpen }: { row: Trace; isOpen: boolean }): JSX.Element {
  const asked = String(row.query ?? row.args.id ?? row.args.ids ?? "");
  return (
    <li>
      <RowLink
        sets={{ trace: row.trace_id, id: undefined, replay: undefined, explain: undefined }}
        isOpen={isOpen}
      >
        <span class="title">
          <span class={row.ok ? "badge" : "badge gone"}>{row.command}</span>
          {asked}
        </span>
        <span class="facts">
          <Age ts={row.ts} /> · {surfaceWord(row.surface)} ·{" "}
          {row.ok ? countOf(row.ranking.length, "row") : "failed"}
          <span class="score">{row.duration_ms.toFixed(0)} ms</span>
        </span>
      </RowLink>
    </li>
  );
}
