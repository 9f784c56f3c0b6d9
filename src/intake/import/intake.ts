// Takes rows from sources into the store: gives them ids, drops what is known, replaces what has
// changed, and writes in batches. A batch's rows are on disk before the events that say so: a kill
// in between only means that the session is looked at again. Hooks of one agent import at the same
// time: what somebody else wrote since the ledger was read is not written again (invariant 10).

import { toWholePath } from "../../core/platform_path.ts";
import { type Draft, ownPools } from "../../core/entry.ts";
import { makeId } from "../../core/id.ts";
import { redactText } from "../../core/redact/redact.ts";
import { addClue, type TitleClues, titleFrom } from "../../core/titles/title_clues.ts";
import {
  type ResumePoint,
  type SessionDetails,
  type Sink,
  type Source,
  type SourceEntry,
  type SourceSession,
  titleRanks,
} from "../sources/source.ts";
import { Tally } from "../sources/problem_tally.ts";
import { sumsUp } from "../../store/lifecycle/derived.ts";
import type { SessionEvent } from "../../store/logs/session_log.ts";
import type { Store } from "../../store/store.ts";
import { type KnownRow, type Ledger, readLedger } from "./ledger.ts";
import { keyOf } from "./ledger_rows.ts";
import { OwnCalls } from "./own_calls.ts";

const batchRows = 2000;
const batchChars = 4 << 20;

/** What an import added. */
export interface Intaken {
  entries: number;
  known: number;
  superseded: number;
  forgotten: number;
}

/** Where an intake writes. */
export interface IntakeOptions {
  store: Store;
  source: Source;
  now: () => number;
  dryRun: boolean;
  /** Whether rows that are known are compared with what they would be today. */
  again?: boolean;
  /** Whether sessions without a title are named by what is said in them. */
  titles?: boolean;
  /** Told when a full batch is on disk. */
  onBatch?: () => Promise<void>;
}

/** The open end of an import of one source. */
export class Intake {
  readonly #options: IntakeOptions;
  #drafts: Draft[] = [];
  #events: SessionEvent[] = [];
  #chars = 0;
  #redactions = 0;
  readonly #ledger: Ledger;
  /** What the logs were when they were last looked at. */
  #seen: string;
  /** What they hold, once somebody else has written to them. */
  #here?: Ledger;
  /** Rows that were taken here and turned out to be written, or forgotten, by somebody else. */
  doubles = 0;
  /** Titles of sessions that only a message in them names. */
  readonly titles = new Map<string, string>();

  constructor(options: IntakeOptions) {
    this.#options = options;
    const { store, source } = options;
    this.#seen = markOf(store, store.readState().revision);
    this.#ledger = readLedger(store, source, options);
  }

  get redactions(): number {
    return this.#redactions;
  }

  open(
    session: SourceSession,
    sessionId: string,
    kind: { isUntitled: boolean; isCopy: boolean },
  ): SessionSink {
    const push = (draft: Draft): void | Promise<void> => this.#push(draft);
    const options = { ...this.#options, ledger: this.#ledger, ...kind };
    return new SessionSink(session, sessionId, options, push, this.titles);
  }

  /** Notes that a session was read to a point. */
  close(event: SessionEvent): void {
    this.#events.push(event);
  }

  async flush(): Promise<void> {
    const [drafts, events] = [this.#drafts, this.#events];
    this.#drafts = [];
    this.#events = [];
    this.#chars = 0;
    if (this.#options.dryRun || drafts.length + events.length === 0) return;
    await this.#options.store.write("import", (writer) => {
      if (markOf(writer, writer.state.revision) !== this.#seen) {
        this.#here = readLedger(this.#options.store, this.#options.source, this.#options);
      }
      const { fresh, isOther } = this.#here ? this.#sift(drafts, this.#here) : { fresh: drafts };
      this.doubles += drafts.length - fresh.length;
      this.#redactions += writer.append(fresh).redactions;
      // A message of which somebody wrote another revision is looked at again, with its session.
      if (!isOther) writer.appendSessionEvents(events);
      this.#seen = markOf(writer, writer.state.revision + 1);
    });
  }

  /** What of some rows is still not there, and whether somebody wrote another revision of one. */
  #sift(drafts: Draft[], here: Ledger): { fresh: Draft[]; isOther?: boolean } {
    let isOther = false;
    const fresh = drafts.filter(({ id = "", supersedes, source }) => {
      const { conversation = "", message = "", revision } = source ?? {};
      const key = keyOf(this.#options.source, conversation, message);
      if (here.isForgotten(id) || here.isForgotten(supersedes ?? "")) return false;
      const latest = here.findLatest(key);
      const isNew = revision === undefined ? !here.has(key) : latest?.id === supersedes;
      if (isNew) here.note(key, { id, revision });
      else if (latest?.revision !== revision) isOther = true;
      return isNew;
    });
    return { fresh, isOther };
  }

  #push(draft: Draft): void | Promise<void> {
    this.#drafts.push(draft);
    this.#chars += draft.text.length;
    if (this.#drafts.length >= batchRows || this.#chars >= batchChars) return this.#flushFull();
  }

  async #flushFull(): Promise<void> {
    await this.flush();
    if (!this.#options.dryRun) await this.#options.onBatch?.();
  }
}

/** Tells whether anything was written in between: a writer that is not done has no revision yet. */
function markOf({ files, layout }: Pick<Store, "files" | "layout">, revision: number): string {
  return [revision, ...ownPools.map((pool) => files.findSize(layout.history[pool]))].join(":");
}

interface SinkOptions extends IntakeOptions {
  ledger: Ledger;
  isUntitled: boolean;
  /** Whether another file has more of the conversation: then no known message is replaced. */
  isCopy: boolean;
}

interface Identity {
  key: number;
  id: string;
  latest?: KnownRow;
}

export class SessionSink implements Sink {
  readonly tally = new Tally();
  readonly taken: Intaken = { entries: 0, known: 0, superseded: 0, forgotten: 0 };
  readonly details: SessionDetails = {};
  readonly #conversation: string;
  readonly #sessionId: string;
  readonly #options: SinkOptions;
  readonly #push: (draft: Draft) => void | Promise<void>;
  readonly #titles: Map<string, string>;
  readonly #own = new OwnCalls();
  readonly #clues: TitleClues = {};

  constructor(
    session: SourceSession,
    sessionId: string,
    options: SinkOptions,
    push: (draft: Draft) => void | Promise<void>,
    titles: Map<string, string>,
  ) {
    // Keys must be made of what is on disk, where secrets are taken out.
    this.#conversation = redactText(session.id).value;
    this.#sessionId = sessionId;
    this.#options = options;
    this.#push = push;
    this.#titles = titles;
  }

  /** Whether something of the session was forgotten: what its agent made of the whole stays out. */
  get isUntitled(): boolean {
    return this.#options.isUntitled || this.taken.forgotten > 0;
  }

  /** What the session is called by what was read of it and is not forgotten, where that is asked for. */
  get madeTitle(): string {
    return titleFrom(this.#clues);
  }

  entry(entry: SourceEntry): void | Promise<void> {
    return this.#takeAll(this.#own.take(entry));
  }

  /** Takes what waited for more to come. */
  async end(): Promise<void> {
    await this.#takeAll(this.#own.release());
    if (this.#own.answers > 0) this.tally.skip("recalled_answers", this.#own.answers);
  }

  #takeAll(rows: SourceEntry[]): void | Promise<void> {
    if (rows.length <= 1) return rows[0] && this.#take(rows[0]);
    return (async () => {
      for (const row of rows) await this.#take(row);
    })();
  }

  #take(entry: SourceEntry): void | Promise<void> {
    const { ledger } = this.#options;
    const { message: raw, revision, ts, recalled, id: _given, ...fields } = entry;
    if (recalled !== undefined) this.tally.skip("recalled_passages", recalled);
    if (recalled !== undefined && fields.text === "") return;
    const message = redactText(raw).value;
    const { key, id, latest } = this.#identify({ ...entry, message });
    if (ledger.isForgotten(latest?.id ?? id) || (this.isUntitled && sumsUp(fields.type))) {
      this.taken.forgotten++;
      return;
    }
    if (this.#options.titles) {
      addClue(this.#clues, { ...fields, id, ts }, (text) => redactText(text).value);
    }
    const isKnown = latest === undefined
      ? ledger.has(key)
      : this.#options.isCopy || latest.revision === revision || this.#isElsewhere(latest);
    if (isKnown) {
      this.taken.known++;
      return;
    }
    const index = latest?.index ?? ledger.nextIndex(this.#sessionId);
    ledger.note(key, { id, revision, index, session_id: this.#sessionId });
    this.taken.entries++;
    if (latest) this.taken.superseded++;
    const agent = this.#options.source.name;
    return this.#push({
      id,
      ts,
      session_id: this.#sessionId,
      index,
      source: {
        agent,
        conversation: this.#conversation,
        message,
        ...optional("revision", revision),
      },
      ...fields,
      ...optional("supersedes", latest?.id),
    });
  }

  /** Whether a row that would be kept otherwise today stands in another session: a fork copied it. */
  #isElsewhere({ revision, session_id }: KnownRow): boolean {
    return revision === "" && session_id !== this.#sessionId;
  }

  /** The key and id of a row, and the row that it replaces: its producer changed the message. */
  #identify({ message, revision, ts, id: given }: SourceEntry): Identity {
    const { source, ledger } = this.#options;
    const key = keyOf(source, this.#conversation, message);
    const latest = revision === undefined ? undefined : ledger.findLatest(key);
    if (typeof given === "string" && latest === undefined) return { key, id: given };
    const scope = source.idScope === "agent" ? "" : this.#conversation;
    const changed = latest === undefined ? "" : `\0${revision}\0${latest.id}`;
    const seed = `${source.name}\0${scope}\0${message}${changed}`;
    return { key, id: makeId("H", Date.parse(ts) || 0, seed), latest };
  }

  describe({ title, title_from: from, titles, ...details }: SessionDetails): void {
    for (const item of titles ?? []) this.#titles.set(item.message, item.title);
    for (const [name, value] of Object.entries(details)) {
      if (value !== undefined) Object.assign(this.details, { [name]: value });
    }
    if (title === undefined || from === undefined) return;
    const rank = titleRanks.indexOf(from);
    const before = this.details.title_from;
    const known = before === undefined ? -1 : titleRanks.indexOf(before);
    if (rank < known) return;
    Object.assign(this.details, { title, title_from: from });
  }
}

export function startEvent(
  session: SourceSession,
  facts: { sessionId: string; source: string; now: number },
): SessionEvent {
  return {
    event: "imported",
    session_id: facts.sessionId,
    ts: new Date(facts.now).toISOString(),
    source: facts.source,
    conversation: session.id,
  };
}

/** The event that keeps how far a session was read. */
export function importedEvent(
  session: SourceSession,
  sink: SessionSink,
  facts: { sessionId: string; source: string; parent?: string; resume: ResumePoint; now: number },
): SessionEvent {
  const { details } = sink;
  const parent = details.parent ?? session.parent;
  return {
    ...startEvent(session, facts),
    path: session.path,
    ...optional("title", details.title),
    ...optional("title_from", details.title_from),
    ...optional("project", projectOf(session, details)),
    ...optional("branch", details.branch ?? session.branch),
    ...optional("parent_conversation", parent),
    ...optional("parent", facts.parent),
    resume: facts.resume,
  };
}

/** The project folder of a session. */
export function projectOf({ cwd }: SourceSession, details: SessionDetails): string | undefined {
  const said = details.cwd ?? cwd;
  return toWholePath(said) ?? said;
}

function optional(name: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [name]: value };
}

/** The event that says that a copy was read. */
export function copiedEvent(
  session: SourceSession,
  facts: { sessionId: string; source: string; copies: Record<string, string>; now: number },
): SessionEvent {
  return { ...startEvent(session, facts), copies: facts.copies };
}
