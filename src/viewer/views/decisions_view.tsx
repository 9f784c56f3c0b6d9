// What came out of sessions, and saved entries: decisions, fixes, preferences, open points and pins,
// each with whether its code has changed since.

import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { type Flags, toCommandLine } from "../data/command_line.ts";
import { usePage } from "../data/page_context.ts";
import { plain } from "../data/plain.ts";
import { setParams, useRoute } from "../data/route.ts";
import { useAnswer } from "../data/use_answer.ts";
import { useFound } from "../data/use_found.ts";
import { Age } from "../parts/age.tsx";
import { countOf } from "../parts/count_of.ts";
import { FindInput } from "../parts/find_input.tsx";
import { FreshnessMark } from "../parts/freshness_mark.tsx";
import { Choice, ListPane, ListStatus, RowLink } from "../parts/list_pane.tsx";
import { kindWord } from "../parts/kind_word.ts";
import { Pages } from "../parts/pages.tsx";
import { sayFound, sayLimit } from "../parts/say_found.ts";

const pageRows = 30;
/** How many of the newest records are searched. */
const lookedAt = 1000;
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
  changed?: { path?: string };
}

export function DecisionsView(): JSX.Element {
  const { facts: server } = usePage();
  const { params } = useRoute();
  const [type, typed] = ["type", "q"].map((name) => params.get(name) ?? "");
  const isPins = type === "pinned";
  const isMoved = params.has("moved") && !server.session;
  const hasOld = params.has("superseded");
  const offset = Number(params.get("offset") ?? 0);
  const asked = typed.trim() === ""
    ? { types: type ? [type] : facts, limit: pageRows, offset }
    : { types: choices.map(([value]) => value).filter(isType), limit: lookedAt };
  const records = useAnswer(
    "records",
    isPins || isMoved ? undefined : { ...asked, superseded: hasOld },
  );
  const pins = useAnswer("pins", {});
  // A page limited to one session does not read the work tree.
  const stale = useAnswer("stale", server.session ? undefined : { all: true, limit: maxStale });
  const moved = new Map((stale.answer?.results ?? []).map((row) => [row.id, row]));
  const pinned = new Set((pins.answer?.pins ?? []).map((pin) => pin.id));
  const source = isMoved ? stale : isPins ? pins : records;
  const held = useMemo<Fact[]>(
    () =>
      isMoved
        ? (stale.answer?.results ?? []).map(({ summary, title = summary, ...row }) => ({
          ...row,
          title,
        }))
        : isPins
        ? [
          ...(pins.answer?.waiting ?? []).map(({ id, text }) => ({
            id,
            title: text,
            isWaiting: true,
          })),
          ...(pins.answer?.pins ?? []).map((pin) => ({ id: pin.id ?? "", title: pin.text })),
        ]
        : records.answer?.records ?? [],
    [isMoved, isPins, source.answer],
  );
  const found = useFound(held, typed, toText);
  const isShown = (row: Fact, type: string): boolean =>
    type === "pinned"
      ? !isMoved || pinned.has(row.id)
      : type === ""
      ? isMoved || facts.includes(row.type ?? "")
      : row.type === type;
  const shown = found.rows.filter((row) => isShown(row, type));
  const isPaged = !isPins && !isMoved && !found.isAsked;
  const rows = isPaged ? shown : shown.slice(offset, offset + pageRows);
  const total = isPaged ? records.answer?.total ?? 0 : shown.length;
  return (
    <ListPane label="Decisions" line={toLine({ type, isPins, isMoved, hasOld })}>
      <FindInput
        label="Find a decision"
        placeholder="Find by words or file"
        value={typed}
        onType={(q) => setParams({ q, offset: undefined, id: undefined }, { replace: true })}
      />
      <p class="actions chips">
        {choices.map(([value, title]) => (
          <Choice
            key={value}
            sets={{ type: value, offset: undefined, id: undefined }}
            isOn={type === value}
          >
            {title}{" "}
            {found.isAsked && isType(value) && !isPins && (
              <small>{found.rows.filter((row) => isShown(row, value)).length}</small>
            )}
          </Choice>
        ))}
      </p>
      <p class="actions chips">
        {!server.session && (
          <Choice sets={{ moved: isMoved ? undefined : "1", offset: undefined }} isOn={isMoved}>
            Code changed
          </Choice>
        )}
        <Choice sets={{ superseded: hasOld ? undefined : "1", offset: undefined }} isOn={hasOld}>
          Include corrected
        </Choice>
      </p>
      <ListStatus isAsking={source.isAsking || found.isSearching} error={source.error}>
        {found.isAsked
          ? sayFound(typed, { ...found, total }) + sayLimit(records.answer?.total, lookedAt)
          : source.answer && (rows.length === 0 ? "No results." : countOf(total, "result"))}
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

/** Whether a choice is a type of records. */
function isType(choice: string): boolean {
  return choice !== "" && choice !== "pinned";
}

/** What a fact is found by. */
function toText({ title, text = "", files = [], changed }: Fact): string {
  return [title, text, ...files, changed?.path].join(" ");
}

function toLine(
  { type, isPins, isMoved, hasOld }: {
    type: string;
    isPins: boolean;
    isMoved: boolean;
    hasOld: boolean;
  },
): string {
  if (isMoved) return toCommandLine("records --type stale", [], { all: true, limit: maxStale });
  if (isPins) return toCommandLine("pin --list");
  const flags: Flags = { type: type ? [type] : facts, superseded: hasOld };
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
        <span class={by === "rules" ? "title quoted" : "title"}>
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
