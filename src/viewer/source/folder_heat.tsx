// Where in a folder work happened: files and folders down, the last sessions across, and in each cell how
// many edits. A cell opens its session at the last of them.

import type { JSX } from "preact";
import type { FolderHeat as Heat, HeatRow } from "../../read/overview/read_heat.ts";
import { hrefOf } from "../data/route.ts";
import { countOf } from "../parts/count_of.ts";
import { Empty } from "../parts/empty.tsx";
import { Icon } from "../parts/icon.tsx";

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

export function FolderHeat({ heat }: { heat: Heat }): JSX.Element {
  const { folder, sessions, rows, more_sessions, more_rows } = heat;
  const most = Math.max(1, ...rows.flatMap(({ cells }) => cells.map(({ edits }) => edits)));
  if (sessions.length === 0) {
    return (
      <Empty title="No known edits">
        No recorded session changed files here. Run <code>ctx import</code> to import more sessions.
      </Empty>
    );
  }
  return (
    <>
      <p class="facts">
        Edits by session, newest first
        {more_sessions > 0 && `; ${countOf(more_sessions, "older session")} not shown`}.
      </p>
      <div class="heat-scroll" tabIndex={0} role="group" aria-label="Edits by session">
        <table class="heat">
          <thead>
            <tr>
              <th scope="col">
                <span class="unseen">Name</span>
              </th>
              {sessions.map(({ id, title, agent, ts }) => (
                <th key={id} scope="col">
                  <a
                    href={hrefOf("sessions", { session: id })}
                    title={[title || id, agent].filter(Boolean).join(", ")}
                  >
                    <span>{title || agent || id}</span>
                    <time dateTime={ts}>{day.format(new Date(ts))}</time>
                  </a>
                </th>
              ))}
              <th scope="col">Edits</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => <Row key={row.name} {...{ row, folder, sessions, most }} />)}
          </tbody>
        </table>
      </div>
      {more_rows > 0 && <p class="facts">{countOf(more_rows, "more file")} without known edits.</p>}
    </>
  );
}

function Row(
  { row, folder, sessions, most }: {
    row: HeatRow;
    folder: string;
    sessions: Heat["sessions"];
    most: number;
  },
): JSX.Element {
  const { name, is_folder, edits, cells } = row;
  const path = folder + name;
  return (
    <tr class={edits === 0 ? "cold" : undefined}>
      <th scope="row">
        <a
          data-row
          href={hrefOf("source", is_folder ? { folder: path } : { path })}
          title={path}
        >
          {is_folder && <Icon name="folder" />}
          {name}
        </a>
      </th>
      {sessions.map(({ id, title }, i) => {
        const cell = cells.find(({ by }) => by === i);
        if (cell === undefined) return <td key={id} />;
        const about = `${countOf(cell.edits, "edit")} of ${name} in ${title || id}`;
        return (
          <td key={id}>
            <a
              class={`heat-${1 + Math.round(2 * Math.log(cell.edits) / Math.log(most + 1))}`}
              href={hrefOf("sessions", { session: cell.session_id, at: cell.at })}
              aria-label={about}
              title={about}
            >
              {cell.edits}
            </a>
          </td>
        );
      })}
      <td>{edits > 0 && edits.toLocaleString("en")}</td>
    </tr>
  );
}
