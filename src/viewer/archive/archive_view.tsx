// An archive: its sessions by day, a search over all of them, and the open session beside the list.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { toLocalDay } from "../../core/time/local_day.ts";
import { type ArchivedFacts, unpack } from "../../read/share/archived_session.ts";
import type { SharedSession } from "../../read/share/shared_session.ts";
import { sayDay } from "../data/day.ts";
import { countOf } from "../parts/count_of.ts";
import { ArchiveIndex } from "./archive_index.ts";
import { ArchiveSearch } from "./archive_search.tsx";
import { ArchivedSession } from "./archived_session_pane.tsx";

/** What is shown: the sessions as they are packed, and what is known of each. */
export interface ArchiveProps {
  title: string;
  sessions: readonly ArchivedFacts[];
  packed: readonly string[];
}

/** The address: `#s3` is a session, `#s3m12` a message of it. */
function placeOf(hash: string): { session?: number; anchor: string } {
  const found = /^#(s(\d+)(?:m\w+)?)$/.exec(hash);
  return found === null ? { anchor: "" } : { session: Number(found[2]), anchor: found[1] };
}

export function ArchiveView({ title, sessions, packed }: ArchiveProps): JSX.Element {
  const [place, setPlace] = useState(placeOf(location.hash));
  const [done, setDone] = useState(0);
  const [index] = useState(() => new ArchiveIndex());
  const load = async (number: number): Promise<SharedSession> =>
    await unpack<SharedSession>(packed[number]);
  useEffect(() => {
    const follow = (): void => setPlace(placeOf(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  useEffect(() => {
    let isGone = false;
    const fill = async (): Promise<void> => {
      for (let number = 0; number < packed.length && !isGone; number++) {
        await index.add(await load(number), number);
        setDone(number + 1);
        // Keys and scrolling come first.
        await new Promise((next) => setTimeout(next));
      }
    };
    void fill();
    return () => void (isGone = true);
  }, []);
  const isOpen = place.session !== undefined && place.session < packed.length;
  return (
    <div class={isOpen ? "archive-panes open" : "archive-panes"}>
      <section class="archive-list" aria-label="Sessions">
        <h1>{title}</h1>
        <p class="count">
          {countOf(sessions.length, "session")}
          {done < packed.length && `; reading ${done + 1} of ${packed.length}`}
        </p>
        <ArchiveSearch index={index} sessions={sessions} done={done} current={place.anchor}>
          <SessionRows sessions={sessions} current={place.session} />
        </ArchiveSearch>
      </section>
      {isOpen && place.session !== undefined && (
        <ArchivedSession
          key={place.session}
          number={place.session}
          load={load}
          anchor={place.anchor}
        />
      )}
    </div>
  );
}

function SessionRows(
  { sessions, current }: { sessions: readonly ArchivedFacts[]; current?: number },
): JSX.Element {
  const days = Map.groupBy(sessions.entries(), ([, { from }]) => toLocalDay(Date.parse(from)));
  return (
    <>
      {[...days].map(([day, rows]) => (
        <div key={day}>
          <h2>{sayDay(day)}</h2>
          <ol class="archive-rows">
            {rows.map(([number, facts]) => (
              <li key={number}>
                <a href={`#s${number}`} aria-current={number === current ? "true" : undefined}>
                  <strong>{facts.title}</strong>
                  <small>
                    {facts.agent} · {countOf(facts.prompts, "prompt")} ·{" "}
                    {countOf(facts.messages, "message")}
                  </small>
                </a>
              </li>
            ))}
          </ol>
        </div>
      ))}
    </>
  );
}
