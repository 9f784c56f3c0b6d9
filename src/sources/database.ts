// Opens another program's SQLite database without changing anything beside it. A live WAL database
// is read in place with its own shared memory; a left-behind WAL is read from a copy; a database
// without WAL needs neither.

import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { findFileInfo } from "./walk.ts";

/** One row as it comes out of a query. */
export type DatabaseRow = Record<string, unknown>;

const busyTimeoutMs = 5000;

/** A read-only database; dispose it to close it and remove a copy. */
export class Database implements Disposable {
  readonly #handle: DatabaseSync;
  readonly #copy?: string;

  constructor(handle: DatabaseSync, copy?: string) {
    this.#handle = handle;
    this.#copy = copy;
  }

  [Symbol.dispose](): void {
    this.#handle.close();
    if (this.#copy !== undefined) removeCopy(this.#copy);
  }

  /** The rows of a query, one by one. */
  *rows(sql: string, ...values: SQLInputValue[]): Generator<DatabaseRow> {
    for (const row of this.#handle.prepare(sql).iterate(...values)) yield row as DatabaseRow;
  }

  /** The first row of a query. */
  findRow(sql: string, ...values: SQLInputValue[]): DatabaseRow | undefined {
    return this.#handle.prepare(sql).get(...values) as DatabaseRow | undefined;
  }

  /** The columns of a table; empty when there is no such table. */
  columns(table: string): Set<string> {
    const names = [...this.rows("SELECT name FROM pragma_table_info(?)", table)];
    return new Set(names.map((row) => String(row.name)));
  }
}

/** Opens a database file read-only; throws what SQLite throws when it is none. */
export async function openDatabase(path: string, scratch: string): Promise<Database> {
  const { DatabaseSync } = await import("node:sqlite");
  const mode = journalOf(path);
  if (mode === "wal_left") {
    const copy = copyWithWal(path, scratch);
    return new Database(new DatabaseSync(copy, { timeout: busyTimeoutMs }), copy);
  }
  const flags = mode === "wal_clean" ? "mode=ro&immutable=1" : "mode=ro";
  const url = `file:${encodeURI(path).replaceAll("?", "%3f").replaceAll("#", "%23")}?${flags}`;
  return new Database(new DatabaseSync(url, { readOnly: true, timeout: busyTimeoutMs }));
}

/** Changes when the database may have changed, its WAL included. */
export function databaseSignature(path: string): string {
  return [path, `${path}-wal`].map((file) => {
    const info = findFileInfo(file);
    return info === undefined ? "-" : `${info.size}:${info.mtime?.getTime() ?? 0}`;
  }).join("/");
}

/**
 * How a database may be read. SQLite would create missing `-wal` and `-shm` files even for readers:
 * only where both are there already it is opened in place.
 */
function journalOf(path: string): "rollback" | "wal_live" | "wal_left" | "wal_clean" {
  const header = new Uint8Array(20);
  using file = Deno.openSync(path, { read: true });
  file.readSync(header);
  const left = (findFileInfo(`${path}-journal`)?.size ?? 0) > 0;
  if (header[18] !== 2) return left ? "wal_left" : "rollback";
  const wal = findFileInfo(`${path}-wal`);
  const shared = findFileInfo(`${path}-shm`);
  if (wal !== undefined && shared !== undefined) return "wal_live";
  return wal !== undefined && wal.size > 0 ? "wal_left" : "wal_clean";
}

function copyWithWal(path: string, scratch: string): string {
  Deno.mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const copy = `${scratch}/import-${crypto.randomUUID()}.db`;
  for (const suffix of ["", "-wal", "-journal"]) {
    if (findFileInfo(path + suffix) !== undefined) Deno.copyFileSync(path + suffix, copy + suffix);
  }
  return copy;
}

function removeCopy(copy: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) {
    if (findFileInfo(copy + suffix) !== undefined) Deno.removeSync(copy + suffix);
  }
}
