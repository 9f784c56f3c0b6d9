// A year as a calendar: busier days have a stronger colour, and each day links to its timeline.

import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { AnswerOf } from "../data/call.ts";
import { addDays, sayDay, startOf } from "../data/day.ts";
import { hrefOf } from "../data/route.ts";
import { countOf } from "../parts/count_of.ts";

type Activity = Pick<AnswerOf<"activity">, "from" | "to" | "days">;

/** Of a cell with its gap, and of the labels. */
const [cell, gap, left, top] = [13, 2, 30, 16];
const weekdays = ["Mon", "", "Wed", "", "Fri", "", ""];
/** Steps of colour above "nothing". */
const levels = 4;

/** The calendar, and the same days as a table. */
export function ActivityCalendar({ from, to, days }: Activity): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  // If not everything fits, show the newest days.
  useLayoutEffect(() => box.current?.scrollTo({ left: box.current.scrollWidth }), []);
  const byDay = new Map(days.map((day) => [day.day, day]));
  const busiest = Math.max(1, ...days.map(({ entries }) => entries));
  const first = (new Date(startOf(from)).getDay() + 6) % 7;
  const all: string[] = [];
  for (let day = from; day <= to && all.length < 400; day = addDays(day, 1)) all.push(day);
  const columns = Math.ceil((first + all.length) / 7);
  const sum = days.reduce((before, { entries }) => before + entries, 0);
  const about = `${countOf(days.length, "day")} with ${countOf(sum, "entry", "entries")} since ${
    sayDay(from)
  }`;
  return (
    <section aria-label="Activity">
      <h2>{about}</h2>
      <div class="calendar" role="region" aria-label="Calendar" tabIndex={0} ref={box}>
        <svg
          role="group"
          aria-label={about}
          width={left + columns * cell}
          height={top + 7 * cell}
        >
          {weekdays.map((name, i) => (
            <text key={i} x={0} y={top + i * cell + 10} aria-hidden="true">{name}</text>
          ))}
          {all.map((day, i) => {
            const [column, row] = [Math.floor((first + i) / 7), (first + i) % 7];
            const [x, y] = [left + column * cell, top + row * cell];
            const happened = byDay.get(day);
            const size = { x, y, width: cell - gap, height: cell - gap, rx: 2 };
            return (
              <g key={day}>
                {day.endsWith("-01") && column < columns - 2 && (
                  <text x={x} y={10} aria-hidden="true">{sayMonth(day)}</text>
                )}
                {happened
                  ? (
                    <a
                      data-row
                      tabIndex={-1}
                      href={hrefOf("timeline", { day })}
                      aria-label={sayEntries(happened)}
                    >
                      <title>{sayEntries(happened)}</title>
                      <rect {...size} class={`level-${levelOf(happened.entries, busiest)}`} />
                    </a>
                  )
                  : <rect {...size} class="level-0" aria-hidden="true" />}
              </g>
            );
          })}
        </svg>
      </div>
      <details>
        <summary>Show as a list</summary>
        <ul class="rows">
          {days.toReversed().map((day) => (
            <li key={day.day}>
              <a href={hrefOf("timeline", { day: day.day })}>{sayEntries(day)}</a>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

/** Logarithmic, so that one busy day does not make all others look pale. */
function levelOf(entries: number, busiest: number): number {
  return Math.max(1, Math.ceil(levels * Math.log(entries + 1) / Math.log(busiest + 1)));
}

function sayEntries({ day, entries, sessions }: Activity["days"][number]): string {
  return `${sayDay(day)}: ${countOf(entries, "entry", "entries")}, ${countOf(sessions, "session")}`;
}

function sayMonth(day: string): string {
  return new Date(startOf(day)).toLocaleDateString("en-GB", { month: "short" });
}
