// The answer to a question, with the quotes it rests on; each opens its entry in place.

import type { JSX } from "preact";
import { call } from "../data/call.ts";
import { useRoute } from "../data/route.ts";
import { useLoaded } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { Failure } from "../parts/failure.tsx";
import { RowLink } from "../parts/list_pane.tsx";
import { Markdown } from "../parts/markdown.tsx";

/** Asks once: a model may be asked, so a change of the store alone asks nothing again. */
export function AskedAnswer({ query }: { query: string }): JSX.Element {
  const { params } = useRoute();
  const { answer, error, isAsking } = useLoaded(
    query,
    (query, signal) => call("ask", { query }, { signal }),
  );
  return (
    <section class="asked-answer" aria-label="Answer" aria-busy={isAsking} aria-live="polite">
      <Failure error={error} />
      {isAsking && <p class="waiting">Reading your sessions…</p>}
      {answer && !isAsking && (
        <>
          <Markdown text={answer.answer} />
          {(answer.confidence || answer.note) && (
            <p class="facts">
              {[answer.confidence && `${answer.confidence} confidence`, answer.note]
                .filter(Boolean).join(" · ")}
            </p>
          )}
          <ol class="rows" aria-label="Sources">
            {answer.sources.map(({ entry_id: id, quote, title, ts }) => (
              <li key={`${id} ${quote}`}>
                <RowLink sets={{ id }} isOpen={id === params.get("id")}>
                  <q>{quote}</q>
                  <span class="facts">
                    {title} {ts && <Age ts={ts} />}
                  </span>
                </RowLink>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}
