// What is said about commits: the prompts behind them, and the records of exactly those exchanges that
// made them. Only some records are used: saved ones, those an agent wrote on request, and those of
// the grade `derived`. Each line appears once. Pure.

import type { RecordRow } from "../distil/list_records.ts";
import { leadOf } from "../distil/find_digest.ts";
import { keyWords, shareOf } from "../distil/key_words.ts";
import { repeats } from "../distil/supersede.ts";
import { toProse } from "../review/time_summary.ts";
import { revertOf } from "../../core/rows/made_commits.ts";
import { toSentences } from "../../core/rows/blocks.ts";
import { isDeadEnd } from "../../core/rows/decision_words.ts";
import { isTelling as tells } from "../../core/rows/telling_words.ts";
import { compareText } from "../../core/text.ts";
import { isSamePath } from "../../code/why/attribute_change.ts";
import type { OwnExchange } from "./own_exchanges.ts";
import type { Note } from "./pr_shapes.ts";

/** The types of records that matter for a pull request. */
export const toldTypes: readonly string[] = ["decision", "fix", "outcome", "open"];

/** What has no evidence is tied by its time: talked over before the first edit, summed up after the last. */
const beforeMs = 2 * 3_600_000;
const afterMs = 10 * 60_000;
const itemChars = 280;
const maxRecordChars = 4000;

/** More files than these are not named. */
const maxNamed = 3;

export interface OwnRecord extends RecordRow {
  commits: string[];
  /** The subject of the commit that it was made of. */
  subject?: string;
}

export interface CommitFacts {
  /** What each calls itself. */
  subjects: ReadonlyMap<string, string>;
  /** The subject that a record was made of, where that is a commit's message. */
  subjectOf: (record: RecordRow) => string | undefined;
}

/** The prompts behind commits, in the order of the commits; each once. */
export function toAsked(exchanges: readonly OwnExchange[]): Note[] {
  const notes: Note[] = [];
  for (const { asked, session, commits, smallParts } of exchanges) {
    if (asked === undefined) continue;
    const { entry, text } = asked;
    const known = notes.find((note) => note.id === entry.id || repeats(note.text, text));
    if (known !== undefined) known.commits = [...new Set([...known.commits, ...commits])];
    else {
      const { id, ts } = entry;
      const isSmall = commits.every((commit) => smallParts.has(commit));
      const files = new Set(commits.flatMap((commit) => smallParts.get(commit) ?? []));
      const because = isSmall && files.size <= maxNamed
        ? { because: `only ${[...files].join(", ")}` }
        : {};
      const said = { kind: "asked" as const, id, ts, session_id: session, at: id, text };
      notes.push({ ...said, commits: [...commits], ...because });
    }
  }
  return notes;
}

/** The records that were made in the exchanges behind some commits, oldest first. */
export function pickRecords(
  records: readonly RecordRow[],
  exchanges: readonly OwnExchange[],
  facts: CommitFacts,
): OwnRecord[] {
  return records.flatMap((record): OwnRecord[] => {
    if (record.grade === "candidate") return [];
    const subject = facts.subjectOf(record);
    const commits = findCommits(record, exchanges, { ...facts, subject });
    return commits.length === 0 ? [] : [{ ...record, commits, subject }];
  }).toSorted((a, b) => compareText(a.ts, b.ts) || compareText(a.id, b.id));
}

function findCommits(
  record: RecordRow,
  exchanges: readonly OwnExchange[],
  { subjects, subject }: Pick<CommitFacts, "subjects"> & { subject?: string },
): string[] {
  // What a commit says is about that commit, whatever else its exchange did.
  if (subject !== undefined) {
    const own = [...subjects].flatMap(([oid, said]) => said === subject ? [oid] : []);
    return own.length > 0 ? own : findSquashed(record, exchanges);
  }
  const own = exchanges.filter((exchange) =>
    exchange.session === record.session_id && isMadeIn(record, exchange)
  );
  return [...new Set(own.flatMap(({ commits }) => commits))];
}

/** The commits that another was squashed into: they have its edits, and most of its files. */
function findSquashed(
  { refs, files = [] }: RecordRow,
  exchanges: readonly OwnExchange[],
): string[] {
  const found = exchanges.flatMap((exchange) => {
    const known = files.filter((file) =>
      exchange.files.values().some((path) => isSamePath(file, path))
    );
    if (known.length === 0 || 2 * known.length < files.length) return [];
    return [...exchange.edits].flatMap(([commit, edits]) =>
      refs.some((id) => edits.has(id)) ? [commit] : []
    );
  });
  return [...new Set(found)];
}

function isMadeIn({ refs: [first], ts, files = [] }: RecordRow, exchange: OwnExchange): boolean {
  if (first !== undefined) return exchange.ids.has(first);
  const time = Date.parse(ts);
  return time >= exchange.from - beforeMs && time <= exchange.to + afterMs &&
    (files.length === 0 ||
      files.some((file) => exchange.files.values().some((path) => isSamePath(file, path))));
}

/**
 * What records tell: decisions with their reason, what was tried and dropped, what was left open. Some begin
 * with what a tool printed: `isPrinted` knows such a line.
 */
export function toNotes(
  records: readonly OwnRecord[],
  { subjects }: Pick<CommitFacts, "subjects">,
  isPrinted: (record: RecordRow, line: string) => boolean,
): Note[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  return records.flatMap((record): Note[] => {
    const { id, ts, session_id = "", commits, superseded_by, type, subject } = record;
    const own = record.text.slice(0, maxRecordChars).split("\n")
      .filter((line) => !isPrinted(record, line)).join("\n");
    const prose = toProse(own);
    const facts = { id, ts, session_id, at: record.refs[0] ?? id, commits };
    const newer = byId.get(superseded_by ?? "");
    // Replaced by something that is not of these commits, or rejected: it no longer holds.
    if (superseded_by !== undefined && newer === undefined) return [];
    // What was committed twice is in the code, unless the second took back the first.
    const isKept = subject !== undefined && newer?.subject !== undefined &&
      revertOf(newer.subject) === undefined;
    if (newer !== undefined && !isKept) {
      if (repeats(newer.text, record.text) || type !== "decision") return [];
      const text = leadOf(prose, itemChars);
      return [{ kind: "dead_end", ...facts, text, because: "replaced later" }];
    }
    if (type === "open") return [{ kind: "open", ...facts, text: leadOf(prose, itemChars) }];
    const parts = Map.groupBy(toSentences(prose), isDeadEnd);
    const rest = (parts.get(false) ?? []).join("\n");
    const failed = (parts.get(true) ?? [])
      .map((text): Note => ({ kind: "dead_end", ...facts, text }));
    const text = leadOf(rest, itemChars);
    const says = (line: string): boolean => subjects.values().some((said) => isSaidBy(line, said));
    const isTold = (type === "decision" || type === "fix") && rest !== "" && !says(text) &&
      isTelling(record, text);
    // A commit that was squashed has no name in the range.
    const isNamed = subject === undefined || says(subject) || text.startsWith(subject);
    const told = isNamed ? text : `${subject}: ${text}`;
    return [...isTold ? [{ kind: "decision" as const, ...facts, text: told }] : [], ...failed];
  });
}

/** Keeps only the first of the lines with the same words. */
export function onlyOnce(notes: readonly Note[]): Note[] {
  const told: Note[] = [];
  for (const note of notes) {
    if (!told.some(({ text }) => isSaidBy(note.text, text))) told.push(note);
  }
  return told;
}

/** Whether one text says nothing that another does not. */
function isSaidBy(text: string, other: string): boolean {
  const words = keyWords(text);
  return text === other || words.size > 0 && shareOf(words, keyWords(other)) >= 0.9;
}

/**
 * Whether a reader who was not there learns something: what was saved was meant to be read, but of what
 * rules found, "yes, let's do that" and questions tell nothing.
 */
function isTelling({ by }: RecordRow, text: string): boolean {
  return by === "saved" || (keyWords(text).size >= leastWords && tells({ type: "decision", text }));
}

const leastWords = 4;
