// What the logs have of one agent, kept as sorted numbers in `index/ledger-AGENT.bin`: a turn looks up
// its few messages there, and reads only the end of the log. The file is derived and says how far it
// goes. One that is damaged, of another form or of other logs is not used: then the logs are read.

import { type OwnPool, ownPools } from "../../core/entry.ts";
import { hash53 } from "../../core/hash.ts";
import { IndexDamage, pageBytes, type PagedSource } from "../../disk/byte_source.ts";
import type { FileReader, Files } from "../../disk/files.ts";
import { findTailOf, readLineAt } from "../../disk/lines.ts";
import { openSealedFile } from "../../disk/paged_file.ts";
import type { Store } from "../../store/store.ts";
import {
  type AgentRow,
  type Keyed,
  type Offsets,
  type OwnLogs,
  toAgentRow,
} from "./ledger_rows.ts";

/** The last word of the file. */
export const ledgerMagic = 0x314b5843;
const version = 2;
/** The columns, in the order of the file; each is as long as the head says. */
export const ledgerColumns = [
  "known",
  "revised",
  "places",
  "sessions",
  "indexes",
  "forgotten",
] as const;
type Column = typeof ledgerColumns[number];
export type LedgerColumns = Record<Column, Float64Array>;
/** What is kept of each log: how much was read, what that looks like, its checksum, and the file. */
const endFields = ["bytes", "mark", "sum", "ino", "mtimeMs"] as const;
export type LedgerEnd = Record<typeof endFields[number], number>;
/** Numbers before the columns: version, whose it is, the logs' ends, the columns' lengths. */
const headNumbers = 2 + endFields.length * ownPools.length + ledgerColumns.length;
const pageNumbers = pageBytes / 8;

type Place = Pick<Store, "files" | "layout">;

/** Where the file of an agent is. */
export function ledgerPath({ layout }: Pick<Store, "layout">, { name }: Keyed): string {
  return `${layout.index}/ledger-${name}.bin`;
}

/** The file of an agent, if the logs still begin with what it was made from. */
export function findLedgerFile(
  store: Place,
  source: Keyed,
  logs: OwnLogs,
): LedgerFile | undefined {
  try {
    const label = ledgerPath(store, source);
    using reader = openAgain(store.files, label);
    if (reader === undefined) return undefined;
    const pages = openSealedFile(reader, { label, magic: ledgerMagic });
    const file = new LedgerFile(store, source, pages);
    return file.isCurrent(logs) ? file : undefined;
  } catch (error) {
    if (error instanceof IndexDamage) return undefined;
    throw error;
  }
}

/** A file that is opened again for what is read after it was closed: an import has no end of its own. */
function openAgain(files: Files, path: string): FileReader | undefined {
  let open = files.openReader(path);
  return open && {
    size: open.size,
    isCurrent: () => open?.isCurrent() ?? true,
    readAt(offset, buffer) {
      if (open !== undefined) return open.readAt(offset, buffer);
      using again = files.openReader(path);
      return again?.readAt(offset, buffer) ?? 0;
    },
    [Symbol.dispose]() {
      open?.[Symbol.dispose]();
      open = undefined;
    },
  };
}

/** The numbers before the columns. */
export function toLedgerHead(
  source: Keyed,
  ends: Record<OwnPool, LedgerEnd>,
  lengths: Record<Column, number>,
): number[] {
  return [
    version,
    ownerOf(source),
    ...ownPools.flatMap((pool) => endFields.map((field) => ends[pool][field])),
    ...ledgerColumns.map((column) => lengths[column]),
  ];
}

function ownerOf({ name, idScope }: Keyed): number {
  return hash53(`${name}\0${idScope}`);
}

/** What a ledger keeps of a log, but for the checksum: all of the log is read for that. */
export function findLedgerEnd(log: FileReader | undefined): Omit<LedgerEnd, "sum"> {
  // Taken first: what is written from now on is newer.
  const stamp = stampOf(log);
  const bytes = endOf(log);
  return { bytes, mark: markOf(log, bytes), ...stamp };
}

function stampOf(log: FileReader | undefined): { ino: number; mtimeMs: number } {
  return log?.readStamp?.() ?? { ino: 0, mtimeMs: 0 };
}

/** Where the whole lines of a log end. */
function endOf(log: FileReader | undefined): number {
  return log === undefined ? 0 : findTailOf(log)?.offset ?? log.size;
}

/** What is looked up. Pages are read, and checked, when something on them is asked for. */
export class LedgerFile {
  readonly #store: Place;
  readonly #agent: Keyed;
  readonly #source: PagedSource;
  readonly #pages = new Map<number, Float64Array>();
  readonly #start = {} as Record<Column, number>;
  readonly #length = {} as Record<Column, number>;
  readonly ends = {} as Record<OwnPool, LedgerEnd>;

  constructor(store: Place, agent: Keyed, source: PagedSource) {
    this.#store = store;
    this.#agent = agent;
    this.#source = source;
    let start = headNumbers;
    ledgerColumns.forEach((column, i) => {
      this.#start[column] = start;
      this.#length[column] = this.#at(headNumbers - ledgerColumns.length + i);
      start += this.#length[column];
    });
    ownPools.forEach((pool, i) => {
      const first = 2 + i * endFields.length;
      this.ends[pool] = Object.fromEntries(
        endFields.map((field, k) => [field, this.#at(first + k)]),
      ) as LedgerEnd;
    });
  }

  /** How far the logs are in it. */
  get covered(): Offsets {
    return { archive: this.ends.archive.bytes, hot: this.ends.hot.bytes };
  }

  /**
   * Whether the logs still begin with what was read of them, as far as can be told without reading
   * them. A longer archive has older rows.
   */
  isCurrent({ archive, hot }: OwnLogs): boolean {
    const { ends } = this;
    return this.#at(0) === version && this.#at(1) === ownerOf(this.#agent) &&
      endOf(archive) === ends.archive.bytes &&
      markOf(archive, ends.archive.bytes) === ends.archive.mark &&
      markOf(hot, ends.hot.bytes) === ends.hot.mark &&
      this.#isAppended(hot);
  }

  /** Whether it is the same log and ctx wrote to it last: that writes the state after its rows. */
  #isAppended(hot: FileReader | undefined): boolean {
    const { ino, mtimeMs } = this.ends.hot;
    const now = stampOf(hot);
    if (now.ino !== ino || now.mtimeMs < mtimeMs) return false;
    if (now.mtimeMs === mtimeMs) return true;
    using state = this.#store.files.openReader(this.#store.layout.state);
    return now.mtimeMs <= stampOf(state).mtimeMs;
  }

  has(column: "known" | "forgotten", key: number): boolean {
    return this.#find(column, key) !== undefined;
  }

  /** The last index of a session; 0 where it has none. */
  lastIndex(sessionId: string): number {
    const row = this.#find("sessions", hash53(sessionId));
    return row === undefined ? 0 : this.#at(this.#start.indexes + row);
  }

  /** The newest row of a message with revisions, from the log: throws IndexDamage if it is not there. */
  findLatest(key: number): AgentRow | undefined {
    const row = this.#find("revised", key);
    if (row === undefined) return undefined;
    const place = this.#at(this.#start.places + row);
    const pool = ownPools[place % 2];
    using log = this.#store.files.openReader(this.#store.layout.history[pool]);
    const offset = Math.floor(place / 2);
    const line = log && readLineAt(log, offset);
    const found = line && toAgentRow(this.#agent, line, { pool, offset });
    if (found?.key !== key || found.revision === undefined) {
      throw new IndexDamage("the ledger names another row");
    }
    return found;
  }

  /** All columns; throws IndexDamage if any page is damaged. */
  readColumns(): LedgerColumns {
    const read = (column: Column): Float64Array =>
      this.#readNumbers(this.#start[column], this.#length[column]);
    return Object.fromEntries(
      ledgerColumns.map((column) => [column, read(column)]),
    ) as LedgerColumns;
  }

  /** The row of a key in a sorted column. Keys are hashes, so about where it is can be told. */
  #find(column: "known" | "revised" | "sessions" | "forgotten", key: number): number | undefined {
    const [start, length] = [this.#start[column], this.#length[column]];
    const guess = Math.floor(key / 2 ** 53 * length);
    const slack = Math.ceil(2 * Math.sqrt(length));
    let low = Math.max(0, guess - slack);
    let high = Math.min(length, guess + slack);
    if (low > 0 && this.#at(start + low) > key) low = 0;
    if (high < length && this.#at(start + high) <= key) high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#at(start + middle) < key) low = middle + 1;
      else high = middle;
    }
    return low < length && this.#at(start + low) === key ? low : undefined;
  }

  #at(number: number): number {
    const page = Math.floor(number / pageNumbers);
    const numbers = this.#pages.get(page) ?? this.#readNumbers(page * pageNumbers, pageNumbers);
    this.#pages.set(page, numbers);
    return numbers[number % pageNumbers];
  }

  #readNumbers(from: number, count: number): Float64Array {
    return new Float64Array(this.#source.read(from * 8, count * 8).buffer);
  }
}

const spans = 8;
const spanBytes = 128;

/** What the first bytes of a log look like, at their end and on the way there; -1 if there are fewer. */
function markOf(log: FileReader | undefined, bytes: number): number {
  if (bytes === 0) return 0;
  const length = Math.min(spanBytes, bytes);
  const span = new Uint8Array(length);
  let text = "";
  for (let i = 0; i < spans; i++) {
    const at = Math.floor((bytes - length) * i / (spans - 1));
    if ((log?.readAt(at, span) ?? 0) < length) return -1;
    text += String.fromCharCode(...span);
  }
  return hash53(text);
}
