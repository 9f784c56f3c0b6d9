// Takes another store's entries, or an export of them, into this one as they are: same ids, same
// fields, same order, so that references between them still hold and an export of the copy is the
// export it was made from. An id that another entry has here is reported, and both stay where they are.

import { type Entry, tombstoneType } from "../core/entry.ts";
import { CtxError } from "../core/errors.ts";
import { hash64 } from "../core/hash.ts";
import { Pacer } from "../core/pacer.ts";
import { redactText, redactValue } from "../core/redact.ts";
import { Tally } from "../sources/tally.ts";
import type { Files } from "../store/files.ts";
import { IdTable } from "../store/id_table.ts";
import { findTornTail } from "../store/lines.ts";
import { parseLine } from "../store/row.ts";
import { readSessionEvents, type SessionEvent } from "../store/sessions.ts";
import { openSnapshot, type Snapshot } from "../store/snapshot.ts";
import { refuseNewer } from "../store/state.ts";
import type { Store } from "../store/store.ts";
import { type Receipt, type SessionReceipt, toReceipt } from "./import_receipt.ts";

/** What a copy is told. */
export interface CopyOptions {
  store: Store;
  /** The files outside the store. */
  files: Files;
  /** A workspace, its `.contextfs`, an export, or a directory of exports. */
  root: string;
  signal: AbortSignal;
  dryRun: boolean;
  since?: string;
  session?: string;
  onSession: (receipt: SessionReceipt, done: number, total: number) => void;
}

const batchRows = 2000;
const batchChars = 4 << 20;
const maxClashes = 50;

/** Copies what is not here yet. */
export async function copyStore(options: CopyOptions): Promise<Receipt> {
  const { store, root } = options;
  const tally = new Tally();
  const origin = findOrigin(options.files, root);
  const copy = new Copy(options, origin);
  if (origin.directory === store.layout.root) copy.skipped.own_store = 1;
  else await copy.run(tally);
  return toReceipt("contextfs", [root], tally, copy.finish());
}

/** Where rows are read from: pairs of logs, each pair one store or one file. */
interface Origin {
  logs: { hot: string; archive: string }[];
  /** The `.contextfs` directory, when it is a store. */
  directory?: string;
}

function findOrigin(files: Files, root: string): Origin {
  const alone = (hot: string): Origin["logs"][number] => ({ hot, archive: `${hot}.no-archive` });
  if (Deno.statSync(root).isFile) return { logs: [alone(root)] };
  for (const directory of [`${root}/.contextfs`, root]) {
    const hot = `${directory}/history.ndjson`;
    const archive = `${directory}/history.archive.ndjson`;
    if ([hot, archive].some((path) => files.findSize(path) !== undefined)) {
      refuseNewer(files, { state: `${directory}/state.json` });
      return { logs: [{ hot, archive }], directory };
    }
  }
  const exports = files.list(root).filter((name) => /\.(?:ndjson|jsonl)$/.test(name))
    .map((name) => `${root}/${name}`).filter((path) => Deno.statSync(path).isFile);
  if (exports.length > 0) return { logs: exports.map(alone) };
  throw new CtxError("NOT_FOUND", `Cannot import from "${root}": it holds no store and no export`, {
    hint: "ctx export > FILE, then ctx import contextfs --root FILE",
  });
}

/** One row that waits to be written. */
interface Waiting {
  entry: Entry;
  raw: number;
  clean: number;
  redactions: number;
  session: SessionReceipt;
}

/** One copy under way. */
class Copy {
  readonly #options: CopyOptions;
  readonly #origin: Origin;
  readonly #sessions = new Map<string, SessionReceipt>();
  readonly #events = new Map<string, SessionEvent[]>();
  /** Every id that is taken, with the hash of its row. */
  #taken = new IdTable();
  #forgotten: ReadonlySet<string> = new Set();
  #revision = -1;
  #waiting: Waiting[] = [];
  #chars = 0;
  readonly skipped: Record<string, number> = {};
  readonly #totals = { entries: 0, known: 0, superseded: 0, forgotten: 0, redactions: 0 };
  readonly #clashes: string[] = [];
  #clashCount = 0;

  constructor(options: CopyOptions, origin: Origin) {
    this.#options = options;
    this.#origin = origin;
    if (origin.directory === undefined) return;
    const sessions = `${origin.directory}/sessions.ndjson`;
    for (const event of readSessionEvents(options.files, { sessions })) {
      const known = this.#events.get(event.session_id);
      if (known) known.push(event);
      else this.#events.set(event.session_id, [event]);
    }
  }

  async run(tally: Tally): Promise<void> {
    const { files, session, since } = this.#options;
    const lastTimes = since === undefined ? undefined : this.#readLastTimes();
    this.#look();
    const pacer = new Pacer(this.#options.signal);
    for (const logs of this.#origin.logs) {
      for (const entry of readRows(files, logs, tally)) {
        tally.messages++;
        const id = entry.session_id ?? "";
        const receipt = this.#receiptOf(entry, logs.hot);
        if (session !== undefined && id !== session) continue;
        if (since !== undefined && (lastTimes?.get(id) ?? entry.ts) < since) continue;
        receipt.messages++;
        this.#offer(entry, receipt);
        if (this.#waiting.length >= batchRows || this.#chars >= batchChars) {
          await this.#flush();
        }
        if (pacer.isDue) await pacer.rest();
      }
    }
    await this.#flush();
    await this.#copyEvents();
  }

  /** The totals for the receipt; tells of every session on the way. */
  finish(): Parameters<typeof toReceipt>[3] {
    let sessions = 0;
    for (const receipt of this.#sessions.values()) {
      if (receipt.entries > 0) sessions++;
      else this.#skip(receipt);
      this.#options.onSession(receipt, sessions, this.#sessions.size);
    }
    return {
      ...this.#totals,
      seen: this.#sessions.size + (this.skipped.own_store ?? 0),
      sessions,
      sessions_skipped: this.skipped,
      clashes: this.#clashCount,
      clash_ids: this.#clashes,
    };
  }

  #skip({ messages, known }: SessionReceipt): void {
    const { session } = this.#options;
    const reason = messages > 0
      ? known > 0 ? "nothing_new" : "not_taken"
      : session === undefined
      ? "before_since"
      : "not_asked_for";
    this.skipped[reason] = (this.skipped[reason] ?? 0) + 1;
  }

  #offer(found: Entry, session: SessionReceipt): void {
    const { value: entry, count: redactions } = redactValue(found);
    const clean = hashOf(entry);
    const raw = entry === found ? clean : hashOf(found);
    if (!this.#isNew({ entry, raw, clean, redactions, session })) return;
    this.#waiting.push({ entry, raw, clean, redactions, session });
    this.#chars += entry.text.length;
  }

  /** Takes the row's id, or counts why it is not to be written. */
  #isNew({ entry, raw, clean, session }: Waiting): boolean {
    const { id } = entry;
    if (this.#forgotten.has(id)) {
      this.#totals.forgotten++;
      return false;
    }
    const before = this.#taken.add(id, clean);
    if (before === undefined) return true;
    if (before === raw || before === clean) {
      this.#totals.known++;
      session.known++;
      return false;
    }
    if (++this.#clashCount <= maxClashes) this.#clashes.push(id);
    return false;
  }

  /** Reads which ids are taken. */
  #look(revision = this.#options.store.readState().revision): void {
    const { store } = this.#options;
    this.#revision = revision;
    this.#taken = new IdTable();
    for (const { entry } of store.rows()) this.#taken.add(entry.id, hashOf(entry));
    this.#forgotten = store.readForgotten();
  }

  /** Writes what waits; when somebody else wrote meanwhile, looks again first (invariant 10). */
  async #flush(): Promise<void> {
    let waiting = this.#waiting;
    this.#waiting = [];
    this.#chars = 0;
    if (waiting.length === 0) return;
    if (!this.#options.dryRun) {
      await this.#options.store.write("import", (writer) => {
        if (writer.state.revision !== this.#revision) {
          this.#look(writer.state.revision);
          waiting = waiting.filter((row) => this.#isNew(row));
        }
        writer.appendEntries(waiting.map(({ entry }) => entry));
        this.#revision = writer.state.revision + 1;
      });
    }
    for (const { session, redactions } of waiting) {
      this.#totals.entries++;
      this.#totals.redactions += redactions;
      session.entries++;
    }
  }

  /** Brings titles along for sessions that are not known here; how far agents were read stays behind. */
  async #copyEvents(): Promise<void> {
    const { store, dryRun } = this.#options;
    if (dryRun) return;
    const here = store.readSessions();
    const events = [...this.#sessions.values()]
      .filter(({ session_id: id, entries, known }) => !here.has(id) && entries + known > 0)
      .flatMap(({ session_id: id }) => this.#events.get(id) ?? [])
      .map(({ resume: _resume, ...event }) => ({
        ...event,
        ...(event.event === "opened" ? { current: false } : {}),
      }));
    if (events.length === 0) return;
    await store.write("import", (writer) => writer.appendSessionEvents(events));
  }

  #readLastTimes(): Map<string, string> {
    const last = new Map<string, string>();
    for (const logs of this.#origin.logs) {
      for (const { session_id: id, ts } of readRows(this.#options.files, logs, new Tally())) {
        if (id !== undefined && ts > (last.get(id) ?? "")) last.set(id, ts);
      }
    }
    return last;
  }

  #receiptOf(entry: Entry, path: string): SessionReceipt {
    const id = entry.session_id ?? "";
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const title = this.#events.get(id)?.findLast((event) => event.title !== undefined)?.title;
    const receipt: SessionReceipt = {
      source: "contextfs",
      session_id: id,
      conversation: id,
      title: redactText(title ?? (id || path.replace(/^.*\//, ""))).value,
      project: entry.project,
      started: entry.ts,
      messages: 0,
      entries: 0,
      known: 0,
      superseded: 0,
      bad_lines: 0,
      problems: 0,
    };
    this.#sessions.set(id, receipt);
    return receipt;
  }
}

/** The rows of a pair of logs that are entries and not forgotten there, in their order. */
function* readRows(
  files: Files,
  history: { hot: string; archive: string },
  tally: Tally,
): Generator<Entry> {
  using snapshot = openSnapshot(files, { history });
  const forgotten = snapshot.readForgotten(["archive", "hot"]);
  tally.files++;
  tally.bytes += snapshot.sizeOf("archive") + snapshot.sizeOf("hot");
  for (const entry of readAll(files, { history, snapshot, tally })) {
    if (entry.type === tombstoneType || forgotten.has(entry.id)) continue;
    yield entry;
  }
}

/** All rows; a whole row at the end that lacks only its newline is one too. */
function* readAll(
  files: Files,
  from: { history: { hot: string }; snapshot: Snapshot; tally: Tally },
): Generator<Entry> {
  const { tally } = from;
  const onDamage = ({ saved }: { saved: number }): void => {
    tally.bad_lines++;
    tally.salvaged += saved;
  };
  for (const { entry } of from.snapshot.rows({ onDamage })) yield entry;
  const tail = findTornTail(files, from.history.hot);
  if (tail === undefined) return;
  const { entries, damage } = parseLine(tail.bytes);
  if (damage === undefined) yield* entries;
  else tally.bad_lines++;
}

/** A row as a number: 53 bits of its hash. */
function hashOf(entry: Entry): number {
  const [high, low] = hash64(JSON.stringify(entry));
  return (high & 0x1fffff) * 2 ** 32 + low;
}
