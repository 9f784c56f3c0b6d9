// One day: its sessions, and what was asked, decided, done and left open, in chronological order.

import { toLocalDay } from "../../core/time/local_day.ts";
import type { JSX } from "preact";
import type { AnswerOf } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { addDays, clockOf, isDay, sayDay, startOf } from "../data/day.ts";
import { useKeys } from "../data/page_keys.ts";
import { hrefOf, setParams, useRoute } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { countOf } from "../parts/count_of.ts";
import { Choice, ListStatus } from "../parts/list_pane.tsx";
import { ShellLine } from "../parts/shell_line.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { TimeRow } from "../parts/time_row.tsx";

const maxRecords = 1000;

type Session = AnswerOf<"summarize">["sessions"][number];

interface Happening {
  id: string;
  ts: string;
  kind: string;
  text: string;
  session_id?: string;
  superseded_by?: string;
}

/** A session that began, or something that happened. */
interface Moment {
  at: number;
  session?: Session;
  happened?: Happening;
}

/** The requested day, or the last one with entries. */
export function DayView({ asked }: { asked?: string }): JSX.Element {
  const { params } = useRoute();
  const isWhole = params.has("whole");
  const last = useAnswer("activity", {});
  const today = toLocalDay(Date.now());
  const active = (last.answer?.days ?? []).map(({ day }) => day).filter((one) => one <= today);
  // Nothing for a year: the newest day is further back.
  const isOld = asked === undefined && last.answer !== undefined && active.length === 0;
  const stats = useAnswer("stats", isOld ? {} : undefined);
  const latest = stats.answer && Math.min(Date.now(), Date.parse(stats.answer.latest ?? "9999"));
  const day = asked ?? active.at(-1) ?? (latest === undefined ? undefined : toLocalDay(latest));
  const range = day && { since: day, until: day };
  const summary = useAnswer("summarize", range || undefined);
  const records = useAnswer(
    "records",
    range && isWhole ? { ...range, limit: maxRecords } : undefined,
  );
  const before = day && active.findLast((one) => one < day);
  const after = day && active.find((one) => one > day);
  const step = (days: number): void => {
    const to = days < 0 ? before : after;
    if (to) setParams({ day: to, id: undefined, around: undefined });
  };
  useKeys({ h: () => step(-1), l: () => step(1) });
  const { sessions = [], items = [] } = summary.answer ?? {};
  const happened: Happening[] = isWhole
    ? (records.answer?.records ?? []).map((row) => ({ ...row, kind: row.type, text: row.title }))
    : items;
  const isAsking = last.isAsking || summary.isAsking || records.isAsking;
  return (
    <section class="list" aria-label="Day">
      <h1>{day ? sayDay(day) : "Day"}</h1>
      <p class="actions">
        <button type="button" title="h" disabled={!before} onClick={() => step(-1)}>
          {before ? `← ${sayDay(before)}` : "No earlier day"}
        </button>
        <button type="button" title="l" disabled={!after} onClick={() => step(1)}>
          {after ? `${sayDay(after)} →` : "No later day"}
        </button>
        <input
          type="date"
          aria-label="Day"
          max={today}
          value={day}
          onChange={({ currentTarget: { value } }) => isDay(value) && setParams({ day: value })}
        />
        <Choice sets={{ whole: isWhole ? undefined : "1" }} isOn={isWhole}>All records</Choice>
      </p>
      <ListStatus isAsking={isAsking} error={last.error ?? summary.error ?? records.error}>
        {summary.answer && !isAsking &&
          (sessions.length + happened.length === 0
            ? "Nothing recorded on this day."
            : `${countOf(sessions.length, "session")}, ${countOf(happened.length, "record")}`)}
      </ListStatus>
      {summary.answer === undefined && isAsking && <Skeleton rows={4} />}
      {day && summary.answer && !isAsking && sessions.length + happened.length === 0 && (
        <LastDayBefore day={day} />
      )}
      {day && <Moments moments={toMoments(day, sessions, happened)} />}
      {summary.answer?.notes?.map((note) => <p key={note} class="facts">{note}</p>)}
      {day && (
        <ShellLine
          line={isWhole
            ? toCommandLine("records", [], { ...range, limit: maxRecords })
            : toCommandLine("records", [], { summary: day })}
        />
      )}
    </section>
  );
}

function toMoments(day: string, sessions: Session[], happened: Happening[]): Moment[] {
  const start = startOf(day);
  return [
    ...sessions.map((session) => ({ at: Math.max(start, Date.parse(session.started)), session })),
    ...happened.map((one) => ({
      at: Date.parse(one.ts),
      session: sessions.find(({ id }) => id === one.session_id),
      happened: one,
    })),
  ].sort((a, b) => a.at - b.at || Number("happened" in a) - Number("happened" in b));
}

function Moments({ moments }: { moments: Moment[] }): JSX.Element {
  const { params } = useRoute();
  return (
    <ol class="rows">
      {moments.map(({ session, happened }, i) => (
        <>
          {session !== moments[i - 1]?.session && <SessionDivider session={session} />}
          {happened && (
            <TimeRow
              key={happened.id}
              href={hrefOf("timeline", { ...Object.fromEntries(params), id: happened.id })}
              ts={happened.ts}
              kind={happened.kind}
              text={happened.text}
              isOpen={happened.id === params.get("id")}
              isPrompt={happened.kind === "asked" || happened.kind === "goal"}
            >
              {happened.superseded_by && <small>corrected</small>}
            </TimeRow>
          )}
        </>
      ))}
    </ol>
  );
}

function SessionDivider({ session }: { session?: Session }): JSX.Element {
  if (session === undefined) {
    return (
      <li class="divider">
        <h2>Outside any session</h2>
      </li>
    );
  }
  const { id, title, started, ended, source, message_count: count } = session;
  return (
    <li class="divider">
      <h2>
        <a href={hrefOf("sessions", { session: id })}>{title}</a>
      </h2>
      <span class="facts">
        {clockOf(started)} to {clockOf(ended)}
        {source && ` · ${source}`} · {countOf(count, "message")}
      </span>
    </li>
  );
}

/** Links to the last day with a session before an empty one. */
function LastDayBefore({ day }: { day: string }): JSX.Element | null {
  const until = addDays(day, -1);
  const { answer } = useAnswer("sessions", { until, limit: 1 });
  const [session] = answer?.sessions ?? [];
  if (session === undefined) return null;
  const ended = toLocalDay(session.ended ?? session.started);
  const before = ended < until ? ended : until;
  return (
    <p>
      Previous session: <a href={hrefOf("timeline", { day: before })}>{sayDay(before)}</a>
    </p>
  );
}
