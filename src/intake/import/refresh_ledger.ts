// Writes the ledger file of an agent anew once the logs have outgrown it. Nothing but what was read
// from the logs goes into it, and a reader checks that they still begin so: it may be written without
// the lock, and by two at once.

import { ownPools } from "../../core/entry.ts";
import { hash53 } from "../../core/hash.ts";
import { IndexDamage } from "../../disk/byte_source.ts";
import type { FileReader } from "../../disk/files.ts";
import { wholeChecksum } from "../../disk/page_checksums.ts";
import { toSealedFile } from "../../disk/paged_file.ts";
import type { Store } from "../../store/store.ts";
import {
  findLedgerEnd,
  findLedgerFile,
  type LedgerColumns,
  ledgerColumns,
  type LedgerEnd,
  type LedgerFile,
  ledgerMagic,
  ledgerPath,
  toLedgerHead,
} from "./ledger_file.ts";
import {
  type Keyed,
  type Offsets,
  openOwnLogs,
  readAgentRows,
  readForgottenIds,
} from "./ledger_rows.ts";

/** How much of the logs a turn may read again. */
const usualBytes = 64 << 10;

/** Brings the file of an agent up to the logs, where `minBytes` of them are not in it. */
export function refreshLedger(
  store: Store,
  source: Keyed,
  { minBytes = usualBytes }: { minBytes?: number } = {},
): void {
  if (store.files.isScoped) return;
  using logs = openOwnLogs(store);
  const file = findLedgerFile(store, source, logs);
  const archive = checkLog(logs.archive, file?.ends.archive);
  const hot = checkLog(logs.hot, file?.ends.hot);
  const ends = { archive: archive.end, hot: hot.end };
  const { from, before } = readBefore(archive.isSame && hot.isSame ? file : undefined);
  const to = { archive: ends.archive.bytes, hot: ends.hot.bytes };
  if (ownPools.every((pool) => to[pool] - from[pool] < minBytes)) return;
  const revised = pairsOf(before?.revised, before?.places);
  const sessions = pairsOf(before?.sessions, before?.indexes);
  const keys: number[] = [];
  for (const row of readAgentRows(logs, source, { from, to })) {
    keys.push(row.key);
    if (row.revision !== undefined) {
      revised.set(row.key, row.offset * 2 + ownPools.indexOf(row.pool));
    }
    if (row.session_id === undefined) continue;
    const session = hash53(row.session_id);
    sessions.set(session, Math.max(row.index ?? 0, sessions.get(session) ?? 0));
  }
  const gone = [...readForgottenIds(logs, { from, to })].map((id) => hash53(id));
  const columns = {
    known: sortedOf(before?.known, keys),
    ...columnsOf(revised, ["revised", "places"]),
    ...columnsOf(sessions, ["sessions", "indexes"]),
    forgotten: sortedOf(before?.forgotten, gone),
  };
  const lengths = Object.fromEntries(
    ledgerColumns.map((column) => [column, columns[column].length]),
  ) as Record<typeof ledgerColumns[number], number>;
  const head = Float64Array.from(toLedgerHead(source, ends, lengths));
  const parts = [head, ...ledgerColumns.map((column) => columns[column])]
    .map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
  store.files.makeDirectory(store.layout.index);
  store.files.replace(ledgerPath(store, source), toSealedFile(parts, ledgerMagic), { sync: false });
}

/** What is kept of a file and how far it goes: nothing if a page of it is damaged. */
function readBefore(file: LedgerFile | undefined): { from: Offsets; before?: LedgerColumns } {
  try {
    if (file !== undefined) return { from: file.covered, before: file.readColumns() };
  } catch (error) {
    if (!(error instanceof IndexDamage)) throw error;
  }
  return { from: { archive: 0, hot: 0 } };
}

/** Reads a log once: whether it begins with what was read before, and what it is now. */
function checkLog(
  log: FileReader | undefined,
  before: LedgerEnd | undefined,
): { isSame: boolean; end: LedgerEnd } {
  const end = findLedgerEnd(log);
  const [past, sum] = sumsOf(log, [before?.bytes ?? 0, end.bytes]);
  return { isSame: past === before?.sum, end: { ...end, sum } };
}

const blockBytes = 256 << 10;

/** A checksum of the first bytes of a log, for some lengths; -1 where it is shorter. */
function sumsOf(log: FileReader | undefined, lengths: number[]): number[] {
  const sums = lengths.map((length): number => length === 0 ? 0 : -1);
  const end = Math.max(...lengths);
  const block = new Uint8Array(Math.min(blockBytes, end));
  let sum = 0;
  for (let at = 0; at < end; at += blockBytes) {
    const part = block.subarray(0, end - at);
    if ((log?.readAt(at, part) ?? 0) < part.length) break;
    const sumTo = (length: number): number =>
      hash53(`${sum} ${wholeChecksum(part.subarray(0, length - at))}`);
    lengths.forEach((length, i) => {
      if (length > at && length <= at + part.length) sums[i] = sumTo(length);
    });
    sum = sumTo(at + part.length);
  }
  return sums;
}

/** Two columns as a table. */
function pairsOf(
  keys: Float64Array = new Float64Array(),
  values: Float64Array = new Float64Array(),
): Map<number, number> {
  return new Map(Array.from(keys, (key, i) => [key, values[i]]));
}

/** A table as two columns, sorted by the first. */
function columnsOf<A extends string, B extends string>(
  pairs: ReadonlyMap<number, number>,
  [first, second]: [A, B],
): Record<A | B, Float64Array> {
  const keys = Float64Array.from(pairs.keys()).sort();
  const values = keys.map((key) => pairs.get(key) ?? 0);
  return { [first]: keys, [second]: values } as Record<A | B, Float64Array>;
}

/** All numbers once, in order. */
function sortedOf(before: Float64Array = new Float64Array(), added: number[]): Float64Array {
  const all = new Float64Array(before.length + added.length);
  all.set(before);
  all.set(added, before.length);
  all.sort();
  return all.filter((number, i) => i === 0 || number !== all[i - 1]);
}
