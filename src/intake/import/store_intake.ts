// Takes another store's entries, or an export of them, into this one as they are: same ids, same
// fields, same order, so that references between them still hold and an export of the copy is the
// export it was made from: a line is kept byte for byte where redaction has seen all of it. An id
// that another entry has here is reported, and both stay where they are.

import type { Entry } from "../../core/entry.ts";
import { isCleanJson } from "../../core/clean_json.ts";
import { hash53 } from "../../core/hash.ts";
import { breathe, isBreathDue } from "../../core/breathe.ts";
import { redactText, redactValue } from "../../core/redact/redact.ts";
import { Tally } from "../sources/problem_tally.ts";
import { decodeLossy, encodeExact } from "../../core/utf8.ts";
import { toForeignEvent } from "../../store/lifecycle/export_extras.ts";
import type { Files } from "../../disk/files.ts";
import { addPin, parsePins, type Pin, readPinsText } from "../../store/logs/pins.ts";
import { withoutTitle } from "../../store/logs/ended_titles.ts";
import type { SessionEvent } from "../../store/logs/session_log.ts";
import type { Store } from "../../store/store.ts";
import { findOrigin, type Origin, type OriginRow, readBesides, readRows } from "./origin.ts";
import type { PassProgress } from "./pass_progress.ts";
import { type Receipt, type SessionReceipt, toReceipt } from "./receipt.ts";

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
  onSession: (receipt: SessionReceipt, progress: PassProgress) => void;
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
  return toReceipt(tally, { source: "contextfs", roots: [root], ...copy.finish() });
}

interface Waiting {
  entry: Entry;
  raw: number;
  clean: number;
  redactions: number;
  session: SessionReceipt;
  /** How it is written elsewhere, where writing it anew would not give the same bytes. */
  line?: string;
}

class Copy {
  readonly #options: CopyOptions;
  readonly #origin: Origin;
  readonly #sessions = new Map<string, SessionReceipt>();
  readonly #events: Map<string, SessionEvent[]>;
  readonly #pins: Pin[];
  /** The pinned ids, and whether the entry of that name is here, or will be. */
  readonly #pinned = new Map<string, boolean>();
  /** Every id that is taken, with the hash of its row. */
  #taken = new Map<string, number>();
  #forgotten: ReadonlySet<string> = new Set();
  /** The sessions that have entries there which are forgotten here. */
  readonly #bereft = new Set<string>();
  #revision = -1;
  #waiting: Waiting[] = [];
  #chars = 0;
  readonly skipped: Record<string, number> = {};
  readonly #totals = { entries: 0, entries_known: 0, superseded: 0, forgotten: 0, redactions: 0 };
  readonly #clashes: string[] = [];
  #clashCount = 0;

  constructor(options: CopyOptions, origin: Origin) {
    this.#options = options;
    this.#origin = origin;
    const besides = readBesides(options.files, origin);
    this.#events = Map.groupBy(
      besides.flatMap(({ events }) => events),
      (event) => event.session_id,
    );
    this.#pins = besides.flatMap(({ pins }) => pins);
    for (const { id } of this.#pins) if (id !== undefined) this.#pinned.set(id, false);
  }

  async run(tally: Tally): Promise<void> {
    const { files, session, since } = this.#options;
    const lastTimes = since === undefined ? undefined : this.#readLastTimes();
    this.#look();
    for (const logs of this.#origin.logs) {
      for (const row of readRows(files, logs, tally)) {
        const { entry } = row;
        tally.messages++;
        const id = entry.session_id ?? "";
        const receipt = this.#receiptOf(entry, logs.hot);
        if (session !== undefined && id !== session) continue;
        if (since !== undefined && (lastTimes?.get(id) ?? entry.ts) < since) continue;
        receipt.messages++;
        this.#offer(row, receipt);
        if (this.#waiting.length >= batchRows || this.#chars >= batchChars) {
          await this.#flush();
        }
        if (isBreathDue()) await breathe(this.#options.signal);
      }
    }
    await this.#flush();
    await this.#copyEvents();
    await this.#copyPins();
  }

  /** The totals for the receipt; tells of every session on the way. */
  finish() {
    let sessions_imported = 0;
    for (const receipt of this.#sessions.values()) {
      if (receipt.entries > 0) sessions_imported++;
      else this.#skip(receipt);
      const { size: total } = this.#sessions;
      this.#options.onSession(receipt, { done: sessions_imported, total, bytes: 0, totalBytes: 0 });
    }
    return {
      ...this.#totals,
      sessions_seen: this.#sessions.size + (this.skipped.own_store ?? 0),
      sessions_imported,
      sessions_skipped: this.skipped,
      clashes: this.#clashCount,
      clash_ids: this.#clashes,
    };
  }

  #skip({ messages, known }: SessionReceipt): void {
    const { session } = this.#options;
    const unread = session === undefined ? "before_since" : "not_asked_for";
    const untaken = known > 0 ? "nothing_new" : "not_taken";
    const reason = messages > 0 ? untaken : unread;
    this.skipped[reason] = (this.skipped[reason] ?? 0) + 1;
  }

  #offer({ entry: found, line }: OriginRow, session: SessionReceipt): void {
    const { value: entry, count: redactions } = redactValue(found);
    const text = JSON.stringify(entry);
    const clean = hash53(text);
    const raw = redactions === 0 ? clean : hashOf(found);
    const row: Waiting = { entry, raw, clean, redactions, session };
    if (!this.#isNew(row)) return;
    if (redactions === 0 && line !== undefined) row.line = findExactLine(line, { entry, text });
    this.#waiting.push(row);
    this.#chars += (row.line ?? entry.text).length;
  }

  /** Takes the row's id, or counts why it is not to be written. */
  #isNew({ entry, raw, clean, session }: Waiting): boolean {
    const { id } = entry;
    if (this.#forgotten.has(id)) {
      this.#totals.forgotten++;
      this.#bereft.add(session.session_id);
      return false;
    }
    const before = this.#taken.get(id);
    if (before === undefined) this.#taken.set(id, clean);
    const isSame = before === undefined || before === raw || before === clean;
    if (isSame && this.#pinned.has(id)) this.#pinned.set(id, true);
    if (before === undefined) return true;
    if (isSame) {
      this.#totals.entries_known++;
      session.known++;
      return false;
    }
    if (++this.#clashCount <= maxClashes) this.#clashes.push(id);
    return false;
  }

  #look(revision = this.#options.store.readState().revision): void {
    const { store } = this.#options;
    this.#revision = revision;
    this.#taken = new Map();
    for (const { entry } of store.rows()) {
      if (!this.#taken.has(entry.id)) this.#taken.set(entry.id, hashOf(entry));
    }
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
        if (waiting.length > 0) writer.markCopied();
        const lines = new Map(waiting.map(({ entry, line }) => [entry, line]));
        writer.appendEntries(waiting.map(({ entry }) => entry), { lines });
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
      .flatMap(({ session_id: id }) => {
        const events = this.#events.get(id) ?? [];
        // A title may say what was forgotten here.
        return this.#bereft.has(id) ? events.map(withoutTitle) : events;
      })
      .map(toForeignEvent);
    if (events.length === 0) return;
    await store.write("import", (writer) => writer.appendSessionEvents(events));
  }

  /** Adds pins of entries that are here now, and those by hand when everything was asked for. */
  async #copyPins(): Promise<void> {
    const { store, dryRun, session, since } = this.#options;
    if (dryRun) return;
    const isAll = session === undefined && since === undefined;
    const wanted = this.#pins.filter(({ id }) => id === undefined ? isAll : this.#pinned.get(id))
      .map(({ id, text }) => ({
        ...(id === undefined ? {} : { id }),
        text: redactText(text).value,
      }));
    const before = readPinsText(store);
    if (addPins(before, wanted) === before) return;
    await store.write("import", (writer) => {
      const bytes = encodeExact(addPins(readPinsText(store), wanted));
      writer.files.replace(store.layout.pins, bytes, { sync: true });
    });
  }

  #readLastTimes(): Map<string, string> {
    const last = new Map<string, string>();
    for (const logs of this.#origin.logs) {
      for (const { entry } of readRows(this.#options.files, logs, new Tally())) {
        const { session_id: id, ts } = entry;
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

/** The text of the pins with those that are not in it yet. */
function addPins(text: string, pins: Pin[]): string {
  return pins.reduce((all, pin) => {
    const isThere = parsePins(all).some(({ id, text }) =>
      pin.id === undefined ? id === undefined && text === pin.text : id === pin.id
    );
    return isThere ? all : addPin(all, pin);
  }, text);
}

/** A line that says what the entry says in another way, and may be kept so: invariants 7 and 9. */
function findExactLine(
  bytes: Uint8Array,
  { entry, text }: { entry: Entry; text: string },
): string | undefined {
  const line = decodeLossy(bytes).trimStart();
  return line !== text && isCleanJson(line, entry) ? line : undefined;
}

function hashOf(entry: Entry): number {
  return hash53(JSON.stringify(entry));
}
