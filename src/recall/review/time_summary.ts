// What a time came to: what was asked, decided, done, fixed and left open, by day and session, from
// records. Sentences are quoted, nothing is made up; the same records give the same summary.

import { toLocalDay } from "../../core/time/local_day.ts";
import { isAnnouncement } from "../../core/rows/announcement.ts";
import { toBlocks, toPlain } from "../../core/rows/blocks.ts";
import { compareText } from "../../core/text.ts";
import { leadOf } from "../distil/find_digest.ts";
import { keyWords, shareOf } from "../distil/key_words.ts";
import type { RecordRow } from "../distil/list_records.ts";
import { type SummaryItem, summaryKinds } from "./review_shapes.ts";

type SummaryKind = SummaryItem["kind"];

const kinds: Record<string, SummaryKind> = {
  goal: "asked",
  decision: "decided",
  outcome: "done",
  fix: "fixed",
  open: "open",
};

const itemChars = 200;
const maxRefs = 5;

/** The types of records that a summary is made of. */
export const summaryTypes: readonly string[] = Object.keys(kinds);

/** The items of a summary, newest day and session first, at most `most` of a kind for each of both. */
export function toSummary(records: readonly RecordRow[], most: number): SummaryItem[] {
  const sessions = new Map(records.map(({ id, session_id }) => [id, session_id]));
  const taken = findTakenUp(records);
  const items = records.flatMap((record): SummaryItem[] => {
    const { id, ts, session_id, superseded_by, refs } = record;
    const kind = kinds[record.type];
    if (taken.has(record)) return [];
    // What a session corrected itself is told by the later record.
    const isRevised = superseded_by !== undefined && sessions.get(superseded_by) === session_id;
    if (kind === undefined || isRevised) return [];
    const text = leadOf(toProse(record.text), itemChars);
    const replaced = superseded_by === undefined ? {} : { superseded_by };
    const within = session_id === undefined ? {} : { session_id };
    const facts = { id, day: toLocalDay(ts), ts, ...within, kind, text };
    return [{ ...facts, refs: refs.slice(0, maxRefs), ...replaced }];
  });
  const groups = Map.groupBy(items, ({ day, session_id = "" }) => `${day}\0${session_id}`);
  return [...groups.values()].toSorted(compareGroups).flatMap((group) => pickItems(group, most));
}

/** What is said, line by line, without headings, code and what was only announced. */
export function toProse(text: string): string {
  const said = toBlocks(text)
    .filter(({ kind, text }) => (kind === "paragraph" || kind === "item") && !isAnnouncement(text))
    .map((block) => toPlain(block.text.replace(/\s+/g, " ")));
  return said.length > 0 ? said.join("\n") : toPlain(text);
}

/** What a session left open and a later one took up: it asked for that, told of it, or changed its files. */
function findTakenUp(records: readonly RecordRow[]): ReadonlySet<RecordRow> {
  const isDerived = ({ type, by, session_id }: RecordRow): boolean =>
    type === "open" && by !== "saved" && session_id !== undefined;
  const open = records.filter(isDerived)
    .toSorted((a, b) => compareText(b.ts, a.ts)).slice(0, maxOpen);
  const others = records.filter(({ type, session_id }) =>
    type !== "open" && session_id !== undefined
  );
  return new Set(open.filter(({ ts, text, files = [], session_id }) => {
    const asked = cutOff.exec(text)?.[1];
    // A step may be named before it is described: "Phase 4: Sharing — folders are …".
    const said = [asked ?? text, ...text.split(/\s[–—]\s/, 1)].map(keyWords)
      .filter(({ size }) => size >= leastWords);
    const soon = new Date(Date.parse(ts) + soonMs).toISOString();
    return others.some((later) => {
      if (later.ts <= ts || later.session_id === session_id) return false;
      // Work goes on in a new session right after one was cleared.
      if (asked !== undefined && later.ts <= soon) return true;
      const words = keyWords(`${later.title}\n${later.text}`);
      const known = files.filter((file) => later.files?.includes(file));
      return said.some((own) => shareOf(own, words) >= takenShare) ||
        known.length > 0 && 2 * known.length >= files.length;
    });
  }));
}

/** Older points are not looked at: who asks what is open gets the newest. */
const maxOpen = 200;
const takenShare = 0.6;
const leastWords = 3;
const soonMs = 30 * 60_000;
/** What was asked for last, in the words of a session that was cut off. */
const cutOff = /^Ended after an edit without an answer to "(.+)" \(cut off/s;

/** Newest day first, and in it the session that went on last. */
function compareGroups(a: readonly SummaryItem[], b: readonly SummaryItem[]): number {
  return compareText(b[0].day, a[0].day) || compareText(lastOf(b), lastOf(a)) ||
    compareText(a[0].session_id ?? "", b[0].session_id ?? "");
}

function lastOf(items: readonly SummaryItem[]): string {
  return items.reduce((last, { ts }) => ts > last ? ts : last, "");
}

/** What was asked first, and the last of everything else: later results stand for earlier ones. */
function pickItems(items: readonly SummaryItem[], most: number): SummaryItem[] {
  return summaryKinds.flatMap((kind) => {
    const told = items.filter((item) => item.kind === kind)
      .toSorted((a, b) => compareText(a.ts, b.ts) || compareText(a.id, b.id));
    return kind === "asked" ? told.slice(0, most) : told.slice(-most);
  });
}
