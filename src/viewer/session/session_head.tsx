// The head of a session: what it was about, who worked on it, when, for how long and at what cost.

import type { JSX } from "preact";
import { sayDuration, sayTime } from "../data/day.ts";
import { plain } from "../data/plain.ts";
import { hrefOf } from "../data/route.ts";
import { SessionActions } from "./session_actions.tsx";
import type { Outline } from "./reader_rows.ts";

/** Whoever is away for longer than this has stopped working. */
const pauseMs = 5 * 60_000;

export function SessionHead(
  { outline, session, onReplay }: { outline?: Outline; session: string; onReplay?(): void },
): JSX.Element {
  return (
    <header class="session-head">
      <a href={hrefOf("sessions")} aria-label="All sessions">←</a>
      <h1 title={outline?.title}>{plain(outline?.title ?? "") || session}</h1>
      {outline && <SessionActions outline={outline} onReplay={onReplay} />}
      {outline && (
        <p class="facts">
          {toFacts(outline).map(({ text, about }, i) => (
            <span key={text} title={about}>{i > 0 && " · "}{text}</span>
          ))}
          {outline.parent && (
            <>
              {" · "}
              <a href={hrefOf("sessions", { session: outline.parent })}>parent session</a>
            </>
          )}
        </p>
      )}
    </header>
  );
}

interface Fact {
  text: string;
  about: string;
}

/** What is known of a session; what the log does not have is left out. */
function toFacts(outline: Outline): Fact[] {
  const { source, models, project, branch, started, total, usage } = outline;
  const facts: (Fact | undefined)[] = [
    source ? { text: source, about: "agent" } : undefined,
    ...models.map((model) => ({ text: model, about: "model" })),
    project ? { text: project.replace(/^.*\//, ""), about: project } : undefined,
    branch ? { text: branch, about: "branch" } : undefined,
    started ? { text: sayTime(started), about: "started" } : undefined,
    sayTimes(outline),
    { text: `${total.toLocaleString("en")} messages`, about: "messages" },
    usage && sayUsage(usage),
  ];
  return facts.filter((fact) => fact !== undefined);
}

/** From the first message to the last, and without the pauses. */
function sayTimes({ messages: { after_ms: times } }: Outline): Fact | undefined {
  const order = [...times].filter(Number.isFinite).sort((a, b) => a - b);
  const wallMs = (order.at(-1) ?? 0) - (order[0] ?? 0);
  if (wallMs === 0) return undefined;
  const activeMs = order.reduce(
    (sum, time, i) => i === 0 ? sum : sum + Math.min(pauseMs, time - order[i - 1]),
    0,
  );
  const wall = sayDuration(wallMs);
  const active = sayDuration(activeMs);
  return {
    text: active === wall ? wall : `${wall} (${active} active)`,
    about: "from the first message to the last; active leaves out pauses of more than 5 minutes",
  };
}

const names: readonly (readonly [string, string])[] = [
  ["input_tokens", "in"],
  ["output_tokens", "out"],
  ["cache_read_tokens", "read from cache"],
  ["cache_write_tokens", "written to cache"],
];

/** The tokens that the agent recorded. */
function sayUsage(usage: Readonly<Record<string, number>>): Fact | undefined {
  const known = names.filter(([name]) => (usage[name] ?? 0) > 0);
  if (known.length === 0) return undefined;
  const [first] = known;
  const short = known.filter(([name]) => !name.startsWith("cache"));
  const say = (list: typeof known): string =>
    list.map(([name, word]) => `${compact.format(usage[name])} ${word}`).join(", ");
  return {
    text: `${say(short.length > 0 ? short : [first])} tokens`,
    about: `as the agent recorded: ${say(known)}`,
  };
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
