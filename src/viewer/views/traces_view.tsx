// How retrievals were answered: the list, and one of them beside it.

import type { JSX } from "preact";
import type { AnswerOf } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { hrefOf, setParams, useRoute } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { countOf } from "../parts/count_of.ts";
import { EntryPane } from "../parts/entry_pane.tsx";
import { Failure } from "../parts/failure.tsx";
import { ShellLine } from "../parts/shell_line.tsx";
import { TracePane } from "./trace_pane.tsx";

/** Traces at first, and the maximum of `traces`. */
const [few, most] = [50, 1000];
const commands = ["", "search", "get", "timeline", "pack", "suggest"];

type Trace = AnswerOf<"traces">["traces"][number];

/** The whole view. */
export function TracesView(): JSX.Element {
  const { params } = useRoute();
  const id = params.get("id");
  const trace = params.get("trace");
  const command = params.get("command") ?? "";
  const hidesPage = params.has("others");
  const tail = Math.min(most, Math.max(1, Math.trunc(Number(params.get("tail") ?? few)) || few));
  const { answer, error, isAsking } = useAnswer("traces", { tail, command: command || undefined });
  const rows = (answer?.traces ?? []).filter((row) => !hidesPage || row.surface !== "http");
  return (
    <div class={id || trace ? "panes open" : "panes"}>
      <section class="list" aria-label="Traces">
        <p class="actions chips">
          {commands.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={command === name}
              onClick={() => setParams({ command: name })}
            >
              {name || "All"}
            </button>
          ))}
          <button
            type="button"
            aria-pressed={hidesPage}
            onClick={() => setParams({ others: hidesPage ? undefined : "1" })}
          >
            Hide requests from this page
          </button>
        </p>
        <p class="count" role="status" aria-busy={isAsking}>
          {answer && (rows.length === 0
            ? "No traces yet. Every search or read leaves one."
            : `Newest ${rows.length} of ${answer.total}`)}
        </p>
        <Failure error={error} />
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
        {!trace && <ShellLine line={toCommandLine("traces", [], { tail, command })} />}
      </section>
      {trace && !id && <TracePane id={trace} />}
      {id && <EntryPane id={id} />}
    </div>
  );
}

function TraceRow({ row, isOpen }: { row: Trace; isOpen: boolean }): JSX.Element {
  const { params } = useRoute();
  const asked = String(row.query ?? row.args.id ?? row.args.ids ?? "");
  return (
    <li>
      <a
        data-row
        href={hrefOf("traces", {
          ...Object.fromEntries(params),
          trace: row.trace_id,
          id: undefined,
          replay: undefined,
          explain: undefined,
        })}
        aria-current={isOpen ? "true" : undefined}
      >
        <span class="title">
          <span class={row.ok ? "badge" : "badge gone"}>{row.command}</span>
          {asked}
        </span>
        <span class="facts">
          <Age ts={row.ts} /> · {row.surface} ·{" "}
          {row.ok ? countOf(row.ranking.length, "row") : "failed"}
          <span class="score">{row.duration_ms.toFixed(0)} ms</span>
        </span>
      </a>
    </li>
  );
}
