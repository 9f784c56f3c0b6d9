// The few rows that changed since a table was written: a line that names the table and checks the
// rest, and a line per file. Replaced as a whole; a delta of another table is ignored.

import { checksum } from "../../../core/checksum.ts";
import type { Files } from "../../../disk/files.ts";
import { toLines } from "../../../store/writer.ts";
import { TableDamage } from "./table_damage.ts";

/** The bytes of a delta of the table with that stamp. */
export function encodeDelta(stamp: number, rows: Iterable<{ path: string }>): Uint8Array {
  const body = toLines([...rows]);
  const head = toLines([{ base: stamp, checksum: checksum(body) }]);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

/** The rows of a delta by path; throws TableDamage. */
export function readDelta<Row extends { path: string }>(
  files: Files,
  path: string,
  stamp: number,
): Map<string, Row> {
  const delta = new Map<string, Row>();
  const bytes = files.findBytes(path);
  if (bytes === undefined) return delta;
  const end = bytes.indexOf(10) + 1;
  const head = findHead(bytes.subarray(0, end));
  if (head === undefined || head.checksum !== checksum(bytes.subarray(end))) {
    throw new TableDamage(path);
  }
  if (head.base !== stamp) return delta;
  for (const line of new TextDecoder().decode(bytes.subarray(end)).split("\n")) {
    if (line === "") continue;
    const row: Row = JSON.parse(line);
    delta.set(row.path, row);
  }
  return delta;
}

function findHead(bytes: Uint8Array): { base: number; checksum: number } | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
