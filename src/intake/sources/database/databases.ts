// Reads other programs' SQLite databases, whatever state they are in: in use, locked, left behind by
// a crash, without the right to write. The one place that does. Nothing is written, created or
// locked beside a database: SQLite runs in a Worker, sees the file and its logs, and writes in
// memory (private_file.ts). What was read counts only if the database did not change meanwhile.

import { findInfo } from "../../../disk/outside_files.ts";

/** One row as it comes out of a query. */
export type DatabaseRow = Record<string, unknown>;
/** What may stand for a `?`. */
export type DatabaseValue = string | number | null;

/** What the Worker is asked. */
export type Question =
  & { values: DatabaseValue[] }
  & ({ ask: "open"; path: string } | { ask: "rows"; sql: string } | { ask: "is_unchanged" });
export type Answer = { value: unknown } | { failure: string };

/** How long to try. */
export interface DatabasesOptions {
  /** The longest that one question may take. */
  limitMs?: number;
  /** How often to start again when a database changes meanwhile. */
  attempts?: number;
}

const defaults = { limitMs: 60_000, attempts: 5 };
/** The coarsest clock that file systems stamp changes with: what is younger may change unseen. */
const settleMs = 20;

/** A database that is open for questions. */
export interface Database {
  rows(sql: string, ...values: DatabaseValue[]): Promise<DatabaseRow[]>;
  /** The columns of a table; empty when there is no such table. Views are no tables: they may never end. */
  columns(table: string): Promise<Set<string>>;
}

/** Opens databases one after the other; dispose it to end its Worker. */
export class Databases implements Disposable {
  readonly #limitMs: number;
  readonly #attempts: number;
  #worker?: Worker;
  #open?: string;

  constructor(options: DatabasesOptions = {}) {
    this.#limitMs = options.limitMs ?? defaults.limitMs;
    this.#attempts = options.attempts ?? defaults.attempts;
  }

  [Symbol.dispose](): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#open = undefined;
  }

  /**
   * Reads from a database; throws when it is none, is damaged or takes too long. `take` must only
   * ask and collect: it is called again when the database changed while it was read.
   */
  async read<T>(path: string, take: (database: Database) => Promise<T>): Promise<T> {
    for (let attempt = 1;; attempt++) {
      try {
        if (this.#open !== path || !await this.#isUnchanged()) await this.#openPath(path);
        const value = await take(this.#database());
        if (await this.#isUnchanged()) return value;
      } catch (error) {
        if (error instanceof TooLong || attempt === this.#attempts) throw error;
        if (this.#open === undefined || await this.#isUnchanged()) throw error;
      }
      if (attempt === this.#attempts) throw new Error("it kept changing while it was read");
      await waitFor(settleMs * attempt);
    }
  }

  #database(): Database {
    const rows: Database["rows"] = async (sql, ...values) =>
      await this.#ask({ ask: "rows", sql, values }) as DatabaseRow[];
    return {
      rows,
      async columns(table) {
        const found = await rows(
          "SELECT c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c " +
            "WHERE t.type = 'table' AND t.rootpage > 0 AND t.name = ?",
          table,
        );
        return new Set(found.map((row) => String(row.name)));
      },
    };
  }

  async #openPath(path: string): Promise<void> {
    this.#open = undefined;
    const age = Date.now() - (Deno.statSync(path).mtime?.getTime() ?? 0);
    if (age >= 0 && age < settleMs) await waitFor(settleMs - age);
    await this.#ask({ ask: "open", path, values: [] });
    this.#open = path;
  }

  async #isUnchanged(): Promise<boolean> {
    return await this.#ask({ ask: "is_unchanged", values: [] }) === true;
  }

  /** Asks the Worker; one that does not answer in time is ended. */
  async #ask(question: Question): Promise<unknown> {
    const worker = this.#worker ??= new Worker(
      new URL("./database_worker.ts", import.meta.url),
      { type: "module" },
    );
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    // Opening may have to start the Worker first, which takes what the machine takes.
    const limitMs = question.ask === "rows" ? this.#limitMs : defaults.limitMs;
    const timer = setTimeout(() => reject(new TooLong(limitMs)), limitMs);
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    try {
      worker.postMessage(question);
      const answer = await promise;
      if ("failure" in answer) throw new Error(answer.failure);
      return answer.value;
    } catch (error) {
      if (error instanceof TooLong) this[Symbol.dispose]();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

class TooLong extends Error {
  constructor(limitMs: number) {
    super(`a query took longer than ${limitMs / 1000} s`);
  }
}

function waitFor(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Changes when a database may have changed, its log included. */
export function databaseSignature(path: string): string {
  return [path, `${path}-wal`].map((file) => {
    const info = findInfo(file);
    return info ? `${info.size}:${info.mtime?.getTime() ?? 0}` : "-";
  }).join("/");
}
