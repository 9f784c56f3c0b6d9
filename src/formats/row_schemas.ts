// The formats of a store as zod schemas, for programs that read or write one. docs/FORMAT.md takes its
// tables from here. They say what this version writes, and what older ones did; readers in ctx are
// more lenient, and faster.

import {
  chatRow,
  confirmRow,
  documentRow,
  historyRow,
  originalRow,
  recordRow,
  tombstoneRow,
  verdictRow,
} from "./history_row.ts";
import {
  act,
  capture,
  collectionEvent,
  guardEvent,
  heldWords,
  injection,
  liveRow,
  modelUse,
  quarantinedBytes,
  sessionEvent,
  share,
  trace,
} from "./log_row.ts";
import { subscriptionEvent, suggestionEvent } from "./proactive_row.ts";
import { move, pin, remote, state } from "./store_file.ts";

/** Every format, by its name. */
export const rowSchemas = {
  historyRow,
  tombstoneRow,
  confirmRow,
  verdictRow,
  recordRow,
  documentRow,
  chatRow,
  originalRow,
  sessionEvent,
  trace,
  suggestionEvent,
  subscriptionEvent,
  injection,
  capture,
  liveRow,
  guardEvent,
  heldWords,
  act,
  share,
  collectionEvent,
  modelUse,
  quarantinedBytes,
  pin,
  state,
  move,
  remote,
};
