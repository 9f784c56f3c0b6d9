// The search of an archive: results while one types, narrowed by agent, role, type and day.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { toLocalDay } from "../../core/time/local_day.ts";
import type { ArchivedFacts } from "../../read/share/archived_session.ts";
import { sayDay } from "../data/day.ts";
import { isNear, toWords } from "../data/text_database.ts";
import { FindInput } from "../parts/find_input.tsx";
import { sayFound } from "../parts/say_found.ts";
import { type ArchiveIndex, facetNames, type FoundMessage, lineWith } from "./archive_index.ts";

type Found = Awaited<ReturnType<ArchiveIndex["find"]>>;

const limit = 100;
const labels: Record<typeof facetNames[number], string> = {
  agent: "Agent",
  role: "Role",
  type: "Type",
  day: "Day",
};

/** The box, the filters and the results; while nothing is asked, its children. */
export function ArchiveSearch(
  { index, sessions, done, current, children }: {
    index: ArchiveIndex;
    sessions: readonly ArchivedFacts[];
    /** How many sessions can be searched by now. */
    done: number;
    current: string;
    children: ComponentChildren;
  },
): JSX.Element {
  const [typed, setTyped] = useState("");
  const [only, setOnly] = useState<Record<string, string>>({});
  const [found, setFound] = useState<Found>();
  const isAll = done === sessions.length;
  // While sessions are still being read, now and then is enough.
  const change = isAll ? -1 : Math.floor(done / 20);
  useEffect(() => {
    let isLate = false;
    void index.find({ typed, only, limit }).then((next) => isLate || setFound(next));
    return () => void (isLate = true);
  }, [typed, only, change]);
  const isAsked = typed.trim() !== "" || Object.keys(only).length > 0;
  const words = toWords(typed);
  return (
    <>
      <div class="archive-ask" role="search">
        <FindInput label="Search all sessions" value={typed} onType={setTyped} />
        <div class="archive-facets">
          {facetNames.map((name) => (
            <label key={name}>
              {labels[name]}
              <select
                aria-label={labels[name]}
                value={only[name] ?? ""}
                onChange={({ currentTarget: { value } }) =>
                  setOnly(({ [name]: _old, ...rest }) =>
                    value === "" ? rest : { ...rest, [name]: value }
                  )}
              >
                <option value="">any</option>
                {valuesOf(found, name).map(([value, count]) => (
                  <option key={value} value={value}>
                    {`${value} (${count.toLocaleString("en")})`}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </div>
      </div>
      <p class="count" role="status">
        {isAsked && found && sayFound(typed, { ...found, shown: found.messages.length })}
      </p>
      {isAsked && found
        ? (
          <ol class="archive-rows">
            {found.messages.map((message, i) => (
              <li key={`${i} ${message.anchor}`}>
                <ResultRow
                  message={message}
                  title={sessions[message.session].title}
                  words={found.isNear ? nearWords(message.text, words) : words}
                  isOpen={message.anchor === current}
                />
              </li>
            ))}
          </ol>
        )
        : children}
    </>
  );
}

function ResultRow(
  { message: { anchor, kind, ts, text }, title, words, isOpen }: {
    message: FoundMessage;
    title: string;
    words: readonly string[];
    isOpen: boolean;
  },
): JSX.Element {
  return (
    <a href={`#${anchor}`} aria-current={isOpen ? "true" : undefined}>
      <Marked text={lineWith(text, words)} words={words} />
      <small>
        {kind} · {title} · {sayDay(toLocalDay(Date.parse(ts)))}
      </small>
    </a>
  );
}

/** The words of a text that are nearly one that was typed. */
function nearWords(text: string, typed: readonly string[]): string[] {
  return toWords(text).filter((word) => typed.some((one) => isNear(word, one)));
}

/** The values that are there, the most frequent first; days with the newest first. */
function valuesOf(found: Found | undefined, name: string): [string, number][] {
  const values = Object.entries(found?.counts[name] ?? {}).filter(([, count]) => count > 0);
  return values.sort(([a, few], [b, many]) =>
    name === "day" ? (a < b ? 1 : -1) : many - few || (a < b ? -1 : 1)
  );
}

/** A text with the words that were typed marked. */
function Marked({ text, words }: { text: string; words: readonly string[] }): JSX.Element {
  if (words.length === 0) return <>{text}</>;
  const pattern = new RegExp(`(${words.map((word) => RegExp.escape(word)).join("|")})`, "gi");
  return (
    <>
      {text.split(pattern).map((part, i) => i % 2 === 0 ? part : <mark key={i}>{part}</mark>)}
    </>
  );
}
