// What came out of a session: its commits, each with its files, and its pull requests.

import type { JSX } from "preact";
import { usePage } from "../data/page_context.ts";
import { hrefOf } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import type { Outline } from "./reader_rows.ts";

/** The lists; nothing where nothing came of it, or only one session may be seen. */
export function SessionWork(
  { outline: { session_id }, onJump }: {
    outline: Outline;
    onJump(entries: readonly string[]): void;
  },
): JSX.Element | null {
  const { facts } = usePage();
  const { answer } = useAnswer(
    "sessionCommits",
    facts.session ? undefined : { session: session_id },
  );
  if (!answer) return null;
  const { commits, pulls } = answer;
  return (
    <>
      {pulls.length > 0 && (
        <section class="work" aria-labelledby="pulls-title">
          <h2 id="pulls-title">Pull requests</h2>
          <ul>
            {pulls.map(({ number, url, id }) => (
              <li key={url ?? number}>
                {url
                  ? <a href={url} target="_blank" rel="noreferrer">#{number}</a>
                  : <strong>#{number}</strong>}
                {id && <Jump label={`the message of #${number}`} onClick={() => onJump([id])} />}
              </li>
            ))}
          </ul>
        </section>
      )}
      {commits.length > 0 && (
        <section class="work" aria-labelledby="commits-title">
          <h2 id="commits-title">
            Commits <small>{commits.length}</small>
          </h2>
          <ul>
            {commits.map(({ commit, subject, ts, files, id, on_head }) => (
              <li key={commit}>
                <details>
                  <summary>{subject}</summary>
                  {files.map((path) => <a key={path} href={hrefOf("source", { path })}>{path}</a>)}
                  {!on_head && <small>not in the history of HEAD</small>}
                </details>
                <small>
                  <code>{commit.slice(0, 9)}</code> {ts && <Age ts={ts} />}
                </small>
                {id && <Jump label={`the message of ${subject}`} onClick={() => onJump([id])} />}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Jump({ label, onClick }: { label: string; onClick(): void }): JSX.Element {
  return (
    <button type="button" class="quiet" aria-label={`Go to ${label}`} onClick={onClick}>↩</button>
  );
}
