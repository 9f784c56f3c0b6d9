// A full entry with its actions. Used wherever an entry can be opened.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ReadEntry } from "../data/call.ts";
import { useKeys } from "../data/page_keys.ts";
import { hrefOf, setParams } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Age } from "./age.tsx";
import { EntryButtons } from "./entry_buttons.tsx";
import { EntryEvidence } from "./entry_evidence.tsx";
import { Failure } from "./failure.tsx";
import { kindWord } from "./kind_word.ts";
import { FreshnessMark } from "./freshness_mark.tsx";
import { Markdown } from "./markdown.tsx";

/** How much of a text is read at once. */
const pageChars = 40_000;

/** The entry of an id, beside a list; closed by taking `id` out of the address. */
export function EntryPane({ id }: { id: string }): JSX.Element {
  const [head, setHead] = useState(pageChars);
  const { answer, error } = useAnswer("get", { ids: [id], head });
  const pins = useAnswer("pins", {});
  const heading = useRef<HTMLHeadingElement>(null);
  const entry = answer?.results[0];
  const isPinned = pins.answer?.pins.some((pin) => pin.id === id) ?? false;
  const isWaiting = pins.answer?.waiting?.some((pin) => pin.id === id) ?? false;
  const close = (): void => setParams({ id: undefined });
  useKeys({ esc: close });
  useEffect(() => setHead(pageChars), [id]);
  // Whoever opened it with the keyboard reads on here; the list keeps its place.
  useEffect(() => heading.current?.scrollIntoView({ block: "nearest" }), [id]);
  return (
    <aside class="entry" aria-label="Entry">
      <header>
        <h2 ref={heading}>{entry ? entry.title ?? kindWord(entry.type, entry.role) : "Entry"}</h2>
        <button type="button" class="quiet" onClick={close} aria-label="Close (esc)">×</button>
      </header>
      <Failure error={error} />
      {answer && !entry && !error && <p>No entry {id}. It may have been forgotten.</p>}
      {entry && (
        <>
          <EntryFacts entry={entry} />
          <EntryButtons
            id={id}
            isPinned={isPinned}
            isWaiting={isWaiting}
            hasKeys
            onForgotten={close}
          />
          <EntryText entry={entry} />
          <EntryEvidence entry={entry} />
          {entry.truncated && (
            <button type="button" onClick={() => setHead(head * 4)}>Show more</button>
          )}
        </>
      )}
    </aside>
  );
}

function EntryFacts({ entry }: { entry: ReadEntry }): JSX.Element {
  const { id, session_id: session, freshness } = entry;
  return (
    <p class="facts">
      <span class={`badge ${entry.type}`}>{kindWord(entry.type, entry.role)}</span>
      <Age ts={entry.ts} /> · <code>{id}</code>
      {entry.saved_by && " · saved by an agent"}
      {entry.source?.agent && ` · ${entry.source.agent}`} <FreshnessMark freshness={freshness} />
      <span class="links">
        {session && <a href={hrefOf("sessions", { session, at: id })}>Session</a>}
        <a href={hrefOf("timeline", { id })}>Timeline</a>
      </span>
    </p>
  );
}

/** What tools say is shown as it is, what people and agents say as Markdown. */
export function EntryText({ entry }: { entry: { type: string; text: string } }): JSX.Element {
  if (!/^tool_/.test(entry.type)) return <Markdown text={entry.text} />;
  return <pre class="output" tabIndex={0}>{entry.text}</pre>;
}
