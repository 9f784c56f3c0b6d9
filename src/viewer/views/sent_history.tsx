// What agents were really sent, delivery by delivery, and how much of it they used.

import type { JSX } from "preact";
import type { AnswerOf } from "../data/call.ts";
import { hrefOf } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { countOf } from "../parts/count_of.ts";
import { EntryButtons } from "../parts/entry_buttons.tsx";
import { LineRow } from "./context_lines.tsx";

type Given = NonNullable<AnswerOf<"preview">["given"]>[number];

/** The times, newest first. */
export function SentHistory(
  { given, openId, onMore }: { given: readonly Given[]; openId?: string; onMore?: () => void },
): JSX.Element {
  const pins = useAnswer("pins", {}).answer?.pins ?? [];
  const pinned = new Set(pins.flatMap(({ id }) => id ?? []));
  return (
    <>
      <Worth />
      {given.length === 0 && <p>Nothing sent yet. Run ctx setup to connect an agent.</p>}
      {given.map((one) => (
        <SentOnce key={one.ts + one.event} given={one} pinned={pinned} openId={openId} />
      ))}
      {onMore && <button type="button" onClick={onMore}>Show more</button>}
    </>
  );
}

function SentOnce(
  { given, pinned, openId }: { given: Given; pinned: ReadonlySet<string>; openId?: string },
): JSX.Element {
  const { ts, by, event, reason, query, conversation, tokens, lines } = given;
  const { trace_id: trace, suggestion_id: suggestion } = given;
  return (
    <details class="sent-once">
      <summary data-row>
        <strong>{event}</strong>
        {reason && ` (${reason})`} {query && <q>{query}</q>}{" "}
        <span class="facts">
          {by} · <Age ts={ts} /> · {countOf(lines.length, "line")}, {countOf(tokens, "token")}
        </span>
      </summary>
      <p class="links">
        {conversation && (
          <a href={hrefOf("context", { at: "prompt", session: conversation })}>
            What this conversation would get now
          </a>
        )}
        {trace && <a href={hrefOf("traces", { trace })}>Trace</a>}
        {suggestion && <a href={hrefOf("suggestions", { suggestion })}>Suggestion</a>}
      </p>
      <ol class="rows context">
        {lines.map(({ id, text, tokens }) => (
          <li key={id}>
            <LineRow {...toSubject(id, text)} openId={openId}>
              <span class="snippet">{text ?? "This entry no longer exists."}</span>
              <span class="facts">{countOf(tokens, "token")}</span>
            </LineRow>
            {text !== undefined && !isCode(id) && (
              <EntryButtons id={id} isPinned={pinned.has(id)} about={text} />
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}

/** What a line leads to: nothing where its entry is gone. */
function toSubject(id: string, text: string | undefined): { id?: string; subject?: string } {
  if (text === undefined) return {};
  return isCode(id) ? { subject: id } : { id };
}

/** Suggestions may be about files, commits and tests instead of entries. */
function isCode(id: string): boolean {
  return /^(?:code|commit|test):/.test(id);
}

/** What all of it cost, and how much of it agents used. */
function Worth(): JSX.Element | null {
  const { answer } = useAnswer("worth", {});
  if (answer === undefined || answer.by.length === 0) return null;
  const { lines, tokens, followed, used } = answer.total;
  return (
    <details>
      <summary>
        Hooks sent {countOf(lines, "line")} ({countOf(tokens, "token")}). {followed === 0
          ? "No agent has answered since."
          : `Agents used ${used} of ${followed} lines that had a reply.`}
      </summary>
      <div class="wide-table" tabIndex={0} role="region" aria-label="By agent and event">
        <table>
          <thead>
            <tr>
              {["Agent", "Event", "Times", "Lines", "Answered", "Used", "Tokens"].map((name) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {answer.by.map(({ agent, event, times, lines, followed, used, tokens }) => (
              <tr>
                <th scope="row">{agent}</th>
                <td>{event}</td>
                {[times, lines, followed, used, tokens].map((count) => (
                  <td class="number">{count.toLocaleString("en")}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
