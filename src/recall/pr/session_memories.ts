// What the sessions behind some commits decided and what did not do, from their records: those about the
// files of these commits, or from the time in which they were written.

import { type Freshness, isStale } from "../../code/fresh/freshness.ts";
import type { RecordRow } from "../distil/list_records.ts";
import { leadOf } from "../distil/find_digest.ts";
import { keyWords } from "../distil/key_words.ts";
import { repeats } from "../distil/supersede.ts";
import { toProse } from "../review/time_summary.ts";
import { isDeadEnd } from "../../core/rows/decision_words.ts";
import { toSentences } from "../../core/rows/blocks.ts";
import { isTelling as tells } from "../../core/rows/telling_words.ts";
import { compareText } from "../../core/text.ts";
import { isSamePath } from "../../code/why/attribute_change.ts";
import type { SessionPart } from "./commit_sessions.ts";

/** What is told of a memory. */
export type MemoryKind = "decision" | "dead_end" | "drifted";

/** One thing to tell, in words of a record. */
export interface Memory {
  kind: MemoryKind;
  id: string;
  ts: string;
  session_id: string;
  text: string;
  /** What took its place, or what became of its code. */
  because?: string;
}

/** The types of records that tell something for a pull request. */
export const toldTypes: readonly string[] = ["decision", "outcome", "fix"];

/** What is talked over comes before the first edit, and what is summed up after the last. */
const beforeMs = 2 * 3_600_000;
const afterMs = 10 * 60_000;
const itemChars = 280;
const maxRecordChars = 4000;

/** Memories with what became of their code: what it moved away from is told as such. */
export function withFreshness(
  memories: readonly Memory[],
  told: ReadonlyMap<string, Freshness>,
): Memory[] {
  return memories.map((memory) => {
    const { freshness, changed } = told.get(memory.id) ?? {};
    if (memory.kind !== "decision" || !isStale(freshness)) return memory;
    const kind = freshness === "reverted" ? "dead_end" : "drifted";
    return { ...memory, kind, because: changed?.says ?? `code ${freshness}` };
  });
}

/** What tells any two entries apart. */
const shortIdChars = 15;

/** The beginning of an id that is enough of it. */
export function toShortId(id: string): string {
  return id.slice(0, shortIdChars);
}

/** The records that concern some commits, oldest first. */
export function pickRecords(
  records: readonly RecordRow[],
  parts: readonly SessionPart[],
): RecordRow[] {
  const bySession = new Map(parts.map((part) => [part.session, part]));
  return records.filter((record) => {
    const part = bySession.get(record.session_id ?? "");
    return part !== undefined && concerns(record, part);
  }).toSorted((a, b) => compareText(a.ts, b.ts) || compareText(a.id, b.id));
}

function concerns({ ts, files = [] }: RecordRow, { files: own, from, to }: SessionPart): boolean {
  const time = Date.parse(ts);
  if (!(time <= to + afterMs)) return false;
  if (files.length === 0) return time >= from - beforeMs;
  return files.some((file) => own.values().some((path) => isSamePath(file, path)));
}

/**
 * What records tell: decisions, and what did not do. Records of errors begin with what a tool printed:
 * `isPrinted` knows such a line.
 */
export function toMemories(
  records: readonly RecordRow[],
  isPrinted: (record: RecordRow, line: string) => boolean,
): Memory[] {
  const texts = new Map(records.map(({ id, text }) => [id, text]));
  const said = new Set<string>();
  return records.flatMap((record): Memory[] => {
    const { id, ts, session_id = "", superseded_by, type } = record;
    const own = record.text.slice(0, maxRecordChars).split("\n")
      .filter((line) => !isPrinted(record, line)).join("\n");
    const prose = toProse(own);
    const newer = superseded_by === undefined ? undefined : texts.get(superseded_by);
    if (newer !== undefined && repeats(newer, record.text)) return [];
    const facts = { id, ts, session_id };
    if (superseded_by !== undefined) {
      if (type !== "decision") return [];
      const because = `replaced by ${toShortId(superseded_by)}`;
      return [{ kind: "dead_end", ...facts, text: leadOf(prose, itemChars), because }];
    }
    const parts = Map.groupBy(toSentences(prose), isDeadEnd);
    const rest = (parts.get(false) ?? []).join("\n");
    const fresh = (parts.get(true) ?? []).filter((text) => !said.has(text));
    for (const text of fresh) said.add(text);
    const failed = fresh.map((text): Memory => ({ kind: "dead_end", ...facts, text }));
    const text = leadOf(rest, itemChars);
    if (type !== "decision" || rest === "" || !isTelling(record, text)) return failed;
    return [{ kind: "decision", ...facts, text }, ...failed];
  });
}

/**
 * Whether a reader who was not there learns something: what was saved was meant to be read, but of what
 * rules found, "yes, let's do that" and questions tell nothing.
 */
function isTelling({ by }: RecordRow, text: string): boolean {
  return by === "saved" || (keyWords(text).size >= leastWords && tells({ type: "decision", text }));
}

const leastWords = 4;
