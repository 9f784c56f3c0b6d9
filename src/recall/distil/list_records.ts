// The records of a store as rows for people, with what was saved as the same kinds of knowledge.

import { type Entry, typePattern } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import {
  isRecordType,
  type Narrow,
  type RecordGrade,
  recordOf,
  recordTypes,
} from "../../core/rows/record.ts";
import { compareText, firstLine } from "../../core/text.ts";
import type { RecordDraft } from "./distil_session.ts";
import { findCorrected } from "../../read/outdated.ts";
import { findQuarantine } from "../../store/quarantined_sessions.ts";
import type { Store } from "../../store/store.ts";

export interface RecordFilter {
  types: readonly string[];
  session?: string;
  project?: string;
  file?: string;
  since?: string;
  until?: string;
  withSuperseded: boolean;
  /** What agents saved as a correction of the user's words does not end these. */
  keepsUsers?: boolean;
  /** Skip everything from teammates, including their corrections. */
  ownOnly?: boolean;
  /** Skip what may not be told: of sessions in quarantine, or in the words of others. */
  shownOnly?: boolean;
}

export interface RecordRow {
  id: string;
  ts: string;
  type: string;
  /** `rules`, `agent` or `model` derived it; `saved` was saved so. */
  by: string;
  /** How sure it is; what was saved is certain. */
  grade: RecordGrade;
  title: string;
  text: string;
  refs: string[];
  files?: string[];
  session_id?: string;
  project?: string;
  superseded_by?: string;
  narrow?: Narrow;
  /** The entry from outside whose words it repeats. */
  outside?: string;
  /** The agent that saved it, where that was not the user. */
  saved_by?: string;
}

/** Records that are not in the store yet, and those there that no longer hold. */
export interface UnwrittenRecords {
  written: readonly RecordDraft[];
  removed: readonly string[];
}

/** The records that a filter lets through, newest first; with some that are not written yet. */
export function listRecords(
  store: Store,
  filter: RecordFilter,
  { written, removed }: UnwrittenRecords = { written: [], removed: [] },
): RecordRow[] {
  const unknown = filter.types.find((type) => !isRecordType(type));
  if (unknown !== undefined) {
    const said = typePattern.test(unknown) ? unknown : JSON.stringify(unknown);
    throw new CtxError("USAGE", `Cannot list records of type "${said}": no such type`, {
      hint: `the types are ${[...recordTypes, "rule", "stale"].join(", ")}`,
    });
  }
  const found: Entry[] = [];
  const linked: Pick<Entry, "id" | "supersedes" | "saved_by">[] = [];
  const needles = [...recordTypes.map((type) => JSON.stringify(type)), '"supersedes"'];
  const gone = new Set(removed);
  const quarantine = filter.shownOnly ? findQuarantine(store) : undefined;
  const add = (entry: Entry): void => {
    if (gone.has(entry.id) || quarantine?.holds(entry)) return;
    if ((entry.supersedes ?? entry.saved_by) !== undefined) linked.push(entry);
    if (isWanted(entry, filter)) found.push(entry);
  };
  for (const { entry, pool } of store.entries({ needles })) {
    if (!filter.ownOnly || pool !== "team") add(entry);
  }
  for (const draft of written) add(draft);
  const superseded = findCorrected(linked, { keepsUsers: filter.keepsUsers ?? false });
  const outside = new Set(
    filter.shownOnly ? found.flatMap((row) => recordOf(row)?.outside ? row.id : []) : [],
  );
  return found.filter(({ id }) => filter.withSuperseded || !superseded.has(id))
    .filter(({ id }) => !outside.has(id) && !outside.has(superseded.get(id) ?? ""))
    .toSorted((a, b) => compareText(b.ts, a.ts) || compareText(b.id, a.id))
    .map((entry) => toRow(entry, superseded.get(entry.id)));
}

function isWanted(entry: Entry, filter: RecordFilter): boolean {
  const { types, session, project, file, since, until } = filter;
  return isRecordType(entry.type) && (types.length === 0 || types.includes(entry.type)) &&
    (session === undefined || entry.session_id === session) &&
    (project === undefined || (entry.project ?? "").includes(project)) &&
    (file === undefined || (entry.files ?? []).some((path) => path.includes(file))) &&
    (since === undefined || entry.ts >= since) && (until === undefined || entry.ts <= until);
}

function toRow(entry: Entry, superseded_by: string | undefined): RecordRow {
  const record = recordOf(entry);
  const { id, ts, type, text, title, refs = [], files, session_id, project, saved_by } = entry;
  return {
    id,
    ts,
    type,
    by: record?.by ?? "saved",
    grade: record?.grade ?? "certain",
    title: title ?? firstLine(text, 100),
    text,
    refs,
    ...(files === undefined ? {} : { files }),
    ...(session_id === undefined ? {} : { session_id }),
    ...(project === undefined ? {} : { project }),
    ...(superseded_by === undefined ? {} : { superseded_by }),
    ...(record?.narrow ? { narrow: record.narrow } : {}),
    ...(record?.outside === undefined ? {} : { outside: record.outside }),
    ...(saved_by === undefined ? {} : { saved_by }),
  };
}
