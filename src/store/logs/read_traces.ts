// Reads traces: all, by id, by command and time. Lines that are torn or foreign are passed over.

import { CtxError } from "../../core/errors.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { readTraceRows, type Trace } from "./trace_log.ts";

/** Which traces to read. */
export interface TraceFilter {
  tail?: number;
  command?: string;
  since?: string;
}

interface TracePlace {
  files: Files;
  layout: Layout;
}

/** Traces, oldest first. */
export function readTraces(place: TracePlace, filter: TraceFilter = {}): Trace[] {
  const { command, since, tail } = filter;
  const found = readTraceRows(place).filter((trace) =>
    (command === undefined || trace.command === command) &&
    (since === undefined || trace.ts >= since)
  ).toArray();
  return tail === undefined ? found : found.slice(-tail);
}

/** The trace of an id; throws NOT_FOUND. */
export function getTrace(place: TracePlace, traceId: string): Trace {
  const trace = readTraceRows(place, { needles: [`"${traceId}"`] })
    .find(({ trace_id }) => trace_id === traceId);
  if (trace) return trace;
  throw new CtxError("NOT_FOUND", `Cannot find trace "${traceId}"`, {
    hint: "ctx traces lists the ids; old traces are removed, and so are those of forgotten entries",
  });
}
