// Reads traces: all, by id, by command and time. Lines that are torn or foreign are passed over.

import { CtxError } from "../../core/errors.ts";
import type { Files } from "../files/files.ts";
import type { Layout } from "../files/layout.ts";
import { readLines } from "../files/lines.ts";
import { type Trace, tracePaths } from "./trace_log.ts";

/** Which traces to read. */
export interface TraceFilter {
  tail?: number;
  command?: string;
  since?: string;
}

/** Traces, oldest first. */
export function readTraces(
  place: { files: Files; layout: Layout },
  filter: TraceFilter = {},
): Trace[] {
  const found: Trace[] = [];
  for (const trace of allTraces(place)) {
    if (filter.command !== undefined && trace.command !== filter.command) continue;
    if (filter.since !== undefined && trace.ts < filter.since) continue;
    found.push(trace);
  }
  return filter.tail === undefined ? found : found.slice(-filter.tail);
}

/** The trace of an id, or undefined. */
export function findTrace(
  place: { files: Files; layout: Layout },
  traceId: string,
): Trace | undefined {
  for (const trace of allTraces(place, [`"${traceId}"`])) {
    if (trace.trace_id === traceId) return trace;
  }
  return undefined;
}

/** The trace of an id; throws NOT_FOUND. */
export function getTrace(place: { files: Files; layout: Layout }, traceId: string): Trace {
  const trace = findTrace(place, traceId);
  if (trace) return trace;
  throw new CtxError("NOT_FOUND", `Cannot find trace "${traceId}"`, {
    hint:
      "ctx traces shows the ids; old ones are rotated away, and those that name a forgotten entry go with it",
  });
}

function* allTraces(
  place: { files: Files; layout: Layout },
  needles?: string[],
): Generator<Trace> {
  for (const path of tracePaths(place.layout).reverse()) {
    for (const line of readLines(place.files, path, { needles })) {
      const trace = parseTrace(line.bytes);
      if (trace) yield trace;
    }
  }
}

function parseTrace(bytes: Uint8Array): Trace | undefined {
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes));
    const fits = typeof value?.trace_id === "string" && typeof value.ts === "string" &&
      typeof value.command === "string" && Array.isArray(value.ranking);
    return fits ? value : undefined;
  } catch {
    return undefined;
  }
}
