// What led to some commits: the sessions behind them, what was asked, decided, dropped and left open;
// each line opens its exchange. Can be copied as Markdown and saved as a page.

import type { JSX } from "preact";
import { type AnswerOf, call } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { usePage } from "../data/page_context.ts";
import { plain } from "../data/plain.ts";
import { hrefOf } from "../data/route.ts";
import { toCallError, useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { capitalize } from "../data/capitalize.ts";
import { copyText } from "../data/copy_text.ts";
import { countOf } from "../parts/count_of.ts";
import { Empty } from "../parts/empty.tsx";
import { Failure } from "../parts/failure.tsx";
import { Icon } from "../parts/icon.tsx";
import { saveFile, toFileName } from "../data/save_file.ts";
import { ShellLine } from "../parts/shell_line.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { changeHref } from "./change_href.ts";

type Told = AnswerOf<"pr">;
type Note = Told["results"][number];

const kinds = [
  ["asked", "Asked"],
  ["decision", "Decided"],
  ["dead_end", "Tried and dropped"],
  ["open", "Left open"],
] as const;
const mostLines = 200;
const mostTitles = 500;

export function ChangeStory({ range }: { range: string }): JSX.Element {
  const { tell } = usePage();
  const { answer, error, isAsking } = useAnswer("pr", { base: range, limit: mostLines });
  const save = async (): Promise<void> => {
    try {
      const { text, title = range } = await call("pr", { base: range, format: "html" });
      const name = `${toFileName(title) || "changes"}.html`;
      saveFile(name, text, "text/html");
      tell(`Saved as ${name}, with secrets removed`);
    } catch (error) {
      tell(toCallError(error).message);
    }
  };
  return (
    <>
      <header>
        <a class="back" href={changeHref()} aria-label="All changes">←</a>
        <h2>{answer?.title ?? range.replace(/^.*\.\./, "")}</h2>
      </header>
      <Failure error={error} />
      <div class="change-story" aria-busy={isAsking} tabIndex={-1}>
        {answer === undefined && isAsking && <Skeleton rows={4} />}
        {answer && (
          <>
            <p class="facts">{toCount(answer)}</p>
            <p class="actions">
              <button
                type="button"
                class="primary"
                onClick={() => copyText(answer.text, { done: "Markdown copied", tell })}
              >
                <Icon name="copy" />Copy Markdown
              </button>
              <button type="button" onClick={() => void save()}>
                <Icon name="save" />Save as HTML
              </button>
            </p>
            <Sessions told={answer} />
            {kinds.map(([kind, title]) => (
              <Notes
                key={kind}
                title={title}
                notes={answer.results.filter((note) => note.kind === kind)}
              />
            ))}
            {answer.results.length === 0 && (
              <Empty title={answer.because ? "Nothing to describe" : "Nothing was recorded"}>
                {answer.because
                  ? `${capitalize(answer.because)}.`
                  : answer.sessions.length === 0
                  ? "None of these commits came from a recorded session."
                  : "These sessions say nothing about why. Open one to read it."}
              </Empty>
            )}
          </>
        )}
      </div>
      <ShellLine line={toCommandLine("pr", [range])} />
    </>
  );
}

function Sessions({ told }: { told: Told }): JSX.Element | null {
  // Titles stay here: what is copied or saved names none.
  const { answer } = useAnswer("sessions", { limit: mostTitles });
  const titles = new Map(answer?.sessions.map(({ id, title }) => [id, title]));
  if (told.sessions.length === 0) return null;
  return (
    <section aria-label="Sessions">
      <h3>Written in</h3>
      <ul class="written-in">
        {told.sessions.map(({ id, agent }) => (
          <li key={id}>
            <a data-row href={hrefOf("sessions", { session: id })}>
              {titles.get(id) || agent || id} {titles.get(id) && <small>{agent}</small>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Notes({ title, notes }: { title: string; notes: Note[] }): JSX.Element | null {
  if (notes.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul class="rows">
        {notes.map(({ id, text, because, session_id, at, ts, commits }) => (
          <li key={`${id} ${text}`}>
            <a data-row href={hrefOf("sessions", { session: session_id, at })}>
              {plain(text)}
              {because && <span class="because">{because}</span>}
              <span class="facts">
                <Age ts={ts} /> · {commits.map((oid) =>
                  oid.slice(0, 8)
                ).join(", ")}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How many commits there are, and of how many nothing is known. */
function toCount({ title, base, commits, unattributed, merges, sessions }: Told): string {
  const parts = [
    countOf(commits, "commit") + (title === undefined && base ? ` since ${base}` : ""),
    ...merges > 0 ? [countOf(merges, "merge")] : [],
    ...sessions.length > 0 ? [`from ${countOf(sessions.length, "session")}`] : [],
    ...unattributed > 0 && sessions.length > 0 ? [`${unattributed} without a known session`] : [],
  ];
  return parts.join(" · ");
}
