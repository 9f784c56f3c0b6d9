// Statistics: activity by day, what sessions cost, sources, tokens saved, disk use, response times.

import type { JSX } from "preact";
import { toSize } from "../../core/to_size.ts";
import { toCommandLine } from "../data/command_line.ts";
import { usePage } from "../data/page_context.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Failure } from "../parts/failure.tsx";
import { ShellLine } from "../parts/shell_line.tsx";
import { ActivityCalendar } from "./activity_calendar.tsx";
import { CostFigures } from "./cost_figures.tsx";
import { type Figure, FigureTable } from "./figure_table.tsx";

const commands = ["stats", "stats --activity", "context worth"];

export function StatsView(): JSX.Element {
  const { facts } = usePage();
  const activity = useAnswer("activity", {});
  const stats = useAnswer("stats", {});
  const worth = useAnswer("worth", {});
  const asked = [activity, stats, worth];
  return (
    <div class="panes">
      <section
        class="list stats"
        aria-label="Stats"
        aria-busy={asked.some(({ isAsking }) => isAsking)}
      >
        {asked.map(({ error }, i) => <Failure key={i} error={error} />)}
        {activity.answer && <ActivityCalendar {...activity.answer} />}
        {!facts.session && <CostFigures />}
        <div class="figures">
          {stats.answer && (
            <FigureTable
              title="Totals"
              names={["what", "count"]}
              rows={[
                ["entries", stats.answer.entries],
                ["sessions", stats.answer.sessions],
                ["projects", stats.answer.projects.length],
                ["tokens", stats.answer.estimated_tokens],
                ["longest streak (days)", stats.answer.longest_streak_days],
              ]}
            />
          )}
          {activity.answer && (
            <>
              <FigureTable
                title="Sources"
                names={["agent", "messages", "sessions", "tokens"]}
                rows={activity.answer.agents.map((row): Figure => [
                  row.source,
                  row.messages,
                  row.sessions,
                  row.estimated_tokens,
                ])}
                hasBars
              />
              <FigureTable
                title="Disk use"
                names={["part", "size"]}
                say={toSize}
                rows={Object.entries(activity.answer.bytes).filter(([, bytes]) => bytes > 0)}
                hasBars
              />
              <FigureTable
                title="Response time"
                names={["command", "median (ms)", "95 % within (ms)", "calls"]}
                rows={activity.answer.latency.map((row): Figure => [
                  row.command,
                  row.p50_ms,
                  row.p95_ms,
                  row.count,
                ])}
                hasBars
              />
            </>
          )}
          {worth.answer && (
            <FigureTable
              title="Context sent to agents"
              names={[
                "agent, event",
                "tokens spent",
                "tokens saved (estimate)",
                "lines",
                "answered",
                "used",
              ]}
              rows={[
                ...worth.answer.by.map((row): Figure => [
                  `${row.agent}, ${row.event}`,
                  row.tokens,
                  row.saved_tokens,
                  row.lines,
                  row.followed,
                  row.used,
                ]),
                toSum(worth.answer.total),
              ]}
            />
          )}
        </div>
        <ShellLine line={commands.map((name) => toCommandLine(name)).join("; ")} />
      </section>
    </div>
  );
}

type Sums = Record<"tokens" | "saved_tokens" | "lines" | "followed" | "used", number>;

function toSum({ tokens, saved_tokens, lines, followed, used }: Sums): Figure {
  return ["total", tokens, saved_tokens, lines, followed, used];
}
