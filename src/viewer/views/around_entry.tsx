// What came before and after an entry, in its session or across all sessions.

import { toLocalDay } from "../../core/time/local_day.ts";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { AnswerOf } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { sayDay } from "../data/day.ts";
import { hrefOf, setParams, useRoute } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Failure } from "../parts/failure.tsx";
import { FreshnessMark } from "../parts/freshness_mark.tsx";
import { Choice } from "../parts/list_pane.tsx";
import { ShellLine } from "../parts/shell_line.tsx";
import { TimeRow } from "../parts/time_row.tsx";

/** Entries on either side at first, how many a button adds, and the maximum of `timeline`. */
const [few, more, most] = [10, 20, 50];

type Row = AnswerOf<"timeline">["results"][number];

export function AroundEntry({ anchor }: { anchor: string }): JSX.Element {
  const { params } = useRoute();
  const list = useRef<HTMLOListElement>(null);
  const before = sizeOf(params.get("before"));
  const after = sizeOf(params.get("after"));
  const session = params.has("across") ? "all" : "own";
  const { answer, error, isAsking } = useAnswer("timeline", { id: anchor, before, after, session });
  const rows = answer?.results ?? [];
  const isThere = rows.length > 0;
  useEffect(() => {
    list.current?.querySelector(".anchor")?.scrollIntoView({ block: "center" });
  }, [isThere, session]);
  return (
    <section class="list" aria-label="Around an entry">
      <p class="actions">
        <Choice sets={{ across: undefined }} isOn={session === "own"}>This session</Choice>
        <Choice sets={{ across: "1" }} isOn={session === "all"}>All sessions</Choice>
        <span class="count" role="status" aria-busy={isAsking}>
          {answer && `${rows.length} of ${answer.total.toLocaleString("en")}`}
        </span>
      </p>
      <Failure error={error} />
      {answer?.has_more_before && <More side="before" size={before} edge={rows[0]?.id} />}
      <ol class="rows" ref={list}>
        {rows.map((row, i) => (
          <>
            <Divider row={row} last={rows[i - 1]} />
            <TimeRow
              key={row.id}
              href={hrefOf("timeline", { ...Object.fromEntries(params), id: row.id })}
              ts={row.ts}
              kind={row.role === "user" ? "user" : row.type}
              text={row.title ?? row.summary}
              isOpen={row.id === params.get("id")}
              isPrompt={row.role === "user"}
              isAnchor={row.anchor}
            >
              {row.superseded_by && <small>corrected</small>}
              <FreshnessMark freshness={row.freshness} />
            </TimeRow>
          </>
        ))}
      </ol>
      {answer?.has_more_after && <More side="after" size={after} edge={rows.at(-1)?.id} />}
      <ShellLine
        line={toCommandLine("timeline", [anchor], {
          before,
          after,
          session: session === "all" ? session : undefined,
        })}
      />
    </section>
  );
}

function sizeOf(param: string | null): number {
  const size = Math.trunc(Number(param ?? few));
  return size >= 0 ? Math.min(most, size) : few;
}

/** Shows the day and the session whenever either changes. */
function Divider({ row, last }: { row: Row; last?: Row }): JSX.Element | null {
  const day = toLocalDay(row.ts);
  const { session_id: session } = row;
  if (last && toLocalDay(last.ts) === day && last.session_id === session) return null;
  return (
    <li class="divider">
      <h2>
        <a href={hrefOf("timeline", { day })}>{sayDay(day)}</a>
        {session && (
          <>
            {" · "}
            <a href={hrefOf("sessions", { session, at: row.id })}>{row.session_title ?? session}</a>
          </>
        )}
      </h2>
    </li>
  );
}

/** Widens the window; at the maximum, moves it to its edge. */
function More(
  { side, size, edge }: { side: "before" | "after"; size: number; edge?: string },
): JSX.Element {
  const go = (): void =>
    size < most
      ? setParams({ [side]: String(Math.min(most, size + more)) }, { replace: true })
      : setParams({ around: edge, before: undefined, after: undefined });
  return (
    <p class="actions">
      <button type="button" onClick={go}>{side === "before" ? "Earlier" : "Later"}</button>
    </p>
  );
}
