// All sessions, newest first, with filters.

import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { capitalize } from "../data/capitalize.ts";
import type { AnswerOf } from "../data/call.ts";
import { toCommandLine } from "../data/command_line.ts";
import { plain } from "../data/plain.ts";
import { hrefOf, setParams, useRoute } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { countOf } from "../parts/count_of.ts";
import { ListPane, ListStatus } from "../parts/list_pane.tsx";
import { Pages } from "../parts/pages.tsx";
import { LiveList } from "./live_list.tsx";
import { sinceChoices } from "../parts/since_choices.ts";

const pageRows = 50;
/** How many sessions the filter values are collected from. */
const lookedAt = 1000;
const filterNames = ["source", "project", "branch"] as const;

type Row = AnswerOf<"sessions">["sessions"][number];

export function SessionList(): JSX.Element {
  const { params } = useRoute();
  const filters = Object.fromEntries([...filterNames, "since"].flatMap((name) => {
    const value = params.get(name);
    return value ? [[name, value]] : [];
  }));
  const offset = Number(params.get("offset") ?? 0);
  const { answer, error, isAsking } = useAnswer("sessions", {
    ...filters,
    limit: pageRows,
    offset,
  });
  return (
    <ListPane label="Sessions" line={toCommandLine("sessions", [], filters)}>
      <Narrow />
      <ListStatus isAsking={isAsking} error={error}>
        {answer && `${countOf(answer.total, "session")}, newest first`}
      </ListStatus>
      {offset === 0 && <LiveList />}
      <ol class="rows">
        {answer?.sessions.map((session) => <SessionRow key={session.id} session={session} />)}
      </ol>
      <Pages offset={offset} rows={answer?.sessions} total={answer?.total} size={pageRows} />
    </ListPane>
  );
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

/** One filter per property; the values come from the newest sessions. */
function Narrow(): JSX.Element {
  const { params } = useRoute();
  const { answer } = useAnswer("sessions", { limit: lookedAt });
  const values = useMemo(
    () => filterNames.map((name) => [name, countValues(answer?.sessions ?? [], name)] as const),
    [answer],
  );
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
