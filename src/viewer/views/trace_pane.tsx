// One trace: the request and its results with scores, explained or replayed on the current store.

import type { ComponentChildren, JSX } from "preact";
import type { AnswerOf } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { useKeys } from "../data/page_keys.ts";
import { hrefOf, setParams, useRoute } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { Failure } from "../parts/failure.tsx";
import { surfaceWord } from "../parts/kind_word.ts";
import { ScoreSteps } from "../parts/score_steps.tsx";
import { ShellLine } from "../parts/shell_line.tsx";

type Answer = AnswerOf<"trace">;
type Replay = NonNullable<Answer["replay"]>;

const reasons: Record<string, string> = {
  forgotten: "forgotten since",
  outranked: "other results rank higher now",
  saved_since: "saved since",
  risen: "ranks higher now",
};

/** The trace of an id; closed by taking `trace` out of the address. */
export function TracePane({ id }: { id: string }): JSX.Element {
  const { params } = useRoute();
  const [replay, explain] = [params.has("replay"), params.has("explain")];
  const { answer, error, isAsking } = useAnswer("trace", { id, replay, explain });
  const close = (): void => setParams({ trace: undefined, replay: undefined, explain: undefined });
  const toggle = (name: string, isOn: boolean) => (): void =>
    setParams({ [name]: isOn ? undefined : "1" }, { replace: true });
  const toggles = { e: toggle("explain", explain), r: toggle("replay", replay) };
  useKeys({ esc: close, ...toggles });
  const { trace } = answer ?? {};
  return (
    <aside class="entry" aria-label="Trace">
      <header>
        <h2>{trace ? `${trace.command} ${trace.query ?? ""}` : "Trace"}</h2>
        <button type="button" class="quiet" onClick={close} aria-label="Close (esc)">×</button>
      </header>
      <Failure error={error} />
      {answer && trace && (
        <>
          <p class="facts" aria-busy={isAsking}>
            <Age ts={trace.ts} /> · {surfaceWord(trace.surface)} · {trace.duration_ms.toFixed(1)} ms
            {!trace.ok && " · failed"}
          </p>
          {trace.command === "search" && (
            <p class="actions">
              <button type="button" title="r" aria-pressed={replay} onClick={toggles.r}>
                Replay
              </button>
              <button type="button" title="e" aria-pressed={explain} onClick={toggles.e}>
                Explain
              </button>
            </p>
          )}
          {answer.replay && <ReplayTable replay={answer.replay} />}
          <Ranking answer={answer} />
          <details>
            <summary>Request details</summary>
            <pre tabIndex={0}>{JSON.stringify({ ...trace, ranking: undefined }, null, 2)}</pre>
          </details>
        </>
      )}
      <ShellLine line={toCommandLine("traces", [id], { replay, explain })} />
    </aside>
  );
}

/** The results as they were; below each, how its score is calculated today. */
function Ranking({ answer: { trace, explained } }: { answer: Answer }): JSX.Element | null {
  if (trace.ranking.length === 0) return null;
  return (
    <section aria-label="Results">
      <h3>Results</h3>
      <ol class="evidence">
        {trace.ranking.map((row) => {
          const today = explained?.find(({ id }) => id === row.id);
          return (
            <li key={row.id}>
              <RowLink id={row.id}>{String(row.summary ?? row.id)}</RowLink>
              {typeof row.score_final === "number" && (
                <small>
                  {" "}
                  {row.score_final.toFixed(3)} {String(row.rank_source ?? "")}
                </small>
              )}
              {today?.explain && <ScoreSteps explain={today.explain} score={today.score_final} />}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** Both rankings side by side. */
function ReplayTable({ replay }: { replay: Replay }): JSX.Element {
  if (replay.identical) return <p role="status">Replayed: same ranking.</p>;
  const said = Object.entries(replay.counts).filter(([, count]) => count > 0);
  return (
    <div class="figure-table" role="region" aria-label="Replay" tabIndex={0}>
      <table>
        <caption>Replayed: {said.map(([name, count]) => `${count} ${name}`).join(", ")}</caption>
        <thead>
          <tr>
            {["Change", "Rank", "Score", "Entry"].map((name) => (
              <th key={name} scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {replay.rows.map((row) => (
            <tr key={row.id}>
              <td>
                <span class={`badge ${row.change === "gone" ? "gone" : ""}`}>{row.change}</span>
              </td>
              <td>{row.rank_before ?? "–"} → {row.rank_after ?? "–"}</td>
              <td>{sayScore(row.score_before)} → {sayScore(row.score_after)}</td>
              <td>
                <RowLink id={row.id}>{row.summary ?? row.id}</RowLink>{" "}
                {row.reason && <small>({reasons[row.reason]})</small>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function sayScore(score: number | null): string {
  return score === null ? "–" : score.toFixed(3);
}

function RowLink({ id, children }: { id: string; children: ComponentChildren }): JSX.Element {
  const { params } = useRoute();
  return <a href={hrefOf("traces", { ...Object.fromEntries(params), id })}>{children}</a>;
}
