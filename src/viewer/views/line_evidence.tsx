// What a line to review rests on: the words it was found in, and the session they are from.

import type { JSX } from "preact";
import type { AnswerOf } from "../data/call.ts";
import { hrefOf } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { countOf } from "../parts/count_of.ts";
import { EntryText } from "../parts/entry_pane.tsx";
import { Failure } from "../parts/failure.tsx";
import { kindWord } from "../parts/kind_word.ts";
import { Skeleton } from "../parts/skeleton.tsx";

/** So many pieces are shown, and so much of each. */
const [mostPieces, headChars] = [4, 1200];

export function LineEvidence(
  { line }: { line: AnswerOf<"reviewList">["lines"][number] },
): JSX.Element {
  const ids = line.evidence.slice(0, mostPieces);
  const { answer, error } = useAnswer("get", ids.length > 0 ? { ids, head: headChars } : undefined);
  const rest = line.evidence.length - ids.length;
  return (
    <aside class="entry" aria-label="Evidence">
      <h2>Where it comes from</h2>
      <p class="facts">
        {[countOf(line.sessions, "session"), ...line.files ?? []].join(" · ")}
      </p>
      <Failure error={error} />
      {ids.length > 0 && answer === undefined && !error && <Skeleton rows={ids.length} />}
      {answer?.results.map((entry) => (
        <section class="quote" key={entry.id}>
          <p class="facts">
            {kindWord(entry.type, entry.role)}
            {entry.source?.agent && `, ${entry.source.agent}`}, <Age ts={entry.ts} />
            {entry.session_id && (
              <span class="links">
                <a href={hrefOf("sessions", { session: entry.session_id, at: entry.id })}>
                  Session
                </a>
              </span>
            )}
          </p>
          <EntryText entry={entry} />
        </section>
      ))}
      {rest > 0 && <p class="facts">and {rest} more</p>}
    </aside>
  );
}
