// The branches, pull requests and newest commits, each with the sessions that wrote it.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AnswerOf } from "../data/call.ts";
import { useFound } from "../data/use_found.ts";
import { Age } from "../parts/age.tsx";
import { countOf } from "../parts/count_of.ts";
import { Empty } from "../parts/empty.tsx";
import { FindInput } from "../parts/find_input.tsx";
import { Icon } from "../parts/icon.tsx";
import { ListStatus } from "../parts/list_pane.tsx";
import { sayFound } from "../parts/say_found.ts";
import { changeHref } from "./change_href.ts";

type Listed = AnswerOf<"changes">;
type Change = Listed["changes"][number];

export function ChangeList(
  { listed, current }: { listed: Listed; current?: string },
): JSX.Element {
  const [typed, setTyped] = useState("");
  const found = useFound(listed.changes, typed, toText);
  const branches = found.rows.filter(({ kind }) => kind === "branch");
  const commits = found.rows.filter(({ kind }) => kind !== "branch");
  if (listed.changes.length === 0) {
    return (
      <Empty title="No commits">
        {listed.because ? `${listed.because}. ` : ""}Changes are shown once something is committed.
      </Empty>
    );
  }
  return (
    <div class="change-list">
      <FindInput label="Find a change" value={typed} onType={setTyped} />
      <ListStatus isAsking={found.isSearching}>
        {found.isAsked && sayFound(typed, found)}
      </ListStatus>
      {branches.length > 0 && <h2>Branches</h2>}
      <Rows changes={branches} current={current} />
      {commits.length > 0 && <h2>Recent commits</h2>}
      <Rows changes={commits} current={current} />
    </div>
  );
}

function Rows({ changes, current }: { changes: Change[]; current?: string }): JSX.Element {
  return (
    <ul class="rows">
      {changes.map((change) => (
        <li key={`${change.kind} ${change.name}`}>
          {change.range === undefined
            ? (
              <div class="row">
                <Row change={change} />
              </div>
            )
            : (
              <a
                data-row
                href={changeHref(change.range)}
                aria-current={change.range === current ? "true" : undefined}
              >
                <Row change={change} />
              </a>
            )}
        </li>
      ))}
    </ul>
  );
}

function Row({ change }: { change: Change }): JSX.Element {
  const { kind, name, subject, author, ts, commits, sessions } = change;
  const isBranch = kind === "branch";
  return (
    <>
      <span class="title">
        {isBranch && <Icon name="branch" />}
        {kind === "pull_request" && <Icon name="pull_request" />}
        {isBranch ? name : subject}
      </span>
      <span class={sessions.length > 0 ? "from" : "from nobody"}>
        {sessions.length > 0
          ? sessions.map(({ title, agent, id }) => title || agent || id).join(" · ")
          : "No known session"}
      </span>
      <span class="facts">
        {isBranch ? countOf(commits, "commit") : <code>{shortOf(name)}</code>} · {author},{" "}
        <Age ts={ts} />
      </span>
    </>
  );
}

/** As many characters of a hash as people use. */
function shortOf(name: string): string {
  return name.startsWith("#") ? name : name.slice(0, 8);
}

function toText({ name, subject, author, sessions }: Change): string {
  return [name, subject, author, ...sessions.map(({ title, agent }) => `${title} ${agent}`)]
    .join(" ");
}
