// All sessions, newest first, with a search over their titles and with filters.

import type { JSX } from "preact";
import { capitalize } from "../data/capitalize.ts";
import type { AnswerOf } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { plain } from "../data/plain.ts";
import { hrefOf, setParams, useRoute } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { useFound } from "../data/use_found.ts";
import { Age } from "../parts/age.tsx";
import { countOf } from "../parts/count_of.ts";
import { FindInput } from "../parts/find_input.tsx";
import { ListPane, ListStatus } from "../parts/list_pane.tsx";
import { Pages } from "../parts/pages.tsx";
import { sayFound, sayLimit } from "../parts/say_found.ts";
import { LiveList } from "./live_list.tsx";
import { sinceChoices } from "../data/since_choices.ts";

const pageRows = 50;
/** How many sessions are searched, and the filter values collected from. */
const lookedAt = 1000;
const filterNames = ["source", "project", "branch"] as const;

type Row = AnswerOf<"sessions">["sessions"][number];
const none: Row[] = [];

export function SessionList(): JSX.Element {
  const { params } = useRoute();
  const typed = params.get("q") ?? "";
  const filters = Object.fromEntries([...filterNames, "since"].flatMap((name) => {
    const value = params.get(name);
    return value ? [[name, value]] : [];
  }));
  const offset = Number(params.get("offset") ?? 0);
  const newest = useAnswer("sessions", { since: filters.since, limit: lookedAt });
  const found = useFound(newest.answer?.sessions ?? none, typed, toText);
  const page = useAnswer(
    "sessions",
    found.isAsked ? undefined : { ...filters, limit: pageRows, offset },
  );
  const fitting = found.rows.filter((row) =>
    filterNames.every((name) => filters[name] === undefined || row[name] === filters[name])
  );
  const { answer, error, isAsking } = found.isAsked ? newest : page;
  const { sessions, total = 0 } = found.isAsked
    ? { sessions: fitting.slice(offset, offset + pageRows), total: fitting.length }
    : page.answer ?? {};
  return (
    <ListPane label="Sessions" line={toCommandLine("sessions", [], filters)}>
      <FindInput
        label="Find a session"
        value={typed}
        onType={(q) => setParams({ q, offset: undefined }, { replace: true })}
      />
      <Narrow rows={found.rows} />
      <ListStatus isAsking={isAsking || found.isSearching} error={error}>
        {found.isAsked
          ? sayFound(typed, { ...found, total }) + sayLimit(newest.answer?.total, lookedAt)
          : answer && `${countOf(total, "session")}, newest first`}
      </ListStatus>
      {offset === 0 && !found.isAsked && <LiveList />}
      <ol class="rows">
        {sessions?.map((session) => <SessionRow key={session.id} session={session} />)}
      </ol>
      <Pages offset={offset} rows={sessions} total={total} size={pageRows} />
    </ListPane>
  );
}

/** What a session is found by. */
function toText({ title, first_user_line: line, id, source, branch, project }: Row): string {
  return [title, line, id, source, branch, project.replace(/^.*\//, "")].join(" ");
}

function SessionRow({ session }: { session: Row }): JSX.Element {
  const { id, title, first_user_line: line, ended, source, branch, files_touched } = session;
  return (
    <li>
      <a data-row href={hrefOf("sessions", { session: id })}>
        <span class="title">{plain(title || line) || id}</span>
        {line !== "" && line !== title && <span class="snippet">{plain(line)}</span>}
        <span class="facts">
          <Age ts={ended} />
          {session.open && " · open"}
          {source && ` · ${source}`} · {session.project.replace(/^.*\//, "")}
          {branch && ` · ${branch}`} · {countOf(session.message_count, "message")}
          {files_touched > 0 && ` · ${countOf(files_touched, "file")}`}
        </span>
      </a>
    </li>
  );
}

/** One filter per property, with how many of some sessions have each value. */
function Narrow({ rows }: { rows: readonly Row[] }): JSX.Element {
  const { params } = useRoute();
  const values = filterNames.map((name) => [name, countValues(rows, name)] as const);
  const choose = (name: string, value: string): void =>
    setParams({ [name]: value || undefined, offset: undefined });
  const chosen = (name: string): string => params.get(name) ?? "";
  return (
    <div class="narrow">
      <label>
        Time{" "}
        <select
          value={chosen("since")}
          onChange={(event) => choose("since", event.currentTarget.value)}
        >
          {sinceChoices.map(([value, title]) => <option key={value} value={value}>{title}</option>)}
        </select>
      </label>
      {values.map(([name, found]) => (
        <label>
          {capitalize(name)}{" "}
          <select
            value={chosen(name)}
            onChange={(event) => choose(name, event.currentTarget.value)}
          >
            <option value="">any</option>
            {chosen(name) !== "" && !found.has(chosen(name)) && (
              <option value={chosen(name)}>{chosen(name)}</option>
            )}
            {[...found].map(([value, count]) => (
              <option value={value}>
                {value.replace(/^.*\/(?=[^/]*\/[^/]*$)/, "")} ({count})
              </option>
            ))}
          </select>
        </label>
      ))}
    </div>
  );
}

/** The values of a property, the most frequent first. */
function countValues(
  sessions: readonly Row[],
  name: typeof filterNames[number],
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { [name]: value } of sessions) {
    if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return new Map([...counts].sort((a, b) => b[1] - a[1]));
}
