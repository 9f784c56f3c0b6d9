// The rows of one agent as the logs have them: what tells messages apart, and where they are.

import { type OwnPool, ownPools, tombstoneType } from "../../core/entry.ts";
import { hash53 } from "../../core/hash.ts";
import type { FileReader } from "../../disk/files.ts";
import { readLinesOf } from "../../disk/lines.ts";
import { parseLine } from "../../store/row.ts";
import { tombstoneNeedle } from "../../store/snapshot.ts";
import type { Store } from "../../store/store.ts";
import type { Source } from "../sources/source.ts";

/** What of a source tells its messages apart. */
export type Keyed = Pick<Source, "name" | "idScope">;

export interface LedgerRow {
  id: string;
  session_id?: string;
  index?: number;
  source?: { agent: string; conversation?: string; message?: string; revision?: string };
}

export interface AgentRow extends LedgerRow {
  key: number;
  revision?: string;
  pool: OwnPool;
  offset: number;
}

/** The key of a message: in its conversation, or in all of the agent's history. */
export function keyOf(source: Keyed, conversation: string, message: string): number {
  const scope = source.idScope === "agent" ? "" : conversation;
  return hash53(`${source.name}\0${scope}\0${message}`);
}

/** The user's own logs, open: what is replaced or appended later is not seen. */
export interface OwnLogs extends Disposable, Partial<Record<OwnPool, FileReader>> {}

export type Offsets = Record<OwnPool, number>;

/** Opens them; dispose of them. Rows move to the archive: opened after the other, it has all of them. */
export function openOwnLogs({ files, layout }: Pick<Store, "files" | "layout">): OwnLogs {
  const hot = files.openReader(layout.history.hot);
  const archive = files.openReader(layout.history.archive);
  return {
    hot,
    archive,
    [Symbol.dispose]() {
      hot?.[Symbol.dispose]();
      archive?.[Symbol.dispose]();
    },
  };
}

/** Yields the rows of an agent in log order, from some offsets on and up to others. */
export function* readAgentRows(
  logs: OwnLogs,
  source: Keyed,
  range: { from?: Offsets; to?: Offsets } = {},
): Generator<AgentRow> {
  for (const line of readOwnLines(logs, `"agent":${JSON.stringify(source.name)}`, range)) {
    const row = toAgentRow(source, line.bytes, line);
    if (row !== undefined) yield row;
  }
}

/** Yields the ids that tombstones name. */
export function* readForgottenIds(
  logs: OwnLogs,
  range: { from?: Offsets; to?: Offsets },
): Generator<string> {
  for (const { bytes } of readOwnLines(logs, tombstoneNeedle, range)) {
    for (const entry of parseLine(bytes).entries) {
      if (entry.type === tombstoneType) yield* entry.refs ?? [];
    }
  }
}

function* readOwnLines(
  logs: OwnLogs,
  needle: string,
  { from, to }: { from?: Offsets; to?: Offsets },
): Generator<{ bytes: Uint8Array; pool: OwnPool; offset: number }> {
  for (const pool of ownPools) {
    const log = logs[pool];
    if (log === undefined) continue;
    const range = { from: from?.[pool], to: to?.[pool], needles: [needle] };
    for (const line of readLinesOf(log, range)) yield { ...line, pool };
  }
}

/** What a line says, if it is a row of the agent. */
export function toAgentRow(
  source: Keyed,
  bytes: Uint8Array,
  { pool, offset }: Pick<AgentRow, "pool" | "offset">,
): AgentRow | undefined {
  const row = parseRow(bytes);
  if (row?.source?.agent !== source.name || row.source.message === undefined) return undefined;
  const { conversation = "", message, revision } = row.source;
  return { ...row, key: keyOf(source, conversation, message), revision, pool, offset };
}

/** Imported rows begin with their identity: a short prefix is enough to know them. */
function parseRow(bytes: Uint8Array): LedgerRow | undefined {
  const head = decoder.decode(bytes.subarray(0, headBytes));
  const end = identity.exec(head);
  try {
    return JSON.parse(end ? `${end[0]}}` : decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

const decoder = new TextDecoder();
const headBytes = 1024;
const identity =
  /^\{"id":"[^"\\]*","ts":"[^"\\]*","session_id":"[^"\\]*","index":\d+,"source":\{(?:"[a-z]+":"(?:[^"\\]|\\.)*",?)+\}/;
