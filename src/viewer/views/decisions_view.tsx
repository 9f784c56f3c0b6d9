// What came out of sessions, and saved entries: decisions, fixes, preferences, open points and pins,
// each with whether its code has changed since.

import type { JSX } from "preact";
import { type Flags, toCommandLine } from "../data/command_line.ts";
import { usePage } from "../data/page_context.ts";
import { plain } from "../data/plain.ts";
import { setParams, useRoute } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Age } from "../parts/age.tsx";
import { countOf } from "../parts/count_of.ts";
import { FindInput } from "../parts/find_input.tsx";
import { FreshnessMark } from "../parts/freshness_mark.tsx";
import { Choice, ListPane, ListStatus, RowLink } from "../parts/list_pane.tsx";
import { kindWord } from "../parts/kind_word.ts";
import { Pages } from "../parts/pages.tsx";

const pageRows = 30;
/** The maximum of `stale`. */
const maxStale = 200;
/** Types shown by default; the others are shown by their button. */
const facts = ["decision", "preference", "fix", "outcome", "open"];
const choices: readonly [value: string, title: string][] = [
  ["", "All"],
  ...[...facts, "goal", "command", "digest"].map((type): [string, string] => [type, type]),
  ["pinned", "pinned"],
];

interface Fact {
  id: string;
  type?: string;
  ts?: string;
  title: string;
  text?: string;
  by?: string;
  files?: string[];
  superseded_by?: string;
  saved_by?: string;
  isWaiting?: boolean;
}

export function DecisionsView(): JSX.Element {
  const { facts: server } = usePage();
  const { params } = useRoute();
  const [type, file] = ["type", "file"].map((name) => params.get(name) ?? "");
  const isPins = type === "pinned";
  const isMoved = params.has("moved") && !server.session;
  const hasOld = params.has("superseded");
  const asked = {
    types: type ? [type] : facts,
    file: file || undefined,
    superseded: hasOld,
    limit: pageRows,
    offset: Number(params.get("offset") ?? 0),
  };
  const records = useAnswer("records", isPins || isMoved ? undefined : asked);
  const pins = useAnswer("pins", {});
  // A page limited to one session does not read the work tree.
  const stale = useAnswer("stale", server.session ? undefined : { all: true, limit: maxStale });
  const moved = new Map((stale.answer?.results ?? []).map((row) => [row.id, row]));
  const pinned = new Set((pins.answer?.pins ?? []).map((pin) => pin.id));
  const rows: Fact[] = isMoved
    ? [...moved.values()].filter((row) =>
      (isPins ? pinned.has(row.id) : !type || row.type === type) &&
      (row.changed?.path ?? "").includes(file)
    ).map(({ summary, title = summary, ...row }) => ({ ...row, title }))
    : isPins
    ? [
      ...(pins.answer?.waiting ?? []).map(({ id, text }) => ({ id, title: text, isWaiting: true })),
      ...(pins.answer?.pins ?? []).map((pin) => ({ id: pin.id ?? "", title: pin.text })),
    ]
    : records.answer?.records ?? [];
  const source = isMoved ? stale : isPins ? pins : records;
  const { total = rows.length, offset = 0 } = isPins || isMoved ? {} : records.answer ?? {};
  return (
    <ListPane label="Decisions" line={toLine({ type, file, isPins, isMoved, hasOld })}>
      <FindInput
        label="File path contains"
        placeholder="Filter by file"
        disabled={isPins && !isMoved}
        value={file}
        onType={(value) =>
          setParams({ file: value, offset: undefined, id: undefined }, { replace: true })}
      />
      <p class="actions chips">
        {choices.map(([value, title]) => (
          <Choice
            key={value}
            sets={{ type: value, offset: undefined, id: undefined }}
            isOn={type === value}
          >
            {title}
          </Choice>
        ))}
        {!server.session && (
          <Choice sets={{ moved: isMoved ? undefined : "1", offset: undefined }} isOn={isMoved}>
            Code changed
          </Choice>
        )}
        <Choice sets={{ superseded: hasOld ? undefined : "1", offset: undefined }} isOn={hasOld}>
          Include corrected
        </Choice>
      </p>
      <ListStatus isAsking={source.isAsking} error={source.error}>
        {source.answer && (rows.length === 0 ? "No results." : countOf(total, "result"))}
      </ListStatus>
      <ol class="rows">
        {rows.map((row) => (
          <FactRow
            key={row.id || row.title}
            row={row}
            freshness={moved.get(row.id)?.freshness}
            because={moved.get(row.id)?.because}
            isPinned={pinned.has(row.id)}
          />
        ))}
      </ol>
      <Pages offset={offset} rows={rows} total={total} size={pageRows} />
    </ListPane>
  );
}

function toLine(
  { type, file, isPins, isMoved, hasOld }: {
    type: string;
    file: string;
    isPins: boolean;
    isMoved: boolean;
    hasOld: boolean;
  },
): string {
  if (isMoved) return toCommandLine("records --type stale", [], { all: true, limit: maxStale });
  if (isPins) return toCommandLine("pin --list");
  const flags: Flags = { type: type ? [type] : facts, file, superseded: hasOld };
  return toCommandLine("records", [], flags);
}

function FactRow(
  { row, freshness, because, isPinned }: {
    row: Fact;
    freshness?: string;
    because?: string;
    isPinned: boolean;
  },
): JSX.Element {
  const { params } = useRoute();
  const { id, type, title, text, by, files = [] } = row;
  return (
    <li>
      <RowLink sets={{ id }} isOpen={id === params.get("id")}>
        <span class="title">
          {type && <span class={`badge ${type}`}>{kindWord(type)}</span>}
          {isPinned && <span class="badge">pinned</span>}
          {row.isWaiting && <span class="badge">needs your approval</span>}
          <FreshnessMark freshness={freshness} />
          {plain(title)}
        </span>
        {text && text !== title && <span class="snippet">{plain(text)}</span>}
        {because && <span class="because">{because}</span>}
        <span class="facts">
          {row.ts && <Age ts={row.ts} />}
          {row.saved_by && " · saved by an agent"}
          {by && !row.saved_by && ` · ${by === "rules" ? "derived" : by}`}
          {files.length > 0 && ` · ${files.slice(0, 3).join(", ")}`}
          {row.superseded_by && " · corrected"}
        </span>
      </RowLink>
    </li>
  );
}
