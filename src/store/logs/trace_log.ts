// Traces: how each retrieval was answered, one line each, bounded by rotation. A line is one append
// of the operating system, which puts whole lines one after the other without a lock; a rotation is
// a rename, so a line written meanwhile lands in the older file and is not lost. Redacted; ids, scores
// and short summaries, never the text of entries. A trace that cannot be written never fails a
// retrieval.

import { makeId } from "../../core/id.ts";
import { isObject } from "../../core/json.ts";
import { isPlain, looksSecret } from "../../core/redact/plain_text.ts";
import { encodeExact } from "../../core/utf8.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { type BoundedLog, readRows, rotatedPaths, rotateLog } from "./rotate_log.ts";
import type { trace, traceRow } from "../../formats/log_row.ts";
import type { RowOf } from "../../formats/row_schema.ts";

/** One row of a ranking as a trace keeps it. */
export type TraceRow = RowOf<typeof traceRow>;

/** What a caller says of one retrieval. */
export type TraceDraft = Omit<RowOf<typeof trace>, "trace_id" | "ts" | "v" | "inputs"> & {
  inputs?: Record<string, number>;
  /** What else a command keeps: `ask` its usage, steps and sources. */
  [field: string]: unknown;
};

/** One line of the traces. docs/FORMAT.md describes the schema. */
export type Trace = TraceDraft & { trace_id: string; ts: string; v: 2 };

/** Where and when traces are written. */
export interface TraceContext {
  files: Files;
  layout: Layout;
  now: () => number;
  random: () => string;
}

/** The newest file is rotated at this size; with the older ones that bounds the traces. */
export const traceFileBytes = 2 << 20;
/** Rotated files that are kept beside the current one. */
export const keptTraceFiles = 4;
const maxLineBytes = 64 << 10;
const maxQueryChars = 2000;
const maxRanking = 50;
const maxSummaryChars = 120;

/** Appends one trace and returns its id; undefined when it could not be written. */
export async function appendTrace(
  context: TraceContext,
  draft: TraceDraft,
): Promise<string | undefined> {
  const now = context.now();
  const trace_id = makeId("T", now, `${draft.command}\0${draft.query}\0${context.random()}`);
  const trace: Trace = {
    trace_id,
    ts: new Date(now).toISOString(),
    v: 2,
    ...draft,
    ranking: draft.ranking.slice(0, maxRanking),
  };
  const safe = await withoutSecrets(trace);
  for (const row of safe.ranking) row.summary &&= toShort(row.summary);
  const line = toLine(safe);
  const { files, layout } = context;
  try {
    const size = files.append(layout.traces, line, { sync: false, shared: true });
    // A view of one session sees to it below, where the file is seen whole.
    if (!files.isScoped) rotateTraces(files, layout, size);
    return trace_id;
  } catch {
    return undefined;
  }
}

/**
 * A trace without secrets. What was asked is mostly plain words, and summaries are parts of rows that
 * were redacted when they were stored: the rules are loaded where one of them may find something.
 */
async function withoutSecrets(trace: Trace): Promise<Trace> {
  const { query, ranking, ...rest } = trace;
  const cut = (text: string): string => text.slice(0, maxQueryChars);
  const isClean = isPlain([query, rest]) &&
    ranking.every(({ summary, ...facts }) => isPlain(facts) && !looksSecret(summary ?? ""));
  if (isClean) return { ...trace, ...(query === undefined ? {} : { query: cut(query) }) };
  const { redactText, redactValue } = await import("../../core/redact/redact.ts");
  const asked = query === undefined ? {} : { query: cut(redactText(query).value) };
  return redactValue({ ...trace, ...asked }).value;
}

/** The files of the traces, the newest first. */
export function tracePaths(layout: Layout): string[] {
  return rotatedPaths(boundOf(layout));
}

/** All traces, or those that hold a needle, oldest first; torn and foreign lines are passed over. */
export function readTraceRows(
  { files, layout }: Pick<TraceContext, "files" | "layout">,
  options: { needles?: string[] } = {},
): Generator<Trace> {
  return readRows(files, boundOf(layout), isTrace, options);
}

function isTrace(value: unknown): value is Trace {
  return isObject(value) && typeof value.trace_id === "string" && typeof value.ts === "string" &&
    typeof value.command === "string" && Array.isArray(value.ranking);
}

/** Sets the traces aside when they have become so long. */
export function rotateTraces(files: Files, layout: Layout, size: number): void {
  rotateLog(files, boundOf(layout), size);
}

function boundOf({ traces }: Layout): BoundedLog {
  return { path: traces, fileBytes: traceFileBytes, kept: keptTraceFiles };
}

/** A summary within its bound. The word that the cut goes through goes whole: it may be a secret's half. */
function toShort(summary: string): string {
  return summary.length > maxSummaryChars
    ? summary.slice(0, maxSummaryChars).replace(/[!-~\ud800-\udbff]*$/, "").trimEnd() + "…"
    : summary;
}

function toLine(trace: Trace): Uint8Array {
  const bytes = encodeExact(JSON.stringify(trace) + "\n");
  if (bytes.length <= maxLineBytes) return bytes;
  const truncation = { ...trace.truncation, args: true };
  return encodeExact(JSON.stringify({ ...trace, args: {}, truncation }) + "\n");
}
