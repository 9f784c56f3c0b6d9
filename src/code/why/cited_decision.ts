// The decision that an edit was made for, as a line that an agent is told once in a conversation. Loaded
// when the edit is known.

import type { Entry } from "../../core/entry.ts";
import { isInstructionLike } from "../../core/instruction_like.ts";
import { isCandidate } from "../../core/rows/record.ts";
import { toLine } from "../../core/text.ts";
import { toldFreshness } from "../fresh/freshness.ts";
import { tellFreshness } from "../fresh/tell_freshness.ts";
import { findLines, type LineClaim, type LineTable } from "../../index/lines/line_table.ts";
import { IndexDamage } from "../../disk/byte_source.ts";
import { readCaptures } from "../../store/logs/capture_log.ts";
import { appendInjection, isUptake, readInjections } from "../../store/logs/injection_log.ts";
import type { Store } from "../../store/store.ts";
import { isSamePath } from "./attribute_change.ts";
import { type SessionStory, tellStory } from "./session_story.ts";

/** What is asked. */
export interface CiteQuestion {
  /** Within the workspace. */
  path: string;
  /** The hashes of the lines that are replaced or were read. */
  hashes: readonly (readonly [high: number, low: number])[];
  /** The agent's id of its conversation. */
  conversation: string;
  nowMs: number;
}

export interface CitedDecision {
  id: string;
  text: string;
  /** Notes that it was told, so that it is not told again. */
  note: (tokens: number) => Promise<void>;
}

/** What was decided belongs to an edit of the same exchange, or of about this time. */
const nearMs = 30 * 60_000;
const textChars = 220;

/** More of the logs than this is not read for it. */
const maxUnreadBytes = 256 << 10;
/** A line that more sessions wrote says nothing. */
const maxWriters = 3;
/** The least lines of one session, and the least part of all that say something. */
const leastLines = 2;
const leastShare = 0.6;

/** Finds the decision behind lines. */
export async function findCited(
  store: Store,
  question: CiteQuestion,
): Promise<CitedDecision | undefined> {
  try {
    const claim = await findWriter(store, question);
    if (claim === undefined) return undefined;
    const story = await tellStory(store, {
      session: claim.session,
      claims: [claim],
      path: question.path,
    });
    const decision = findReason(store, story, question);
    return decision === undefined ? undefined : await toCited(store, decision, question);
  } catch (error) {
    // Derived data that is damaged is for others to make anew.
    if (error instanceof IndexDamage) return undefined;
    throw error;
  }
}

/** The edit that wrote most of the lines, when one session clearly did. */
async function findWriter(
  store: Store,
  { path, hashes }: CiteQuestion,
): Promise<LineClaim | undefined> {
  using table = await findLines(store, { maxUnreadBytes });
  if (table === undefined) return undefined;
  const writers = hashes.flatMap(([high, low]) => lastWriter(table.find(high, low), path) ?? []);
  const [best = []] = [...Map.groupBy(writers, ({ session }) => session).values()]
    .sort((a, b) => b.length - a.length);
  if (best.length < leastLines || best.length < leastShare * hashes.length) return undefined;
  const [most] = [...Map.groupBy(best, ({ place }) => place.offset).values()]
    .sort((a, b) => b.length - a.length);
  return most[0];
}

/** Who wrote a line of a file last; nobody when it is a line that everybody writes. */
function lastWriter(claims: ReturnType<LineTable["find"]>, path: string): LineClaim | undefined {
  const writers = claims.filter(({ kind }) => kind === "added");
  if (new Set(writers.map(({ session }) => session)).size > maxWriters) return undefined;
  return writers.filter((claim) => isSamePath(claim.path, path))
    .reduce<LineClaim | undefined>(
      (a, b) => a !== undefined && a.time >= b.time ? a : b,
      undefined,
    );
}

/** The decision that belongs to an edit, of another conversation than the one that asks. */
function findReason(
  store: Store,
  { entry, prompt, decisions }: SessionStory,
  { path, conversation }: CiteQuestion,
): Entry | undefined {
  if (entry === undefined || entry.source?.conversation === conversation) return undefined;
  const edited = Date.parse(entry.ts);
  const isNear = ({ ts }: Entry): boolean =>
    ts >= (prompt?.ts ?? entry.ts) && Math.abs(Date.parse(ts) - edited) <= nearMs;
  const own = decisions.filter((decision) => {
    const { files = [], refs = [], text } = decision;
    if (isInstructionLike(text) || isCandidate(decision)) return false;
    // What names its files is about those; what has evidence is about the exchange of that.
    if (files.length > 0) return files.some((file) => isSamePath(file, path));
    return isNear(decision) &&
      (refs.length === 0 || refs.includes(prompt?.id ?? "") && !isOfCommand(store, refs[0]));
  });
  return own.find(({ refs }) => refs?.includes(entry.id)) ?? own[0];
}

/** Whether a record was made of a command: a commit that names no file took other edits than these. */
function isOfCommand(store: Store, first: string): boolean {
  return store.find([first]).get(first)?.row?.entry.type === "tool_call";
}

async function toCited(
  store: Store,
  decision: Entry,
  { conversation, nowMs }: CiteQuestion,
): Promise<CitedDecision | undefined> {
  const { id, ts, title, text } = decision;
  const needles = [JSON.stringify(conversation)];
  const given = readInjections(store, { needles }).filter((row) =>
    row.conversation === conversation
  )
    .toArray();
  if (given.some((row) => !isUptake(row) && row.lines.some((line) => line.id === id))) {
    return undefined;
  }
  if (store.find([id]).get(id)?.superseded_by !== undefined) return undefined;
  const told = await tellFreshness(store, [decision], { isBrief: true });
  const moved = toldFreshness(told.get(id) ?? {});
  const said = toLine(title === undefined ? text : `${title}: ${text}`, textChars);
  const facts = [id, ts.slice(0, 10), ...moved === undefined ? [] : [moved]].join(", ");
  return {
    id,
    text: `These lines were written for a decision (${facts}): ${said}`,
    note: (tokens) =>
      appendInjection(store, {
        ts: new Date(nowMs).toISOString(),
        agent: given[0]?.agent ?? findAgent(store, conversation),
        conversation,
        event: "pre-edit",
        lines: [{ id, tokens }],
        tokens,
      }),
  };
}

/** Whose conversation it is, as its own hooks told; the message before an edit names no agent. */
function findAgent(store: Store, conversation: string): string {
  const heard = readCaptures(store).findLast((event) => event.conversation === conversation);
  return heard?.agent ?? "unknown";
}
