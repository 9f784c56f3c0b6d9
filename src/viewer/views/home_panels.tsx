// What Home shows before anything is typed: where you left off, what is open, what needs you, this week,
// and the agents. Each panel is what the server answers; none is computed here.

import type { ComponentChildren, JSX } from "preact";
import { toLocalDay } from "../../core/time/local_day.ts";
import type { HeardAgent } from "../../read/overview/read_heard.ts";
import { type AnswerOf, receive } from "../data/call.ts";
import { useLive } from "../data/live.ts";
import { addDays, startOf } from "../data/day.ts";
import { plain } from "../data/plain.ts";
import { hrefOf } from "../data/route.ts";
import { useAnswer, useLoaded } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { countOf } from "../parts/count_of.ts";
import { Empty } from "../parts/empty.tsx";
import { Failure } from "../parts/failure.tsx";
import { FreshnessMark } from "../parts/freshness_mark.tsx";
import { Skeleton } from "../parts/skeleton.tsx";

/** Rows of a panel. */
const few = 3;
/** The newest sessions, each with what it left. */
const recent = 4;

export function HomePanels(): JSX.Element {
  const { answer, error, isAsking } = useAnswer("resume", { limit: recent });
  // What one looks for first is asked first, and alone: the server does one thing at a time.
  const isFirstKnown = answer !== undefined || error !== undefined;
  if (answer?.sessions.length === 0) {
    return (
      <Empty title="Nothing here yet">
        Run <code>ctx import</code> in a terminal to import your agents' sessions.
      </Empty>
    );
  }
  return (
    <div class="home" aria-busy={isAsking}>
      <div>
        <Failure error={error} />
        {answer ? <LeftOff sessions={answer.sessions} /> : isAsking && <Skeleton rows={recent} />}
        {isFirstKnown && (
          <>
            <Open />
            <Moved />
          </>
        )}
      </div>
      {isFirstKnown && (
        <div>
          <ToReview />
          <Week />
          <Agents />
        </div>
      )}
    </div>
  );
}

function Panel(
  { title, more, children }: {
    title: string;
    more?: { href: string; label: string };
    children: ComponentChildren;
  },
): JSX.Element {
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {more && <a href={more.href}>{more.label}</a>}
      </header>
      {children}
    </section>
  );
}

function LeftOff({ sessions }: { sessions: AnswerOf<"resume">["sessions"] }): JSX.Element {
  return (
    <Panel title="Where you left off" more={{ href: hrefOf("sessions"), label: "All sessions" }}>
      <ol class="rows" aria-label="Recent sessions">
        {sessions.map(({ id, title, ended, source, branch, left }) => (
          <li key={id}>
            <a data-row href={hrefOf("sessions", { session: id })}>
              <span class="title">{plain(title) || id}</span>
              {left.map((line) => <span key={line} class="left">{plain(line)}</span>)}
              <span class="facts">
                <Age ts={ended} />
                {source && ` · ${source}`}
                {branch && ` · ${branch}`}
              </span>
            </a>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** What sessions left open, newest first. */
function Open(): JSX.Element | null {
  const { answer } = useAnswer("records", { types: ["open"], limit: few });
  if (answer === undefined || answer.records.length === 0) return null;
  const more = { href: hrefOf("decisions", { type: "open" }), label: `All ${answer.total}` };
  return (
    <Panel title="Still open" more={answer.total > few ? more : undefined}>
      <ul class="rows">
        {answer.records.map(({ id, title, ts, files = [] }) => (
          <li key={id}>
            <a data-row href={hrefOf("decisions", { type: "open", id })}>
              <span class="title">{title}</span>
              <span class="facts">
                {[<Age key="age" ts={ts} />, files[0] && ` · ${files[0]}`]}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The last seven days, each with how much was done. */
function Week(): JSX.Element | null {
  const { answer } = useAnswer("activity", {});
  if (answer === undefined) return null;
  const today = toLocalDay(Date.now());
  const counts = new Map(answer.days.map(({ day, ...counts }) => [day, counts]));
  const days = Array.from({ length: 7 }, (_, i) => addDays(today, i - 6));
  const most = Math.max(1, ...days.map((day) => counts.get(day)?.entries ?? 0));
  return (
    <Panel title="This week" more={{ href: hrefOf("stats"), label: "Stats" }}>
      <ol class="week">
        {days.map((day) => {
          const { entries = 0, sessions = 0 } = counts.get(day) ?? {};
          const about = `${countOf(sessions, "session")}, ${countOf(entries, "entry", "entries")}`;
          return (
            <li key={day}>
              <a href={hrefOf("timeline", { day })} title={about}>
                <svg viewBox="0 0 10 40" preserveAspectRatio="none" aria-hidden="true">
                  <rect
                    y={40 - Math.max(entries && 2, 40 * entries / most)}
                    width="10"
                    height="40"
                  />
                </svg>
                <span>{weekday.format(startOf(day))}</span>
                <span class="unseen">{about}</span>
              </a>
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}

const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "short" });

function ToReview(): JSX.Element | null {
  const { answer } = useAnswer("reviewList", { limit: few });
  if (answer === undefined || answer.total === 0) return null;
  const more = { href: hrefOf("review"), label: "Review" };
  return (
    <Panel title={`${answer.total.toLocaleString("en")} to review`} more={more}>
      <ul class="rows">
        {answer.lines.map(({ id, text }) => (
          <li key={id}>
            <a data-row href={hrefOf("review", { id })}>{text}</a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Decisions whose code has changed since. */
function Moved(): JSX.Element | null {
  const { answer } = useAnswer("stale", { limit: few });
  if (answer === undefined || answer.results.length === 0) return null;
  const more = { href: hrefOf("decisions", { moved: "1" }), label: "All" };
  return (
    <Panel title="Decisions whose code changed" more={more}>
      <ul class="rows">
        {answer.results.map(({ id, title, summary, freshness, because }) => (
          <li key={id}>
            <a data-row href={hrefOf("decisions", { moved: "1", id })}>
              <span class="title">{title ?? summary}</span>
              <span class="facts">
                <FreshnessMark freshness={freshness} />
                {because}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** When ctx last heard from each agent, by its hooks or in imported sessions. */
function Agents(): JSX.Element | null {
  const load = (key: string, signal: AbortSignal): Promise<{ agents: HeardAgent[] }> =>
    receive(key, { signal });
  const { answer } = useLoaded("agents", load, useLive());
  if (answer === undefined) return null;
  return (
    <Panel title="Agents">
      <ul class="agents">
        {answer.agents.map((one) => (
          <li key={one.agent} class={toState(one)}>
            <span>{one.agent}</span>
            <small>
              <Heard heard={one} />
            </small>
          </li>
        ))}
      </ul>
      <p class="facts">
        To connect one: <code>ctx setup</code>
      </p>
    </Panel>
  );
}

function toState({ heard, problem }: HeardAgent): string {
  return problem !== undefined ? "failed" : heard !== undefined ? "heard" : "";
}

function Heard({ heard: { heard, last_session, problem } }: { heard: HeardAgent }): JSX.Element {
  if (problem !== undefined) return <>{problem}</>;
  if (heard !== undefined) {
    return (
      <>
        connected, heard <Age ts={heard} />
      </>
    );
  }
  return (
    <>
      imported{last_session && (
        <>
          , <Age ts={last_session} />
        </>
      )}
    </>
  );
}
