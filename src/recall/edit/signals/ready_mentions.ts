// Mentions from the table that is kept beside the index: a few short reads, and nothing of the index.

import type { Entry, Pool } from "../../../core/entry.ts";
import { LogReader } from "../../../index/log_reader.ts";
import { type MentionTable, openMentions } from "../../../index/mention_table.ts";
import type { Store } from "../../../store/store.ts";
import { MentionSource } from "./mention_source.ts";

/** Opens them, if the table is of the logs as they are. */
export function findReadyMentions(store: Store): MentionSource | undefined {
  using opened = new DisposableStack();
  const log = opened.use(new LogReader(store));
  const table = opened.use(openMentions(store, log));
  if (table === undefined) return undefined;
  return new ReadyMentions(store.layout.workspace, { table, log, opened: opened.move() });
}

class ReadyMentions extends MentionSource {
  readonly #table: MentionTable;
  readonly #log: LogReader;
  readonly #opened: Disposable;
  #decisions?: ReadonlySet<number>;

  constructor(
    workspace: string,
    parts: { table: MentionTable; log: LogReader; opened: Disposable },
  ) {
    super(workspace);
    this.#table = parts.table;
    this.#log = parts.log;
    this.#opened = parts.opened;
  }

  protected rowsOf(term: string): ReadonlySet<number> {
    return new Set(this.#table.find(term));
  }

  findDecisions(term?: string): ReadonlySet<number> {
    if (term !== undefined) return this.#onlyDecisions(this.#table.find(term));
    return this.#decisions ??= this.#onlyDecisions(Array(this.#table.rows).keys());
  }

  #onlyDecisions(rows: Iterable<number>): ReadonlySet<number> {
    const found = new Set<number>();
    for (const row of rows) if (this.#table.isDecision(row)) found.add(row);
    return found;
  }

  protected readRow(row: number): { entry: Entry; pool: Pool } {
    return { entry: this.#log.read(this.#table, row), pool: this.#table.place(row).pool };
  }

  [Symbol.dispose](): void {
    this.#opened[Symbol.dispose]();
  }
}
