// What agents' sessions cost, added up by what one chooses.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AnswerOf, InputOf } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { sayDay } from "../data/day.ts";
import { hrefOf } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { countOf } from "../parts/count_of.ts";
import { Failure } from "../parts/failure.tsx";
import { ShellLine } from "../parts/shell_line.tsx";
import { FigureTable, sayNumber } from "./figure_table.tsx";

type By = NonNullable<InputOf<"cost">["by"]>;

const choices: readonly (readonly [By, string])[] = [
  ["agent", "Agent"],
  ["model", "Model"],
  ["project", "Project"],
  ["branch", "Branch"],
  ["day", "Day"],
  ["week", "Week"],
  ["session", "Session"],
];

const spans: readonly (readonly [string, string])[] = [
  ["7d", "7 days"],
  ["30d", "30 days"],
  ["", "All time"],
];

/** The choices, the sum, and the table. */
export function CostFigures(): JSX.Element {
  const [by, setBy] = useState<By>("model");
  const [since, setSince] = useState("7d");
  const [typed, setTyped] = useState("");
  const [pr, setPr] = useState("");
  const input = { by, ...(since ? { since } : {}), ...(pr ? { pr } : {}) };
  const { answer, error, isAsking } = useAnswer("cost", input);
  return (
    <section class="cost" aria-label="Cost" aria-busy={isAsking}>
      <h2>Cost</h2>
      <p class="actions" role="group" aria-label="Time">
        {spans.map(([value, name]) => (
          <button
            key={value}
            type="button"
            aria-pressed={value === since}
            onClick={() => setSince(value)}
          >
            {name}
          </button>
        ))}
      </p>
      <p class="actions" role="group" aria-label="Add up by">
        {choices.map(([value, name]) => (
          <button
            key={value}
            type="button"
            aria-pressed={value === by}
            onClick={() => setBy(value)}
          >
            {name}
          </button>
        ))}
      </p>
      <form
        class="actions"
        onSubmit={(event) => {
          event.preventDefault();
          setPr(typed.trim());
          if (typed.trim() !== "") setSince("");
        }}
      >
        <input
          type="text"
          aria-label="Pull request: base branch or range"
          placeholder="Pull request: main, or main..feature"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit">Show</button>
      </form>
      <Failure error={error} />
      {answer && <CostSums answer={answer} />}
      <ShellLine line={toCommandLine("stats --cost", [], input)} />
    </section>
  );
}

function CostSums({ answer }: { answer: AnswerOf<"cost"> }): JSX.Element {
  const { by, costs, groups, usd, requests, total_tokens: tokens, prices, pr } = answer;
  if (pr?.because) return <p class="facts">Nothing to add up: {pr.because}</p>;
  if (requests === 0) {
    return <p class="facts">No tokens recorded in this time. Choose a longer time.</p>;
  }
  return (
    <>
      <p>
        <strong>{sayUsd(usd)}</strong> at list prices, {sayNumber(tokens)} tokens in{" "}
        {countOf(requests, "request")}
      </p>
      {pr && (
        <p class="facts">
          {countOf(pr.commits, "commit")} since {pr.base}; {pr.unattributed === 0
            ? "all have a known session"
            : `${pr.unattributed} without a known session, so their cost is missing`}.
          {pr.other_tokens > 0 &&
            ` Other work in the same sessions, not included: ${sayUsd(pr.other_usd)}.`}
        </p>
      )}
      <FigureTable
        title={`Cost by ${by}`}
        names={[by, "cost", "tokens", "output", "from cache", "requests"]}
        rows={costs.map((row) => [
          row.title ?? sayName(by, row.name),
          row.unpriced_tokens === row.total_tokens ? NaN : row.usd,
          row.total_tokens,
          row.output_tokens,
          row.cache_read_tokens,
          row.requests,
        ])}
        say={(figure, column) =>
          column > 0 ? sayNumber(figure) : Number.isNaN(figure) ? "unpriced" : sayUsd(figure)}
        links={costs.map(({ name }) => linkOf(by, name))}
        hasBars
      />
      <p class="facts">
        {groups > costs.length && `The first ${costs.length} of ${groups}. `}
        {answer.unpriced_tokens > 0 &&
          `Without a price: ${answer.unpriced_models.join(", ")}; add it to prices.jsonc. `}
        List prices of {sayDay(prices.date)}
        {prices.own > 0 && `, ${countOf(prices.own, "price")} of your own`}.
      </p>
    </>
  );
}

function linkOf(by: By, name: string): string | undefined {
  if (by === "session") return hrefOf("sessions", { session: name });
  return by === "day" ? hrefOf("timeline", { day: name }) : undefined;
}

function sayName(by: By, name: string): string {
  if (by === "day") return sayDay(name);
  return by === "week" ? `Week of ${sayDay(name)}` : name;
}

function sayUsd(usd: number): string {
  return usd.toLocaleString("en", { style: "currency", currency: "USD" });
}
